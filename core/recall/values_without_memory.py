"""Values that no memory says, found by their words and told as themselves.

A Signet file has them as long as nothing was written to it from here; a native one has a memory of
every value in force. `core/recall/values_full_text.py` finds those that hold words of a question.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct

from core.model.memory import Memory
from core.model.memory_text_of_value import worded
from core.model.search_words import Term, fold
from core.queries.rows_to_model import number, text, whole
from core.recall.candidates import BEGINNING, ScoredMemory
from core.recall.keyword import WordMatches, holds_word
from core.recall.values_full_text import matching_values
from core.store.database import Row
from core.store.reader_and_writer import Reader

BEYOND = 1 << 40
"""Added to a value's row number: it stands behind those of all memories."""

_VALUES = """
SELECT v.rowid AS place, v.id, v.content, v.claim_key, v.importance, v.confidence, v.kind,
  v.created_at, v.updated_at, s.name AS aspect, e.name AS entity, e.id AS entity_id
FROM json_each(:asked) f CROSS JOIN entity_attributes v ON v.{key} = f.value
CROSS JOIN entity_aspects s ON s.id = v.aspect_id CROSS JOIN entities e ON e.id = s.entity_id
WHERE +v.agent_id = :agent AND (v.status = 'active' OR :past AND v.status = 'superseded')
  AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id IN (v.id, v.memory_id))"""


class ValueWithoutMemory(Struct, frozen=True):
    """A value without a memory, as the memory that it would be, and whose it is."""

    row: int
    memory: Memory
    entity_id: str

    @property
    def candidate(self) -> ScoredMemory:
        """It as recall scores memories; it was said in no place that is known."""
        made = self.memory
        return ScoredMemory(self.row, made.id, 1, len(made.content), made.content[:BEGINNING],
                            made.created_at, "", 0, None, made.importance, 0, "")


def find_untold(
    reader: Reader, terms: Sequence[Term], *, ids: Iterable[str] = (), past: bool = False,
    most: int = 200,
) -> tuple[ValueWithoutMemory, ...]:
    """The values without a memory that hold the most words of a question, and those of `ids`;
    one text of one claim comes once.

    Args:
        past: superseded values may be an answer, too.
    """
    places = matching_values(reader, terms, past=past, most=most) if terms else []
    with reader.uninterrupted():  # They are few.
        rows = [row for key, asked in (("id", list(ids)), ("rowid", places)) if asked
                for row in reader.rows(_VALUES.format(key=key), asked=asked, past=past)]
    values: dict[str, ValueWithoutMemory] = {}
    for value in map(_value, rows):  # Some programs note the same fact many times.
        values.setdefault(value.memory.content, value)
    return tuple(values.values())


def words_held(values: Iterable[ValueWithoutMemory], terms: Sequence[Term]) -> WordMatches:
    """Which of these values hold which word, as recall counts the words of memories."""
    values = tuple(values)
    if not values:
        return WordMatches(tuple(terms), tuple(np.zeros(0, np.int64) for _ in terms))
    texts = sorted((value.row, fold(value.memory.content)) for value in values)
    return WordMatches(tuple(terms), tuple(
        np.array([row for row, content in texts if holds(content)], np.int64)
        for holds in map(holds_word, terms)))


def _value(row: Row) -> ValueWithoutMemory:
    content = worded(text(row["entity"]), text(row["aspect"]), text(row["claim_key"]) or None,
                     text(row["content"]))
    return ValueWithoutMemory(whole(row["place"]) + BEYOND, Memory(
        row["id"], "semantic", content, number(row["importance"], 0.5),
        number(row["confidence"], 1.0), pinned=False, who=None, why=None, project=None,
        tags=("semantic", text(row["kind"])), source_kind="claim", source_id=None,
        source_path=None, created_at=text(row["created_at"]), updated_at=text(row["updated_at"])),
        row["entity_id"])
