"""Builds a scene from the sky's rows and the positions of things."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.constellation import orbits, visual_encoding
from core.constellation.ghost_positions import ghosts_of
from core.constellation.named_communities import named, nameless, with_communities
from core.constellation.node_ids import NodeIds
from core.constellation.placing_tasks import Run, in_this_process
from core.constellation.positions import fill_entities, fill_memories, neighbour_distance
from core.constellation.scene import (
    ASPECT,
    ATTRIBUTE,
    CONSTRAINT,
    ENTITY,
    MEMORY,
    Communities,
    Scene,
)
from core.constellation.spliced_columns import by_owner, spliced, stable_order
from core.constellation.unchanged_rings import Ringed, rings_after
from core.model.sky_columns import EntityFacts, Positions, SkyRows

_LINKS = ("dependency_ids", "dependency_words", "dependency_type", "dependency_source",
          "dependency_target", "dependency_strength", "dependency_confidence")
_EDGES = ("edge_ids", "edge_source", "edge_target", "edge_width", "edge_alpha", "edge_family",
          "edge_dash", "touch_starts", "touch_edges")
"""The columns of links, and those of a scene that are made of them alone."""
_GROUPED = ("entity_ids", "entity_names", "entity_mentions", "entity_community",
            "community_names", *_LINKS)
"""What decides, with the positions, which communities there are and where."""
_MARKS = ("entity_pinned", "entity_muted", "entity_archived", "entity_task", "entity_pending")
"""What a scene has as it is in the rows, and nothing else of it is made of."""
_UNMARKED = tuple(name for name in SkyRows.__struct_fields__ if name not in _MARKS)


class Assembled(Struct, frozen=True, eq=False):
    """A scene and what it was made of."""

    rows: SkyRows
    positions: Positions
    scene: Scene

    def has(self, rows: SkyRows, names: Sequence[str]) -> bool:
        """True if these columns are its own; each is another one once a row in it is."""
        return len(rows.entity_ids) == len(self.rows.entity_ids) and all(
            getattr(rows, name) is getattr(self.rows, name) for name in names)

    def columns(self, names: Sequence[str]) -> dict[str, Any]:
        """Columns of its scene."""
        return {name: getattr(self.scene, name) for name in names}


class _Owned(Struct, frozen=True, eq=False):
    """Aspects and values sorted by what owns them."""

    aspects: np.ndarray
    aspect_entity: np.ndarray
    values: np.ndarray
    value_aspect: np.ndarray
    constraint: np.ndarray


def scene_of(
    rows: SkyRows, positions: Positions, *, run: Run = in_this_process,
    before: Assembled | None = None,
) -> Scene:
    """The scene of these rows, with communities found where the file names none.

    Args:
        rows: the graph.
        positions: where its entities and memories are.
        run: takes what is computed to another process.
        before: what was assembled last, the same way: what is as it was is taken from it.
    """
    if before is not None and rows is before.rows and positions is before.positions:
        return before.scene
    if before is not None and positions is before.positions and before.has(rows, _UNMARKED):
        return replace(before.scene, **{name: getattr(rows, name) for name in _MARKS})
    if before is None or not _grouped_as(before, rows, positions):
        rows = with_communities(rows, positions, run=run)
    return assemble(rows, positions, before)


def _grouped_as(before: Assembled, rows: SkyRows, positions: Positions) -> bool:
    return positions is before.positions and before.has(rows, _GROUPED)


def assemble(rows: SkyRows, positions: Positions, before: Assembled | None = None) -> Scene:
    """The scene of these rows at these positions; equal input gives an equal scene."""
    source = rows.dependency_source.astype(np.int32)
    target = rows.dependency_target.astype(np.int32)
    whole = np.flatnonzero((source >= 0) & (target >= 0) & (source != target))
    source, target = source[whole], target[whole]
    known_x, known_y = np.asarray(positions.entities, np.float32).reshape(-1, 2).T
    unit = positions.unit if positions.unit > 0 else neighbour_distance(known_x, known_y)
    x, y = fill_entities(known_x, known_y, source, target, rows.entity_ids, unit)

    size = visual_encoding.entity_size(rows.entity_mentions)
    owned = _sort(rows)
    ringed = Ringed(rows.entity_ids, x, y, size, owned.aspect_entity, owned.value_aspect,
                    owned.constraint, unit)
    rings = ringed.placed() if before is None else rings_after(ringed, before.scene)
    memory_x, memory_y = np.asarray(positions.memories, np.float32).reshape(-1, 2).T
    memory_x, memory_y = fill_memories(memory_x, memory_y, x, y, rows.mention_memory,
                                       rows.mention_entity, unit)
    return Scene(
        **_nodes(rows, owned, size, (x, rings.aspect_x, rings.value_x, memory_x),
                 (y, rings.aspect_y, rings.value_y, memory_y)),
        **(before.columns(_EDGES) if before is not None and before.has(rows, _LINKS)
           else _edges(rows, whole, source, target)),
        **_mentions(rows),
        **{name: getattr(rows, name) for name in EntityFacts.__struct_fields__},
        type_words=rows.type_words, reach=rings.reach, ghosts=ghosts_of(rows, x, y, unit),
        communities=_communities(rows, positions, x, y, unit, before),
        unit=float(unit), hidden=rows.hidden,
        index=before.scene.index if before is not None and before.has(rows, ("entity_ids",))
        else dict(zip(rows.entity_ids, range(len(rows.entity_ids)), strict=True)),
    )


def _communities(
    rows: SkyRows, positions: Positions, x: np.ndarray, y: np.ndarray, unit: float,
    before: Assembled | None,
) -> Communities:
    if positions.provisional:
        return nameless()
    if before is not None and _grouped_as(before, rows, positions):
        return before.scene.communities
    return named(rows.community_names, rows.entity_community, x, y, unit)


def _sort(rows: SkyRows) -> _Owned:
    aspects = by_owner(rows.aspect_entity)
    new_row = np.empty(len(aspects), np.int32)
    new_row[aspects] = np.arange(len(aspects))
    owner = new_row[rows.attribute_aspect]
    values = by_owner(owner)
    return _Owned(aspects, spliced(rows.aspect_entity, (), aspects), values,
                  spliced(owner, (), values), spliced(rows.attribute_constraint, (), values))


def _nodes(
    rows: SkyRows, owned: _Owned, size: np.ndarray, xs: tuple[np.ndarray, ...],
    ys: tuple[np.ndarray, ...],
) -> dict[str, Any]:
    entities, aspects, values, memories = (len(part) for part in xs)
    starts = np.cumsum([0, entities, aspects, values, memories])
    home = np.full(memories, -1, np.int32)
    home[rows.mention_memory[::-1]] = rows.mention_entity[::-1]
    nothing = np.zeros(aspects + values + memories, np.float32)
    dark = np.zeros(memories, np.int16)
    of_aspect = rows.entity_type[owned.aspect_entity].astype(np.int16)
    return {
        "ids": NodeIds(rows.entity_ids, spliced(rows.aspect_ids, (), owned.aspects),
                       spliced(rows.attribute_ids, (), owned.values), rows.memory_ids),
        "labels": [*rows.entity_names, *spliced(rows.aspect_names, (), owned.aspects)],
        "kind": np.concatenate((
            np.full(entities, ENTITY, np.uint8), np.full(aspects, ASPECT, np.uint8),
            np.where(owned.constraint, np.uint8(CONSTRAINT), np.uint8(ATTRIBUTE)),
            np.full(memories, MEMORY, np.uint8),
        )),
        "x": np.concatenate(xs), "y": np.concatenate(ys),
        "size": np.concatenate((
            size, visual_encoding.aspect_size(rows.aspect_weight[owned.aspects]),
            visual_encoding.value_size(
                spliced(rows.attribute_importance, (), owned.values), owned.constraint),
            visual_encoding.memory_size(rows.memory_importance),
        )),
        "brightness": np.concatenate((
            visual_encoding.brightness(rows.entity_constraints), nothing,
        )),
        "presence": np.concatenate((
            visual_encoding.presence(rows.entity_mentions, rows.entity_constraints), nothing + 1,
        )),
        "type_code": np.concatenate((rows.entity_type.astype(np.int16), of_aspect,
                                     of_aspect[owned.value_aspect], dark)),
        "parent": np.concatenate((
            np.full(entities, -1, np.int32), owned.aspect_entity,
            owned.value_aspect + np.int32(entities), home,
        )),
        "starts": tuple(int(start) for start in starts),
        "aspect_starts": orbits.offsets(owned.aspect_entity, entities),
        "value_starts": orbits.offsets(owned.value_aspect, aspects),
    }


def _edges(
    rows: SkyRows, whole: np.ndarray, source: np.ndarray, target: np.ndarray
) -> dict[str, Any]:
    alpha = visual_encoding.edge_alpha(rows.dependency_confidence[whole])
    width = visual_encoding.edge_width(rows.dependency_strength[whole])
    # The strongest first, so that any shortened drawing keeps the same ones in every frame.
    # None is below 0, so that their bits are in the order of the numbers.
    order = stable_order(-np.ascontiguousarray(alpha * width, np.float32).view(np.int32))
    source, target, whole = source[order], target[order], whole[order]
    kind = rows.dependency_type[whole].astype(np.int64)
    ends = np.concatenate((source, target))
    touch = stable_order(ends)
    count = len(rows.entity_ids)
    return {
        "edge_ids": spliced(rows.dependency_ids, (), whole),
        "edge_source": source, "edge_target": target,
        "edge_width": width[order], "edge_alpha": alpha[order],
        "edge_family": visual_encoding.family_codes(rows.dependency_words)[kind],
        "edge_dash": visual_encoding.dash_codes(rows.dependency_words)[kind],
        "touch_starts": orbits.offsets(ends, count),
        "touch_edges": (touch % max(len(source), 1)).astype(np.int32),
    }


def _mentions(rows: SkyRows) -> dict[str, Any]:
    order = stable_order(rows.mention_entity)
    return {
        "mention_starts": orbits.offsets(rows.mention_entity, len(rows.entity_ids)),
        "mention_memories": rows.mention_memory[order].astype(np.int32),
    }
