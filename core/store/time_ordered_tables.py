"""Which tables of a graph are in the order of time, found out once for each state of its file.

Where no row looks younger than what belongs to it, than its successor or than a proposal that names
it, a past state is what came until then: no row has to be looked at by itself.
"""

import sqlite3
from collections.abc import Collection, Mapping

from msgspec import Struct

from core.store.row_lifetimes import TimesThen, moment_sql

_DAY = "'[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]*'"
_CHILDREN = {
    "entity_attributes": (("entity_attributes", "c.id = t.superseded_by"),),
    "entity_aspects": (("entity_attributes", "c.aspect_id = t.id"),),
    "entities": (("entity_aspects", "c.entity_id = t.id"),
                 ("entity_dependencies", "c.source_entity_id = t.id"),
                 ("entity_dependencies", "c.target_entity_id = t.id")),
    "memories": (("entity_attributes", "c.id = t.id"),)}
"""What may show that a row is older than it looks: the rows of another table."""
TABLES = ("entity_attributes", "entity_aspects", "entity_dependencies", "entities", "memories",
          "ontology_proposals", "epistemic_assertions", "entity_aliases", "memory_entity_mentions",
          "relations")
"""The tables whose rows come to be, children before what they belong to."""
_SELDOM = {
    "archived values": ("entity_attributes", "status = 'deleted'"),
    "archived entities": ("entities", "status = 'archived'"),
    "archived aspects": ("entity_aspects", "status = 'archived'"),
    "archived links": ("entity_dependencies", "status = 'archived'"),
    "changed links": ("entity_dependency_history", "event = 'updated'"),
    "deleted links": ("entity_dependency_history", "event = 'deleted'"),
    "deleted memories": ("memories", "is_deleted = 1"),
}


class KnownTimes(Struct, frozen=True):
    """What holds of one state of a file, whatever the moment.

    Attributes:
        in_order: tables with no row that looks younger than what shows its age.
        unnamed: tables with no row that looks younger than a proposal that names it.
        none: which of the seldom kinds of rows there are none of.
    """

    in_order: frozenset[str] = frozenset()
    unnamed: frozenset[str] = frozenset()
    none: frozenset[str] = frozenset()

    def after(
        self, times: "OrderOfTimes", touched: Mapping[str, Collection[object]]
    ) -> "KnownTimes":
        """What still holds in a copy in which these rows have been put back to what they were."""
        if not touched:
            return self
        return KnownTimes(
            times.in_order(self.in_order, touched),
            self.unnamed if not touched.keys() & set(TABLES) else times.unnamed(self.unnamed),
            frozenset(kind for kind in self.none if _SELDOM[kind][0] not in touched))


class OrderOfTimes(TimesThen):
    """Asks a file whether its rows are in the order of time."""

    def known(self, found: dict[str, bool]) -> KnownTimes:
        """All of it, for a file as it is; reads each table some times.

        Args:
            found: what was found out until it was stopped, and is to be added to: which of
                `TABLES` are in order.
        """
        self._note_born()
        for table in (each for each in TABLES if each not in found):
            found[table] = self._is_in_order(table, {one for one in found if found[one]}, None)
        return KnownTimes(
            frozenset(table for table in found if found[table]), self.unnamed(TABLES), frozenset(
                kind for kind, (table, which) in _SELDOM.items()
                if not self._any(f"main.{table} WHERE {which}", table, which.split()[0])))

    def in_order(
        self, tables: Collection[str], touched: Mapping[str, Collection[object]]
    ) -> frozenset[str]:
        """Those of the tables that still are in order; only the rows of `touched` can be out of it.
        """
        found: set[str] = set()
        for table in (each for each in TABLES if each in tables):
            if self._is_in_order(table, found, touched):
                found.add(table)
        return frozenset(found)

    def _is_in_order(
        self, table: str, found: Collection[str],
        touched: Mapping[str, Collection[object]] | None,
    ) -> bool:
        """Whether a table is in order, those of its children being known."""
        children = _CHILDREN.get(table, ())
        if (not self._has(table, "created_at")
                or any(child != table and child not in found for child, _ in children)
                or self._odd_time(table, touched)):
            return False
        return not any(self._younger(table, child, same, touched) for child, same in children
                       if self._has(child, same.split()[0][2:])
                       and self._has(table, same.split("t.")[1]))

    def unnamed(self, tables: Collection[str]) -> frozenset[str]:
        """The tables with no row that a proposal named before the time that it has itself."""
        if not self._any_named:
            return frozenset(tables)
        return frozenset(table for table in tables if not any(
            self._any(f"temp.born b CROSS JOIN main.{table} t ON t.{column} = b.id"
                      f" WHERE {moment_sql('t.created_at')} > b.at", table, column, "created_at")
            for column in ("id", "proposal_id")))

    def _odd_time(
        self, table: str, touched: Mapping[str, Collection[object]] | None
    ) -> bool:
        """Whether a row has no time, or something else in its place."""
        odd = (f"t.created_at IS NULL OR t.created_at NOT GLOB {_DAY}"
               f" OR {moment_sql('t.created_at')} IS NULL")
        return any(self._any(f"{rows} WHERE {odd}", table)
                   for rows in self._rows(table, "t", touched))

    def _younger(
        self, table: str, child: str, same: str,
        touched: Mapping[str, Collection[object]] | None,
    ) -> bool:
        birth = (f"COALESCE({moment_sql('c.created_at')}, '')" if child != table
                 else self._birth(child, "c"))
        younger = f"{moment_sql('t.created_at')} > {birth}"
        if touched is None:
            return self._any(f"main.{child} c CROSS JOIN main.{table} t ON {same} WHERE {younger}",
                             table)
        pairs = [(table, "t", child, "c"), (child, "c", table, "t")]
        return any(self._any(f"{rows} CROSS JOIN main.{other} {name} ON {same} WHERE {younger}",
                             table)
                   for of, alias, other, name in pairs for rows in self._rows(of, alias, touched))

    def _rows(
        self, table: str, alias: str, touched: Mapping[str, Collection[object]] | None
    ) -> list[str]:
        """The rows of a table that are looked at, as SQL."""
        if touched is None:
            return [f"main.{table} {alias}"]
        if not touched.get(table):
            return []
        if not self._has(table, "id"):
            return [f"main.{table} {alias}"]
        return [f"temp.touched k CROSS JOIN main.{table} {alias} ON k.tbl = '{table}'"
                f" AND {alias}.id = k.id"]

    def _any(self, rows: str, table: str, *columns: str) -> bool:
        return self._has(table, *columns) and self._connection.execute(
            f"SELECT 1 FROM {rows} LIMIT 1").fetchone() is not None


def note_touched(
    connection: sqlite3.Connection, touched: Mapping[str, Collection[object]]
) -> None:
    """List the rows that were put back, for `OrderOfTimes`."""
    connection.execute("CREATE TEMP TABLE touched (tbl TEXT, id)")
    connection.executemany("INSERT INTO temp.touched VALUES (?, ?)", (
        (table, id) for table, ids in touched.items() for id in ids))

