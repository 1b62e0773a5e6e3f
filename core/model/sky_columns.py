"""The sky's raw columns: one agent's graph as numbers, before it has positions."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import fields

APPEAR, CHANGE, GO, LINK = 0, 1, 2, 3
"""What a pending proposal would do: a thing appears, changes or goes, or a link forms."""

NO_TASK = 0
"""`entity_task` of an entity that is no task; other codes are 1 + the index in `TASK_STATUSES`."""


class Column(Struct, frozen=True):
    """Describes a column; `columns_of` gives those of a struct.

    Attributes:
        dtype: of the numpy array; `str` for a list of texts, or `PackedTexts` of many.
        rows: what each row is for, the name of a count: `entities`, `entities + 1`.
        meaning: what a value means, with its unit.
    """

    dtype: str
    rows: str
    meaning: str

    def empty(self) -> Any:
        """An empty column."""
        return [] if self.dtype == "str" else np.zeros(0, self.dtype)


def column(dtype: str, rows: str, meaning: str) -> Any:
    """A field of a struct that is a column; empty unless it is given."""
    return field(default_factory=Column(dtype, rows, meaning).empty)


def columns_of(kind: type[Struct]) -> dict[str, Column]:
    """The columns of a struct by the names of its fields."""
    makers = {each.name: getattr(each.default_factory, "__self__", None) for each in fields(kind)}
    return {name: column for name, column in makers.items() if isinstance(column, Column)}


class EntityFacts(Struct, frozen=True, eq=False):
    """What is read of each entity and goes to the picture as it is: `SkyRows` and `Scene` have it.

    In the order of the entities, which is the same in both.
    """

    entity_mentions: np.ndarray = column("int32", "entities", "how often memories mention it")
    entity_constraints: np.ndarray = column("int32", "entities", "how many active constraints")
    entity_pinned: np.ndarray = column("bool", "entities", "pinned")
    entity_muted: np.ndarray = column("bool", "entities", "muted")
    entity_archived: np.ndarray = column("bool", "entities", "archived")
    entity_task: np.ndarray = column(
        "int8", "entities", "`NO_TASK`, else 1 + index into `TASK_STATUSES`")
    entity_pending: np.ndarray = column("int32", "entities", "how many pending proposals")


class SkyRows(EntityFacts, frozen=True, eq=False):
    """Every row of the sky as parallel columns; an index is one into these columns.

    Rows whose owner was deleted are left out, except dependencies and proposals without a target,
    whose index is -1. Names of attributes and memories are not here: they are read by id when
    they come near enough to be read.
    """

    # Entities, those that are mentioned most first, then by name.
    entity_ids: list[str] = column("str", "entities", "id")
    entity_names: list[str] = column("str", "entities", "name")
    type_words: tuple[str, ...] = ()
    """The types of entities that there are, sorted."""
    entity_type: np.ndarray = column("int16", "entities", "index into `type_words`")
    entity_community: np.ndarray = column(
        "int32", "entities", "index into `community_names`, -1 for none")
    community_names: list[str] = column("str", "communities", "name")
    community_ids: list[str] = column("str", "communities", "id, empty where one was found by us")

    # Active aspects, highest weight first within an entity.
    aspect_ids: list[str] = column("str", "aspects", "id")
    aspect_names: list[str] = column("str", "aspects", "name")
    aspect_entity: np.ndarray = column("int32", "aspects", "index of its entity")
    aspect_weight: np.ndarray = column("float32", "aspects", "weight, 0 to 1")
    aspect_number: np.ndarray = column("int64", "aspects", "row number, the order of writing")

    # Active attributes and constraints, most important first within an aspect.
    attribute_ids: Sequence[str] = column("str", "attributes", "id")
    attribute_aspect: np.ndarray = column("int32", "attributes", "index of its aspect")
    attribute_constraint: np.ndarray = column("bool", "attributes", "a constraint")
    attribute_importance: np.ndarray = column("float32", "attributes", "importance, 0 to 1")
    attribute_number: np.ndarray = column(
        "int64", "attributes", "row number, the order of writing")

    # Memories as written, and which entity is mentioned in which: by memory, then entity id.
    memory_ids: list[str] = column("str", "memories", "id")
    memory_importance: np.ndarray = column("float32", "memories", "importance, 0 to 1")
    memory_number: np.ndarray = column("int64", "memories", "row number, the order of writing")
    mention_memory: np.ndarray = column("int32", "mentions", "index of the memory")
    mention_entity: np.ndarray = column("int32", "mentions", "index of the entity it mentions")
    mention_number: np.ndarray = column("int64", "mentions", "row number, the order of writing")

    # Active dependencies between entities.
    dependency_ids: Sequence[str] = column("str", "dependencies", "id")
    dependency_words: tuple[str, ...] = ()
    """The types of dependencies that there are, sorted."""
    dependency_type: np.ndarray = column("int16", "dependencies", "index into `dependency_words`")
    dependency_source: np.ndarray = column(
        "int32", "dependencies", "index of the entity it starts from, -1 for none")
    dependency_target: np.ndarray = column(
        "int32", "dependencies", "index of the entity it leads to, -1 for none")
    dependency_strength: np.ndarray = column("float32", "dependencies", "strength, 0 to 1")
    dependency_confidence: np.ndarray = column("float32", "dependencies", "confidence, 0 to 1")
    dependency_number: np.ndarray = column(
        "int64", "dependencies", "row number, the order of writing")

    # Pending proposals, as far as they can be seen.
    proposal_ids: list[str] = column("str", "proposals", "id")
    proposal_labels: list[str] = column("str", "proposals", "the name its thing would have")
    proposal_effect: np.ndarray = column("int8", "proposals", "`APPEAR`, `CHANGE`, `GO` or `LINK`")
    proposal_target: np.ndarray = column(
        "int32", "proposals", "index of the entity it is about, -1 for none")
    proposal_other: np.ndarray = column(
        "int32", "proposals", "index of the far end of a proposed link, -1 for none")

    hidden_ids: frozenset[str] = frozenset()
    """Entities left out of these columns (archived, or muted when those are not asked for)."""

    @property
    def hidden(self) -> int:
        """How many entities are left out."""
        return len(self.hidden_ids)


class Positions(Struct, frozen=True, eq=False):
    """Where the sky's entities and memories are, in the order of the columns of `SkyRows`.

    `entities` is float32 of shape (entities, 2), `memories` of (memories, 2), both x and y.
    Any unit serves: sizes on the screen follow `unit`, the usual distance between neighbours.
    It should be saved with the positions, so that a growing graph keeps its proportions; 0 means
    that it is to be measured. A row of NaN is unknown yet and is put beside what it belongs to.
    `provisional` says that `positions.lasting_positions` gives better ones.
    """

    entities: np.ndarray
    memories: np.ndarray
    unit: float = 0.0
    provisional: bool = False
