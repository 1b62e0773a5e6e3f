"""Expected memories: those about words that the last sessions' summaries share."""

from collections import Counter
from collections.abc import Collection

from core.model.memory import Memory
from core.model.search_words import STOP_WORDS, words
from core.queries.muted_memories import quiet_memories
from core.queries.rows_to_model import MEMORY_COLUMNS, memory_of, text
from core.recall.filters import TELLABLE
from core.session.candidate_pool import TOLD_HERE
from core.session.config import SessionSettings
from core.store.reader_and_writer import Reader

SUMMARIES, READ = 5, 3000
"""Summaries that are read, and characters of each."""
SHORTEST, SHARED, WORDS = 4, 2, 10
"""Letters of a word, summaries that must share it, and words that are looked for."""


def expected_memories(
    reader: Reader, project: str, known: Collection[str], settings: SessionSettings
) -> list[Memory]:
    """Memories that the last sessions' summaries point to and that are not chosen yet."""
    words = _shared_words(reader, project) if settings.expected_limit else []
    if not words or not reader.has_table("memories_fts"):
        return []
    rows = reader.rows(
        f"SELECT {MEMORY_COLUMNS} FROM memories_fts f CROSS JOIN memories m ON m.rowid = f.rowid"
        f" WHERE memories_fts MATCH :query AND {TELLABLE} AND {TOLD_HERE}"
        " AND m.id NOT IN (SELECT value FROM json_each(:known)) ORDER BY f.rank LIMIT :limit",
        query=" OR ".join(f'"{word}"' for word in words), known=list(known),
        limit=settings.expected_limit)
    memories = [memory_of(row) for row in rows]
    quiet = quiet_memories(reader, (memory.id for memory in memories))
    return [memory for memory in memories if memory.id not in quiet]


def _shared_words(reader: Reader, project: str) -> list[str]:
    """Words that at least `SHARED` of the last summaries hold, the most shared first."""
    rows = reader.rows(
        "SELECT substr(s.content, 1, :read) AS content FROM session_summaries s"
        " WHERE s.agent_id = :agent AND s.kind = 'session'"
        " AND (:project = '' OR s.project IS NULL OR s.project = :project)"
        " ORDER BY replace(s.latest_at, 'T', ' ') DESC LIMIT :summaries",
        read=READ, project=project, summaries=SUMMARIES)
    counts: Counter[str] = Counter()
    for row in rows:
        counts.update({word for word in words(text(row["content"]))
                       if len(word) >= SHORTEST and word not in STOP_WORDS})
    return [word for word, count in counts.most_common() if count >= SHARED][:WORDS]
