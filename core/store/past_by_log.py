"""Puts rows of a copy back to what they were, by the undo log, which knows each change exactly."""

import sqlite3
from collections.abc import Iterable, Mapping

from core.model.changes import RowChange
from core.store.database import columns_of, key_of, ordinary_tables, quoted
from core.store.sidecar_file import JOURNALED

STAYS = frozenset({"places"})
"""What is no knowledge: an entity keeps its place in the sky in each of its states."""


def moves_in_audit(connection: sqlite3.Connection) -> dict[int, list[str]]:
    """When each entry of the undo log was undone and redone, by the audit rows of the graph."""
    if "ontology_proposals" not in ordinary_tables(connection):
        return {}
    moves: dict[int, list[str]] = {}
    for entry, at in connection.execute(
            "SELECT json_extract(payload, '$.entry'), applied_at FROM main.ontology_proposals"
            " WHERE operation IN ('undo', 'redo') AND status = 'applied' AND json_valid(payload)"
            " ORDER BY applied_at, rowid"):
        if isinstance(entry, int) and isinstance(at, str):
            moves.setdefault(entry, []).append(at)
    return moves


def put_back_rows(
    connection: sqlite3.Connection, changes: Iterable[RowChange]
) -> dict[str, set[object]]:
    """Give each row its `before`; where it has changed by other hands since, its columns alone.

    Returns the first part of the keys of these rows, by their tables.
    """
    touched: dict[str, set[object]] = {}
    shapes: dict[str, tuple[str, tuple[str, ...], frozenset[str]]] = {}
    for change in changes:
        if change.table in STAYS:
            continue
        if change.table not in shapes:
            shapes[change.table] = _shape(connection, change.table)
        place, key, columns = shapes[change.table]
        if key:
            touched.setdefault(change.table, set()).add(change.key[0])
            _put_back(connection, place, key, columns, change)
    return touched


def _shape(connection: sqlite3.Connection, table: str) -> tuple[str, tuple[str, ...],
                                                                frozenset[str]]:
    """Where its rows are, what names one, and its columns."""
    schema = "side" if table in JOURNALED and not columns_of(connection, table) else "main"
    columns = columns_of(connection, table, schema)
    return f"{schema}.{quoted(table)}", key_of(columns), frozenset(c["name"] for c in columns)


def _put_back(connection: sqlite3.Connection, place: str, key: tuple[str, ...],
              columns: frozenset[str], change: RowChange) -> None:
    where = " AND ".join(f"{quoted(name)} IS ?" for name in key)
    if change.before is None:
        connection.execute(f"DELETE FROM {place} WHERE {where}", change.key)
        return
    if change.after is None:
        connection.execute(f"DELETE FROM {place} WHERE {where}", change.key)
        _insert(connection, place, change.before, columns)
        return
    values = {name: change.before[name] for name in change.columns if name in columns}
    if values:
        connection.execute(
            f"UPDATE OR IGNORE {place} SET {', '.join(f'{quoted(n)} = ?' for n in values)}"
            f" WHERE {where}", (*values.values(), *change.key))


def _insert(connection: sqlite3.Connection, place: str, row: Mapping[str, object],
            columns: frozenset[str]) -> None:
    names = [name for name in row if name in columns]
    connection.execute(
        f"INSERT OR IGNORE INTO {place} ({', '.join(map(quoted, names))})"
        f" VALUES ({', '.join('?' for _ in names)})", [row[name] for name in names])
