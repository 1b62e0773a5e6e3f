"""The errors that a person may see: what happened, where, and what to do."""

import re

from core.error_advice import Advice

_SYSTEM_NUMBER = re.compile(r"\[(?:Errno|WinError) -?\d+\] ")


def without_number(text: str) -> str:
    """The system's words for what happened, without the number that it knows them by."""
    return _SYSTEM_NUMBER.sub("", text)


class ConstellationError(Exception):
    """An error in words. Everything else is a bug.

    Args:
        what: what happened, one plain sentence without a stop at the end.
        where: the file, line, row or field it happened at; empty when there is none.
        do: what the person can do about it; empty when there is nothing. An `Advice` where it
            names a command.
        detail: the technical text, shown folded away.
    """

    def __init__(self, what: str, *, where: str = "", do: str = "", detail: str = "") -> None:
        super().__init__(what)
        self.what, self.where, self.do, self.detail = what, where, do, without_number(detail)

    def __str__(self) -> str:
        return self._with(self.do)

    @property
    def in_window(self) -> str:
        """The same text for somebody who has a window and no shell."""
        return self._with(self.do.window if isinstance(self.do, Advice) else self.do)

    def _with(self, do: str) -> str:
        text = f"{self.what} ({self.where})" if self.where else self.what
        return f"{text}. {do}" if do else text


class OpenError(ConstellationError):
    """A file could not be opened; `kind` is one of `missing folder foreign encrypted truncated
    locked unreadable unwritable newer`."""

    def __init__(self, kind: str, what: str, **rest: str) -> None:
        super().__init__(what, **rest)
        self.kind = kind


class Damaged(ConstellationError):
    """A part of a file that was asked for can't be read; the rest of it may be sound."""


class DeadlinePassed(ConstellationError):
    """A read was stopped because its time was up; what came before it holds."""


class Busy(ConstellationError):
    """Another program held the file for as long as a statement waits; nothing was changed."""


class NotWritable(ConstellationError):
    """A write was asked of a graph that may not be written (yet)."""


class OperationError(ConstellationError):
    """An operation was refused: `status` 400 (input), 403 (a person is to decide), 404 (not
    found) or 409 (conflict).

    `field` names the payload field at fault where there is one.
    """

    def __init__(self, status: int, what: str, *, field: str = "", **rest: str) -> None:
        super().__init__(what, **rest)
        self.status, self.field = status, field


class UndoRefused(ConstellationError):
    """An undo or redo was refused because rows have changed since, or nothing is left.

    `row` is the table and the key of the row in the way, as the undo log spells it. `by_force`:
    the step `entry` could be taken back anyway.
    """

    def __init__(self, what: str, *, row: tuple[str, str] | None = None, by_force: bool = False,
                 entry: int | None = None, **rest: str) -> None:
        where = rest.pop("where", "") or (f"{row[0]} {row[1][:60]}" if row else "")
        super().__init__(what, where=where, **rest)
        self.row, self.by_force, self.entry = row, by_force, entry


class WritesMore(ConstellationError):
    """A change was taken back because triggers of the file changed `rows` more rows than it did
    itself, in `tables`; with force it is kept."""

    def __init__(self, what: str, *, rows: int, tables: tuple[str, ...], **rest: str) -> None:
        super().__init__(what, **rest)
        self.rows, self.tables = rows, tables


class Cancelled(ConstellationError):
    """A long job was stopped by the person; nothing was written."""
