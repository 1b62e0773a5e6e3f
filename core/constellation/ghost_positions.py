"""Gives pending proposals their positions in the sky."""

import numpy as np

from core.constellation.picking import Grid
from core.constellation.positions import angles
from core.constellation.scene import Ghosts
from core.model.sky_columns import APPEAR, LINK, SkyRows

_TRIES = 12
_EDGE, _APART = 1.02, 1.6
"""Lone ghosts stand on the upper half of an ellipse that is by this share larger than the sky, so
many neighbour distances from each other and from every star; further out where it is full."""


def settle(
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


def settle_alone(
    gx: np.ndarray, gy: np.ndarray, rows: np.ndarray, turn: np.ndarray, x: np.ndarray,
    y: np.ndarray, unit: float,
) -> None:
    """Put ghosts without a target at the sky's upper edge: the legend covers the lower one.

    Each takes the free point that is next to the direction of its own.
    """
    if not len(rows) or not len(x):
        return
    points, ring = np.zeros((0, 2)), 0
    while len(points) < len(rows):
        points = np.vstack((points, _free_points(x, y, unit, ring)))
        ring += 1
    middle = np.array([np.ptp(x) / 2 + x.min(), np.ptp(y) / 2 + y.min()])
    way = np.arctan2(*(points - middle).T[::-1])
    for row in rows.tolist():
        wish = -abs((turn[row] + np.pi) % (2 * np.pi) - np.pi)
        best = int(np.abs(way - wish).argmin())
        gx[row], gy[row] = points[best]
        way[best] = np.inf


def _free_points(x: np.ndarray, y: np.ndarray, unit: float, ring: int) -> np.ndarray:
    """Points of the upper half of an ellipse round the sky that have room, (points, 2)."""
    apart = _APART * unit
    half = np.array([np.ptp(x), np.ptp(y)]) / 2 * _EDGE + unit + ring * apart
    count = max(int(np.pi * half.mean() / apart), 2)
    angle = np.linspace(-np.pi, 0.0, count)
    points = np.array([np.ptp(x) / 2 + x.min(), np.ptp(y) / 2 + y.min()]) + half * np.column_stack(
        (np.cos(angle), np.sin(angle)))
    grid = Grid(x, y)
    near = [grid.inside(px - apart, py - apart, px + apart, py + apart)
            for px, py in points.tolist()]
    free = [not len(stars) or np.hypot(x[stars] - px, y[stars] - py).min() >= apart
            for stars, (px, py) in zip(near, points.tolist(), strict=True)]
    return np.asarray(points[free])


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
    settle(gx, gy, np.flatnonzero(appear & held), turn, x, y, unit)
    settle_alone(gx, gy, np.flatnonzero(appear & ~held), turn, x, y, unit)
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
