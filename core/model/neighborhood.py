"""The neighborhood of an entity: near entities, their links, and what was left out."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Neighbor:
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


@dataclass(frozen=True, slots=True)
class Edge:
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


@dataclass(frozen=True, slots=True)
class LeftOut:
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


@dataclass(frozen=True, slots=True)
class Neighborhood:
    """Entities near some others, with every link among them.

    `seeds` are the start entities, nodes come nearest first and the strongest linked first.
    """

    seeds: tuple[str, ...]
    nodes: tuple[Neighbor, ...]
    edges: tuple[Edge, ...]
    left_out: LeftOut = LeftOut()
