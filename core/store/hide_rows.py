"""Hides rows from the queries of one connection for a while; the file itself stays as it is.

A TEMP view of a table's own name leaves them out, as the views of `compat_views` fill in what a
file lacks: whoever asks meanwhile, with whatever statement, does not see them.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from core.model.hidden_rows import HiddenRows
from core.store.compat_views import HIDING_LISTS
from core.store.database import in_words, quoted
from core.store.reader_and_writer import Reader

_HIDDEN = {"memories": ("memories", "values"), "entity_attributes": ("values",),
           "entity_dependencies": ("links",), "entities": ("entities",),
           "entity_aspects": ("aspects",), "epistemic_assertions": ("assertions",),
           "ontology_proposals": ("proposals",)}
_AGAIN = "id IN (SELECT id FROM temp.restored_rows)"
_RESTORED = {
    ("entity_attributes", "status"): f"CASE WHEN {_AGAIN} THEN 'active' ELSE status END",
    ("entity_attributes", "superseded_by"):
        f"CASE WHEN {_AGAIN} THEN NULL ELSE superseded_by END",
    ("epistemic_assertions", "status"): f"CASE WHEN {_AGAIN} THEN 'active' ELSE status END",
    ("memories", "is_deleted"): f"CASE WHEN {_AGAIN} THEN 0 ELSE is_deleted END"}
"""What these columns say of what counts again: a value, its memory, an assertion."""


def hides(rows: HiddenRows | None, table: str, id: object) -> bool:
    """True if this row is among those that are hidden."""
    return rows is not None and any(id in getattr(rows, kind) for kind in _HIDDEN.get(table, ()))


@contextmanager
def hiding(reader: Reader, rows: HiddenRows) -> Iterator[None]:
    """Have no query of `reader` see these rows while the block runs."""
    run = reader.connection
    with in_words(reader.path), reader.uninterrupted(), reader.noting():
        usual = _usual_views(run)
        _list(run, rows)
        for table in _HIDDEN:
            _lay_over(run, table, usual.get(table), restored=bool(rows.restored))
    reader.hidden = rows
    try:
        yield
    finally:
        reader.hidden = None
        with in_words(reader.path), reader.uninterrupted(), reader.noting():
            _list(run, HiddenRows())
            for table in _HIDDEN:
                run.execute(f"DROP VIEW IF EXISTS temp.{quoted(table)}")
                if table in usual:
                    run.execute(f"CREATE TEMP VIEW {quoted(table)} AS {usual[table]}")


def _usual_views(run: sqlite3.Connection) -> dict[str, str]:
    """By table the query of the view that fills in what the file lacks, where there is one."""
    return {str(name): str(sql).split(" AS ", 1)[1] for name, sql in run.execute(
        "SELECT name, sql FROM temp.sqlite_master WHERE type = 'view'") if name in _HIDDEN}


def _list(run: sqlite3.Connection, rows: HiddenRows) -> None:
    for statement in HIDING_LISTS:
        run.execute(statement)
    run.execute("DELETE FROM temp.hidden_rows")
    run.execute("DELETE FROM temp.restored_rows")
    run.executemany("INSERT OR IGNORE INTO temp.hidden_rows VALUES (?, ?)", (
        (table, id) for table, kinds in _HIDDEN.items() for kind in kinds
        for id in getattr(rows, kind)))
    run.executemany("INSERT INTO temp.restored_rows VALUES (?)", ((id,) for id in rows.restored))


def _lay_over(run: sqlite3.Connection, table: str, usual: str | None, *, restored: bool) -> None:
    """Put the view over a table, or in the place of the view that is there."""
    name = quoted(table)
    columns = [column[0] for column in run.execute(f"SELECT * FROM {name} LIMIT 0").description]
    shown = (f"{_RESTORED[table, column]} AS {quoted(column)}"
             if restored and (table, column) in _RESTORED else quoted(column)
             for column in columns if column != "rowid")
    source = f"({usual})" if usual else f"main.{name}"
    run.execute(f"DROP VIEW IF EXISTS temp.{name}")
    run.execute(f"CREATE TEMP VIEW {name} AS SELECT rowid AS rowid, {', '.join(shown)}"
                f" FROM {source} AS {name} WHERE id NOT IN"
                f" (SELECT id FROM temp.hidden_rows WHERE tbl = '{table}')")
