"""The rows of a walk: entities, links, aspects, constraints, and the memories they bring."""

from typing import Final, NamedTuple

from msgspec import Struct


class AnyScope:
    """The type of `ANY`."""


ANY: Final = AnyScope()
"""Memories of any scope; None asks for those without one."""


class MemoryFilter(Struct, frozen=True):
    """Which memories a walk may bring, beyond the settings."""

    scope: str | None | AnyScope = ANY
    aspect: str = ""
    """Part of an aspect's name; aspects without it bring no memories."""


class WalkedLink(NamedTuple):
    """A link that is followed; from its target to its source where that belongs to it."""

    id: str
    source_id: str
    target_id: str
    dependency_type: str
    strength: float
    confidence: float
    rank: int
    belongs: bool = False
    words: str = ""
    """What the imported file calls it, else its type."""

    @property
    def start_id(self) -> str:
        """The entity from which it is followed."""
        return self.target_id if self.belongs else self.source_id


class WalkedEntity(NamedTuple):
    """An entity that is walked: focal without a link, else reached by one.

    `asked` is False if only pinned entities led to it.
    """

    id: str
    name: str
    entity_type: str
    link: WalkedLink | None = None
    asked: bool = True


class WalkedAspect(NamedTuple):
    """An aspect that is walked, with its rank by weight among its entity's."""

    id: str
    entity_id: str
    name: str
    rank: int


class ConstraintRow(NamedTuple):
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


class ReachedMemory(NamedTuple):
    """A memory that an entity could bring, and what points at it."""

    memory_id: str
    score: float
    entity_id: str
    via: str
    rank: int
    aspect: WalkedAspect | None = None
    attribute_id: str | None = None
    group_key: str | None = None
    claim_key: str | None = None
    order: int = 0
    said: str | None = None
    """What it says, if that is short enough to have been read."""
    itself: bool = False
    """That is what the value says, which has no memory."""
