"""Resolves a name to an entity or an aspect, and makes the one that is missing."""

from core.errors import OperationError
from core.model.names import canonical, name_key
from core.ontology.change_provenance import UNARCHIVED, Provenance
from core.ontology.older_file_refusals import refuse_taken_name
from core.queries.find_by_name_or_id import ID, find_entity, match_entities
from core.store.reader_and_writer import Writer, new_id


def resolve_entity(
    writer: Writer, selector: str, provenance: Provenance, entity_type: str | None = None
) -> tuple[str, str]:
    """The id and name of the selected active entity, created if there is none.

    Signet matches names only, so that an id given as a name made an entity called like the id.
    Here an id finds its entity, and an id that finds none is 404. A name that only an archived
    entity has is 409: a mention does not restore what was retired.
    """
    if match_entities(writer, selector):
        row = find_entity(writer, selector, field="entity")
        return row["id"], row["name"]
    if ID.fullmatch(selector):
        raise OperationError(404, f"Entity not found: {selector}", field="entity")
    if match_entities(writer, selector, "archived"):
        raise OperationError(
            409, f"“{selector}” is archived", field="entity", do="Restore it first"
        )
    refuse_taken_name(writer, selector)
    return _new_entity(writer, selector, provenance, entity_type), selector


def _new_entity(
    writer: Writer, name: str, provenance: Provenance, entity_type: str | None
) -> str:
    entity_id, now = new_id(), writer.now()
    writer.insert(
        "entities",
        id=entity_id, agent_id=writer.agent, name=name, canonical_name=writer.stored_key(name),
        entity_type=canonical(entity_type or "unknown"), mentions=0, pinned=0, status="active",
        created_at=now, updated_at=now, **provenance.origin(),
    )
    return entity_id


def resolve_aspect(
    writer: Writer, entity_id: str, selector: str, provenance: Provenance
) -> tuple[str, str]:
    """The id and name of the entity's aspect, made if missing, put back if archived."""
    row = writer.row(
        "SELECT id, name, status FROM entity_aspects WHERE +agent_id = :agent"
        " AND entity_id = :entity AND (canonical_name = :name OR id = :id)"
        " ORDER BY id = :id DESC",
        entity=entity_id, name=name_key(selector), id=selector,
    )
    if row is None:
        return _new_aspect(writer, entity_id, selector, provenance), selector
    if row["status"] != "active":
        reactivate_aspect(writer, row["id"], provenance)
    return row["id"], row["name"]


def _new_aspect(writer: Writer, entity_id: str, name: str, provenance: Provenance) -> str:
    if ID.fullmatch(name):
        raise OperationError(404, f"Aspect not found: {name}", field="aspect")
    aspect_id, now = new_id(), writer.now()
    writer.insert(
        "entity_aspects",
        id=aspect_id, entity_id=entity_id, agent_id=writer.agent, name=name,
        canonical_name=writer.stored_key(name), weight=0.5, status="active",
        created_at=now, updated_at=now, **provenance.stamp(),
    )
    return aspect_id


def reactivate_aspect(writer: Writer, aspect_id: str, provenance: Provenance) -> None:
    """Put an archived aspect back; its claims stay as they are."""
    writer.update(
        "entity_aspects", aspect_id,
        status="active", updated_at=writer.now(), **UNARCHIVED, **provenance.stamp(),
    )
