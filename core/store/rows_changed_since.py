"""Tells which rows of a graph may differ from what somebody keeps of it, where its log tells.

Who keeps something of a graph's rows keeps a `LogMark` with it. `look` gives the rows to be read
again and the next mark, which is kept once they are read. Where the log was begun anew, or its
pages do not tell, nothing is known.
"""

from collections.abc import Collection, Mapping
from pathlib import Path
from time import monotonic

from msgspec import Struct

from core.store.changed_rows_from_wal import MOST_PAGES, Range, written_ranges
from core.store.database import in_words
from core.store.log_position import LogPosition, as_now_called, log_position
from core.store.outside_changes import Schema, schema_of
from core.store.reader import Reader

TRIES = 3
"""Looks at a log that is written meanwhile."""


class LogMark(Struct, frozen=True):
    """How far the log of a graph was for what is kept of it.

    Attributes:
        sure: a place in the log that what is kept is not older than; None if that is not known.
        since: the moment at which the log was so far, by `time.monotonic`.
        seen: how far the log was at a later moment, `at`; a reading that begins after that one is
            not older.
        schema: the tables.
    """

    sure: LogPosition | None = None
    since: float = 0.0
    seen: LogPosition | None = None
    at: float = 0.0
    schema: Schema | None = None


NO_MARK = LogMark()

Changed = Mapping[str, tuple[Range, ...]]
"""By table in which ranges of numbers rows may be new, other or gone."""


def look(
    reader: Reader, mark: LogMark, tables: Collection[str], most: int = MOST_PAGES
) -> tuple[LogMark, Changed | None]:
    """The mark of what the reader sees, and the rows in which that may differ from what is kept
    under the old mark; None where that is not known.

    Args:
        tables: whose rows are kept.
        most: written pages up to which they are looked into, at some 70 microseconds each.
    """
    began, path = reader.began, reader.own_file
    if began is None or path is None or reader.hidden is not None:
        return NO_MARK, None
    with in_words(reader.path):
        schema, changed, seen = schema_of(reader.connection, mark.schema), None, None
    if not schema.roots.keys() >= set(tables):
        return NO_MARK, None
    for _ in range(TRIES):
        seen, at = log_position(path), monotonic()
        changed = _changed(path, mark, began, seen, schema, most)
        # Pages of later commits may have been among those that were read.
        if changed is None or log_position(path) == seen:
            break
        changed = None
    if mark.seen is not None and mark.at < began:
        return LogMark(mark.seen, mark.at, seen, at, schema), changed
    if changed is not None:
        return LogMark(mark.sure, mark.since, seen, at, schema), changed
    return LogMark(None, 0.0, seen, at, schema), changed


def surer(reader: Reader, mark: LogMark) -> LogMark:
    """The mark of what is kept, once a reader has seen the same."""
    if mark.seen is None or reader.began is None or mark.at >= reader.began:
        return mark
    return LogMark(mark.seen, mark.at, mark.seen, mark.at, mark.schema)


def _changed(
    path: Path, mark: LogMark, began: float, now: LogPosition | None, schema: Schema, most: int
) -> Changed | None:
    """The rows that commits have touched between a mark and now."""
    sure = mark.sure and as_now_called(path, mark.sure)
    if sure is None or now is None or sure.salts != now.salts or schema != mark.schema:
        return None
    if mark.since >= began or sure.frames > now.frames:
        return None  # The reading began before: it may not see all that is kept.
    if sure.frames == now.frames:
        return {}
    return written_ranges(
        path, now.salts, (sure.frames, now.frames), schema.roots, schema.cookie, most)
