"""Ids of rows that queries leave out until a person has seen them, as one value."""

from msgspec import Struct
from msgspec.structs import astuple

from core.model.text_formatting import counted


class HiddenRows(Struct, frozen=True, dict=True):
    """What is hidden, each as ids.

    Attributes:
        values: with the memories that were made from them.
        proposals: the records of how these came about.
        aspects: those that hold nothing but hidden values.
        restored: values and assertions that only hidden ones have replaced, so that they count
            as before.
        facts: how many of these a person has not seen yet.
    """

    memories: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    entities: frozenset[str] = frozenset()
    proposals: frozenset[str] = frozenset()
    aspects: frozenset[str] = frozenset()
    assertions: frozenset[str] = frozenset()
    restored: frozenset[str] = frozenset()
    facts: int = 0

    @property
    def words(self) -> str:
        """`3 facts wait until a person has seen them`."""
        waits, them = ("waits", "it") if self.facts == 1 else ("wait", "them")
        return f"{counted(self.facts, 'fact')} {waits} until a person has seen {them}"

    def __or__(self, other: "HiddenRows") -> "HiddenRows":
        return HiddenRows(
            self.memories | other.memories, self.values | other.values, self.links | other.links,
            self.entities | other.entities, self.proposals | other.proposals,
            self.aspects | other.aspects, self.assertions | other.assertions,
            self.restored | other.restored, self.facts + other.facts)

    def __bool__(self) -> bool:
        return any(astuple(self))
