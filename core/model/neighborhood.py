"""The neighborhood of an entity: near entities, their links, and what was left out."""

from msgspec import Struct


class Neighbor(Struct, frozen=True):
    """An entity of a neighbourhood, `depth` links away from where it began."""

    id: str
    name: str
    entity_type: str
    notes: str
    """Its description, else the most important thing known of it."""
    depth: int
    mentions: int
    episodes: int
    """Memories that mention it."""
    established: bool
    """True from the promotion threshold on: it recurs, it was not named in passing."""
    pinned: bool
    muted: bool


class Edge(Struct, frozen=True):
    """A link between two entities of a neighbourhood."""

    id: str
    source_id: str
    target_id: str
    dependency_type: str
    strength: float
    confidence: float
    reason: str | None
    words: str = ""
    """What the imported file calls it, else its type."""


class LeftOut(Struct, frozen=True):
    """What a bounded neighborhood leaves out.

    Attributes:
        nodes: entities that are near enough but beyond the limit; at least so many where a hub's
            own neighbours were not all looked at.
        edges: links among the shown entities beyond the limit.
        links: links of hubs that were not followed.
        dangling: links whose far end is not in the file.
        hubs: the entities whose links were not all followed, with how many they have.
        deeper: the limit was reached before the requested depth.
    """

    nodes: int = 0
    edges: int = 0
    links: int = 0
    dangling: int = 0
    hubs: tuple[tuple[str, int], ...] = ()
    deeper: bool = False

    def __bool__(self) -> bool:
        return bool(self.nodes or self.edges or self.links or self.dangling or self.deeper)


class Neighborhood(Struct, frozen=True):
    """Entities near some others, with every link among them.

    `seeds` are the start entities, nodes come nearest first and the strongest linked first.
    """

    seeds: tuple[str, ...]
    nodes: tuple[Neighbor, ...]
    edges: tuple[Edge, ...]
    left_out: LeftOut = LeftOut()
