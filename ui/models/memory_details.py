"""A memory as a person reads it: whole, with what it mentions and which values rest on it."""

from msgspec import Struct

from core.model.claims_and_assertions import Value
from core.model.entity import EntityRow
from core.model.memory import Memory
from core.model.memory_text_of_value import worded
from core.model.names import spoken
from core.model.outdated_claim import marked
from core.model.text_formatting import one_line
from core.queries.memories import get_memory, mentioned_in, values_resting_on
from core.queries.outdated_memories import standing
from core.store.reader_and_writer import Reader


class RestingValue(Struct, frozen=True):
    """A value that rests on the memory, in words, and what has become of it."""

    value: Value
    words: str
    status: str
    """Empty while it is in force."""


class MemoryDetails(Struct, frozen=True):
    """Everything shown of one memory; `memory` is None if the agent reads none of that id.

    `text` is the memory's text with what of it no longer holds.
    """

    id: str
    memory: Memory | None = None
    text: str = ""
    mentioned: tuple[EntityRow, ...] = ()
    values: tuple[RestingValue, ...] = ()


def read_memory(memory_id: str, reader: Reader) -> MemoryDetails:
    """Read a memory; a value that no memory says is read as the memory that it would be."""
    memory = get_memory(reader, memory_id)
    if memory is None:
        # Few are; it loads half of recall.
        from core.recall.values_without_memory import find_untold  # noqa: PLC0415

        untold = find_untold(reader, (), ids=[memory_id])
        memory = untold[0].memory if untold else None
    if memory is None:
        return MemoryDetails(memory_id)
    stands = standing(reader, [memory_id])
    text = marked(memory.content, stands.outdated.get(memory_id, ()),
                  past=memory_id in stands.past)
    values = tuple(
        RestingValue(value, worded(entity, aspect, value.claim_key, one_line(value.content)),
                     "" if value.status == "active" else spoken(value.status))
        for value, entity, aspect in values_resting_on(reader, memory_id))
    return MemoryDetails(memory_id, memory, text, mentioned_in(reader, memory_id), values)
