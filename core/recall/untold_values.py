"""Values that no memory says, found by their words and told as themselves.

A Signet file has them as long as nothing was written to it from here, and values from before a
program wrote memories. There are few of them in most files, but full text does not know them: so
their texts are listed once after each change of the file, and then asked for word by word.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.model.claim_memory import worded
from core.model.language import Term
from core.model.memory import Memory
from core.queries.rows import number, text
from core.queries.search import like
from core.recall.candidates import BEGINNING, ScoredMemory
from core.recall.keyword import Rows, WordMatches
from core.store.database import Row
from core.store.handles import Reader

BEYOND = 1 << 40
"""Added to a value's row number: it stands behind those of all memories."""

_REFILL = """
INSERT INTO temp.untold_values (rowid, content, in_force, agent_id)
SELECT v.rowid, e.name || ' ' || s.name || ' ' || COALESCE(v.claim_key, '') || ' ' || v.content,
  v.status = 'active', v.agent_id
FROM entity_attributes v CROSS JOIN entity_aspects s ON s.id = v.aspect_id
CROSS JOIN entities e ON e.id = s.entity_id
WHERE s.status = 'active' AND e.status = 'active' AND {status}
  AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id IN (v.id, v.memory_id))"""
_TABLE = ("DROP TABLE IF EXISTS temp.untold_values",
          "CREATE VIRTUAL TABLE temp.untold_values USING fts5(content, in_force UNINDEXED,"
          " agent_id UNINDEXED, tokenize='unicode61 remove_diacritics 2')")
_LISTED = {
    "native": (*_TABLE, _REFILL.format(status="v.status = 'superseded'")),
    "signet": (*_TABLE, _REFILL.format(status="v.status IN ('active', 'superseded')")),
}
_HOLDING = """
SELECT group_concat(f.rowid) FROM temp.untold_values f
WHERE {holds} AND f.in_force >= :least AND f.agent_id = :agent"""
_VALUES = """
SELECT v.rowid AS place, v.id, v.content, v.claim_key, v.importance, v.confidence, v.kind,
  v.status, v.created_at, v.updated_at, s.name AS aspect, e.name AS entity, e.id AS entity_id
FROM entity_attributes v CROSS JOIN entity_aspects s ON s.id = v.aspect_id
CROSS JOIN entities e ON e.id = s.entity_id
WHERE v.{key} IN (SELECT value FROM json_each(:asked)) AND +v.agent_id = :agent
  AND (v.status = 'active' OR :least = 0 AND v.status = 'superseded')
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
                            made.created_at, "", 0, 0, None, made.importance, 0)


def find_untold(
    reader: Reader, terms: Sequence[Term], weights: Mapping[str, float], *, ids: Iterable[str] = (),
    past: bool = False, most: int = 200,
) -> tuple[tuple[UntoldValue, ...], WordMatches]:
    """The values without a memory that hold the most of the question, and those of `ids`.

    Also which of them hold which word, by their rows.

    Args:
        weights: for each word its share of the question's weight.
        past: superseded values may be an answer, too.
    """
    least = 0 if past else 1
    matches = WordMatches()
    # In a native file each value in force has a memory.
    if past or reader.kind != "native":
        reader.list_once("untold values", _LISTED[reader.kind])
        matches = WordMatches(
            tuple(terms), tuple(_holding(reader, term, least) for term in terms),
            tuple(weights.get(term.word, 0.0) for term in terms))
    values = {
        row["id"]: _value(row) for key, asked in (
            ("rowid", matches.best(most).tolist()), ("id", list(ids))) if asked
        for row in reader.rows(_VALUES.format(key=key), asked=asked, least=least)}
    rows = np.sort(np.array([value.row for value in values.values()], np.int64))
    held = tuple(np.intersect1d(rows, held + BEYOND) for held in matches.rows)
    return tuple(values.values()), WordMatches(matches.terms, held, matches.weights)


def _holding(reader: Reader, term: Term, least: int) -> Rows:
    """The rows of the values that hold a word."""
    if term.anywhere:
        holds, query = "f.content LIKE :query ESCAPE '\\'", like(term.word)
    else:
        holds = "untold_values MATCH :query"
        query = "content : (" + " OR ".join(
            '"' + form.replace('"', '""') + '"' for form in term.forms) + ")"
    rows = reader.value(_HOLDING.format(holds=holds), query=query, least=least)
    return np.sort(np.fromstring(rows, np.int64, sep=",")) if rows else np.zeros(0, np.int64)


def _value(row: Row) -> UntoldValue:
    content = worded(text(row["entity"]), text(row["aspect"]), text(row["claim_key"]) or None,
                     text(row["content"]))
    return UntoldValue(int(str(row["place"])) + BEYOND, Memory(
        str(row["id"]), "semantic", content, number(row["importance"], 0.5),
        number(row["confidence"], 1.0), pinned=False, who=None, why=None, project=None,
        tags=("semantic", text(row["kind"])), source_kind="claim", source_id=None,
        source_path=None, created_at=text(row["created_at"]), updated_at=text(row["updated_at"])),
        str(row["entity_id"]))
