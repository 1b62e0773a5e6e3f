"""Finds what another graph keeps under ids of its own and this graph has already.

Two graphs that grew apart may both know Anna: her entity, what is said of her and the memories
behind it have other ids in each. What the file allows once (its unique indexes) or says already is
one row; whatever refers to the other id is led to the one that is here.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct

from core.store.database import quoted
from core.store.writer import Writer

Line = dict[str, Any]

REFERRED_TO = frozenset({"entity_communities", "entities", "entity_aspects", "memories",
                         "entity_attributes", "entity_dependencies"})
"""Tables whose rows others refer to."""
_REFERS = {
    "entity_id": "entities", "source_entity_id": "entities", "target_entity_id": "entities",
    "subject_entity_id": "entities", "focal_entity_id": "entities",
    "aspect_id": "entity_aspects", "memory_id": "memories",
    "attribute_id": "entity_attributes", "claim_attribute_id": "entity_attributes",
    "superseded_by": "entity_attributes", "version_root_id": "entity_attributes",
    "previous_attribute_id": "entity_attributes", "dependency_id": "entity_dependencies",
}
"""The table that a column's ids are of; few files say it of all of them by foreign keys."""
_OF_ANY_TABLE = {"embeddings": "source_id", "source_fields": "owner_id",
                 "automatic_changes": "subject_id", "places": "id"}
_SAYS = ("kind", "status", "group_key", "claim_key", "content")
"""A value that agrees in these with one of the same aspect says nothing new."""
_USUAL = {"agent_id": "default", "visibility": "global"}
"""What an empty cell of a unique index means."""
_CONDITION = re.compile(r"(?<![\w'),])(\w+)\s*=\s*'?(\w+)'?")
_AT_ONCE = 900


class _UniqueIndex(Struct, frozen=True):
    """What a table allows once: columns as they are, and those within an expression."""

    plain: tuple[str, ...]
    within: tuple[str, ...]
    only: tuple[tuple[str, str], ...]
    """Of which rows, by the value of a column."""

    def key(self, row: Mapping[str, Any]) -> tuple[object, ...] | None:
        """What a row is one by; None where the index does not speak of it."""
        if any(row.get(column) is None for column in self.plain) or any(
                str(value) != wanted for column, wanted in self.only
                if (value := row.get(column)) is not None):
            return None
        return (*(row[column] for column in self.plain),
                *(row.get(column) or _USUAL.get(column, "") for column in self.within))


_ONE = {"entities": (_UniqueIndex(("canonical_name",), ("agent_id",), ()),)}
"""What is one by its name though the file allows two: Signet's knows `Anna` and `anna` apart."""


class SameRows:
    """The ids of another graph beside those that mean the same here, while it is taken in."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._ids: defaultdict[str, dict[object, object]] = defaultdict(dict)
        self._indexes: dict[str, tuple[_UniqueIndex, ...]] = {}
        self._known_aspects: set[object] = set()
        self._new_values: set[object] = set()

    def led(self, table: str, rows: Iterable[Line]) -> list[Line]:
        """The rows, what they refer to by ids of this graph."""
        rows = list(rows)
        for row in rows if any(self._ids.values()) else ():
            for column in row.keys() & _REFERS.keys():
                ids = self._ids[_REFERS[column]]
                row[column] = ids.get(row[column], row[column])
            if (column := _OF_ANY_TABLE.get(table, "")) in row:
                row[column] = self._anywhere(row[column])
        return rows

    def without_same(self, table: str, rows: list[Line], there: Iterable[object]) -> list[Line]:
        """The rows that this graph does not have under another id.

        Args:
            rows: those whose ids it does not have.
            there: the ids of the same table that it has.
        """
        if table == "entity_aspects":
            self._known_aspects.update(there)
        known = self._by_index(table, rows)
        fresh = [row for row in rows if not self._found(table, row, known)]
        if table == "entity_attributes":
            fresh = self._without_said(fresh)
        return fresh

    def _anywhere(self, id: object) -> object:
        return next((ids[id] for ids in self._ids.values() if id in ids), id)

    def _found(self, table: str, row: Line,
               known: list[tuple[_UniqueIndex, dict[tuple[object, ...], object]]]) -> bool:
        for index, ids in known:
            if (key := index.key(row)) in ids and key is not None:
                self._lead(table, row, ids[key])
                return True
        return False

    def _lead(self, table: str, row: Line, here: object) -> None:
        if "id" in row:
            self._ids[table][row["id"]] = here
        if table == "entity_aspects":
            self._known_aspects.add(here)

    def _by_index(self, table: str, rows: list[Line]) -> list[
            tuple[_UniqueIndex, dict[tuple[object, ...], object]]]:
        """For each unique index the ids of the rows here that these would meet."""
        return [(index, dict(self._rows_here(table, index, rows)))
                for index in self._unique(table)]

    def _rows_here(self, table: str, index: _UniqueIndex, rows: list[Line]) -> Iterator[
            tuple[tuple[object, ...], object]]:
        asked = {key[:len(index.plain)] for row in rows if (key := index.key(row))}
        for row in rows_with(self._writer, f"main.{quoted(table)}", index.plain, asked):
            if (key := index.key(row)):
                yield key, row.get("id")

    def _unique(self, table: str) -> tuple[_UniqueIndex, ...]:
        if table not in self._indexes:
            self._indexes[table] = (*_unique_indexes(self._writer, table), *_ONE.get(table, ()))
        return self._indexes[table]

    def _without_said(self, rows: list[Line]) -> list[Line]:
        """The values that their aspect here does not hold in the same words."""
        aspects = {row.get("aspect_id") for row in rows} & self._known_aspects
        if not aspects:
            return rows
        says = [column for column in _SAYS if self._writer.has_column("entity_attributes", column)]
        said = {(here["aspect_id"], *(here[column] for column in says)): here["id"]
                for here in self._writer.rows(
                    "SELECT v.* FROM main.entity_attributes v WHERE v.aspect_id IN"
                    " (SELECT value FROM json_each(:aspects))", aspects=sorted(map(str, aspects)))
                if here["id"] not in self._new_values}
        fresh = []
        for row in rows:
            key = (row.get("aspect_id"), *(row.get(column) for column in says))
            if key in said:
                self._lead("entity_attributes", row, said[key])
            else:
                fresh.append(row)
                self._new_values.update((row["id"],) if row.get("aspect_id") in aspects else ())
        return fresh


def rows_with(
    writer: Writer, home: str, columns: Sequence[str], keys: Iterable[tuple[object, ...]]
) -> Iterator[Line]:
    """The rows of a table whose columns have the values of one of these keys.

    Args:
        home: the table, as SQL names it.
    """
    named = ", ".join(f"t.{quoted(column)}" for column in columns)
    row_of_values = f"({', '.join('?' for _ in columns)})"
    waiting = iter(keys)
    while some := list(islice(waiting, _AT_ONCE // len(columns))):
        for row in writer.connection.execute(
                f"SELECT t.* FROM {home} AS t WHERE ({named}) IN"
                f" (VALUES {', '.join(row_of_values for _ in some)})",
                [value for key in some for value in key]):
            yield dict(zip(row.keys(), row, strict=True))


def _unique_indexes(writer: Writer, table: str) -> Iterator[_UniqueIndex]:
    """The unique indexes of a table of the file, beside its primary key."""
    columns = writer.stored_columns(table)
    for index in writer.rows(
            "SELECT l.name, s.sql FROM pragma_index_list(:table, 'main') l"
            " LEFT JOIN main.sqlite_schema s ON s.type = 'index' AND s.name = l.name"
            " WHERE l.\"unique\" AND l.origin != 'pk'", table=table):
        plain = tuple(row["name"] for row in writer.rows(
            "SELECT i.name FROM pragma_index_info(:index, 'main') i WHERE i.name IS NOT NULL"
            " ORDER BY i.seqno", index=index["name"]))
        of, _, only = re.split(r"\bON\b", index["sql"] or "", maxsplit=1, flags=re.IGNORECASE)[
            -1].partition("WHERE")
        within = tuple(column for column in sorted(columns - set(plain))
                       if re.search(rf"\b{column}\b", of.partition("(")[2]))
        # A name that all agents of a file share is not for one to take from another.
        agents = ("agent_id",) if "agent_id" in columns - {*plain, *within} else ()
        if plain:
            yield _UniqueIndex(plain, (*within, *agents), tuple(_CONDITION.findall(only)))
