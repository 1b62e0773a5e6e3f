"""Gives memories positions among the entities of a laid-out sky."""

import numpy as np
from numpy.typing import NDArray

from core.layout.affinity import nearest_points
from core.layout.layout_graph import Points

NEAR = 6
"""Entities that carry a memory along from the projection to the sky."""
PULL = 0.55
"""How far a memory goes towards the entities it mentions."""
SCATTER = 2.2
"""How far apart memories of one entity lie, in radii of its hexagon."""
CLEAR = 1.25
"""Memories keep this far from the middle of a hexagon, in its radii."""


def place_memories(
    memories: Points,
    base: Points,
    positions: Points,
    radii: NDArray[np.floating],
    mentions: NDArray[np.integer],
) -> Points:
    """A position in the sky for each memory: its own in the projection, moved with its neighbours.

    Equal input gives equal bytes; the position of a memory does not depend on other memories.

    Args:
        memories: each memory's position in the projection, (memories, 2).
        base: each entity's position in the same projection, (entities, 2).
        positions: each entity's position in the sky, (entities, 2).
        radii: of their hexagons, in units of the sky, (entities,).
        mentions: pairs of (memory row, entity row), (mentions, 2).
    """
    own = np.nan_to_num(memories, posinf=0, neginf=0).astype(np.float64).reshape(-1, 2)
    seen = np.flatnonzero(np.isfinite(base).all(axis=1) & np.isfinite(positions).all(axis=1))
    if len(seen) == 0 or len(own) == 0:
        return own.astype(np.float32)
    reaches = np.asarray(radii, dtype=np.float64)[seen]
    sky = positions[seen].astype(np.float64)
    points = _carried(own, base[seen].astype(np.float64), sky, reaches)
    _draw_to_mentioned(points, sky, _own_rows(mentions, seen, len(own), len(base)))
    points += _scatter(own) * SCATTER * float(np.median(reaches))
    _clear_hexagons(points, sky, reaches)
    return points.astype(np.float32)


def _carried(
    memories: NDArray[np.float64],
    base: NDArray[np.float64],
    sky: NDArray[np.float64],
    reaches: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The warp of the projection into the sky: near entities take a memory with them."""
    near = nearest_points(memories, base, min(NEAR, len(base)))
    away = memories[:, None] - base[near]
    apart = np.sqrt((away**2).sum(axis=2))
    # The nearest decides: entities side by side in the projection may be in two communities.
    shares = 1 / (apart / np.maximum(apart[:, :1], 1e-6) + 1e-6) ** 4
    shares /= shares.sum(axis=1, keepdims=True)
    scale = _size(sky) / max(_size(base), 1e-9)
    farthest = 4 * reaches[near]
    steps = away * (scale * farthest / (scale * apart + farthest))[:, :, None]
    carried: NDArray[np.float64] = ((sky[near] + steps) * shares[:, :, None]).sum(axis=1)
    return carried


def _size(points: NDArray[np.float64]) -> float:
    return float(np.sqrt(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean()))


def _own_rows(
    mentions: NDArray[np.integer], seen: NDArray[np.int64], memories: int, entities: int
) -> NDArray[np.int64]:
    """Mentions of entities that have a position, by their row among those."""
    pairs = np.asarray(mentions, dtype=np.int64).reshape(-1, 2)
    sound = (pairs >= 0).all(axis=1) & (pairs[:, 0] < memories) & (pairs[:, 1] < entities)
    own = np.full(entities, -1, dtype=np.int64)
    own[seen] = np.arange(len(seen))
    pairs = pairs[sound]
    pairs = np.stack([pairs[:, 0], own[pairs[:, 1]]], axis=1)
    return pairs[pairs[:, 1] >= 0]


def _draw_to_mentioned(
    points: NDArray[np.float64], sky: NDArray[np.float64], mentions: NDArray[np.int64]
) -> None:
    """Towards those mentioned, the nearer the more, so that few end in the gap between two."""
    rows, targets = mentions[:, 0], sky[mentions[:, 1]]
    apart = ((targets - points[rows]) ** 2).sum(axis=1)
    shares = 1 / (apart + 1)
    totals = np.bincount(rows, shares, len(points))
    drawn = totals > 0
    for axis in (0, 1):
        mean = np.bincount(rows, shares * targets[:, axis], len(points))[drawn] / totals[drawn]
        points[drawn, axis] += PULL * (mean - points[drawn, axis])


def _scatter(memories: NDArray[np.float64]) -> NDArray[np.float64]:
    """A step within the unit disc that follows from a memory's own position alone."""
    bits = memories.view(np.uint64)
    mixed = bits[:, 0] * np.uint64(0x9E3779B97F4A7C15) ^ bits[:, 1] * np.uint64(0xC2B2AE3D27D4EB4F)
    mixed = (mixed ^ mixed >> np.uint64(29)) * np.uint64(0xBF58476D1CE4E5B9)
    angle = (mixed >> np.uint64(40)) / 2**24 * 2 * np.pi
    reach = np.sqrt((mixed >> np.uint64(16) & np.uint64(0xFFFFFF)) / 2**24)
    steps: NDArray[np.float64] = np.stack([np.cos(angle) * reach, np.sin(angle) * reach], axis=1)
    return steps


def _clear_hexagons(
    points: NDArray[np.float64], sky: NDArray[np.float64], reaches: NDArray[np.float64]
) -> None:
    """Out from under the nearest hexagon, to just beside it."""
    nearest = nearest_points(points, sky, 1)[:, 0]
    away = points - sky[nearest]
    apart = np.sqrt((away**2).sum(axis=1))
    free = CLEAR * reaches[nearest]
    hidden = apart < free
    away[hidden & (apart < 1e-6)] = (1.0, 0.0)
    apart = np.maximum(np.sqrt((away**2).sum(axis=1)), 1e-6)
    beside = free * (1 + 0.35 * apart / free)
    points[hidden] = (sky[nearest] + away / apart[:, None] * beside[:, None])[hidden]
