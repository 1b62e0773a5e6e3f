"""What is shown of a sky without positions while its first picture is computed: its communities."""

import math

import numpy as np

from core.constellation.visual_encoding import entity_size
from core.model.sky_columns import Positions, SkyRows

_GOLDEN = math.pi * (3 - math.sqrt(5))
_ROOM = 2.3
"""How much of the plane a community gets, as a multiple of what its members need."""
_SPACING = 3.4
"""From a member to the next, in radii of their signs."""
_ROUNDS = 30


def provisional_positions(rows: SkyRows) -> Positions:
    """Each community a disc, the largest in the middle; needs no more than numpy and milliseconds.

    Entities without a community stand with those that they are linked to.
    """
    groups = _groups(rows)
    _, group, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    largest = np.argsort(-sizes, kind="stable")
    rank = np.empty(len(sizes), np.int64)
    rank[largest] = np.arange(len(sizes))
    areas = sizes[largest] * _ROOM
    out = np.sqrt(np.cumsum(areas) - areas / 2)
    out[:1] = 0.0
    turn = np.arange(len(sizes)) * _GOLDEN
    member, which = _numbers(group, sizes), rank[group]
    x = out[which] * np.cos(turn[which]) + np.sqrt(member) * np.cos(member * _GOLDEN)
    y = out[which] * np.sin(turn[which]) + np.sqrt(member) * np.sin(member * _GOLDEN)
    radius = entity_size(rows.entity_mentions).mean() if len(x) else 1.0
    spots = np.stack([x, y], axis=1) * radius * _SPACING
    nowhere = np.full((len(rows.memory_ids), 2), np.nan, np.float32)
    return Positions(spots.astype(np.float32), nowhere, provisional=True)


def _groups(rows: SkyRows) -> np.ndarray:
    """A number for each entity, the same within a community or else within what is linked."""
    count = len(rows.entity_ids)
    alone = rows.entity_community < 0
    label = np.where(alone, np.arange(count) + count, rows.entity_community).astype(np.int64)
    for _ in range(_ROUNDS):
        before = label.copy()
        for here, there in ((rows.dependency_source, rows.dependency_target),
                            (rows.dependency_target, rows.dependency_source)):
            free = alone[here]
            np.minimum.at(label, here[free], label[there[free]])
        if np.array_equal(before, label):
            break
    return label


def _numbers(group: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """How many members of its community come before each entity."""
    order = np.argsort(group, kind="stable")
    starts = np.cumsum(sizes) - sizes
    number = np.empty(len(group), np.int64)
    number[order] = np.arange(len(group)) - np.repeat(starts, sizes)
    return number
