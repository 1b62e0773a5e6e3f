"""Positions of a sky for the next one, where nothing in it is new."""

import numpy as np

from core.model.sky_columns import Positions, SkyRows


def same_positions(rows: SkyRows, before: SkyRows, known: Positions) -> Positions | None:
    """The positions of these rows in another sky; None if one has no lasting position there."""
    if known.provisional:
        return None
    entities = _again(rows.entity_ids, before.entity_ids, known.entities)
    memories = _again(rows.memory_ids, before.memory_ids, known.memories)
    if entities is None or memories is None:
        return None
    if entities is known.entities and memories is known.memories:
        return known
    return Positions(entities, memories, known.unit)


def _again(ids: list[str], before: list[str], points: np.ndarray) -> np.ndarray | None:
    """The points of these ids, None if one has none."""
    if ids is before:
        return points
    known = {id: row for row, id in enumerate(before)}
    rows = np.fromiter((known.get(id, -1) for id in ids), np.int64, len(ids))
    return None if (rows < 0).any() else points[rows]
