"""The memories that are scored, read once with all fields that the channels need."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.recall.filters import EVERY, READABLE, TELLABLE
from core.store.reader_and_writer import Reader

BEGINNING = 2_000
"""Characters of a memory in which times and questions are looked for."""
_QUESTION_MARK = re.compile("[?？؟;]")  # ascii, wide, Arabic, Greek
_ONLY_A_QUESTION = re.compile(
    r"(?:(?:\w+[ -]){0,2}\w+: )?(?:[^.:!?？؟]|[.:](?=\S))*[?？؟]\W*\Z")
"""One sentence, perhaps with who asks before it: “Mia: Is it on?”, not “The title: Is it on?” of a
longer beginning."""

_BEGINNING = f"substr(m.content, 1, {BEGINNING})"
# Converted by SQLite: a thousand rows are read for each question.
_COLUMNS = f"""m.rowid, m.id, CAST(COALESCE(({{condition}}), 0) AS INTEGER),
  COALESCE(length(m.content), 0), CAST(COALESCE({_BEGINNING}, '') AS TEXT),
  CAST(COALESCE(m.created_at, '') AS TEXT),
  COALESCE(m.agent_id || char(10) || COALESCE(NULLIF(m.source_id, ''),
                                              NULLIF(m.source_path, '')), ''),
  CAST(COALESCE(m.access_count, 0) AS INTEGER),
  m.last_accessed, CAST(COALESCE(m.importance, 0.5) AS REAL), m.pinned = 1,
  CAST(COALESCE(m.who, '') AS TEXT)"""


class ScoredMemory(NamedTuple):
    """A candidate memory, or a neighbour of one."""

    row: int
    id: str
    passes: int
    length: int
    beginning: str
    created_at: str
    source: str
    """What it was said in: the session, the conversation, the document; with its owner."""
    accesses: int
    last_accessed: object
    importance: float
    pinned: int
    who: str

    @property
    def asks(self) -> bool:
        """True if it asks something, so that the next one may be the answer."""
        return _QUESTION_MARK.search(self.beginning) is not None

    @property
    def only_asks(self) -> bool:
        """True if it is one question and nothing else."""
        return _ONLY_A_QUESTION.match(self.beginning) is not None

    def may_answer(self, before: "ScoredMemory") -> bool:
        """True if the memory right before this one asks something that this one may answer.

        Nobody answers their own question: after it stands the next line of a list.
        """
        return before.asks and not (self.who and self.who == before.who)


def read_memories(
    reader: Reader, rows: Iterable[int], condition: str, bound: dict[str, object],
    may_tell: str = TELLABLE,
) -> dict[int, ScoredMemory]:
    """The rows that the agent may be told of; `condition` marks those that pass the filter."""
    def read(several: list[int]) -> dict[int, ScoredMemory]:
        memories = reader.rows(
            f"SELECT {_COLUMNS.format(condition=condition)} FROM json_each(:rows) f"
            f" CROSS JOIN memories m ON m.rowid = f.value WHERE {may_tell}",
            rows=several, **bound)
        return {row[0]: ScoredMemory._make(row) for row in memories}

    if condition != EVERY:  # Few questions have the same filter.
        return read(list(rows))
    return reader.each_once(f"scored for {reader.agent} where {may_tell}", rows, read)


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
        f"SELECT m.rowid AS place FROM memories m WHERE {TELLABLE} AND {condition}"
        f" ORDER BY replace(m.created_at, 'T', ' ') DESC LIMIT :most", most=most, **bound)]
