"""The state of one walk: which entities it visits, which memories it takes, how it got there."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from msgspec import Struct, field

from core.model.memory_text_of_value import worded
from core.model.names import spoken
from core.model.walk import Focal, Path
from core.queries.memory_subjects import Said
from core.queries.rows_to_model import text
from core.store.reader_and_writer import Reader
from core.traversal import walk_queries
from core.traversal.belonging_entities import read_parts
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
        own: how many of them are kept for what was asked; the others are kept for pins.
        taken: what points at each memory that is in, in the order in which they came.
        rejected: memories that found no room.
    """

    def __init__(self, limit: int, own: int) -> None:
        self.limit = limit
        self.left = {True: own, False: limit - own}
        self.taken: dict[str, list[ReachedMemory]] = {}
        self.rejected: list[ReachedMemory] = []

    @property
    def free(self) -> int:
        """How many memories still fit."""
        return self.limit - len(self.taken)

    def share(
        self, entities: Iterable[WalkedEntity], memories: Mapping[str, Sequence[ReachedMemory]]
    ) -> None:
        """Let each entity in turn put in its best memory that is not in yet, until it is full."""
        waiting = [(each.asked, iter(memories.get(each.id, ()))) for each in entities]
        while waiting:
            waiting = [turn for turn in waiting if self._take_next(*turn)]

    @contextmanager
    def keeping(self, share: float) -> Iterator[None]:
        """Keep a share of the places of what was asked for those that come after."""
        kept = int(self.left[True] * share)
        self.left[True] -= kept
        yield
        self.left[True] += kept

    def lend(self, entities: Iterable[WalkedEntity]) -> None:
        """Give what one of the two parts has left over to the other."""
        waiting: dict[str, list[ReachedMemory]] = {}
        for memory in self.rejected:
            waiting.setdefault(memory.entity_id, []).append(memory)
        self.rejected, self.left = [], dict.fromkeys(self.left, self.free)
        self.share(entities, waiting)

    def _take_next(self, asked: bool, memories: Iterable[ReachedMemory]) -> bool:
        """Take the next new memory of one entity; False once it has no more."""
        for memory in memories:
            if memory.memory_id in self.taken:
                self.taken[memory.memory_id].append(memory)
            elif len(self.taken) < self.limit and self.left[asked] > 0:
                self.left[asked] -= 1
                self.taken[memory.memory_id] = [memory]
                return True
            else:
                self.rejected.append(memory)
        return False


class WalkState(Struct):
    """One walk under way; the report and the explanation are made from it.

    Attributes:
        focal: the active entities that it starts from.
        neighbors: those one link away, the surest of each focal entity first.
        constraints: every constraint of both.
        parts: what belongs to the focal entities that were asked for.
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
    parts: list[WalkedEntity] = field(default_factory=list)
    in_time: bool = True
    visited: list[WalkedEntity] = field(default_factory=list)
    aspects: list[WalkedAspect] = field(default_factory=list)
    mentioned: list[WalkedEntity] = field(default_factory=list)

    @property
    def entities(self) -> dict[str, WalkedEntity]:
        """Every walked entity by id, focal ones first."""
        return {entity.id: entity
                for entity in (*self.focal, *self.parts, *self.neighbors)}

    @property
    def values_read(self) -> dict[str, Said]:
        """The taken memories that were made from a value which the walk read, with its entity: it
        is in force."""
        said = {each.id: Said(each.id, each.name, each.entity_type) for each in self.visited}
        return {id: said[each.entity_id] for id, reached in self.budget.taken.items()
                for each in reached if each.attribute_id == id}

    @property
    def texts_read(self) -> dict[str, str]:
        """What the taken memories say, as far as that was read with what leads to them."""
        names = {each.id: each.name for each in self.visited}
        return {id: _told(first, names) if first.itself else text(first.said)
                for id, reached in self.budget.taken.items()
                if (first := reached[0]).said is not None}

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
            self.budget.share(entities, memories)
        if self.in_time and self.budget.free:
            self.mentioned += entities
            memories, self.in_time = walk_queries.read_mentions(
                reader, entities, self.settings, self.filters, self.budget.free,
                self.budget.taken)
            self.budget.share(entities, memories)


def start_walk(
    reader: Reader, start: Focal, settings: TraversalSettings, filters: MemoryFilter
) -> WalkState:
    """A walk with its entities and all their constraints; the clock does not stop these."""
    with reader.uninterrupted():
        focal = walk_queries.read_entities(reader, start) if start.ids else []
        parts = read_parts(reader, focal, settings) if settings.max_parts else []
        neighbors = walk_queries.read_neighbors(reader, focal, settings, parts) if focal else []
        constraints = walk_queries.read_constraints(
            reader, [*focal, *parts, *neighbors], filters) if focal else []
    return WalkState(settings, filters, focal, neighbors, constraints,
                     MemoryBudget(settings.max_traversal_paths, _kept(focal, settings)), parts)


def _kept(focal: Iterable[WalkedEntity], settings: TraversalSettings) -> int:
    """The memories kept for what was asked: all, or none, where there is only one of the two."""
    kinds, limit = {entity.asked for entity in focal}, settings.max_traversal_paths
    if len(kinds) == 2:
        return round(limit * settings.asked_share)
    return limit if True in kinds else 0


def _told(value: ReachedMemory, names: Mapping[str, str]) -> str:
    """What is told of a value that has no memory."""
    aspect = value.aspect.name if value.aspect else ""
    return worded(names[value.entity_id], aspect, value.claim_key, text(value.said))


def path_to(entity: WalkedEntity, aspect_id: str | None) -> Path:
    """The way to something under an entity: from a focal one over the link that led there."""
    aspects = (aspect_id,) if aspect_id else ()
    link = entity.link
    if link is None:
        return Path((entity.id,), aspects)
    ends = (link.start_id, entity.id) if link.start_id != entity.id else (entity.id,)
    return Path(ends, aspects, (link.id,))


class Ways(dict[tuple[str, str | None], Path]):
    """The ways to memories, by their entity and aspect: most have one with several others."""

    def __init__(self, entities: Mapping[str, WalkedEntity]) -> None:
        self._entities = entities
        self._steps = {id: len(path_to(each, None)) for id, each in entities.items()}

    def __missing__(self, key: tuple[str, str | None]) -> Path:
        way = self[key] = path_to(self._entities[key[0]], key[1])
        return way

    def to(self, memory: ReachedMemory) -> Path:
        """The way to one memory."""
        return self[memory.entity_id, memory.aspect.id if memory.aspect else None]

    def longest(self, memories: Sequence[ReachedMemory]) -> tuple[ReachedMemory, Path]:
        """Of several ways to a memory the longest, the first among equals: it tells the most."""
        longest, most = memories[0], 0
        if len(memories) > 1:  # Counted without making each of them.
            for memory in memories:
                steps = self._steps[memory.entity_id] + (memory.aspect is not None)
                if steps > most:
                    longest, most = memory, steps
        return longest, self.to(longest)


def belonging(entity: WalkedEntity, entities: Mapping[str, WalkedEntity]) -> str:
    """How an entity belongs to the one it came with: `part of Harbor Ledger`; else empty."""
    link = entity.link
    if link is None or not link.belongs:
        return ""
    return f"{spoken(link.dependency_type)} {entities[link.target_id].name}"


def link_label(words: str, target: str) -> str:
    """A link as one reads it from its source."""
    return f"{words} → {target}"
