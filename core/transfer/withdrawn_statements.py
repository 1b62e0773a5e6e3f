"""Archives what notes no longer say, and brings it back when they say it again.

Only what imports of the notes wrote, what nobody else has said and what still is as they left it:
what a person has changed, archived or restored stays as the person left it.
"""

from collections.abc import Iterable, Mapping, Sequence

from core.model.vocabulary import IMPORTED, NAMED_ONLY, WITHDRAWN
from core.model.watched_folder import NoteChange, WrittenRow
from core.ontology import control
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Writer
from core.transfer.note_statements_to_compare import (
    DESCRIPTION,
    ENTITY,
    FACT,
    LINK,
    entity_of,
    kind_of,
    link_of,
    statement,
    text_statement,
)
from core.transfer.reference_server_nodes import Edge
from core.transfer.reference_server_tool_calls import delete_relations
from core.transfer.withdraw_and_restore import SAID_BY_NOBODY_ELSE, archive_fact, restore

Rows = dict[str, WrittenRow]

_STANDING = f"""
SELECT v.id, v.content FROM json_each(:ids) f CROSS JOIN entity_attributes v ON v.id = f.value
WHERE +v.agent_id = :agent AND v.status = 'active' AND {SAID_BY_NOBODY_ELSE}"""
"""Values in force that nobody else has said."""
_ARCHIVED = """
SELECT v.id, v.archive_reason FROM json_each(:ids) f
CROSS JOIN entity_attributes v ON v.id = f.value
WHERE +v.agent_id = :agent AND v.status = 'deleted'"""
_LINKS = """
SELECT d.id, d.archive_reason, s.name AS source, t.name AS target FROM json_each(:ids) f
CROSS JOIN entity_dependencies d ON d.id = f.value
CROSS JOIN entities s ON s.id = d.source_entity_id
CROSS JOIN entities t ON t.id = d.target_entity_id
WHERE +d.agent_id = :agent AND d.status = :status"""
_ENTITIES = """
SELECT e.id, e.description, e.source_id, e.source_path, e.archive_reason, EXISTS (
    SELECT 1 FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
    WHERE s.entity_id = e.id AND v.status = 'active') AS told,
  EXISTS (SELECT 1 FROM entity_dependencies d WHERE d.source_entity_id = e.id
    AND d.status = 'active')
  OR EXISTS (SELECT 1 FROM entity_dependencies d WHERE d.target_entity_id = e.id
    AND d.status = 'active') OR e.pinned OR e.muted AS held
FROM json_each(:ids) f CROSS JOIN entities e ON e.id = f.value
WHERE +e.agent_id = :agent AND e.status = :status AND e.source_kind = :kind"""
"""Entities that an import made, and whether something is told of them or holds them."""


def archive_gone(writer: Writer, change: NoteChange) -> Rows:
    """Archive what no note says any more; returns the statements whose rows were archived."""
    own = {said: row for said, row in change.rows.items() if not row.archived}
    gone = {said: row for said, row in own.items() if said in change.gone}
    archived = _archive_facts(writer, gone) | _archive_links(writer, gone)
    ends = {end for said in archived if kind_of(said) == LINK for end in link_of(said)[:2]}
    names = {statement(ENTITY, key) for key in ends}
    return archived | _archive_entities(writer, change, {
        said: row for said, row in own.items() if kind_of(said) == ENTITY
        and (said in change.gone or said in names)})


def _archive_facts(writer: Writer, gone: Mapping[str, WrittenRow]) -> Rows:
    facts = _of_kind(FACT, gone)
    archived: Rows = {}
    for row in writer.rows(_STANDING, ids=sorted(facts)):
        said = facts[row["id"]]
        if text_statement(FACT, entity_of(said), text(row["content"])) == said:
            archive_fact(writer, row["id"])
            archived[said] = WrittenRow(row["id"], archived=True)
    return archived


def _archive_links(writer: Writer, gone: Mapping[str, WrittenRow]) -> Rows:
    links = [(said, row) for said, row in gone.items() if kind_of(said) == LINK]
    active = {row["id"]: (text(row["source"]), text(row["target"])) for row in writer.rows(
        _LINKS, ids=sorted({row.id for _, row in links}), status="active")}
    standing = {said: row.id for said, row in links if row.id in active}
    delete_relations(writer, [Edge(*active[id], link_of(said)[2])
                              for said, id in standing.items()], WITHDRAWN)
    return {said: WrittenRow(id, archived=True) for said, id in standing.items()}


def _archive_entities(
    writer: Writer, change: NoteChange, wanted: Mapping[str, WrittenRow]
) -> Rows:
    """Archive entities that nothing is left of; one that others link to stays as a mere name."""
    by_id, archived = _of_kind(ENTITY, wanted), dict[str, WrittenRow]()
    for row in _entities(writer, by_id, "active"):
        said = by_id[row["id"]]
        is_named_only = text(row["description"]) == NAMED_ONLY
        if row["told"] or not (said in change.gone or is_named_only) or not _is_theirs(
                row, said, change):
            continue
        if not row["held"]:
            control.apply(writer, "archive_entity", {"entity": row["id"], "reason": WITHDRAWN},
                          reason=WITHDRAWN)
            archived[said] = WrittenRow(row["id"], archived=True)
        elif row["description"] and not is_named_only:
            writer.update("entities", row["id"], description=NAMED_ONLY, updated_at=writer.now())
    return archived


def _is_theirs(row: Row, said: str, change: NoteChange) -> bool:
    """True if an entity came from the folder and is described as its note described it."""
    description = text(row["description"])
    return text(row["source_path"]).startswith(change.folder) and (
        description in ("", NAMED_ONLY)
        or text_statement(DESCRIPTION, entity_of(said), description) in change.gone)


def bring_back(writer: Writer, change: NoteChange) -> Rows:
    """Restore what was archived because no note said it, as far as the notes say it again."""
    ends = {statement(ENTITY, key) for said in change.fresh if kind_of(said) == LINK
            for key in link_of(said)[:2]}
    again = {said: row for said, row in change.rows.items() if said in change.fresh or said in ends}
    known = {row.id for row in again.values() if row.archived}
    entities, facts, links = (_of_kind(kind, again) for kind in (ENTITY, FACT, LINK))
    rows = {
        # One whose note had this name once, and another one when it went, is somebody else.
        "restore_entity": [row for row in _entities(writer, entities, "archived")
                           if text(row["source_id"]) == entity_of(entities[row["id"]])],
        "restore_claim_version": writer.rows(_ARCHIVED, ids=sorted(facts)),
        "restore_link": writer.rows(_LINKS, ids=sorted(links), status="archived")}
    # Said under another name of its entity, a row may have been archived since.
    by_notes = {operation: [row for row in found if row["id"] in known
                            or row["archive_reason"] == WITHDRAWN]
                for operation, found in rows.items()}
    return {
        **_restored(writer, "restore_entity", "entity", entities, by_notes),
        **_restored(writer, "restore_claim_version", "attribute_id", facts, by_notes),
        **_restored(writer, "restore_link", "id", links, by_notes)}


def _restored(
    writer: Writer, operation: str, field: str, said: Mapping[str, str],
    rows: Mapping[str, Sequence[Row]],
) -> Rows:
    return {said[row["id"]]: WrittenRow(row["id"]) for row in rows[operation]
            if restore(writer, operation, {field: row["id"]})}


def _entities(writer: Writer, ids: Iterable[str], status: str) -> Sequence[Row]:
    return writer.rows(_ENTITIES, ids=sorted(ids), status=status, kind=IMPORTED)


def _of_kind(kind: str, rows: Mapping[str, WrittenRow]) -> dict[str, str]:
    """The statements of a kind by the ids of their rows."""
    return {row.id: said for said, row in rows.items() if kind_of(said) == kind}
