"""Entities and relations as the MCP reference memory server tells them."""

from msgspec import Struct

from core.model.names import name_key, slot_key
from core.model.partly_compared_struct import PartlyCompared


class Node(Struct, frozen=True):
    """An entity as the reference server tells it."""

    name: str
    entity_type: str
    observations: tuple[str, ...] = ()


class Edge(Struct, frozen=True):
    """A relation as the reference server tells it."""

    source: str
    target: str
    words: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes two relations the same."""
        return name_key(self.source), name_key(self.target), plain_words(self.words)


class Nodes(PartlyCompared, frozen=True, eq=False):
    """A part of the graph: entities, and the relations that begin or end at one of them."""

    ASIDE = frozenset({"ids"})

    entities: tuple[Node, ...] = ()
    relations: tuple[Edge, ...] = ()
    ids: tuple[str, ...] = ()
    """The ids of the entities, in the same order."""


def plain_words(words: str) -> str:
    """The words of a relation under any spelling: `Depends on` is `depends_on`."""
    return (slot_key(words) or "").replace("-", "_")
