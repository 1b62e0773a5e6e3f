"""Signet files for journeys through the window, and a way to tell whether one is as it was."""

import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tests.contracts.files import ISO, make

REAL = tuple(
    Path(name) for name in os.environ.get("CONSTELLATION_REAL_FILES", "").split(os.pathsep) if name)
"""Files that other programs wrote, where the person who runs the tests names some."""
NAMES = ("signet-030", "signet-071", *(path.name for path in REAL))

RECORDS = frozenset(("ontology_proposals", "entity_dependency_history"))
"""Where undo leaves a trace by design: audit rows, and the history that is only added to."""
INDEX = ("_fts_data", "_fts_idx")
"""The inside of a full text index, which is written anew; the index itself is checked."""

MORE_PROPOSALS = (
    ("p-2", "rename_entity", '{"entity":"Tide API","new_name":"Tide gateway"}'),
    ("p-3", "set_claim_value", '{"entity":"Harbor Ledger","aspect":"Rules","claim_key":"freeze",'
                               '"value":"No change in December"}'),
)


def copy_of(name: str, folder: Path) -> Path:
    """A file of this name to work on."""
    path = folder / (name if name.endswith(".db") else f"{name}.db")
    real = next((one for one in REAL if one.name == name), None)
    if real is not None:
        for suffix in ("", "-wal"):
            # Its program may have written what is not in the file itself yet.
            if Path(f"{real}{suffix}").exists():
                shutil.copyfile(f"{real}{suffix}", f"{path}{suffix}")
        return path
    make(name, path, folder / "made").close()
    with closing(sqlite3.connect(path)) as connection, connection:
        if name == "signet-071":
            connection.executemany(
                "INSERT INTO ontology_proposals (id, operation, payload, confidence, created_at,"
                " updated_at) VALUES (?, ?, ?, 0.7, ?, ?)",
                [(*row, ISO, ISO) for row in MORE_PROPOSALS])
    return path


@dataclass(frozen=True, slots=True)
class Content:
    """Everything in a file: its schema and the rows of each table."""

    schema: tuple[tuple, ...]
    rows: dict[str, Counter[str]]

    def differences(self, later: "Content") -> dict[str, tuple[Counter[str], Counter[str]]]:
        """Rows lost and gained by table, for tables that are not the same."""
        tables = self.rows.keys() | later.rows.keys()
        found = {table: (self.rows[table] - later.rows[table],
                         later.rows[table] - self.rows[table]) for table in tables}
        return {table: pair for table, pair in found.items() if any(pair)}


def content(path: Path) -> Content:
    """Read all of a file without changing it."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        schema = tuple(connection.execute("SELECT * FROM sqlite_master ORDER BY type, name"))
        rows = {table: Counter(map(repr, connection.execute(f'SELECT * FROM "{table}"')))
                for table in _tables(schema)}
    return Content(schema, rows)


def faults(path: Path) -> list[str]:
    """What SQLite finds wrong in a file and in its full text indexes; asked on a copy."""
    copy = path.with_suffix(".checked")
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as checked:
        source.backup(checked)
        found = [str(row[0]) for row in checked.execute("PRAGMA integrity_check")
                 if row[0] != "ok"]
        for (name,) in checked.execute(
            "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%fts5%'"
        ).fetchall():
            try:
                checked.execute(f'INSERT INTO "{name}" ("{name}", rank)'
                                " VALUES ('integrity-check', 1)")
            except sqlite3.DatabaseError as error:
                found.append(f"{name}: {error}")
    copy.unlink()
    return found


def _tables(schema: tuple[tuple, ...]) -> Iterator[str]:
    """Tables with rows that can be read without extensions of SQLite."""
    for kind, name, _, _, sql in schema:
        if kind == "table" and not name.endswith(INDEX) and (
            "fts5" in sql or not sql.startswith("CREATE VIRTUAL")
        ):
            yield name
