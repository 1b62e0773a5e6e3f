"""Takes out of a copy of a graph what came after a moment, or leaves it out of sight."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from core.store.database import quoted
from core.store.hide_later_rows import cut_by_time, is_listed, later_list
from core.store.row_lifetimes import later_sql
from core.store.time_ordered_tables import TABLES, KnownTimes, OrderOfTimes

MUCH = 0.4
"""Share of a table's rows."""
FEW = 2_000
"""Rows that are taken out; more are left out of sight (`core.store.hide_later_rows`)."""
_LISTED = frozenset(("entity_attributes", "entity_aspects", "memories", "memory_entity_mentions"))
"""The tables whose later rows keep nothing from coming back that was taken out since."""


class WithoutLater(OrderOfTimes):
    """A copy that loses what came later."""

    def __init__(self, connection: sqlite3.Connection, moment: str) -> None:
        super().__init__(connection, moment)
        self._left_out: dict[str, str] = {}
        self._known = KnownTimes()

    def _count_mentions(self, later: str) -> None:
        """Mentions that came later are not counted; the others are, also those without a row."""
        if self._has("entities", "mentions"):
            self._run("UPDATE main.entities SET mentions = max(COALESCE(mentions, 0) - later.many,"
                      " 0) FROM (SELECT t.entity_id AS id, count(*) AS many"
                      " FROM main.memory_entity_mentions AS t"
                      f" WHERE {later} GROUP BY t.entity_id) AS later"
                      " WHERE later.id = main.entities.id")

    def _remove_younger(self) -> None:
        """Children first: what has an older child is as old as that."""
        for table in TABLES:
            if self._has(table, "created_at"):
                self._remove(table)
        for table in ("restored_versions", "disputed_values", "other_names"):
            column = {"restored_versions": "restored_at", "disputed_values": "asked_at"}.get(
                table, "created_at")
            self._run(f"DELETE FROM side.{table} WHERE {later_sql(column)}")
        if self._has("claim_restores", "restored_at"):
            self._run(f"DELETE FROM main.claim_restores WHERE {later_sql('restored_at')}")

    def _kept(self, table: str) -> str:
        """True of a row `t` that was there although its own time is later."""
        if table == "entity_attributes":
            return self._replaced_by_then() if self._any_replaced() else "0"
        child = {"entity_aspects": ("entity_attributes", "c.aspect_id = t.id"),
                 "entities": ("entity_aspects", "c.entity_id = t.id"),
                 "memories": ("entity_attributes", "c.id = t.id")}.get(table)
        if child is None:
            return "0"
        of, same = child
        older = f"EXISTS (SELECT 1 FROM main.{of} c WHERE {same}{self._there(of, 'c')})"
        if table == "entities":
            there = self._there("entity_dependencies", "c")
            older += "".join(f" OR EXISTS (SELECT 1 FROM main.entity_dependencies c"
                             f" WHERE c.{end} = t.id{there})"
                             for end in ("source_entity_id", "target_entity_id"))
        return older

    def _there(self, table: str, alias: str) -> str:
        """What a condition goes on with that holds only for rows that were there."""
        later = self._left_out.get(table)
        return f" AND NOT {later.format(alias=alias)}" if later else ""

    def _replaced_by_then(self) -> str:
        """True of a value `t` whose successor was there: a clock that ran ahead has dated it."""
        if not self._has("entity_attributes", "superseded_by"):
            return "0"
        return ("t.superseded_by IS NOT NULL AND EXISTS (WITH RECURSIVE after(id) AS"
                " (SELECT t.superseded_by UNION"
                " SELECT n.superseded_by FROM after f CROSS JOIN main.entity_attributes n"
                " ON n.id = f.id) SELECT 1 FROM after f CROSS JOIN main.entity_attributes n"
                f" ON n.id = f.id WHERE {self._birth('entity_attributes', 'n')} <= :m)")

    def _any_replaced(self) -> bool:
        """Whether any is, which is rare and quick to ask."""
        if not self._numbered["entity_attributes"]:
            return True
        if not self._has("entity_attributes", "superseded_by"):
            return False
        return self._connection.execute(
            f"SELECT 1 FROM {later_list('entity_attributes')} l CROSS JOIN main.entity_attributes t"
            " ON t.rowid = l.place WHERE EXISTS (SELECT 1 FROM main.entity_attributes n"
            f" WHERE n.id = t.superseded_by AND {self._birth('entity_attributes', 'n')} <= :m)"
            " LIMIT 1",
            self._bound).fetchone() is not None

    def _can_be_cut(self, table: str) -> bool:
        """Whether its rows' own times tell which are there, and later ones are in nobody's way."""
        return self._numbered[table] and self._in_order(table) and (
            table in _LISTED or table == "entity_dependencies"
            and {"changed links", "deleted links"} <= self._known.none)

    def _in_order(self, table: str) -> bool:
        """Whether no row of a table looks younger than it is."""
        return table in self._known.in_order and table in self._known.unnamed

    def _remove(self, table: str) -> None:
        later = later_sql("t.created_at")
        if self._can_be_cut(table):
            if table == "memory_entity_mentions":
                self._count_mentions(later)
            self._left_out[table] = cut_by_time(self._connection, table, self._bound)
            return
        if not self._numbered[table]:
            if table == "memory_entity_mentions":
                self._count_mentions(later)
            self._run(f"DELETE FROM main.{table} AS t WHERE {later}{self._not_named(table)}"
                      f" AND NOT ({self._kept(table)})")
            self._date_back(table, later)
            return
        self._run(f"CREATE TABLE {later_list(table)} (place INTEGER PRIMARY KEY)")
        count = self._run(f"INSERT INTO {later_list(table)} SELECT t.rowid"
                          f" FROM main.{table} AS t WHERE {later}")
        if table == "memory_entity_mentions":
            self._count_mentions(is_listed(table, "t"))
        if count and not self._in_order(table):
            count -= self._keep(table)
        if count > FEW and table in _LISTED:
            self._left_out[table] = is_listed(table, "{alias}")
            return
        if count:
            with self._without_indexes(table, count):
                self._run(f"DELETE FROM main.{table} AS t WHERE {is_listed(table, 't')}")
        self._run(f"DROP TABLE {later_list(table)}")

    def _keep(self, table: str) -> int:
        """Strike from the list what was there although its own time is later; returns how many.

        A rewrite made these rows look younger than they are; they get their time back.
        """
        named, kept = self._not_named(table), self._kept(table)
        if kept == "0" and not named:
            return 0
        self._run("CREATE TEMP TABLE kept (place INTEGER PRIMARY KEY)")
        count = self._run(f"INSERT INTO temp.kept SELECT t.rowid FROM {later_list(table)} l"
                          f" CROSS JOIN main.{table} t ON t.rowid = l.place"
                          f" WHERE NOT (1{named} AND NOT ({kept}))")
        if count:
            self._run(f"DELETE FROM {later_list(table)}"
                      " WHERE place IN (SELECT place FROM temp.kept)")
            self._date_back(table, "t.rowid IN (SELECT place FROM temp.kept)")
        self._run("DROP TABLE temp.kept")
        return count

    def _not_named(self, table: str) -> str:
        """What a condition goes on with that holds only for what no proposal of then names."""
        named = ""
        if not self._any_named:
            return named
        if self._has(table, "id") and table != "ontology_proposals":
            named = " AND NOT EXISTS (SELECT 1 FROM temp.born b WHERE b.at <= :m AND b.id = t.id)"
        if self._has(table, "proposal_id"):
            named += (" AND NOT EXISTS (SELECT 1 FROM temp.born b"
                      " WHERE b.at <= :m AND b.id = t.proposal_id)")
        return named

    def _date_back(self, table: str, which: str) -> None:
        """Give the rows of `which` that remain the time at which they came to be."""
        if table == "entity_attributes" and self._has(table, "superseded_by", "updated_at"):
            self._run(f"UPDATE main.{table} AS t SET updated_at = :m WHERE {which}"
                      f" AND {later_sql('t.updated_at')}"
                      f" AND t.status = 'superseded' AND {self._replaced_by_then()}")
        if table == "memories":
            birth = "(SELECT v.created_at FROM main.entity_attributes v WHERE v.id = t.id)"
        elif table in ("entity_attributes", "entity_aspects", "entities", "entity_dependencies"):
            birth = f"min(:m, {self._birth(table, 't')})"
        else:
            return
        self._run(f"UPDATE main.{table} AS t SET created_at = {birth} WHERE {which}")

    @contextmanager
    def _without_indexes(self, table: str, count: int) -> Iterator[None]:
        """Where much of a table goes, making its indexes anew is quicker than keeping them."""
        rows = self._connection.execute(f"SELECT count(*) FROM main.{table}").fetchone()[0]
        indexes = self._connection.execute(
            "SELECT name, sql FROM main.sqlite_master WHERE type = 'index' AND tbl_name = ?"
            " AND sql IS NOT NULL", (table,)).fetchall() if count > MUCH * rows else []
        for name, _ in indexes:
            self._connection.execute(f"DROP INDEX main.{quoted(name)}")
        yield
        for _, text in indexes:
            self._connection.execute(text)
