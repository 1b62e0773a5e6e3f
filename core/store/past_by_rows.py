"""Puts a copy of a graph back to a moment by what its own rows say of their past.

It is for what others wrote: no log has it. The times of versions, archives, pins and decided
proposals, the history of links and the audit log tell when a row came to be as it is. Where rows
carry the time of a rewrite, the audit log knows better: nothing counts as younger than the first
applied proposal that names it.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta

from core.model.names import canonical
from core.model.text_format import counted
from core.store.database import columns_of, ordinary_tables, quoted, without_row_numbers


def moment_sql(column: str) -> str:
    """A time of the file in one form that compares as text; both forms that files have are read."""
    return (f"(CASE WHEN {column} GLOB '*[+-][0-9][0-9]:[0-9][0-9]'"
            f" THEN strftime('%Y-%m-%d %H:%M:%f', {column})"
            f" ELSE replace(replace({column}, 'T', ' '), 'Z', '') END)")


def later_sql(column: str) -> str:
    """True of a time after the moment `:m`; the plain text is compared with `:low` first.

    That leaves out nearly all rows at a fifth of the cost, or along an index of the column.
    """
    return f"({column} >= :low AND {moment_sql(column)} > :m)"


_NAMED = """
CREATE TEMP TABLE named AS
SELECT p.id AS id, {applied} AS at FROM main.ontology_proposals p
WHERE p.status = 'applied' AND p.applied_at IS NOT NULL
UNION ALL SELECT e.value, {applied} FROM main.ontology_proposals p, json_each(p.result) e
WHERE p.status = 'applied' AND p.applied_at IS NOT NULL AND json_valid(p.result)
  AND e.type = 'text' AND length(e.value) >= 8 AND e.key LIKE '%Id'"""
"""What each applied proposal names: the ids in what it gave, which were there from then on."""
_ENDS = """
CREATE TEMP TABLE ends AS
SELECT {value} AS id, {applied} AS at FROM main.ontology_proposals p
WHERE p.status = 'applied' AND p.applied_at IS NOT NULL AND json_valid(p.result)
  AND p.operation IN ('archive_entity', 'archive_aspect', 'archive_claim_value', 'archive_link')
UNION ALL SELECT s.value, {applied} FROM main.ontology_proposals p,
  json_each(p.result, '$.supersededAttributeIds') s
WHERE p.status = 'applied' AND p.applied_at IS NOT NULL AND json_valid(p.result)
UNION ALL SELECT json_extract(s.value, '$.entityId'), {applied} FROM main.ontology_proposals p,
  json_each(p.result, '$.mergedEntities') s
WHERE p.status = 'applied' AND p.applied_at IS NOT NULL AND json_valid(p.result)"""
_UPDATES = """
CREATE TEMP TABLE updates AS
SELECT json_extract(p.result, '$.dependencyId') AS id, {applied} AS at
FROM main.ontology_proposals p WHERE p.operation = 'update_link' AND p.status = 'applied'
  AND p.applied_at IS NOT NULL AND json_valid(p.result)"""
_RESTORES = """
INSERT INTO temp.restores SELECT json_extract(p.result, '$.attributeId')
FROM main.ontology_proposals p WHERE p.operation = 'restore_claim_version'
  AND p.status = 'applied' AND json_valid(p.result) AND {applied} > :m"""
_MERGED = """
CREATE TEMP TABLE merged AS SELECT json_extract(s.value, '$.name') AS name
FROM main.ontology_proposals p, json_each(p.result, '$.mergedEntities') s
WHERE p.status = 'applied' AND json_valid(p.result) AND {applied} > :m AND NOT EXISTS (
  SELECT 1 FROM main.entities e WHERE e.id = json_extract(s.value, '$.entityId'))"""
_OUSTED = """
INSERT INTO temp.ends SELECT n.id, r.at FROM main.entity_attributes n JOIN (
  SELECT json_extract(p.result, '$.attributeId') AS id, {applied} AS at
  FROM main.ontology_proposals p WHERE p.operation = 'restore_claim_version'
    AND p.status = 'applied' AND p.applied_at IS NOT NULL AND json_valid(p.result)) r
ON r.id = n.superseded_by WHERE n.status = 'superseded'"""
"""What a restored version has ousted ended with that."""
_ENDED_ID = ("CASE p.operation WHEN 'archive_entity' THEN json_extract(p.result, '$.entityId')"
             " WHEN 'archive_aspect' THEN json_extract(p.result, '$.aspectId')"
             " WHEN 'archive_link' THEN json_extract(p.result, '$.dependencyId')"
             " ELSE json_extract(p.result, '$.attributeId') END")
_NEVER = "'9999'"
MUCH = 0.4
"""Share of a table's rows."""
SAMPLE = 200
_LEAVES = frozenset(("entity_attributes", "entity_dependencies", "memories",
                     "memory_entity_mentions"))
"""The tables most of whose younger rows go: others are kept by older children."""


class RowsThen:
    """Changes the tables of one copy to how they were.

    Attributes:
        unknown: what the rows do not tell of that time, a sentence each.
    """

    def __init__(self, connection: sqlite3.Connection, moment: str) -> None:
        """`moment` in the form of `moment_sql`, with milliseconds."""
        self._connection, self._moment = connection, moment
        day = date.fromisoformat(moment[:10])
        # Two days earlier in any zone.
        self._bound = {"m": moment, "low": str(max(day, date(1, 1, 3)) - timedelta(days=2))}
        self._columns = {table: frozenset(c["name"] for c in columns_of(connection, table))
                         for table in ordinary_tables(connection)}
        unnumbered = without_row_numbers(connection)
        self._numbered = {table: table not in unnumbered for table in self._columns}
        self.unknown: tuple[str, ...] = ()

    def put_back(self) -> None:
        """All of it, in one transaction."""
        self._note_audit()
        self._rename()
        self._reword_memories()
        self._drop_triggers()
        self._count_mentions()
        self._remove_younger()
        for bring_back in (self._values, self._archived, self._pins, self._links, self._proposals,
                           self._memories, self._tasks, self._assertions, self._aliases):
            bring_back()
        self.unknown = tuple(self._gaps())

    def _run(self, sql: str) -> int:
        return self._connection.execute(sql, self._bound).rowcount

    def _has(self, table: str, *columns: str) -> bool:
        return self._columns.get(table, frozenset()).issuperset(columns or ("id",))

    # -- the audit log ---------------------------------------------------------------------------

    def _note_audit(self) -> None:
        applied = moment_sql("p.applied_at")
        self._run("CREATE TEMP TABLE restores (id TEXT)")
        if self._has("ontology_proposals", "result", "applied_at"):
            for notes in (_NAMED, _ENDS, _OUSTED, _UPDATES, _MERGED, _RESTORES):
                self._run(notes.format(applied=applied, value=_ENDED_ID))
        else:
            for name in ("named", "ends", "updates", "merged"):
                self._run(f"CREATE TEMP TABLE {name} (id TEXT, at TEXT, name TEXT)")
        home = "main.claim_restores" if self._has("claim_restores") else "side.restored_versions"
        self._run(f"INSERT INTO temp.restores SELECT attribute_id FROM {home}"
                  f" WHERE {later_sql('restored_at')}")
        self._run("CREATE TEMP TABLE replaced AS SELECT r.id, n.id AS successor"
                  " FROM temp.restores r JOIN main.entity_attributes n ON n.superseded_by = r.id"
                  if self._has("entity_attributes", "version") else
                  "CREATE TEMP TABLE replaced (id TEXT, successor TEXT)")
        for table, of, which in (("born", "named", "min"), ("ended", "ends", "max"),
                                 ("updated", "updates", "max")):
            self._run(f"CREATE TEMP TABLE {table} (id TEXT PRIMARY KEY, at TEXT) WITHOUT ROWID")
            self._run(f"INSERT INTO temp.{table} SELECT id, {which}(at) FROM temp.{of}"
                      " WHERE id IS NOT NULL GROUP BY id")

    def _birth(self, table: str, alias: str) -> str:
        """When a row came to be: its own time or the first proposal's that names it."""
        by = "".join(f", COALESCE((SELECT at FROM temp.born WHERE id = {alias}.{column}), {_NEVER})"
                     for column in ("id", "proposal_id") if self._has(table, column))
        own = f"COALESCE({moment_sql(f'{alias}.created_at')}, '')"
        return f"min({own}{by})" if by else own

    def _end(self, alias: str, *columns: str) -> str:
        """When a row stopped to count: its own time or the proposal's that ended it."""
        own = "COALESCE(" + ", ".join(moment_sql(f"{alias}.{c}") for c in columns) + ", '')"
        return f"min({own}, COALESCE((SELECT at FROM temp.ended WHERE id = {alias}.id), {_NEVER}))"

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

    # -- what was not there yet ------------------------------------------------------------------

    def _count_mentions(self) -> None:
        """Mentions that came later are not counted; the others are, also those without a row."""
        if self._has("memory_entity_mentions", "created_at") and self._has("entities", "mentions"):
            self._run("UPDATE main.entities SET mentions = max(COALESCE(mentions, 0) - later.many,"
                      " 0) FROM (SELECT t.entity_id AS id, count(*) AS many"
                      " FROM main.memory_entity_mentions AS t"
                      f" WHERE {later_sql('t.created_at')} GROUP BY t.entity_id) AS later"
                      " WHERE later.id = main.entities.id")

    def _remove_younger(self) -> None:
        """Children first: what has an older child is as old as that."""
        inner = {"entity_attributes": self._replaced_by_then(),
                 "entity_aspects": "EXISTS (SELECT 1 FROM main.entity_attributes c"
                                   " WHERE c.aspect_id = t.id)",
                 "entities": "EXISTS (SELECT 1 FROM main.entity_aspects c WHERE c.entity_id = t.id)"
                             " OR EXISTS (SELECT 1 FROM main.entity_dependencies c"
                             " WHERE c.source_entity_id = t.id)"
                             " OR EXISTS (SELECT 1 FROM main.entity_dependencies c"
                             " WHERE c.target_entity_id = t.id)",
                 "memories": "EXISTS (SELECT 1 FROM main.entity_attributes c WHERE c.id = t.id)"}
        for table in ("entity_attributes", "entity_aspects", "entity_dependencies", "entities",
                      "memories", "ontology_proposals", "epistemic_assertions", "entity_aliases",
                      "memory_entity_mentions", "relations"):
            if self._has(table, "created_at"):
                with self._without_indexes(table):
                    self._remove(table, inner.get(table, "0"))
                    self._date_back(table)
        for table in ("restored_versions", "disputed_values", "other_names"):
            column = {"restored_versions": "restored_at", "disputed_values": "asked_at"}.get(
                table, "created_at")
            self._run(f"DELETE FROM side.{table} WHERE {later_sql(column)}")
        if self._has("claim_restores", "restored_at"):
            self._run(f"DELETE FROM main.claim_restores WHERE {later_sql('restored_at')}")

    def _replaced_by_then(self) -> str:
        """True of a value `t` whose successor was there: a clock that ran ahead has dated it."""
        if not self._has("entity_attributes", "superseded_by"):
            return "0"
        return ("EXISTS (WITH RECURSIVE after(id) AS (SELECT t.superseded_by UNION"
                " SELECT n.superseded_by FROM after f CROSS JOIN main.entity_attributes n"
                " ON n.id = f.id) SELECT 1 FROM after f CROSS JOIN main.entity_attributes n"
                f" ON n.id = f.id WHERE {self._birth('entity_attributes', 'n')} <= :m)")

    def _remove(self, table: str, inner: str) -> None:
        named = ""
        if self._has(table, "id") and table != "ontology_proposals":
            named = " AND NOT EXISTS (SELECT 1 FROM temp.born b WHERE b.at <= :m AND b.id = t.id)"
        if self._has(table, "proposal_id"):
            named += (" AND NOT EXISTS (SELECT 1 FROM temp.born b"
                      " WHERE b.at <= :m AND b.id = t.proposal_id)")
        self._run(f"DELETE FROM main.{table} AS t WHERE {later_sql('t.created_at')}{named}"
                  f" AND NOT ({inner})")

    def _date_back(self, table: str) -> None:
        """Rows that a rewrite made look younger than they are get their time back."""
        if table == "entity_attributes" and self._has(table, "superseded_by", "updated_at"):
            self._run(f"UPDATE main.{table} AS t SET updated_at = :m WHERE"
                      f" {later_sql('t.updated_at')} AND {later_sql('t.created_at')}"
                      f" AND t.status = 'superseded' AND {self._replaced_by_then()}")
        if table == "memories":
            birth = "(SELECT v.created_at FROM main.entity_attributes v WHERE v.id = t.id)"
        elif table in ("entity_attributes", "entity_aspects", "entities", "entity_dependencies"):
            birth = f"min(:m, {self._birth(table, 't')})"
        else:
            return
        self._run(f"UPDATE main.{table} AS t SET created_at = {birth}"
                  f" WHERE {later_sql('t.created_at')}")

    @contextmanager
    def _without_indexes(self, table: str) -> Iterator[None]:
        """Where much of a table goes, making its indexes anew is quicker than keeping them."""
        indexes = self._connection.execute(
            "SELECT name, sql FROM main.sqlite_master WHERE type = 'index' AND tbl_name = ?"
            " AND sql IS NOT NULL", (table,)).fetchall() if self._share(table) > MUCH else []
        for name, _ in indexes:
            self._connection.execute(f"DROP INDEX main.{quoted(name)}")
        yield
        for _, text in indexes:
            self._connection.execute(text)

    def _share(self, table: str) -> float:
        """About which share of a table's rows is younger, by a few of them."""
        if table not in _LEAVES or not self._numbered[table]:
            return 0.0
        share = self._connection.execute(
            "WITH RECURSIVE place(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM place"
            f" WHERE at < {SAMPLE}) SELECT avg({later_sql('t.created_at')}) FROM place CROSS JOIN"
            f" main.{table} t ON t.rowid = (SELECT max(rowid) FROM main.{table}) * at / {SAMPLE}",
            self._bound).fetchone()[0]
        return float(share or 0.0)

    # -- what was otherwise ----------------------------------------------------------------------

    def _values(self) -> None:
        """A value counted until its successor came, or until it was taken out by itself."""
        table = "entity_attributes"
        archive = {name: "NULL" for name in ("archived_at", "archived_by", "archive_reason")
                   if self._has(table, name)}
        if archive:
            marks = ", ".join(f"{name} = {value}" for name, value in archive.items())
            self._run(f"UPDATE main.{table} AS v SET status = CASE WHEN v.superseded_by IS NULL"
                      f" THEN 'active' ELSE 'superseded' END, {marks}"
                      f" WHERE v.status = 'deleted' AND {self._end('v', 'archived_at')} > :m")
        self._run(
            f"UPDATE main.{table} AS v SET status = 'active', superseded_by = NULL"
            " WHERE v.status = 'superseded' AND NOT COALESCE((SELECT CASE"
            f" WHEN {self._birth(table, 'n')} > {self._birth(table, 'v')} THEN 1"
            f" ELSE {self._end('v', 'updated_at')} <= :m END"
            f" FROM main.{table} n WHERE n.id = v.superseded_by),"
            f" v.superseded_by IS NULL AND {self._end('v', 'updated_at')} <= :m)")
        if self._has("entity_attributes", "version"):
            self._restored()

    def _restored(self) -> None:
        """A version that was restored later had been replaced by the one that it replaced then."""
        after = ("SELECT r.successor FROM temp.replaced r CROSS JOIN"
                 " main.entity_attributes n ON n.id = r.successor WHERE r.id = v.id"
                 " ORDER BY n.version LIMIT 1")
        self._run("UPDATE main.entity_attributes AS v SET status = 'superseded', superseded_by ="
                  f" ({after}) WHERE v.id IN (SELECT id FROM temp.replaced)"
                  f" AND v.status = 'active' AND EXISTS ({after})")

    def _archived(self) -> None:
        for table in ("entities", "entity_aspects", "entity_dependencies"):
            if self._has(table, "status", "archived_at"):
                self._run(f"UPDATE main.{table} AS t SET status = 'active', archived_at = NULL,"
                          " archived_by = NULL, archive_reason = NULL WHERE t.status = 'archived'"
                          f" AND {self._end('t', 'archived_at')} > :m")

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
        self._deleted_links(table)

    def _event(self, alias: str) -> str:
        """When an event of a link happened, the audit log knowing better."""
        return (f"min({moment_sql(f'{alias}.created_at')}, COALESCE((SELECT at FROM temp.updated"
                f" WHERE id = {alias}.dependency_id), {_NEVER}))")

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
        if self._has("memories", "is_deleted", "deleted_at"):
            self._run("UPDATE OR IGNORE main.memories AS t SET is_deleted = 0, deleted_at = NULL"
                      f" WHERE t.is_deleted = 1 AND {later_sql('t.deleted_at')}")

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
            f"SELECT count(*) FROM main.{table} AS t WHERE {later_sql('t.updated_at')}",
            self._bound).fetchone()[0])

    def _merges(self) -> Iterator[str]:
        merged = [str(name) for (name,) in self._connection.execute(
            "SELECT DISTINCT name FROM temp.merged WHERE name IS NOT NULL").fetchall()]
        if merged:
            yield (f"Merged later: {', '.join(merged[:5])}. What belonged to each before is not "
                   "recorded")
