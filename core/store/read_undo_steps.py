"""Reads the steps of an entry of the undo log: each row before and after."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec.structs import replace

from core.errors import UndoRefused
from core.model.changes import IMPORT, RowChange
from core.model.times import parse_time
from core.store import journal_blocks
from core.store.database import Row
from core.store.journal_blocks import block_of

STEPS = """
SELECT seq, tbl, key, before, after, 1 AS rows FROM steps WHERE entry = :entry AND turn = :turn
UNION ALL
SELECT seq, tbl, NULL, before, after, rows FROM blocks WHERE entry = :entry AND turn = :turn
ORDER BY seq"""
"""The steps of an entry, those with many rows (`row_blocks`) among them."""


def number(entry: Row, name: str) -> int:
    """`turn` or `moved` of an entry; 0 where it is none, of an entry that is damaged."""
    return entry[name] if isinstance(entry[name], int) else 0


def is_import(entry: Row) -> bool:
    """True if its rows are of another graph or a file, and keep the times that they have there."""
    return str(entry["label"]).startswith(IMPORT)


def went_with_a_backup(entry: Row) -> bool:
    """True if it was never undone: a backup has been put back that is older."""
    return bool(entry["state"] == "abandoned" and number(entry, "turn") % 2)


def times_of(run: sqlite3.Connection, entry: Row, audit: Mapping[int, Sequence[str]]) -> list[str]:
    """When an entry was done, undone, redone …, as far as that is known."""
    known = dict(run.execute(
        "SELECT turn, at FROM moves WHERE entry = ?", (entry["id"],)).fetchall())
    written = [entry["at"], *audit.get(entry["id"], ())]
    return [known.get(turn) or (written[turn - 1] if turn <= len(written) else entry["at"])
            for turn in range(1, number(entry, "turn") + 1)]


def columns_changed(entry: Row) -> dict[str, list[str]]:
    """The columns of each table as they were when an entry was kept.

    Raises UndoRefused where the entry is damaged.
    """
    with suppress(TypeError, ValueError):
        columns = json.loads(entry["columns"])
        if isinstance(columns, dict) and all(isinstance(each, list) for each in columns.values()):
            return columns
    raise damaged(entry)


def damaged(entry: Row) -> UndoRefused:
    """What is said of an entry that another program, or a failing disk, has harmed."""
    return UndoRefused("This step of the undo history is damaged", where=str(entry["label"]),
                       do="The other steps can be taken back by themselves, in History")


def steps_of(
    run: sqlite3.Connection, entry: Row, columns: Mapping[str, object], *, later: int = 0,
    last_first: bool = False
) -> Iterator[Row]:
    """The steps of an entry, one by one: a large import has half a million of them.

    Raises UndoRefused at one that is damaged.

    Args:
        columns: those of each table.
        later: turns after the one that counts.
    """
    order = " DESC" if last_first else ""
    turn = number(entry, "turn") + later
    for step in run.execute(STEPS + order, {"entry": entry["id"], "turn": turn}):
        kind = bytes if step["key"] is None else str
        states = [state for state in (step["before"], step["after"]) if state is not None]
        if not (isinstance(step["tbl"], str) and step["tbl"] in columns
                and isinstance(step["key"], str | None) and (states or step["key"])
                and all(isinstance(state, kind) for state in states)):
            raise damaged(entry)
        yield step


def backwards(run: sqlite3.Connection, entry: Row, first: str) -> list[RowChange]:
    """What an entry did last, the last of it first.

    Args:
        first: of an import that has only been done since, the moment: rows that it brought with
            an older time stay, and those that came many at once (`row_blocks`) tell by their own.
    """
    steps = list(changes(run, entry, columns_changed(entry), blocks=not first))
    older = {(step.table, step.key) for step in steps
             if first and step.before is None and _is_older(step, first)}
    # One by one: several rows may have passed a name round among them.
    return [step for step in reversed(steps) if (step.table, step.key) not in older]


def _is_older(change: RowChange, moment: str) -> bool:
    row = change.after or {}
    made, limit = parse_time(row.get("created_at")), parse_time(moment)
    return made is not None and limit is not None and made <= limit


def net(every: Iterable[RowChange]) -> list[RowChange]:
    """Each row that differs once, as it was first and as it is last."""
    values: dict[tuple[str, tuple[object, ...]], RowChange] = {}
    for change in every:
        at = change.table, change.key
        earlier = values.get(at)
        values[at] = replace(change, before=earlier.before) if earlier else change
    return [change for change in values.values() if change.before != change.after]


def changes(
    run: sqlite3.Connection, entry: Row, columns: dict[str, list[str]], *, blocks: bool = True
) -> Iterator[RowChange]:
    """Each change of a row by an entry, oldest first; those of rows one by one without blocks."""
    for step in steps_of(run, entry, columns):
        table = step["tbl"]
        if step["key"] is None:
            if blocks or step["before"] is not None:
                yield from journal_blocks.changes(table, columns[table], block_of(step))
        else:
            try:
                change = _one_change(run, step, columns[table])
            except (ValueError, TypeError, sqlite3.Error) as error:
                raise damaged(entry) from error
            yield change


def _one_change(run: sqlite3.Connection, step: Row, columns: Sequence[str]) -> RowChange:
    before, after = (
        None if text is None else dict(zip(columns, _literals(run, text), strict=True))
        for text in (step["before"], step["after"]))
    return RowChange(step["tbl"], _literals(run, step["key"]), before, after)


def _literals(run: sqlite3.Connection, text: str) -> tuple[object, ...]:
    return tuple(run.execute("SELECT " + text).fetchone())
