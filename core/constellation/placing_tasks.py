"""What finds places, each step a task for another process: it may load numba, which takes 90 MB.

Who gives a task away loads nothing by it. Every task is told the finished share by `report`, which
may stop it by raising `Cancelled`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from core.layout.layout_graph import Graph, Points
from core.progress import Report, ignore, part

Run = Callable[..., Any]
"""Runs a task elsewhere: `run(task, *args, progress=report)`."""


def in_this_process(task: Callable[..., Any], *args: object, progress: Report = ignore) -> Any:
    """Run a task in this process: there is no window that it could make wait."""
    return task(*args, report=progress)


def projected(rows: np.ndarray, leading: int, *, report: Report = ignore) -> Points:
    """Positions of vectors, (rows, 2); from less than all of them the leading ones make the map."""
    from core.projection.reduce import project, project_leading  # noqa: PLC0415 - runs kernels

    if leading < len(rows):
        return project_leading(rows, leading, report=report)
    return project(rows, report=report)


def laid_out(
    graph: Graph, base: Points, mentions: np.ndarray, first: Points | None = None, *,
    report: Report = ignore,
) -> tuple[Points, Points]:
    """A position for each entity, (entities, 2), and for each memory, (memories, 2).

    Args:
        graph: what to lay out.
        base: entities, then memories in the projection.
        mentions: pairs of (memory row, entity row).
        first: the first picture's entities, whose communities stay where it has them.
    """
    from core.layout.community_layout import lay_out  # noqa: PLC0415 - runs kernels
    from core.layout.refine_first_picture import refined  # noqa: PLC0415 - as above

    if first is not None:
        graph = refined(graph, first)
    entities = lay_out(graph, report=part(report, 0.0, 0.9))
    return entities, memories_among(entities, base, graph.radii, mentions)


def memories_among(
    entities: Points, base: Points, radii: np.ndarray, mentions: np.ndarray, *,
    report: Report = ignore,
) -> Points:
    """A position for each memory among placed entities; `base` as for `laid_out`."""
    from core.layout.memory_positions import place_memories  # noqa: PLC0415 - runs kernels

    count = len(entities)
    return place_memories(base[count:], base[:count], entities, radii, mentions)


def joined(
    known: Points, graph: Graph, late: Points, mentions: np.ndarray, *, report: Report = ignore
) -> tuple[Points, Points]:
    """All entities, those without a position among the rest, which stays; and late memories.

    Args:
        known: positions of entities, NaN for newcomers.
        graph: with where each is guessed to be as its base, NaN where nobody knows.
        late: where memories without a position are guessed to be.
        mentions: pairs of (row of `late`, entity row).
    """
    from core.layout.memory_positions import place_memories  # noqa: PLC0415 - runs kernels
    from core.layout.new_entities import place_new  # noqa: PLC0415 - as above

    entities = place_new(known, graph.edges, graph.weights, graph.radii, graph.base)
    if not len(late):
        return entities, late
    return entities, place_memories(late, entities, entities, graph.radii, mentions)


def communities(graph: Graph, *, report: Report = ignore) -> np.ndarray:
    """A label for each entity, 0 the largest community."""
    from core.layout.community_layout import communities_of  # noqa: PLC0415 - runs kernels

    return communities_of(graph)
