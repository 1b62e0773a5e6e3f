"""Puts a copy of a graph back to a moment by what its own rows say of their past.

It is for what others wrote: no log has it. The times of versions, archives, pins and decided
proposals, the history of links and the audit log tell when a row came to be as it is.
"""

import sqlite3
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType

from core.model.names import canonical
from core.model.text_formatting import counted
from core.store.past_by_removal import WithoutLater
from core.store.past_row_spans import SPANS, clear_away, otherwise_at
from core.store.row_lifetimes import NEVER, later_sql, moment_sql
from core.store.time_ordered_tables import KnownTimes, note_touched

NOTHING_KNOWN = KnownTimes()
NONE: Mapping[str, Collection[object]] = MappingProxyType({})


class RowsThen(WithoutLater):
    """Changes the tables of one copy to how they were.

    Attributes:
        unknown: what the rows do not tell of that time, a sentence each.
    """

    def __init__(self, connection: sqlite3.Connection, moment: str) -> None:
        """`moment` in the form of `moment_sql`, with milliseconds."""
        super().__init__(connection, moment)
        self.unknown: tuple[str, ...] = ()
        self._touched: Mapping[str, Collection[object]] = NONE

    def put_back(
        self, known: KnownTimes = NOTHING_KNOWN, touched: Mapping[str, Collection[object]] = NONE
    ) -> None:
        """All of it, in one transaction.

        Args:
            known: what is known of the times of the file that was copied.
            touched: the ids of the rows that the undo log has put back, by their tables.
        """
        self._note_audit()
        self._touched = touched
        note_touched(self._connection, touched)
        self._known = known.after(self, touched)
        self._rename()
        self._reword_memories()
        self._drop_triggers()
        self._remove_younger()
        for bring_back in (self._values, self._archived, self._pins, self._links, self._proposals,
                           self._memories, self._tasks, self._assertions, self._aliases):
            bring_back()
        self.unknown = tuple(self._gaps())
        clear_away(self._connection)

    def _rename(self) -> None:
        """Names before later renames; the first rename after the moment tells the name then."""
        if not self._has("ontology_proposals", "result"):
            return
        applied = moment_sql("p.applied_at")
        for table, operation, key in (("entities", "rename_entity", "$.entityId"),
                                      ("entity_aspects", "rename_aspect", "$.aspectId")):
            rows = self._connection.execute(
                f"SELECT json_extract(result, '{key}'), json_extract(result, '$.oldName'),"
                " json_extract(result, '$.newName') FROM main.ontology_proposals p"
                f" WHERE operation = '{operation}' AND status = 'applied' AND json_valid(result)"
                f" AND {applied} > :m ORDER BY {applied} DESC",
                self._bound).fetchall()
            for id, old, new in rows:
                if isinstance(old, str) and isinstance(new, str):
                    self._set_name(table, id, old, new)

    def _set_name(self, table: str, id: object, old: str, new: str) -> None:
        key = ", canonical_name = :key" if self._has(table, "canonical_name") else ""
        self._connection.execute(
            f"UPDATE OR IGNORE main.{table} SET name = :old{key} WHERE id = :id AND name = :new",
            {"old": old, "new": new, "key": canonical(old), "id": id})

    def _reword_memories(self) -> None:
        if not self._has("memory_history", "old_content", "created_at"):
            return
        self._run(
            "UPDATE main.memories SET content = h.old FROM (SELECT memory_id, old_content AS old,"
            f" min({moment_sql('created_at')}) FROM main.memory_history"
            f" WHERE {later_sql('created_at')} AND old_content IS NOT NULL"
            " AND new_content IS NOT NULL GROUP BY memory_id) h"
            " WHERE h.memory_id = memories.id AND memories.content <> h.old")

    def _drop_triggers(self) -> None:
        """Nothing is searched for what is not there: readers join what the index finds."""
        for (name,) in self._connection.execute(
                "SELECT name FROM main.sqlite_master WHERE type = 'trigger'").fetchall():
            self._connection.execute(f'DROP TRIGGER main."{name.replace(chr(34), chr(34) * 2)}"')

    # -- what was otherwise ----------------------------------------------------------------------

    def _values(self) -> None:
        """A value counted until its successor came, or until it was taken out by itself."""
        table = "entity_attributes"
        archive = {name: "NULL" for name in ("archived_at", "archived_by", "archive_reason")
                   if self._has(table, name)}
        if archive and "archived values" not in self._known.none:
            marks = ", ".join(f"{name} = {value}" for name, value in archive.items())
            self._run(f"UPDATE main.{table} AS v SET status = CASE WHEN v.superseded_by IS NULL"
                      f" THEN 'active' ELSE 'superseded' END, {marks}"
                      f" WHERE v.status = 'deleted'{self._there(table, 'v')}"
                      f" AND {self._end('v', 'archived_at')} > :m")
        self._run(
            f"UPDATE main.{table} AS v SET status = 'active', superseded_by = NULL"
            " WHERE v.status = 'superseded'"
            f"{self._perhaps_otherwise(table, 'v', 'id', 'superseded_by')}"
            f"{self._there(table, 'v')} AND NOT COALESCE((SELECT CASE"
            f" WHEN {self._birth(table, 'n')} > {self._birth(table, 'v')} THEN 1"
            f" ELSE {self._end('v', 'updated_at')} <= :m END"
            f" FROM main.{table} n WHERE n.id = v.superseded_by{self._there(table, 'n')}),"
            f" v.superseded_by IS NULL AND {self._end('v', 'updated_at')} <= :m)")
        if self._has("entity_attributes", "version"):
            self._restored()

    def _perhaps_otherwise(self, table: str, alias: str, *ids: str) -> str:
        """What a condition goes on with that leaves out rows that certainly were as they are.

        Args:
            ids: columns with the ids of rows; those that the undo log has put back are looked at.
        """
        if not self._has(SPANS, "until") or not self._in_order(table):
            return ""
        rows = [f"{alias}.rowid IN ({otherwise_at(table)})"]
        if self._touched.get(table):
            rows += [f"{alias}.{id} IN (SELECT id FROM temp.touched WHERE tbl = '{table}')"
                     for id in ids]
        return f" AND ({' OR '.join(rows)})"

    def _restored(self) -> None:
        """A version that was restored later had been replaced by the one that it replaced then."""
        after = ("SELECT r.successor FROM temp.replaced r CROSS JOIN"
                 " main.entity_attributes n ON n.id = r.successor WHERE r.id = v.id"
                 f"{self._there('entity_attributes', 'n')}"
                 " ORDER BY n.version LIMIT 1")
        self._run("UPDATE main.entity_attributes AS v SET status = 'superseded', superseded_by ="
                  f" ({after}) WHERE v.id IN (SELECT id FROM temp.replaced)"
                  f" AND v.status = 'active'{self._there('entity_attributes', 'v')}"
                  f" AND EXISTS ({after})")

    def _archived(self) -> None:
        for table, kind in (("entities", "archived entities"),
                            ("entity_aspects", "archived aspects"),
                            ("entity_dependencies", "archived links")):
            if kind not in self._known.none and self._has(table, "status", "archived_at"):
                self._run(f"UPDATE main.{table} AS t SET status = 'active', archived_at = NULL,"
                          " archived_by = NULL, archive_reason = NULL WHERE t.status = 'archived'"
                          f"{self._there(table, 't')} AND {self._end('t', 'archived_at')} > :m")

    def _pins(self) -> None:
        for mark, since in (("pinned", "pinned_at"), ("muted", "muted_at")):
            if self._has("entities", mark, since):
                self._run(f"UPDATE main.entities AS t SET {mark} = 0, {since} = NULL"
                          f" WHERE t.{mark} <> 0 AND {later_sql(f't.{since}')}")
        self._run(f"DELETE FROM side.muted_entities WHERE {later_sql('muted_at')}")

    def _links(self) -> None:
        """Reason and type before later updates, and links deleted since, by the history."""
        table = "entity_dependency_history"
        if not self._has(table, "previous_reason"):
            return
        if "changed links" not in self._known.none:
            self._changed_links(table)
        if "deleted links" not in self._known.none:
            self._deleted_links(table)

    def _changed_links(self, table: str) -> None:
        self._run("CREATE TEMP TABLE reasons (id TEXT PRIMARY KEY, old TEXT) WITHOUT ROWID")
        self._run("CREATE TEMP TABLE types (id TEXT PRIMARY KEY, old TEXT) WITHOUT ROWID")
        self._run("INSERT INTO temp.reasons SELECT id, old FROM (SELECT dependency_id AS id,"
                  f" previous_reason AS old, min({self._event('u')}) FROM main.{table} u"
                  f" WHERE event = 'updated' AND {self._event('u')} > :m GROUP BY dependency_id)")
        self._run(f"INSERT OR IGNORE INTO temp.types SELECT dependency_id, dependency_type"
                  f" FROM main.{table} c WHERE event = 'created'"
                  " AND dependency_id IN (SELECT id FROM temp.reasons)"
                  f" AND dependency_id NOT IN (SELECT dependency_id FROM main.{table} u"
                  f" WHERE u.event = 'updated' AND {self._event('u')} <= :m)")
        for column, notes in (("reason", "reasons"), ("dependency_type", "types")):
            if self._has("entity_dependencies", column):
                self._run(f"UPDATE OR IGNORE main.entity_dependencies AS t SET {column} ="
                          f" (SELECT old FROM temp.{notes} WHERE id = t.id)"
                          f" WHERE t.id IN (SELECT id FROM temp.{notes} WHERE old IS NOT NULL)")

    def _event(self, alias: str) -> str:
        """When an event of a link happened, the audit log knowing better."""
        return (f"min({moment_sql(f'{alias}.created_at')}, COALESCE((SELECT at FROM temp.updated"
                f" WHERE id = {alias}.dependency_id), {NEVER}))")

    def _deleted_links(self, table: str) -> None:
        columns = ("id", "source_entity_id", "target_entity_id", "agent_id", "dependency_type",
                   "reason", "created_at", "updated_at")
        known = [name for name in columns if self._has("entity_dependencies", name)]
        made, gone = moment_sql("c.created_at"), later_sql("d.created_at")
        values = {"id": "d.dependency_id", "created_at": "c.created_at",
                  "updated_at": "c.created_at"}
        self._run(
            f"INSERT OR IGNORE INTO main.entity_dependencies ({', '.join(known)}) SELECT "
            + ", ".join(values.get(name, f"d.{name}") for name in known)
            + f" FROM main.{table} d JOIN main.{table} c ON c.dependency_id = d.dependency_id"
            f" AND c.event = 'created' WHERE d.event = 'deleted' AND {gone}"
            f" AND {made} <= :m AND NOT EXISTS (SELECT 1"
            " FROM main.entity_dependencies k WHERE k.id = d.dependency_id)"
            " AND EXISTS (SELECT 1 FROM main.entities e WHERE e.id = d.source_entity_id)"
            " AND EXISTS (SELECT 1 FROM main.entities e WHERE e.id = d.target_entity_id)")

    def _proposals(self) -> None:
        if not self._has("ontology_proposals", "applied_at", "rejected_at"):
            return
        decided = (f"CASE p.status WHEN 'applied' THEN {moment_sql('p.applied_at')}"
                   f" WHEN 'rejected' THEN {moment_sql('p.rejected_at')}"
                   f" ELSE {moment_sql('p.updated_at')} END")
        self._run("UPDATE main.ontology_proposals AS p SET status = 'pending', applied_at = NULL,"
                  " applied_by = NULL, rejected_at = NULL, rejected_by = NULL, result = NULL"
                  f" WHERE p.status <> 'pending' AND {decided} > :m")

    def _memories(self) -> None:
        if ("deleted memories" in self._known.none
                or not self._has("memories", "is_deleted", "deleted_at")):
            return
        which = f"{later_sql('t.deleted_at')}{self._there('memories', 't')}"
        if self._numbered["memories"]:  # An index has the mark; few rows have it.
            which = f"t.rowid IN (SELECT rowid FROM main.memories WHERE is_deleted = 1) AND {which}"
        else:
            which = f"t.is_deleted = 1 AND {which}"
        if self._numbered["memories"]:
            self._run("CREATE TEMP TABLE deleted_later (place INTEGER PRIMARY KEY)")
            if not self._run("INSERT INTO temp.deleted_later SELECT t.rowid FROM main.memories t"
                             f" WHERE {which}"):
                return
            which = "t.rowid IN (SELECT place FROM temp.deleted_later)"
        if "memories" in self._left_out and self._has("memories", "content_hash"):
            # Of each text only one memory is there at a time.
            self._run("DELETE FROM main.memories AS n WHERE n.is_deleted = 0 AND n.content_hash IN"
                      f" (SELECT t.content_hash FROM main.memories t WHERE {which})"
                      f" AND {self._left_out['memories'].format(alias='n')}")
        self._run("UPDATE OR IGNORE main.memories AS t SET is_deleted = 0, deleted_at = NULL"
                  f" WHERE {which}")

    def _tasks(self) -> None:
        if self._has("task_meta", "completed_at"):
            self._run("UPDATE main.task_meta AS t SET status = 'open', completed_at = NULL"
                      f" WHERE {later_sql('t.completed_at')}")

    def _assertions(self) -> None:
        if self._has("epistemic_assertions", "archived_at", "supersedes_assertion_id"):
            self._run("UPDATE main.epistemic_assertions AS t SET status = 'active',"
                      " archived_at = NULL, archived_by = NULL, archive_reason = NULL"
                      f" WHERE t.status = 'archived' AND {later_sql('t.archived_at')}")
            self._run("UPDATE main.epistemic_assertions AS t SET status = 'active'"
                      " WHERE t.status = 'superseded' AND NOT EXISTS (SELECT 1 FROM"
                      " main.epistemic_assertions n WHERE n.supersedes_assertion_id = t.id)"
                      f" AND {later_sql('t.updated_at')}")

    def _aliases(self) -> None:
        if self._has("entity_aliases", "status"):
            self._run("UPDATE OR IGNORE main.entity_aliases AS t SET status = 'active'"
                      f" WHERE t.status = 'archived' AND {later_sql('t.updated_at')}")

    # -- what is not known -----------------------------------------------------------------------

    def _gaps(self) -> Iterator[str]:
        for table, one, many, of in (
                ("entities", "entity", "entities", "type and description"),
                ("entity_aspects", "aspect", "aspects", "weight"),
                ("entity_dependencies", "link", "links", "strength and confidence")):
            count = self._changed_later(table)
            if count:
                yield (f"{counted(count, one, many)} changed later: "
                       f"{of} may have been different")
        yield from self._merges()

    def _changed_later(self, table: str) -> int:
        if not self._has(table, "updated_at"):
            return 0
        return int(self._connection.execute(
            f"SELECT count(*) FROM main.{table} AS t WHERE {later_sql('t.updated_at')}"
            f"{self._perhaps_otherwise(table, 't', 'id')}{self._there(table, 't')}",
            self._bound).fetchone()[0])

    def _merges(self) -> Iterator[str]:
        merged = [str(name) for (name,) in self._connection.execute(
            "SELECT DISTINCT name FROM temp.merged WHERE name IS NOT NULL").fetchall()]
        if merged:
            yield (f"Merged later: {', '.join(merged[:5])}. What belonged to each before is not "
                   "recorded")
