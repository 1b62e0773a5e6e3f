"""Records every statement that core sends, and which of them read a whole table."""

import re
import sqlite3
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import core
from core.store.database import ordinary_tables
from core.store.migrate import native_columns
from core.store.read_bytes_keeping_locks import CountedConnection

CORE = Path(core.__file__).parent
FEW = frozenset((
    "agent_id", "status", "kind", "entity_type", "type", "is_deleted", "visibility",
    "read_policy", "operation", "source_type"))
"""Columns with so few values that what has one of them is a part of the whole table."""
_SCAN = re.compile(r"SCAN (?:main\.)?(\w+)(?: USING (?:COVERING )?INDEX (\w+))?\Z")
_SEARCH = re.compile(r"SEARCH (?:main\.)?(\w+) USING (?:COVERING )?INDEX (\w+) \(([^()]*)\)")
_AUTOMATIC = re.compile(r"SEARCH (\w+) USING AUTOMATIC")
_MADE = re.compile(r"(?:CO-ROUTINE|MATERIALIZE|SCALAR SUBQUERY) (\w+)")
_NAMED = re.compile(
    r'\b(?:FROM|JOIN|UPDATE|INTO)\s+(?:\w+\.)?"?(\w+)"?(?:\s+(?:AS\s+)?"?(\w+)"?)?', re.IGNORECASE)
SMALL = frozenset(("agents", "entity_communities", "dreaming_state", "dreaming_passes"))
GROWING = frozenset(native_columns()) - SMALL
"""The tables of a graph that grow with it."""
_BOUND = re.compile(r"\w+(?==\?)")
_READING = re.compile(r"\s*(?:SELECT|WITH|UPDATE|DELETE|INSERT|REPLACE)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WholeRead:
    """A step of a plan that reads a whole table, or all of it that is one agent's.

    Attributes:
        place: the module and function of core that sent the statement.
        step: the step, as SQLite words it.
    """

    place: str
    step: str
    sql: str = field(compare=False)

    def __str__(self) -> str:
        return f"{self.place}: {self.step}\n    {' '.join(self.sql.split())[:300]}"


def whole_reads(plan: Sequence[str], tables: Mapping[str, Collection[str]]) -> Iterator[str]:
    """The steps of a plan that read all of a table whose size nobody asked for.

    A page of a list is none: it is read along an index, in its order.

    Args:
        tables: by the name that a step gives it, the tables that grow which it may be.
    """
    made = {match[1] for step in plan if (match := _MADE.match(step))}
    is_page = not any("TEMP B-TREE FOR ORDER BY" in step or "GROUP BY" in step for step in plan)
    for step in plan:
        read = _SCAN.match(step) or _AUTOMATIC.match(step) or _SEARCH.match(step)
        if read is None or read[1] in made or not tables.get(read[1]):
            continue
        if _SEARCH.match(step) and (read[2].startswith("sqlite_autoindex") or _narrow(read[3])):
            continue
        if not (is_page and " INDEX " in step and "LIMIT" in tables):
            yield step


def _narrow(bound: str) -> bool:
    """True if what an index is searched by is more than one of a few values."""
    return not set(_BOUND.findall(bound)) <= FEW or re.search(r"[<>]\?", bound) is not None


def tables_in(sql: str, there: Collection[str]) -> dict[str, set[str]]:
    """Those of the tables that a statement reads, by the names that it gives them."""
    tables: dict[str, set[str]] = {}
    for table, alias in _NAMED.findall(sql):
        tables.setdefault(alias or table, set()).add(table)
    # A name that may also be a list or a table that the file lacks is no sure one.
    tables = {name: names for name, names in tables.items() if names <= set(there)}
    tables |= {table: {table} for table in there}
    if re.search(r"\bLIMIT\b", sql):
        tables["LIMIT"] = {"LIMIT"}
    return tables


class Recorder:
    """What core sent while it was recording, each statement once with its plan.

    Attributes:
        reads: the whole reads among them.
        sent: how many statements were looked at.
    """

    def __init__(self) -> None:
        self.reads: dict[WholeRead, None] = {}
        self.sent: set[tuple[str, str]] = set()

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Look at the plan of each statement of any connection to a graph, before it runs."""
        execute, executemany = CountedConnection.execute, CountedConnection.executemany

        def one(connection: CountedConnection, sql: str, *bound: object) -> object:
            self._look(connection, sql)
            return execute(connection, sql, *bound)

        def many(connection: CountedConnection, sql: str, *bound: object) -> object:
            self._look(connection, sql)
            return executemany(connection, sql, *bound)

        CountedConnection.execute = one  # type: ignore[method-assign,assignment]
        CountedConnection.executemany = many  # type: ignore[method-assign,assignment]
        try:
            yield
        finally:
            del CountedConnection.execute, CountedConnection.executemany

    def _look(self, connection: sqlite3.Connection, sql: str) -> None:
        place = _sender()
        if (place, sql) in self.sent or not _READING.match(sql):
            return
        self.sent.add((place, sql))
        there = GROWING.intersection(ordinary_tables(connection))
        tables = tables_in(_with_views(connection, sql), there)
        for step in whole_reads(_plan(connection, sql), tables):
            self.reads[WholeRead(place, step, sql)] = None


def _with_views(connection: sqlite3.Connection, sql: str) -> str:
    """A statement, and how the views in it are made."""
    views = sqlite3.Connection.execute(
        connection, "SELECT name, sql FROM temp.sqlite_master WHERE type = 'view'").fetchall()
    for _ in range(2):  # A view of a view.
        sql += "".join(f"\n{made}" for name, made in views
                       if name not in GROWING and re.search(rf"\b{name}\b", sql)
                       and made not in sql)
    return sql


class _Nothing(dict[str, None]):
    """NULL for every parameter: a plan needs no values."""

    def __missing__(self, name: str) -> None:
        return None


def _plan(connection: sqlite3.Connection, sql: str) -> list[str]:
    bound: object = _Nothing()
    if "?" in sql and not re.search(r"[^:]:\w", sql):
        bound = [None] * sql.count("?")
    rows = sqlite3.Connection.execute(connection, f"EXPLAIN QUERY PLAN {sql}", bound)  # type: ignore[arg-type]
    return [str(row[3]) for row in rows]


def _sender() -> str:
    """The function of core that sent a statement, past the store that passes it on."""
    frame, place = sys._getframe(2), "elsewhere"
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(CORE):
            inner = path.relative_to(CORE).with_suffix("")
            place = f"{'.'.join(inner.parts)}.{frame.f_code.co_name}"
            if inner.parts[0] != "store" and not frame.f_code.co_name.startswith("<"):
                return place
        frame = frame.f_back  # type: ignore[assignment]
    return place
