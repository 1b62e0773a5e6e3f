"""Values that no memory says, found by their words and told as themselves.

A Signet file has them as long as nothing was written to it from here, and any file from before
its program made memories of values. No full text knows them. They are few in most files: they are
listed once after each change of the file, and then looked through for the words of a question.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.model.claim_memory import worded
from core.model.language import Term, cores, fold
from core.model.memory import Memory
from core.queries.rows import number, text
from core.queries.search import like
from core.recall.candidates import BEGINNING, ScoredMemory
from core.recall.keyword import WordMatches, holds_word, spellings
from core.store.database import Row
from core.store.handles import Reader

BEYOND = 1 << 40
"""Added to a value's row number: it stands behind those of all memories."""

_LIST = ("DELETE FROM temp.untold_values", """
INSERT INTO temp.untold_values (place, in_force, agent_id, content)
SELECT v.rowid, v.status = 'active', v.agent_id,
  e.name || ' ' || s.name || ' ' || COALESCE(v.claim_key, '') || ' ' || v.content
FROM entity_attributes v CROSS JOIN entity_aspects s ON s.id = v.aspect_id
CROSS JOIN entities e ON e.id = s.entity_id
WHERE v.status IN ('active', 'superseded') AND s.status = 'active' AND e.status = 'active'
  AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id IN (v.id, v.memory_id))""")
_MATCHING = """
SELECT u.place FROM temp.untold_values u
WHERE u.agent_id = :agent AND u.in_force >= :least AND ({holds})
ORDER BY {count} DESC, u.place DESC LIMIT :most"""
_VALUES = """
SELECT v.rowid AS place, v.id, v.content, v.claim_key, v.importance, v.confidence, v.kind,
  v.created_at, v.updated_at, s.name AS aspect, e.name AS entity, e.id AS entity_id
FROM json_each(:asked) f CROSS JOIN entity_attributes v ON v.{key} = f.value
CROSS JOIN entity_aspects s ON s.id = v.aspect_id CROSS JOIN entities e ON e.id = s.entity_id
WHERE +v.agent_id = :agent AND (v.status = 'active' OR :past AND v.status = 'superseded')
  AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id IN (v.id, v.memory_id))"""


@dataclass(frozen=True, slots=True)
class UntoldValue:
    """A value without a memory, as the memory that it would be, and whose it is."""

    row: int
    memory: Memory
    entity_id: str

    @property
    def candidate(self) -> ScoredMemory:
        """It as recall scores memories; it was said in no place that is known."""
        made = self.memory
        return ScoredMemory(self.row, made.id, 1, len(made.content), made.content[:BEGINNING],
                            made.created_at, "", 0, 0, None, made.importance, 0, "")


def find_untold(
    reader: Reader, terms: Sequence[Term], *, ids: Iterable[str] = (), past: bool = False,
    most: int = 200,
) -> tuple[UntoldValue, ...]:
    """The values without a memory that hold the most words of a question, and those of `ids`;
    one text of one claim comes once.

    Args:
        past: superseded values may be an answer, too.
    """
    places = _matching(reader, terms, past, most) if terms else []
    rows = [row for key, asked in (("id", list(ids)), ("rowid", places)) if asked
            for row in reader.rows(_VALUES.format(key=key), asked=asked, past=past)]
    values: dict[str, UntoldValue] = {}
    for value in map(_value, rows):  # Some programs note the same fact many times.
        values.setdefault(value.memory.content, value)
    return tuple(values.values())


def words_held(values: Iterable[UntoldValue], terms: Sequence[Term]) -> WordMatches:
    """Which of these values hold which word, as recall counts the words of memories."""
    texts = sorted((value.row, fold(value.memory.content)) for value in values)
    return WordMatches(tuple(terms), tuple(
        np.array([row for row, content in texts if holds(content)], np.int64)
        for holds in map(holds_word, terms)))


def _matching(
    reader: Reader, terms: Sequence[Term], past: bool, most: int
) -> list[int]:
    """The row numbers of the values that hold the most words, the newest of equals."""
    if reader.kind == "native" and not past:
        return []  # Each value in force has a memory there.
    reader.list_once("untold values", _LIST)
    bound: dict[str, object] = {}
    holding = []
    for term in terms:
        patterns = {like(text) for core in cores(term.forms) for text in spellings(core)}
        names = {f"t{len(bound) + place}": pattern for place, pattern in enumerate(patterns)}
        bound |= names
        holding.append("(" + " OR ".join(
            f"u.content LIKE :{name} ESCAPE '\\'" for name in names) + ")")
    return [row["place"] for row in reader.rows(_MATCHING.format(
        holds=" OR ".join(holding), count=" + ".join(holding)),
        least=int(not past), most=most, **bound)]


def _value(row: Row) -> UntoldValue:
    content = worded(text(row["entity"]), text(row["aspect"]), text(row["claim_key"]) or None,
                     text(row["content"]))
    return UntoldValue(int(row["place"]) + BEYOND, Memory(
        row["id"], "semantic", content, number(row["importance"], 0.5),
        number(row["confidence"], 1.0), pinned=False, who=None, why=None, project=None,
        tags=("semantic", text(row["kind"])), source_kind="claim", source_id=None,
        source_path=None, created_at=text(row["created_at"]), updated_at=text(row["updated_at"])),
        row["entity_id"])
