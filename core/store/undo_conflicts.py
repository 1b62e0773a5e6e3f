"""Decides what a row becomes when a step is taken back although others have changed it since.

Only a column that the step changed, and that somebody has changed again, is a conflict. What a
program counts by the way is none.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from core.errors import UndoRefused
from core.model.text_formatting import counted, one_line

Values = tuple[Any, ...]

COUNTED = frozenset({"updated_at", "updated_by", "mentions", "access_count", "last_accessed",
                     "last_accessed_at", "vector_clock"})
"""Columns that programs move at every touch: what they hold says nothing of what a person did."""
_LONGEST = 60
STAMPS = frozenset({"proposal_id", "proposal_evidence", "source_id", "source_kind", "source_path",
                    "source_root"})
"""Columns that tell on whose word a row was changed last: their values say nothing to a person."""


class Conflict(NamedTuple):
    """A column that the step left as `left`, and that is `now` something else.

    `column` is empty where the whole row came or went.
    """

    column: str
    left: object
    now: object


def merge(
    columns: Sequence[str], before: Values | None, after: Values | None, now: Values | None
) -> tuple[Values | None, tuple[Conflict, ...]]:
    """What the row is to be instead of `now`, and what stands against it.

    None is a row that is not there. What stands against it is overwritten in the row that is
    returned: whoever asks decides whether it is put in place.

    Args:
        columns: the names of the values.
        before: the row before the step.
        after: the row as the step left it.
        now: the row as it is.
    """
    if now == after or now is None and before is None:
        return before, ()
    if before is None or after is None or now is None:
        return before, _of_whole_row(columns, after, now)
    merged, conflicts = list(now), []
    for number, column in enumerate(columns):
        if _same(before[number], after[number]) or _same(now[number], before[number]):
            continue
        if _same(now[number], after[number]):
            merged[number] = before[number]
        elif column not in COUNTED:
            merged[number] = before[number]
            conflicts.append(Conflict(column, after[number], now[number]))
    return tuple(merged), tuple(conflicts)


def _of_whole_row(
    columns: Sequence[str], after: Values | None, now: Values | None
) -> tuple[Conflict, ...]:
    if after is None or now is None:
        return (Conflict("", "gone" if after is None else "there",
                         "gone" if now is None else "there"),)
    return tuple(Conflict(column, left, here)
                 for column, left, here in zip(columns, after, now, strict=True)
                 if not _same(left, here) and column not in COUNTED)


def _same(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other


def unlike(one: Values | None, other: Values | None) -> bool:
    """True unless both rows hold the same values, or neither is there."""
    if one is None or other is None:
        return one is not other
    return not all(_same(first, second) for first, second in zip(one, other, strict=True))


def refusal(conflicts: Sequence[Conflict], table: str, key: str) -> UndoRefused:
    """The error that says what was changed since."""
    return UndoRefused(
        _words(conflicts), row=(table, key), by_force=True,
        do="Check it in the inspector; this step was not undone or redone")


def _words(conflicts: Sequence[Conflict]) -> str:
    """What was changed since, with both values."""
    conflicts = [one for one in conflicts if one.column not in STAMPS]
    if not conflicts:
        return "The same row was changed since"
    first = conflicts[0]
    if not first.column:
        return f"It was {first.left} after this step, and is {first.now} now"
    others = counted(len(conflicts) - 1, "more field", "more fields")
    more = f", and {others}" if conflicts[1:] else ""
    return (f"{first.column.replace('_', ' ').capitalize()} was changed since, from "
            f"“{_short(first.left)}” to “{_short(first.now)}”{more}")


def _short(value: object) -> str:
    return one_line("" if value is None else str(value), _LONGEST)
