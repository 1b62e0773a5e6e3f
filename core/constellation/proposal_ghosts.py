"""Gives pending proposals their positions in the sky."""

import numpy as np

from core.constellation.picking import Grid
from core.constellation.positions import angles
from core.constellation.scene import Ghosts
from core.model.sky import APPEAR, LINK, SkyRows

_FAR_OUT = 1.15
_TRIES = 12


def _settle(
    gx: np.ndarray, gy: np.ndarray, rows: np.ndarray, turn: np.ndarray, x: np.ndarray,
    y: np.ndarray, unit: float,
) -> None:
    """Move each ghost from its target to the emptiest point round it."""
    if not len(rows):
        return
    grid = Grid(x, y)
    ghosts: list[tuple[float, float]] = []
    for row in rows.tolist():
        near = grid.inside(gx[row] - 2 * unit, gy[row] - 2 * unit,
                           gx[row] + 2 * unit, gy[row] + 2 * unit)
        angle = turn[row] + np.arange(_TRIES) * (2 * np.pi / _TRIES)
        tx, ty = gx[row] + unit * np.cos(angle), gy[row] + unit * np.sin(angle)
        others = np.array([*zip(x[near].tolist(), y[near].tolist(), strict=True), *ghosts])
        room = np.hypot(others[:, :1] - tx, others[:, 1:] - ty).min(axis=0)
        best = int(np.argmax(room))
        gx[row], gy[row] = tx[best], ty[best]
        ghosts.append((float(tx[best]), float(ty[best])))


def ghosts_of(rows: SkyRows, x: np.ndarray, y: np.ndarray, unit: float) -> Ghosts:
    """Ghosts for the proposals: a new thing beside its target, or at the edge of the sky."""
    target = rows.proposal_target.astype(np.int64)
    other = rows.proposal_other.astype(np.int64)
    effect = rows.proposal_effect.astype(np.int8)
    turn = angles(rows.proposal_ids)
    gx, gy = np.zeros(len(target), np.float32), np.zeros(len(target), np.float32)
    held = target >= 0
    if held.any():
        gx[held], gy[held] = x[target[held]], y[target[held]]
    appear = effect == APPEAR
    _settle(gx, gy, np.flatnonzero(appear & held), turn, x, y, unit)
    alone = np.flatnonzero(appear & ~held)
    if len(alone) and len(x):
        cx, cy = float(np.median(x)), float(np.median(y))
        wide = float(np.quantile(np.hypot(x - cx, y - cy), 0.9)) * _FAR_OUT
        gx[alone], gy[alone] = cx + wide * np.cos(turn[alone]), cy + wide * np.sin(turn[alone])
    # A proposal whose target is not in the sky, and a link with an open end, can't be drawn.
    seen = (appear | held) & ((effect != LINK) | (other >= 0))
    keep = _once(rows, np.flatnonzero(seen))
    return Ghosts(
        ids=[rows.proposal_ids[k] for k in keep], labels=[rows.proposal_labels[k] for k in keep],
        effect=effect[keep], x=gx[keep], y=gy[keep],
        node=target[keep].astype(np.int32), other=other[keep].astype(np.int32),
    )


def _once(rows: SkyRows, drawable: np.ndarray) -> np.ndarray:
    """The same thing at the same target appears once, however many propose it."""
    known: set[tuple[str, int]] = set()
    once = []
    for row in drawable.tolist():
        thing = (rows.proposal_labels[row], int(rows.proposal_target[row]))
        if int(rows.proposal_effect[row]) != APPEAR or thing not in known:
            once.append(row)
            known.add(thing)
    return np.array(once, np.int64)
