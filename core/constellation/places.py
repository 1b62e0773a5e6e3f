"""Fills in what has no place yet, and measures the distance between neighbours."""

import math
from collections.abc import Sequence
from zlib import crc32

import numpy as np

from core.constellation.picking import Grid

_GOLDEN = math.pi * (3 - math.sqrt(5))
_SAMPLE = 2000


def turns(ids: Sequence[str]) -> np.ndarray:
    """An angle for each id that stays the same in every run."""
    codes = np.fromiter((crc32(id.encode("utf-8", "replace")) for id in ids), np.uint32, len(ids))
    return codes.astype(np.float64) / 2**32 * (2 * np.pi)


def measure(x: np.ndarray, y: np.ndarray) -> float:
    """The usual distance from a point to its nearest neighbour.

    Rounded to steps of a quarter, so that a few more points leave every proportion as it was.
    """
    good = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    if len(good) < 2:
        return 1.0
    x, y = x[good].astype(np.float64), y[good].astype(np.float64)
    sample = np.linspace(0, len(x) - 1, min(len(x), _SAMPLE)).astype(int)
    span = max(float(np.ptp(x)), float(np.ptp(y)))
    if span <= 1e-6 * max(1.0, float(np.abs(x).max()), float(np.abs(y).max())):
        return 1.0
    grid = Grid(x, y)
    reach = 2.0 * span / math.sqrt(len(x))
    found = []
    for point in sample.tolist():
        near = grid.inside(x[point] - reach, y[point] - reach, x[point] + reach, y[point] + reach)
        distance = np.hypot(x[near] - x[point], y[near] - y[point])
        distance = distance[distance > span * 1e-6]
        found.append(distance.min() if len(distance) else reach)
    usual = 1.35 * float(np.median(found))
    return 1.25 ** round(math.log(usual) / math.log(1.25))


def complete(
    x: np.ndarray, y: np.ndarray, source: np.ndarray, target: np.ndarray, ids: Sequence[str],
    unit: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Places for entities that have none: beside a neighbour, or on a spiral around the rest."""
    x, y = x.astype(np.float32, copy=True), y.astype(np.float32, copy=True)
    lost = ~(np.isfinite(x) & np.isfinite(y))
    if not lost.any():
        return x, y
    turn = turns(ids)
    for here, there in ((source, target), (target, source)):
        edges = np.flatnonzero(lost[here] & ~lost[there]) if len(here) else here
        rows, first = np.unique(here[edges], return_index=True)
        beside = there[edges[first]]
        x[rows] = x[beside] + unit * np.cos(turn[rows])
        y[rows] = y[beside] + unit * np.sin(turn[rows])
        lost[rows] = False
    rows = np.flatnonzero(lost)
    if len(rows):
        placed = ~lost
        cx, cy, radius = 0.0, 0.0, 0.0
        if placed.any():
            cx, cy = float(x[placed].mean()), float(y[placed].mean())
            radius = float(np.hypot(x[placed] - cx, y[placed] - cy).max()) + unit
        step = np.arange(len(rows), dtype=np.float64)
        out = np.sqrt(radius**2 + step * unit**2 * 0.9)
        x[rows], y[rows] = cx + out * np.cos(step * _GOLDEN), cy + out * np.sin(step * _GOLDEN)
    return x, y


def scatter(
    x: np.ndarray, y: np.ndarray, entity_x: np.ndarray, entity_y: np.ndarray,
    memory: np.ndarray, entity: np.ndarray, unit: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Places for memories that have none: round the first entity they mention, else all about."""
    x, y = x.astype(np.float32, copy=True), y.astype(np.float32, copy=True)
    rows = np.flatnonzero(~(np.isfinite(x) & np.isfinite(y)))
    if not len(rows):
        return x, y
    home = np.full(len(x), -1)
    home[memory[::-1]] = entity[::-1]
    turn = rows * _GOLDEN
    out = unit * (0.35 + 0.5 * np.modf(rows * 0.6180339887)[0])
    if len(entity_x):
        cx, cy = float(entity_x.mean()), float(entity_y.mean())
        wide = float(np.hypot(entity_x - cx, entity_y - cy).max()) + unit
        mine = home[rows]
        astray = mine < 0
        out[astray] = wide * np.sqrt(np.modf(rows[astray] * 0.7548776662)[0])
        base_x = np.where(astray, cx, entity_x[mine])
        base_y = np.where(astray, cy, entity_y[mine])
    else:
        base_x, base_y = np.zeros(len(rows)), np.zeros(len(rows))
    x[rows], y[rows] = base_x + out * np.cos(turn), base_y + out * np.sin(turn)
    return x, y
