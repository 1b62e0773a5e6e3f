"""Positions of a sky for the next one, where nothing in it is new."""

from collections.abc import Mapping
from itertools import repeat

import numpy as np

from core.model.sky_columns import Positions, SkyRows


def same_positions(
    rows: SkyRows, before: SkyRows, known: Positions, index: Mapping[str, int] | None = None
) -> Positions | None:
    """The positions of these rows in another sky; None if one has no lasting position there.

    Args:
        rows: the sky whose positions are wanted.
        before: the other one.
        known: its positions.
        index: where each entity is in it, if that is known.
    """
    if known.provisional:
        return None
    entities = _again(rows.entity_ids, before.entity_ids, known.entities, index)
    memories = _again(rows.memory_ids, before.memory_ids, known.memories)
    if entities is None or memories is None:
        return None
    if entities is known.entities and memories is known.memories:
        return known
    return Positions(entities, memories, known.unit)


def _again(
    ids: list[str], before: list[str], points: np.ndarray, index: Mapping[str, int] | None = None
) -> np.ndarray | None:
    """The points of these ids, None if one has none."""
    if ids is before:
        return points
    known = dict(zip(before, range(len(before)), strict=True)) if index is None else index
    rows = np.fromiter(map(known.get, ids, repeat(-1)), np.int64, len(ids))
    return None if (rows < 0).any() else points[rows]
