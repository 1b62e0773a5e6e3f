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


def is_import(entry: Row) -> bool:
    """True if its rows are of another graph or a file, and keep the times that they have there."""
    return str(entry["label"]).startswith(IMPORT)


def went_with_a_backup(entry: Row) -> bool:
    """True if it was never undone: a backup has been put back that is older."""
    return bool(entry["state"] == "abandoned" and entry["turn"] % 2)


def times_of(run: sqlite3.Connection, entry: Row, audit: Mapping[int, Sequence[str]]) -> list[str]:
    """When an entry was done, undone, redone …, as far as that is known."""
    known = dict(run.execute(
        "SELECT turn, at FROM moves WHERE entry = ?", (entry["id"],)).fetchall())
    written = [entry["at"], *audit.get(entry["id"], ())]
    return [known.get(turn) or (written[turn - 1] if turn <= len(written) else entry["at"])
            for turn in range(1, entry["turn"] + 1)]


def columns_changed(entry: Row) -> dict[str, list[str]]:
    """The columns of each table as they were when an entry was kept.

    Raises UndoRefused where the entry is damaged.
    """
    with suppress(TypeError, ValueError):
        columns = json.loads(entry["columns"])
        if isinstance(columns, dict):
            return columns
    raise UndoRefused("This step of the undo history is damaged", where=str(entry["label"]),
                      do="The other steps can be taken back by themselves, in History")


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
    for step in run.execute(STEPS, {"entry": entry["id"], "turn": entry["turn"]}):
        table = step["tbl"]
        if step["key"] is None:
            if blocks or step["before"] is not None:
                yield from journal_blocks.changes(table, columns[table], block_of(step))
        else:
            before, after = (None if text is None else dict(zip(
                columns[table], _literals(run, text), strict=True))
                for text in (step["before"], step["after"]))
            yield RowChange(table, _literals(run, step["key"]), before, after)


def _literals(run: sqlite3.Connection, text: str) -> tuple[object, ...]:
    return tuple(run.execute("SELECT " + text).fetchone())
