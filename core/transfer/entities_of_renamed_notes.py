"""Takes the entities of renamed notes along under the new names."""

from collections.abc import Mapping

from msgspec.structs import replace

from core.errors import OperationError
from core.model.names import name_key
from core.model.vocabulary import IMPORTED, NAMED_ONLY
from core.model.watched_folder import NoteChange, WrittenRow
from core.ontology import control
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Writer
from core.transfer.import_queries import entities_called
from core.transfer.note_statements_to_compare import (
    ENTITY,
    LINK,
    entity_of,
    kind_of,
    link_of,
    said_of,
    statement,
)
from core.transfer.rows_of_notes import states

_REFUSED = 409
_RENAMED = "Its note was renamed"
_BY_ID = """
SELECT e.id, e.name FROM entities e WHERE e.id = :id AND e.agent_id = :agent
AND e.status = 'active' AND e.source_kind = :kind"""
_STILL_TOLD = f"""{_BY_ID} AND EXISTS (
  SELECT 1 FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
  WHERE s.entity_id = e.id AND v.status = 'active')"""
"""The same where something is told of it: one whose note is gone is only a name, if that."""
_BARE = """
SELECT e.id FROM json_each(:ids) f CROSS JOIN entities e ON e.id = f.value
WHERE e.agent_id = :agent AND e.status = 'active' AND e.description = :named_only
  AND NOT e.pinned AND NOT e.muted AND NOT EXISTS (
    SELECT 1 FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
    WHERE s.entity_id = e.id AND v.status = 'active')"""
"""What is known by its links alone."""
_GONE = """
SELECT e.id, e.name FROM json_each(:ids) f CROSS JOIN entities e ON e.id = f.value
WHERE e.agent_id = :agent AND e.source_kind = :kind AND e.canonical_name <> e.source_id"""
_ONCE_CALLED = """
SELECT e.id, e.name FROM json_each(:names) f CROSS JOIN entities e ON e.source_id = f.value
WHERE e.agent_id = :agent AND e.source_kind = :kind AND e.canonical_name <> e.source_id"""


def take_along(writer: Writer, change: NoteChange) -> tuple[NoteChange, dict[str, WrittenRow]]:
    """Rename the entities of renamed notes; returns what else changes, and the rows of what stays
    said under another name.

    An entity that a person has renamed keeps that name. Where something else has the new name
    already, the two notes stay one that is gone and one that is new.
    """
    kept: dict[str, WrittenRow] = {}
    for old, name in change.renamed.items():
        row = change.rows.get(statement(ENTITY, old))
        entity = row and writer.row(_BY_ID, id=row.id, kind=IMPORTED)
        named = {said: row for said, row in change.rows.items() if said_of(said, old, "") != said}
        stood = _in_force(writer, named)
        if entity and _make_room(writer, name, entity) and _rename(writer, entity, old, name):
            # A link that an earlier rename of this look left in the archive stands again where
            # what it led to meanwhile has become one with its end.
            back = _in_force(writer, named) - stood
            moved = {said_of(said, old, name_key(name)): WrittenRow(row.id) if said in back else row
                     for said, row in named.items()}
            kept |= moved
            change = _under_new_name(change, old, name_key(name), moved)
    same = _same_links(writer, change)
    gone = change.gone - {was for was, _ in same}
    fresh = change.fresh - {now for _, now in same}
    return replace(change, gone=gone, fresh=fresh), kept | {
        now: change.rows[was] for was, now in same}


def _in_force(writer: Writer, rows: Mapping[str, WrittenRow]) -> set[str]:
    return {said for said, active in states(writer, rows).items() if active}


def _make_room(writer: Writer, name: str, entity: Row) -> bool:
    """True if a name is free for an entity; what only links call so becomes one with it."""
    others = {row["id"] for row in entities_called(writer, (name,)).values()} - {entity["id"]}
    bare = sorted(row["id"] for row in writer.rows(
        _BARE, ids=sorted(others), named_only=NAMED_ONLY))
    if len(bare) < len(others):
        return False
    if bare:
        control.apply(writer, "merge_entities", {
            "target_entity_id": entity["id"], "source_entity_ids": bare, "force": True},
            at_once=True, reason=_RENAMED)
        writer.delete_where("entity_aliases", "entity_id = :id AND canonical_alias = :key",
                            id=entity["id"], key=writer.stored_key(name))
    return True


def _rename(writer: Writer, entity: Row, old: str, name: str) -> bool:
    """Give an entity the new name of its note, and let the old one lead to it; False where that
    may not be."""
    if name_key(text(entity["name"])) != old:
        writer.update("entities", entity["id"], source_id=name_key(name))
        return True
    try:
        outcome = control.apply(writer, "rename_entity", {
            "entity": entity["id"], "new_name": name}, reason=_RENAMED)
    except OperationError as error:
        if error.status != _REFUSED:
            raise
        return False
    writer.update("entities", entity["id"], source_id=old)
    return outcome.status != "pending"


def _under_new_name(
    change: NoteChange, old: str, new: str, moved: Mapping[str, WrittenRow]
) -> NoteChange:
    """The change as if the note had always had its new name."""
    was = {said_of(said, old, new) for said in change.gone}
    return replace(change, gone=frozenset(was - change.fresh), rows={**change.rows, **moved},
                   fresh=frozenset(change.fresh - was))


def _same_links(writer: Writer, change: NoteChange) -> list[tuple[str, str]]:
    """Links that are gone and said anew in one, since an end of them has another name now."""
    links = {said: link_of(said) for said in change.gone | change.fresh if kind_of(said) == LINK}
    if not any(said in change.gone and said in change.rows for said in links):
        return []
    called = entities_called(writer, {end for link in links.values() for end in link[:2]})
    edges = {said: (*(called[end]["id"] if end in called else end for end in link[:2]), link[2])
             for said, link in links.items()}
    fresh = {edges[said]: said for said in links if said in change.fresh}
    return [(said, fresh[edges[said]]) for said in links if said in change.gone
            and edges[said] in fresh and said in change.rows and not change.rows[said].archived]


def settle_old_names(writer: Writer, change: NoteChange) -> None:
    """Let a note that is new have a name that another one had before it was renamed, be that still
    there or gone, and a note whose entity a person has called otherwise, by undo, still lead to
    that."""
    gone = {row.id: entity_of(said) for said, row in change.rows.items()
            if said in change.gone and kind_of(said) == ENTITY}
    for row in writer.rows(_GONE, ids=sorted(gone), kind=IMPORTED) if gone else ():
        if name_key(text(row["name"])) == gone[row["id"]]:
            writer.update("entities", row["id"], source_id=gone[row["id"]])
    own = sorted(entity_of(said) for said in change.fresh if kind_of(said) == ENTITY)
    for row in writer.rows(_ONCE_CALLED, names=own, kind=IMPORTED) if own else ():
        if name_key(text(row["name"])) in change.called:
            writer.update("entities", row["id"], source_id=name_key(text(row["name"])))
    about = {entity_of(said) for said in change.fresh}
    for key in sorted(about - entities_called(writer, about).keys()):
        known = change.rows.get(statement(ENTITY, key))
        entity = known and writer.row(_STILL_TOLD, id=known.id, kind=IMPORTED)
        if entity and name_key(text(entity["name"])) not in change.called:
            writer.update("entities", entity["id"], source_id=key)
