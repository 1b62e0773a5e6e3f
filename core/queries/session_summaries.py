"""Reads the summaries of sessions that are about an entity."""

import re
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from core.errors import OperationError
from core.model.names import name_key
from core.model.times import parse_time
from core.queries.entity_search import like
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader

RANGES = {"last_week": 7, "last_month": 30}
"""Days that the names of times go back."""
_SHORTEST = 4
"""Characters of a name that is looked for in texts; a shorter one is in many words."""
_ABOUT = """
SELECT s.id, s.session_key, s.harness, s.earliest_at, s.latest_at, s.content,
  EXISTS (SELECT 1 FROM session_summary_memories l
          CROSS JOIN memory_entity_mentions n ON n.memory_id = l.memory_id
          WHERE l.summary_id = s.id AND n.entity_id = :entity) AS linked
FROM session_summaries s
WHERE s.agent_id = :agent AND (:session = '' OR s.session_key = :session)
  AND (:since = '' OR substr(replace(s.latest_at, 'T', ' '), 1, 19) >= :since)
  AND (linked OR (:words <> '' AND s.content LIKE :words ESCAPE '\\'))
ORDER BY replace(s.latest_at, 'T', ' ') DESC, s.id"""


class SessionSummary(Struct, frozen=True):
    """What was said in a session, or in several."""

    id: str
    session_key: str | None
    harness: str | None
    earliest_at: str
    latest_at: str
    content: str


def summaries_about(
    reader: Reader, entity_id: str, name: str, *, session: str = "", since: str = ""
) -> tuple[SessionSummary, ...]:
    """The summaries that rest on a memory which mentions the entity, or have its name as a word;
    the latest first.

    Args:
        session: only of the session with this key.
        since: `last_week`, `last_month`, or a time; only what reaches it.

    Raises OperationError (400) for a time that can't be read.
    """
    if not reader.has_table("session_summaries"):
        return ()
    sought = name_key(name)
    words = like(sought) if len(sought) >= _SHORTEST else ""
    rows = reader.rows(_ABOUT, entity=entity_id, session=session, words=words,
                       since=_moment(since))
    whole_word = re.compile(rf"(?<!\w){re.escape(sought)}(?!\w)")
    return tuple(_summary(row) for row in rows
                 if row["linked"] or whole_word.search(name_key(text(row["content"]))))


def _summary(row: Row) -> SessionSummary:
    return SessionSummary(row["id"], row["session_key"], row["harness"], text(row["earliest_at"]),
                          text(row["latest_at"]), text(row["content"]))


def _moment(since: str) -> str:
    if since in RANGES:
        moment = datetime.now(UTC) - timedelta(days=RANGES[since])
    elif not since:
        return ""
    else:
        parsed = parse_time(since)
        if parsed is None:
            raise OperationError(400, f"This is not a time: {since}", field="timeRange",
                                 do="Write last_week, last_month or a day such as 2026-03-14")
        moment = parsed
    return moment.replace(tzinfo=None).isoformat(" ", "seconds")
