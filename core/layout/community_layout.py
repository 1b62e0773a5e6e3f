"""The layout: communities spread over the sky, their members around them, nothing overlapping.

1 unit is 1 px at full size. The sky's extent follows from the number and size of the hexagons, so
that a small graph and a large one are equally dense when they fill the window.
"""

import numpy as np
from numpy.typing import NDArray

from core.layout.affinity import Ties, with_likeness
from core.layout.communities import adopt, by_size, find_communities
from core.layout.layout_graph import Graph, Points, cleaned
from core.layout.nested_layout import ROOM, Part, arrange
from core.layout.point_placement import overlapping, push_apart, relax, settle
from core.progress import Report, ignore

SEED = 42
MARGIN = 0.8
"""The least free space around a hexagon, as a share of its radius."""
TURNS, ROUNDS = 12, 10
FEW = 1 / 2_000
"""The share of rows that may be moved elsewhere instead of pushing everyone for longer."""


def communities_of(graph: Graph) -> NDArray[np.int32]:
    """A label for each entity, 0 the largest community; those that the graph gives are kept."""
    graph = cleaned(graph)
    return _labels(graph, with_likeness(graph.base, graph.edges, graph.weights))


def lay_out(graph: Graph, *, seed: int = SEED, report: Report = ignore) -> Points:
    """A position for each entity, (entities, 2); the same bytes for the same graph and seed.

    Entities that are held stay exactly where they were put, and the others keep clear of them.

    Args:
        graph: what to lay out.
        seed: another seed gives another, equally good sky.
        report: is told the finished share, and may stop the work by raising `Cancelled`.
    """
    if len(graph) == 0:
        return np.zeros((0, 2), dtype=np.float32)
    graph = cleaned(graph)
    ties = with_likeness(graph.base, graph.edges, graph.weights)
    labels = _labels(graph, ties)
    report(0.2)
    radii = graph.radii.astype(np.float64)
    sky = arrange(Part(graph.base, radii, *ties.pairs()), labels, seed,
                  settled=graph.settled)
    report(0.5)
    points = sky.points.copy()
    # Half the usual distance between two middles: to that ties draw, and neighbours push.
    room = ROOM / 2 * float(np.median(radii))
    relax(
        points, sky.points, sky.labels, sky.middles, sky.reaches,
        ties.starts, ties.others, ties.weights, radii, room, 60 if len(graph) <= 30_000 else 30,
    )  # fmt: skip
    report(0.8)
    held = graph.held_rows
    if graph.held is not None and held.any():
        points[held] = graph.held[held]
    else:
        points -= (points.max(axis=0) + points.min(axis=0)) / 2
    positions = without_overlap(points, graph.radii, held)
    report(1.0)
    return positions


def _labels(graph: Graph, ties: Ties) -> NDArray[np.int32]:
    if graph.communities is None:
        return find_communities(ties, graph.base)
    if (graph.communities < 0).any():
        return adopt(graph.communities, ties, graph.base)
    return by_size(graph.communities)


def without_overlap(
    points: NDArray[np.float64], radii: NDArray[np.float32], held: NDArray[np.bool_]
) -> Points:
    """Positions near `points` at which no circle of `radii` touches another: (points, 2).

    Held rows don't move, so two of them may overlap where a person put them so.
    """
    narrow, wide = (radii.astype(np.float64) * (1 + share) for share in (MARGIN / 2, MARGIN))
    for _ in range(TURNS):
        push_apart(points, wide, held, ROUNDS)
        moving = overlapping(points, narrow, held)
        if moving.sum() <= len(points) * FEW:
            break
    # Circles that are packed on all sides would push each other for ever: they look for room.
    if moving.any():
        rows = np.flatnonzero(moving).astype(np.int32)
        settle(points, points[rows], rows, narrow, ~moving)
    return points.astype(np.float32)
