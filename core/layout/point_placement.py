"""Loops over points in the plane, run as machine code: what is near, what overlaps, what draws."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from core.machine_code import Kernels, kernels

Points64 = NDArray[np.float64]
"""Positions, (points, 2)."""
Bools = NDArray[np.bool_]


def nearest_rows(
    points: Points64, among: Points64, count: int, cell: float
) -> NDArray[np.int64]:
    """The `count` rows of `among` nearest to each point, nearest first: (points, count)."""
    rows = np.zeros((len(points), count), dtype=np.int64)
    _compiled().nearest_rows(points, among, float(cell), rows, np.empty(count),
                             *_grid_of(len(among)))
    return rows


def push_apart(points: Points64, radii: Points64, held: Bools, rounds: int) -> None:
    """Move circles away from those they overlap, in so many rounds at most."""
    if len(points):
        _compiled().push_apart(_lasting(points), radii, held, rounds, *_grid_of(len(points)))


def settle(
    points: Points64, targets: Points64, wanted: NDArray[np.int32], radii: Points64, known: Bools
) -> None:
    """Give each wanted row the free point nearest to its target; the known ones stay."""
    nobody = np.zeros(len(points), dtype=np.bool_)
    _compiled().settle(_lasting(points), targets, wanted, radii, _lasting(known), nobody,
                       *_grid_of(len(points))[1:])


def overlapping(points: Points64, radii: Points64, held: Bools) -> Bools:
    """Rows that would have to move for no two circles to overlap: never both of a pair."""
    moving = np.zeros(len(points), dtype=np.bool_)
    if len(points):
        _compiled().overlapping(points, radii, held, moving, *_grid_of(len(points)))
    return moving


def relax(
    points: Points64,
    anchors: Points64,
    labels: NDArray[np.int32],
    middles: Points64,
    reaches: Points64,
    starts: NDArray[np.int64],
    others: NDArray[np.int32],
    weights: NDArray[np.float32],
    radii: Points64,
    room: float,
    rounds: int,
) -> None:
    """Forces inside each community: ties draw, neighbours push, anchors and the border hold."""
    size = len(points)
    _compiled().relax(
        _lasting(points), anchors, labels, middles, reaches, starts, others, weights, radii,
        float(room), rounds, np.empty(size), np.empty((size, 2)), np.empty(size, np.int32),
        np.empty((size, 3)), *_grid_of(size))


def _lasting(values: np.ndarray) -> np.ndarray:
    """What is moved in place: machine code would be given a copy of anything else."""
    if not values.flags.c_contiguous:
        raise ValueError("moved in place, so it must lie in the order of C")
    return values


def _grid_of(size: int) -> tuple[Bools, NDArray[np.int32], NDArray[np.int32]]:
    """Everyone, and room for a grid of so many points."""
    most = 4 * int(np.sqrt(size)) + 16  # As `most_columns` has it.
    return (np.ones(size, dtype=np.bool_), np.empty(most * most, dtype=np.int32),
            np.empty(size, dtype=np.int32))


@cache
def _compiled() -> Kernels:
    points, numbers, shares = np.zeros((1, 2)), np.zeros(1), np.zeros(1, np.float32)
    rows, wide, bools = np.zeros(1, np.int32), np.zeros(1, np.int64), np.zeros(1, np.bool_)
    grid = (bools, rows, rows)
    return kernels("core.layout.point_placement_kernels", {
        "nearest_rows": (points, points, 1.0, np.zeros((1, 1), np.int64), numbers, *grid),
        "push_apart": (points, numbers, bools, 1, *grid),
        "settle": (points, points, rows, numbers, bools, *grid),
        "overlapping": (points, numbers, bools, bools, *grid),
        "relax": (points, points, rows, points, numbers, wide, rows, shares, numbers, 1.0, 1,
                  numbers, points, rows, np.zeros((1, 3)), *grid),
    })
