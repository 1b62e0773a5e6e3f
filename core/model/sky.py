"""The sky's raw columns: what one agent's graph holds, as numbers, before anything has a place."""

from dataclasses import dataclass, field

import numpy as np

APPEAR, CHANGE, GO, LINK = 0, 1, 2, 3
"""What a pending proposal would do: a thing appears, changes or goes, or a link forms."""

NO_TASK = 0
"""`entity_task` of an entity that is no task; other codes are 1 + the place in `TASK_STATUSES`."""


def _ints(kind: type = np.int32) -> np.ndarray:
    return np.zeros(0, kind)


def _floats() -> np.ndarray:
    return np.zeros(0, np.float32)


def _flags() -> np.ndarray:
    return np.zeros(0, np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class SkyRows:
    """Every row of the sky as parallel columns; the places are indices into these columns.

    `*_ids`, `*_names` and `*_labels` are lists of text, everything else is a numpy array of the
    same length. Rows whose owner is gone are left out, except dependencies and proposals without
    a target, whose index is -1. Names of attributes and memories are not here: they are read by
    id when they come near enough to be read.
    """

    # Entities, in the seeds' order (pinned first, then mentions, then name).
    entity_ids: list[str] = field(default_factory=list)
    entity_names: list[str] = field(default_factory=list)
    type_words: tuple[str, ...] = ()
    entity_type: np.ndarray = field(default_factory=lambda: _ints(np.int16))
    entity_mentions: np.ndarray = field(default_factory=_ints)
    entity_constraints: np.ndarray = field(default_factory=_ints)
    entity_pinned: np.ndarray = field(default_factory=_flags)
    entity_muted: np.ndarray = field(default_factory=_flags)
    entity_archived: np.ndarray = field(default_factory=_flags)
    entity_task: np.ndarray = field(default_factory=lambda: _ints(np.int8))
    entity_pending: np.ndarray = field(default_factory=_ints)
    entity_community: np.ndarray = field(default_factory=_ints)
    """Index into `community_names`, -1 for none."""
    community_names: list[str] = field(default_factory=list)

    # Active aspects, heaviest first within an entity.
    aspect_ids: list[str] = field(default_factory=list)
    aspect_names: list[str] = field(default_factory=list)
    aspect_entity: np.ndarray = field(default_factory=_ints)
    aspect_weight: np.ndarray = field(default_factory=_floats)

    # Active attributes and constraints, most important first within an aspect.
    attribute_ids: list[str] = field(default_factory=list)
    attribute_aspect: np.ndarray = field(default_factory=_ints)
    attribute_constraint: np.ndarray = field(default_factory=_flags)
    attribute_importance: np.ndarray = field(default_factory=_floats)

    # Memories, and which entity is mentioned in which.
    memory_ids: list[str] = field(default_factory=list)
    memory_importance: np.ndarray = field(default_factory=_floats)
    mention_memory: np.ndarray = field(default_factory=_ints)
    mention_entity: np.ndarray = field(default_factory=_ints)

    # Active dependencies between entities.
    dependency_ids: list[str] = field(default_factory=list)
    dependency_words: tuple[str, ...] = ()
    dependency_type: np.ndarray = field(default_factory=lambda: _ints(np.int16))
    dependency_source: np.ndarray = field(default_factory=_ints)
    dependency_target: np.ndarray = field(default_factory=_ints)
    dependency_strength: np.ndarray = field(default_factory=_floats)
    dependency_confidence: np.ndarray = field(default_factory=_floats)

    # Pending proposals, as far as they can be seen: the effect, where, and the name it would have.
    proposal_ids: list[str] = field(default_factory=list)
    proposal_labels: list[str] = field(default_factory=list)
    proposal_effect: np.ndarray = field(default_factory=lambda: _ints(np.int8))
    proposal_target: np.ndarray = field(default_factory=_ints)
    proposal_other: np.ndarray = field(default_factory=_ints)
    """The far end of a proposed link, -1 for none."""

    hidden: int = 0
    """Entities left out of these columns (archived, or muted when those are not asked for)."""


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """Where the sky's entities and memories are, in the order of the columns of `SkyRows`.

    Any unit serves: sizes on the screen follow `unit`, the usual distance between neighbours.
    It should be saved with the positions, so that a growing graph keeps its proportions; 0 means
    that it is to be measured. A row of NaN is unknown yet and is put beside what it belongs to.
    `provisional` says that `positions.lasting_positions` gives better ones.
    """

    entities: np.ndarray
    memories: np.ndarray
    unit: float = 0.0
    provisional: bool = False
