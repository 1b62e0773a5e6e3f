"""The state of one walk: which entities it visits, which memories it takes, how it got there."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.model.walk import Path
from core.store.handles import Reader
from core.traversal import walk_queries
from core.traversal.config import TraversalSettings
from core.traversal.walk_rows import (
    ConstraintRow,
    MemoryFilter,
    ReachedMemory,
    WalkedAspect,
    WalkedEntity,
)


class MemoryBudget:
    """The memories of a walk, at most `limit`: entities take turns, so that none takes all.

    Attributes:
        taken: what points at each memory that is in, in the order in which they came.
        rejected: memories that found no room.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.taken: dict[str, list[ReachedMemory]] = {}
        self.rejected: list[ReachedMemory] = []

    @property
    def free(self) -> int:
        """How many memories still fit."""
        return self.limit - len(self.taken)

    def share(self, entities: Iterable[Sequence[ReachedMemory]]) -> None:
        """Let each entity in turn put in its best memory that is not in yet, until it is full."""
        waiting = [iter(memories) for memories in entities]
        while waiting:
            waiting = [memories for memories in waiting if self._take_next(memories)]

    def _take_next(self, memories: Iterable[ReachedMemory]) -> bool:
        """Take the next new memory of one entity; False once it has no more."""
        for memory in memories:
            if memory.memory_id in self.taken:
                self.taken[memory.memory_id].append(memory)
            elif self.free > 0:
                self.taken[memory.memory_id] = [memory]
                return True
            else:
                self.rejected.append(memory)
        return False


@dataclass(slots=True)
class WalkState:
    """One walk under way; the report and the explanation are made from it.

    Attributes:
        focal: the active entities that it starts from.
        neighbors: those one link away, the surest of each focal entity first.
        constraints: every constraint of both.
        in_time: False once time ran out.
        visited: the entities whose memories were looked for.
        aspects: their aspects that were read.
        mentioned: those of them that mentions were asked for.
    """

    settings: TraversalSettings
    filters: MemoryFilter
    focal: list[WalkedEntity]
    neighbors: list[WalkedEntity]
    constraints: list[ConstraintRow]
    budget: MemoryBudget
    in_time: bool = True
    visited: list[WalkedEntity] = field(default_factory=list)
    aspects: list[WalkedAspect] = field(default_factory=list)
    mentioned: list[WalkedEntity] = field(default_factory=list)

    @property
    def entities(self) -> dict[str, WalkedEntity]:
        """Every walked entity by id, focal ones first."""
        return {entity.id: entity for entity in (*self.focal, *self.neighbors)}

    def visit(self, reader: Reader, entities: Sequence[WalkedEntity]) -> None:
        """Fill the budget from these entities: by their values, then by mentions if room is left.

        What time does not allow is left out.
        """
        if not entities:
            return
        self.visited += entities
        aspects, self.in_time = walk_queries.read_aspects(
            reader, entities, self.settings, self.filters)
        if self.in_time:
            self.aspects += aspects
            memories, self.in_time = walk_queries.read_attributes(
                reader, aspects, self.constraints, self.settings, self.filters)
            self.budget.share(memories.get(entity.id, ()) for entity in entities)
        if self.in_time and self.budget.free:
            self.mentioned += entities
            memories, self.in_time = walk_queries.read_mentions(
                reader, entities, self.settings, self.filters, self.budget.free,
                self.budget.taken)
            self.budget.share(memories.get(entity.id, ()) for entity in entities)


def start_walk(
    reader: Reader, focal_ids: Sequence[str], settings: TraversalSettings, filters: MemoryFilter
) -> WalkState:
    """A walk with its entities and all their constraints; the clock does not stop these."""
    with reader.uninterrupted():
        focal = walk_queries.read_entities(reader, dict.fromkeys(focal_ids)) if focal_ids else []
        neighbors = walk_queries.read_neighbors(reader, focal, settings) if focal else []
        constraints = walk_queries.read_constraints(
            reader, [*focal, *neighbors], filters) if focal else []
    return WalkState(settings, filters, focal, neighbors, constraints,
                     MemoryBudget(settings.max_traversal_paths))


def path_to(entity: WalkedEntity, aspect_id: str | None) -> Path:
    """The way to something under an entity: from a focal one over the link that led there."""
    aspects = (aspect_id,) if aspect_id else ()
    link = entity.link
    if link is None:
        return Path((entity.id,), aspects)
    ends = (link.source_id, entity.id) if link.source_id != entity.id else (entity.id,)
    return Path(ends, aspects, (link.id,))


def longest_path(
    memories: Sequence[ReachedMemory], entities: Mapping[str, WalkedEntity]
) -> tuple[ReachedMemory, Path]:
    """Of several ways to a memory the longest, the first among equals: it tells the most."""

    def path(memory: ReachedMemory) -> Path:
        return path_to(entities[memory.entity_id], memory.aspect.id if memory.aspect else None)

    longest = memories[0]
    if len(memories) > 1:
        longest = max(memories, key=lambda memory: len(path(memory)))
    return longest, path(longest)


def link_label(dependency_type: str, target: str) -> str:
    """A link as one reads it from its source."""
    return f"{dependency_type} → {target}"
