"""What the statements of a walk read: entities, links, aspects, constraints, candidates."""

from dataclasses import dataclass
from typing import Final, NamedTuple


class Everything:
    """The type of `ANY`."""


ANY: Final = Everything()
"""Memories of any scope; None asks for those without one."""


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What a call asks for beyond the settings."""

    scope: str | None | Everything = ANY
    aspect: str = ""
    """Part of an aspect's name; aspects without it bring no memories."""


class Hop(NamedTuple):
    """A link that is followed."""

    id: str
    source_id: str
    target_id: str
    dependency_type: str
    strength: float
    confidence: float
    rank: int


class Stop(NamedTuple):
    """An entity that is walked: focal without a hop, else reached by one."""

    id: str
    name: str
    entity_type: str
    hop: Hop | None = None


class Side(NamedTuple):
    """An aspect that is walked, with its place by weight among its entity's."""

    id: str
    entity_id: str
    name: str
    weight: float
    rank: int


class Rule(NamedTuple):
    """A constraint in force; `remembered` is False where no memory of it can be shown."""

    id: str
    entity_id: str
    aspect_id: str
    content: str
    importance: float
    memory_id: str | None
    remembered: bool
    group_key: str | None
    claim_key: str | None
    order: int


class Candidate(NamedTuple):
    """A memory that an entity could bring, and what points at it."""

    memory_id: str
    score: float
    entity_id: str
    via: str
    rank: int
    side: Side | None = None
    attribute_id: str | None = None
    group_key: str | None = None
    claim_key: str | None = None
    order: int = 0
