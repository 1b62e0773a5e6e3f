"""Takes the entities of renamed notes along under the new names."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from core.errors import OperationError
from core.model.names import name_key
from core.model.vocabulary import IMPORTED
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

_REFUSED = 409
_BY_ID = """
SELECT e.id, e.name FROM entities e WHERE e.id = :id AND e.agent_id = :agent
AND e.status = 'active' AND e.source_kind = :kind"""
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
        if entity and _is_free(writer, name, entity) and _rename(writer, entity, old, name):
            moved = {said_of(said, old, name_key(name)): row
                     for said, row in change.rows.items() if said_of(said, old, "") != said}
            kept |= {said: row for said, row in moved.items() if not row.archived}
            change = _under_new_name(change, old, name_key(name), moved)
    same = _same_links(writer, change)
    gone = change.gone - {was for was, _ in same}
    fresh = change.fresh - {now for _, now in same}
    return replace(change, gone=gone, fresh=fresh), kept | {
        now: change.rows[was] for was, now in same}


def _is_free(writer: Writer, name: str, entity: Row) -> bool:
    taken = entities_called(writer, (name,)).values()
    return all(row["id"] == entity["id"] for row in taken)


def _rename(writer: Writer, entity: Row, old: str, name: str) -> bool:
    """Give an entity the new name of its note, and let the old one lead to it; False where that
    may not be."""
    if name_key(text(entity["name"])) != old:
        writer.update("entities", entity["id"], source_id=name_key(name))
        return True
    try:
        outcome = control.apply(writer, "rename_entity", {
            "entity": entity["id"], "new_name": name}, reason="Its note was renamed")
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


def free_old_names(writer: Writer, change: NoteChange) -> None:
    """Let a note that is new have a name that another one had before it was renamed."""
    names: Sequence[str] = sorted(
        entity_of(said) for said in change.fresh if kind_of(said) == ENTITY)
    for row in _once_called(writer, names):
        if name_key(text(row["name"])) in change.called:
            writer.update("entities", row["id"], source_id=name_key(text(row["name"])))


def _once_called(writer: Writer, names: Sequence[str]) -> Iterable[Row]:
    return writer.rows(_ONCE_CALLED, names=names, kind=IMPORTED) if names else ()
