"""Asks before a step is kept in which triggers of the file changed much more than was asked for."""

from core.errors import WritesMore
from core.model.text_formatting import counted
from core.store.migrate import foreign_triggers
from core.store.reader_and_writer import Writer

MOST = 20
"""Rows that triggers may change beside those of a step: counters, dates of the last change."""


def refuse_more_than_asked(writer: Writer, *, force: bool = False) -> None:
    """Raises WritesMore if triggers of the file changed many rows in the open transaction.

    Rows that go with another by a foreign key are meant: only files with triggers of others are
    looked at.

    Args:
        force: the person has been asked.
    """
    more = {} if force else rows_beyond(writer)
    rows = sum(more.values())
    triggers = sorted(foreign_triggers(writer.connection)) if rows > MOST else []
    if not triggers:
        return
    tables = ", ".join(f"{table} {count:,}" for table, count in sorted(more.items()))
    raise WritesMore(
        f"Triggers in the file would change {rows:,} more rows in "
        f"{counted(len(more), 'table')}: {tables}. Nothing was changed",
        rows=rows, tables=tuple(sorted(more)), where=str(writer.path),
        do="Remove the triggers if they are not yours",
        detail=f"triggers: {', '.join(triggers[:8])}")


def rows_beyond(writer: Writer) -> dict[str, int]:
    """Changed rows of each table that no statement of ours named."""
    return {table: count - writer.asked[table] for table, count in writer.journal.counts().items()
            if count > writer.asked[table]}
