"""The memories that are scored: read once, with what the channels need to know of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.queries.rows import number, text, whole
from core.recall.filters import READABLE
from core.store.database import Row
from core.store.handles import Reader

BEGINNING = 2_000
"""Characters of a memory in which times and questions are looked for."""
_QUESTION_MARKS = ("?", "？", "؟", ";")  # ascii, wide, Arabic, Greek

_COLUMNS = f"""m.rowid AS place, m.id, length(m.content) AS length,
  substr(m.content, 1, {BEGINNING}) AS beginning, m.created_at, m.access_count, m.last_accessed,
  m.importance, m.pinned, COALESCE(NULLIF(m.source_id, ''), NULLIF(m.source_path, '')) AS source,
  m.agent_id AS owner"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that may be an answer, or that stands next to one."""

    row: int
    id: str
    passes: bool
    length: int
    beginning: str
    created_at: str
    source: str
    """What it was said in: the session, the conversation, the document; with its owner."""
    accesses: int
    last_accessed: object
    importance: float
    pinned: bool

    @property
    def asks(self) -> bool:
        """True if it asks something, so that the next one may be the answer."""
        return any(mark in self.beginning for mark in _QUESTION_MARKS)


def read_candidates(
    reader: Reader, rows: Iterable[int], condition: str, bound: dict[str, object]
) -> dict[int, Candidate]:
    """Those of the rows that the agent may see; `condition` tells which of them pass."""
    found = reader.rows(
        f"SELECT {_COLUMNS}, ({condition}) AS passes FROM json_each(:rows) f"
        f" CROSS JOIN memories m ON m.rowid = f.value WHERE {READABLE}",
        rows=list(rows), **bound)
    return {row["place"]: _candidate(row) for row in found}


def _candidate(row: Row) -> Candidate:
    source = f"{row['owner']}\0{row['source']}" if row["source"] else ""
    return Candidate(
        row["place"], row["id"], bool(row["passes"]), whole(row["length"]),
        text(row["beginning"]), text(row["created_at"]), source, max(whole(row["access_count"]), 0),
        row["last_accessed"], number(row["importance"], 0.5), bool(row["pinned"]))


def rows_of(reader: Reader, ids: Sequence[str]) -> dict[str, int]:
    """The row numbers of memories."""
    if not ids:
        return {}
    return {row["id"]: row["place"] for row in reader.rows(
        "SELECT m.rowid AS place, m.id FROM memories m"
        " WHERE m.id IN (SELECT value FROM json_each(:ids))", ids=list(ids))}


def rows_between(reader: Reader, since: str, until: str, most: int) -> list[int]:
    """The newest memories that were made in a time, days in both forms of the file's times."""
    return [row["place"] for row in reader.rows(
        f"SELECT m.rowid AS place FROM memories m"
        f" WHERE m.created_at >= :since AND m.created_at < :until AND {READABLE}"
        f" ORDER BY m.created_at DESC LIMIT :most", since=since, until=until, most=most)]


def latest(
    reader: Reader, condition: str, bound: dict[str, object], most: int
) -> list[int]:
    """The newest memories that pass, for when only a filter is given."""
    return [row["place"] for row in reader.rows(
        f"SELECT m.rowid AS place FROM memories m WHERE {READABLE} AND {condition}"
        f" ORDER BY replace(m.created_at, 'T', ' ') DESC LIMIT :most", most=most, **bound)]
