"""Keeps graph and undo log together where a change fails whose step was written ahead."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from core.errors import ConstellationError
from core.store.reader_and_writer import Writer
from core.store.undo_log import UndoLog


@contextmanager
def taken_back_on_error(writer: Writer, log: UndoLog) -> Iterator[None]:
    """Whatever is raised takes back the transaction, and the step that was written ahead of it."""
    try:
        yield
    except BaseException:
        try:
            _drop_intent(writer, log)
        finally:
            writer.take_back()
        raise


def _drop_intent(writer: Writer, log: UndoLog) -> None:
    """Strike what was written ahead of a transaction that is taken back.

    Only while the write lock is held, so that no other process's intent is meant; otherwise,
    or where the log can't be written either, the next write settles it.
    """
    if not writer.connection.in_transaction:
        return
    with suppress(ConstellationError):
        entry = log.open_entry()
        if entry is not None:
            log.drop(entry)
