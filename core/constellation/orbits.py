"""Rings round an entity: constraints nearest, then aspects, then their values in small fans."""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from core.constellation.visual_encoding import REFERENCE_STEP

CONSTRAINT_RING, ASPECT_RING, VALUE_RING = 13.0, 27.0, 42.0
"""Distance of each ring from the hexagon's rim, in pixels at the reference step."""

AT_A_TIME = 30_000
"""Values that are placed in one go: half a million at once would take 50 MB beside the sky."""

_RING_GAP = 9.0
_VALUE_GAP = 9.5
_CONSTRAINT_GAP = 11.0
_SECTOR_FILL = 0.86
_TURN = 2.0 * np.pi


class Orbits(Struct, frozen=True, eq=False):
    """Positions of aspects and values, and how far out each entity's rings reach (world units)."""

    aspect_x: np.ndarray
    aspect_y: np.ndarray
    value_x: np.ndarray
    value_y: np.ndarray
    reach: np.ndarray


def offsets(owners: np.ndarray, count: int) -> np.ndarray:
    """Where each owner's rows begin in a column sorted by owner; one more entry than owners."""
    starts = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(owners, minlength=count), out=starts[1:])
    return starts


def _rank(owners: np.ndarray, starts: np.ndarray) -> np.ndarray:
    rank: np.ndarray = np.arange(len(owners)) - starts[owners]
    return rank


def orbits_of(
    x: np.ndarray,
    y: np.ndarray,
    size: np.ndarray,
    turn: np.ndarray,
    aspect_entity: np.ndarray,
    value_aspect: np.ndarray,
    constraint: np.ndarray,
    unit: float,
) -> Orbits:
    """Positions for aspects and values, the same for the same rows.

    `aspect_entity` and `value_aspect` are sorted. `turn` is the angle of each entity's first
    aspect, so that not every ring in the sky begins in the same direction.
    """
    per_pixel = unit / REFERENCE_STEP
    starts = offsets(aspect_entity, len(x))
    many = np.maximum(np.diff(starts), 1)
    angle = turn[aspect_entity] + _TURN * _rank(aspect_entity, starts) / many[aspect_entity]
    ring = (size[aspect_entity] + ASPECT_RING) * per_pixel
    aspect_x = x[aspect_entity] + ring * np.cos(angle)
    aspect_y = y[aspect_entity] + ring * np.sin(angle)

    value_x, value_y = (np.empty(len(value_aspect), np.float32) for _ in range(2))
    reach = np.where(np.diff(starts) > 0, size + ASPECT_RING, size)
    for first, last, rows in _blocks(value_aspect, len(aspect_entity)):
        entity, own = aspect_entity[value_aspect[rows]], value_aspect[rows] - first
        sector = _TURN / many[entity] * _SECTOR_FILL
        swing, out = _fan(own, constraint[rows], sector, size[entity], last - first)
        value_angle = angle[value_aspect[rows]] + swing
        value_x[rows] = x[entity] + out * per_pixel * np.cos(value_angle)
        value_y[rows] = y[entity] + out * per_pixel * np.sin(value_angle)
        firsts = np.flatnonzero(np.diff(entity, prepend=-1))
        owners = entity[firsts]
        reach[owners] = np.maximum(reach[owners], np.maximum.reduceat(out, firsts))
    as_float = (column.astype(np.float32) for column in
                (aspect_x, aspect_y, value_x, value_y, reach * per_pixel))
    return Orbits(*as_float)


def _blocks(value_aspect: np.ndarray, aspects: int) -> Iterator[tuple[int, int, slice]]:
    """The first and last aspect, and the rows, of as many values as are placed in one go."""
    starts = offsets(value_aspect, aspects)
    first = 0
    while first < aspects:
        last = int(np.searchsorted(starts, starts[first] + AT_A_TIME, "right")) - 1
        last = min(max(last, first + 1), aspects)
        if starts[last] > starts[first]:
            yield first, last, slice(int(starts[first]), int(starts[last]))
        first = last


def _fan(
    owner: np.ndarray, constraint: np.ndarray, sector: np.ndarray, size: np.ndarray, owners: int
) -> tuple[np.ndarray, np.ndarray]:
    """Angle beside the aspect's own and distance from the centre, for each value."""
    swing = np.zeros(len(owner))
    out = np.zeros(len(owner))
    for inner in (True, False):
        rows = np.flatnonzero(constraint == inner)
        mine = owner[rows]
        starts = offsets(mine, owners)
        rank, total = _rank(mine, starts), np.diff(starts)[mine]
        radius = size[rows] + (CONSTRAINT_RING if inner else VALUE_RING)
        gap = _CONSTRAINT_GAP if inner else _VALUE_GAP
        # Values that find no room in their aspect's sector go to a further ring; constraints
        # stay on the one inner ring, where they are looked for, and stand closer.
        room = total if inner else np.maximum((sector[rows] * radius / gap).astype(int), 1)
        row, index_in_row = rank // np.maximum(room, 1), rank % np.maximum(room, 1)
        in_row = np.minimum(room, total - row * room)
        step = np.minimum(gap / radius, sector[rows] / np.maximum(in_row, 1))
        swing[rows] = (index_in_row - (in_row - 1) / 2) * step
        out[rows] = radius + row * _RING_GAP
    return swing, out
