"""Mends all that has a fix in a copy of a graph, takes it back, and compares every row.

`python -m tests.health_round FILE…` prints what came of it; the files are only read.
"""

import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from core.health.mend import label, mend
from core.health.report import report
from core.workspace import Workspace

KEPT = frozenset(("ontology_proposals", "memory_history", "automatic_changes",
                  "entity_dependency_history"))
"""Tables whose new rows stay when a step is undone: the record of what was done."""
Rows = dict[str, dict[tuple[object, ...], int]]


@dataclass(frozen=True, slots=True)
class Round:
    """What came of a round.

    Attributes:
        counts: findings by kind.
        mended, refused: by kind, fixes that were carried out, and those with nothing left to do.
        differs: tables whose rows are not what they were, once all is undone.
        after: by kind how many findings with a fix were there still after it was mended.
    """

    counts: dict[str, int]
    mended: dict[str, int]
    refused: dict[str, int]
    after: dict[str, int]
    differs: tuple[str, ...]
    schema_kept: bool


def play(path: Path, folder: Path) -> Round:
    """Mend each kind as one step on a copy in `folder`, undo them all, and compare."""
    copy = Path(shutil.copy(path, folder / path.name))
    before, schema = rows_of(copy), schema_of(copy)
    with closing(Workspace.open(copy, data_dir=folder / "data")) as workspace:
        workspace.allow_writing()
        with workspace.read() as reader:
            counts = dict(report(reader).counts)
        mended, refused, after, entries = {}, {}, {}, []
        for kind in counts:
            with workspace.read() as reader:
                fixable = [one for one in report(reader, kinds=(kind,)).findings if one.fix]
            if not fixable:
                continue
            written = workspace.write(label(fixable), lambda w, f=fixable: mend(w, f))
            entries.append(written.entry)
            mended[kind] = len(written.result.done)
            refused[kind] = len(written.result.refused)
            with workspace.read() as reader:
                after[kind] = sum(one.fix is not None for one in report(
                    reader, kinds=(kind,)).findings)
        for entry in reversed(entries):
            workspace.undo(entry)
    back = rows_of(copy)
    differs = tuple(sorted(
        table for table in before.keys() | back.keys()
        if _lost(before.get(table, {}), back.get(table, {}), exact=table not in KEPT)))
    return Round(counts, mended, refused, after, differs, schema_of(copy) == schema)


def _lost(
    before: dict[tuple[object, ...], int], after: dict[tuple[object, ...], int], *, exact: bool
) -> bool:
    """True if rows are gone, or, where they must be exactly the same, others are there."""
    if exact:
        return before != after
    return any(after.get(row, 0) < times for row, times in before.items())


def rows_of(path: Path) -> Rows:
    """Every row of the tables that SQLite can read by itself, with how often it is there."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        connection.text_factory = bytes
        tables = [name.decode() for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'"
            " AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE '%\\_fts\\_%' ESCAPE '\\'")]
        rows: Rows = {}
        for table in tables:
            found: dict[tuple[object, ...], int] = {}
            for row in connection.execute(f'SELECT * FROM "{table}"'):
                found[row] = found.get(row, 0) + 1
            rows[table] = found
    return rows


def schema_of(path: Path) -> list[tuple[str, str]]:
    """What the file is made of, in SQL."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return sorted(connection.execute("SELECT name, COALESCE(sql, '') FROM sqlite_master"))


def main() -> None:
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            played = play(Path(name), Path(folder))
        sys.stdout.write(f"{Path(name).name}\n")
        for kind, count in played.counts.items():
            if count:
                sys.stdout.write(
                    f"  {kind:24}{count:6} found{played.mended.get(kind, 0):6} mended"
                    f"{played.refused.get(kind, 0):6} refused{played.after.get(kind, 0):6} left\n")
        same = "every row as before" if not played.differs else f"differs: {played.differs}"
        schema = "untouched" if played.schema_kept else "CHANGED"
        sys.stdout.write(f"  undone: {same}; schema {schema}\n")


if __name__ == "__main__":
    main()
