"""An entity with what surrounds it, cut to a number of tokens (seed 001, expand)."""

from collections.abc import Iterable, Iterator
from math import ceil

from msgspec import Struct

from core.errors import OperationError
from core.model.claims_and_assertions import Aspect, Value
from core.model.entity import Entity
from core.model.link import Link
from core.model.names import canonical
from core.model.walk import Focal, FocalEntity, Walk, WalkedMemory
from core.queries.entities import entity_in_full, find_entity
from core.queries.hide_writes_of_held_agents import without_held
from core.queries.knowledge import aspects_of, constraints_of
from core.queries.links import links_of
from core.store.reader_and_writer import Reader
from core.traversal.config import TraversalSettings
from core.traversal.focal import Signals, resolve
from core.traversal.walk import walk

_CHARACTERS_OF_A_TOKEN = 4


class Expansion(Struct, frozen=True):
    """What was found around one entity; `memory_count` is how many there were before the cut."""

    entity: Entity
    constraints: tuple[Value, ...]
    aspects: tuple[Aspect, ...]
    dependencies: tuple[Link, ...]
    memory_count: int
    memories: tuple[WalkedMemory, ...]
    walk: Walk


@without_held
def expand(
    reader: Reader, entity: str, settings: TraversalSettings, *, aspect: str = "",
    max_tokens: int = 2000,
) -> Expansion:
    """An entity's rules, aspects, links away from it, and memories, as a walk from it brings them.

    Args:
        entity: its name or id; else words, of which the first entity that they name is taken.
        aspect: only aspects with this in their names, and their memories.
        max_tokens: room for memories, of four characters each; one that does not fit is left out.

    Raises OperationError: 404 where nothing is called so, 409 where several entities are.
    """
    owner = entity_in_full(reader, _meant(reader, entity, settings), entity)
    start = FocalEntity(owner.id, owner.name, owner.entity_type, "asked")
    alone = settings.model_copy(update={"include_pinned": False})
    walked = walk(reader, Focal((start,), "asked"), alone, aspect_filter=aspect)
    aspects = (each for each in aspects_of(reader, owner.id)
               if canonical(aspect) in canonical(each.name))
    return Expansion(
        owner, constraints_of(reader, owner.id), tuple(aspects),
        tuple(link for link in links_of(reader, owner.id) if link.direction == "out"),
        len(walked.memories), tuple(_fitting(walked.memories, max_tokens)), walked)


def _meant(reader: Reader, entity: str, settings: TraversalSettings) -> str:
    """The id of the entity that is called so, else of the first that the words name."""
    try:
        return find_entity(reader, entity).id
    except OperationError as error:
        if error.status != 404:
            raise
        focal = resolve(reader, Signals(entity, pinned=False), settings)
        named = [each.id for each in focal.entities if each.name]
        if not named:
            raise
        return named[0]


def _fitting(memories: Iterable[WalkedMemory], room: int) -> Iterator[WalkedMemory]:
    for memory in memories:
        tokens = ceil(len(memory.content) / _CHARACTERS_OF_A_TOKEN)
        if tokens <= room:
            room -= tokens
            yield memory
