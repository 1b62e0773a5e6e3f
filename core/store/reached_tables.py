"""Which tables a write can reach: its own, and those that foreign keys and triggers write for it.

It says too much rather than too little: a table that a trigger only names counts as written by it.
"""

import re
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

EVENTS = ("insert", "update", "delete")
Event: TypeAlias = tuple[str, str]
"""A table, in small letters, and what happens to rows of it."""

_REPLACED = {"CASCADE": ("delete", "update"), "SET NULL": ("update", "update"),
             "SET DEFAULT": ("update", "update")}
"""What a foreign key does to the rows that point at one that is deleted, or gets another key."""
_WORD = re.compile(r"[\w$]+")
_QUOTES = str.maketrans("", "", "\"'`[]")


class Reach(Struct, frozen=True):
    """What follows at once from each event, in the file and beside it."""

    follows: Mapping[Event, frozenset[Event]]

    def of(self, table: str, events: Iterable[str]) -> frozenset[Event]:
        """These events of a table, and all that can follow from them."""
        waiting = [(table.lower(), event) for event in events]
        found = set(waiting)
        while waiting:
            new = self.follows.get(waiting.pop(), frozenset()) - found
            found |= new
            waiting += new
        return frozenset(found)


def reach_in(connection: sqlite3.Connection) -> Reach:
    """What follows from a write of this file; the tables beside it have nothing that follows."""
    schema = tuple(tuple(row) for row in connection.execute(
        "SELECT type, name, tbl_name, COALESCE(sql, '') FROM main.sqlite_master"
        " WHERE type IN ('table', 'view', 'trigger')"))
    keys = tuple(tuple(row) for row in connection.execute(
        "SELECT m.name, f.\"table\", f.on_delete, f.on_update FROM main.sqlite_master AS m"
        " JOIN pragma_foreign_key_list(m.name, 'main') AS f WHERE m.type = 'table'"))
    return _reach(schema, keys)


@lru_cache(maxsize=16)
def _reach(
    schema: tuple[tuple[str, str, str, str], ...], keys: tuple[tuple[str, str, str, str], ...]
) -> Reach:
    follows: defaultdict[Event, set[Event]] = defaultdict(set)
    for child, parent, on_delete, on_update in keys:
        for event, action, place in (("delete", on_delete, 0), ("update", on_update, 1)):
            if action in _REPLACED:
                follows[parent.lower(), event].add((child.lower(), _REPLACED[action][place]))
    names = {name.lower() for kind, name, _, _ in schema if kind != "trigger"}
    for kind, name, on, sql in schema:
        if kind == "trigger":
            written = {(table, event) for table in _named(names, sql) for event in EVENTS}
            for event in EVENTS:
                follows[on.lower(), event] |= written
        elif "replace" in sql.lower():  # A new row may take the place of another one.
            follows[name.lower(), "insert"].add((name.lower(), "delete"))
            follows[name.lower(), "update"].add((name.lower(), "delete"))
    return Reach({event: frozenset(then) for event, then in follows.items()})


def _named(names: Collection[str], trigger: str) -> Iterator[str]:
    """Which of these names stand in what a trigger does, however they are quoted."""
    text = trigger.lower()
    text = text[max(0, text.find("begin")):]
    words, unquoted = set(_WORD.findall(text)), text.translate(_QUOTES)
    for name in names:
        if name in words or not _WORD.fullmatch(name) and name.translate(_QUOTES) in unquoted:
            yield name
