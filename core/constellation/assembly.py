"""Builds a scene from the sky's rows and the places of things."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from core.constellation import encoding, orbits
from core.constellation.community_outlines import gather
from core.constellation.ghosts import haunt
from core.constellation.places import complete, measure, scatter, turns
from core.constellation.scene import (
    ARCHIVED,
    ASPECT,
    ATTRIBUTE,
    CONSTRAINT,
    ENTITY,
    MEMORY,
    MUTED,
    PENDING,
    PINNED,
    TASK,
    Scene,
)
from core.model.sky import NO_TASK, Positions, SkyRows


@dataclass(frozen=True, slots=True, eq=False)
class _Owned:
    """Aspects and values sorted by what owns them."""

    aspects: np.ndarray
    aspect_entity: np.ndarray
    values: np.ndarray
    value_aspect: np.ndarray
    constraint: np.ndarray


def assemble(rows: SkyRows, positions: Positions) -> Scene:
    """The scene of these rows at these positions; equal input gives an equal scene."""
    source = rows.dependency_source.astype(np.int32)
    target = rows.dependency_target.astype(np.int32)
    whole = np.flatnonzero((source >= 0) & (target >= 0) & (source != target))
    source, target = source[whole], target[whole]
    place = np.asarray(positions.entities, np.float32).reshape(-1, 2)
    unit = positions.unit if positions.unit > 0 else measure(place[:, 0], place[:, 1])
    x, y = complete(place[:, 0], place[:, 1], source, target, rows.entity_ids, unit)

    size = encoding.entity_size(rows.entity_mentions)
    owned = _sort(rows)
    rings = orbits.place(x, y, size, turns(rows.entity_ids), owned.aspect_entity,
                         owned.value_aspect, owned.constraint, unit)
    dust = np.asarray(positions.memories, np.float32).reshape(-1, 2)
    dust_x, dust_y = scatter(dust[:, 0], dust[:, 1], x, y, rows.mention_memory,
                             rows.mention_entity, unit)
    type_code = rows.entity_type.astype(np.int16)
    return Scene(
        **_nodes(rows, owned, size, (x, rings.aspect_x, rings.value_x, dust_x),
                 (y, rings.aspect_y, rings.value_y, dust_y)),
        **_edges(rows, whole, source, target),
        **_mentions(rows),
        task=rows.entity_task, mentions=rows.entity_mentions, type_words=rows.type_words,
        reach=rings.reach, ghosts=haunt(rows, x, y, unit),
        communities=gather(rows.community_names, rows.entity_community, x, y, type_code, unit),
        unit=float(unit), hidden=rows.hidden,
        index={id: place for place, id in enumerate(rows.entity_ids)},
    )


def _sort(rows: SkyRows) -> _Owned:
    aspects = np.argsort(rows.aspect_entity, kind="stable")
    new_place = np.empty(len(aspects), np.int64)
    new_place[aspects] = np.arange(len(aspects))
    owner = new_place[rows.attribute_aspect]
    values = np.argsort(owner, kind="stable")
    return _Owned(aspects, rows.aspect_entity[aspects].astype(np.int64), values, owner[values],
                  rows.attribute_constraint[values].astype(bool))


def _nodes(
    rows: SkyRows, owned: _Owned, size: np.ndarray, xs: tuple[np.ndarray, ...],
    ys: tuple[np.ndarray, ...],
) -> dict[str, Any]:
    entities, aspects, values, dust = (len(part) for part in xs)
    starts = np.cumsum([0, entities, aspects, values, dust])
    home = np.full(dust, -1, np.int32)
    home[rows.mention_memory[::-1]] = rows.mention_entity[::-1]
    nothing = np.zeros(aspects + values + dust, np.float32)
    dark = np.zeros(dust, np.int16)
    of_aspect = rows.entity_type[owned.aspect_entity].astype(np.int16)
    return {
        "ids": [*rows.entity_ids, *(rows.aspect_ids[k] for k in owned.aspects.tolist()),
                *(rows.attribute_ids[k] for k in owned.values.tolist()), *rows.memory_ids],
        "labels": [*rows.entity_names, *(rows.aspect_names[k] for k in owned.aspects.tolist())],
        "kind": np.concatenate((
            np.full(entities, ENTITY), np.full(aspects, ASPECT),
            np.where(owned.constraint, CONSTRAINT, ATTRIBUTE), np.full(dust, MEMORY),
        )).astype(np.uint8),
        "x": np.concatenate(xs), "y": np.concatenate(ys),
        "size": np.concatenate((
            size, encoding.aspect_size(rows.aspect_weight[owned.aspects]),
            encoding.value_size(rows.attribute_importance[owned.values], owned.constraint),
            encoding.dust_size(rows.memory_importance),
        )),
        "brightness": np.concatenate((encoding.brightness(rows.entity_constraints), nothing)),
        "presence": np.concatenate((
            encoding.presence(rows.entity_mentions, rows.entity_constraints), nothing + 1,
        )),
        "type_code": np.concatenate((rows.entity_type.astype(np.int16), of_aspect,
                                     of_aspect[owned.value_aspect], dark)),
        "parent": np.concatenate((
            np.full(entities, -1), owned.aspect_entity, owned.value_aspect + entities, home,
        )).astype(np.int32),
        "flags": np.concatenate((_flags(rows), nothing)).astype(np.uint8),
        "starts": tuple(int(start) for start in starts),
        "aspect_starts": orbits.offsets(owned.aspect_entity, entities),
        "value_starts": orbits.offsets(owned.value_aspect, aspects),
    }


def _flags(rows: SkyRows) -> np.ndarray:
    bits = ((rows.entity_pinned, PINNED), (rows.entity_muted, MUTED),
            (rows.entity_archived, ARCHIVED), (rows.entity_task != NO_TASK, TASK),
            (rows.entity_pending > 0, PENDING))
    flags = np.zeros(len(rows.entity_ids), np.uint8)
    for column, bit in bits:
        flags |= np.where(column, np.uint8(bit), np.uint8(0))
    return flags


def _edges(
    rows: SkyRows, whole: np.ndarray, source: np.ndarray, target: np.ndarray
) -> dict[str, Any]:
    alpha = encoding.edge_alpha(rows.dependency_confidence[whole])
    width = encoding.edge_width(rows.dependency_strength[whole])
    # The strongest first, so that any shortened drawing keeps the same ones in every frame.
    order = np.argsort(-(alpha * width), kind="stable")
    source, target, whole = source[order], target[order], whole[order]
    kind = rows.dependency_type[whole].astype(np.int64)
    ends = np.concatenate((source, target))
    touch = np.argsort(ends, kind="stable")
    count = len(rows.entity_ids)
    return {
        "edge_ids": [rows.dependency_ids[k] for k in whole.tolist()],
        "edge_source": source, "edge_target": target,
        "edge_width": width[order], "edge_alpha": alpha[order],
        "edge_family": encoding.family_codes(rows.dependency_words)[kind],
        "edge_dash": encoding.dash_codes(rows.dependency_words)[kind],
        "touch_starts": orbits.offsets(ends, count),
        "touch_edges": (touch % max(len(source), 1)).astype(np.int32),
    }


def _mentions(rows: SkyRows) -> dict[str, Any]:
    order = np.argsort(rows.mention_entity, kind="stable")
    return {
        "mention_starts": orbits.offsets(rows.mention_entity, len(rows.entity_ids)),
        "mention_memories": rows.mention_memory[order].astype(np.int32),
    }
