"""Finds the one row that a selector means, or says why there is not exactly one."""

import re
from collections.abc import Sequence

from core.errors import OperationError
from core.model.names import canonical
from core.queries.aliases import aliased, no_aspect_called, nothing_called, require_name
from core.store.database import Row
from core.store.handles import Reader

ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""What is an id and no name."""
ENTITY = (
    "id, name, canonical_name, entity_type, pinned, pinned_at, muted, muted_at, mentions, status,"
    " archived_at"
)
ASPECT = (
    "id, entity_id, name, canonical_name, status, archived_at, archived_by, archive_reason,"
    " proposal_id"
)


def match_entities(reader: Reader, selector: str, status: str = "active") -> list[Row]:
    """The agent's entities that a selector may mean, by id or by name, else by an alias.

    A native graph keeps `canonical_name` exact; Signet's files have NULL and stale ones, so
    there the names themselves are compared as well. A UNION, so that each way has its index.
    """
    ways = ["id = :id AND +agent_id = :agent", "canonical_name = :name AND agent_id = :agent"]
    if reader.kind != "native":
        ways.append("lower(name) = :name AND agent_id = :agent")
    found = reader.rows(
        " UNION ".join(
            f"SELECT {ENTITY} FROM entities WHERE {way} AND +status = :status" for way in ways
        ),
        status=status, id=selector, name=canonical(selector),
    )
    if found:
        return found
    return [row for other in aliased(reader, selector, status)
            if (row := entity_or_none(reader, other)) is not None]


def find_entity(reader: Reader, selector: str, status: str = "active", field: str = "") -> Row:
    """Exactly one entity; 404 for none, 409 for several."""
    require_name(selector, field)
    rows = match_entities(reader, selector, status)
    if not rows:
        raise nothing_called(reader, selector, field, status)
    return _only(rows, "Entity", selector, field)


def entity_by_id(reader: Reader, entity_id: str | None, field: str = "") -> Row:
    """The active entity with this id; 404 otherwise, never a new one."""
    row = entity_or_none(reader, entity_id)
    if row is None or row["status"] != "active":
        raise OperationError(404, f"Entity not found: {entity_id}", field=field)
    return row


def entity_or_none(reader: Reader, entity_id: str | None) -> Row | None:
    """The entity with this id, whatever its status."""
    return reader.row(
        f"SELECT {ENTITY} FROM entities WHERE agent_id = :agent AND id = :id", id=entity_id
    )


def match_aspects(
    reader: Reader, entity_id: str, selector: str, status: str = "active"
) -> list[Row]:
    """The entity's aspects that a selector may mean, by id or by name."""
    return reader.rows(
        f"SELECT {ASPECT} FROM entity_aspects WHERE agent_id = :agent AND entity_id = :entity"
        " AND status = :status AND (id = :id OR canonical_name = :name OR lower(name) = :name)",
        entity=entity_id, status=status, id=selector, name=canonical(selector),
    )


def find_aspect(reader: Reader, entity_id: str, selector: str, status: str = "active") -> Row:
    """Exactly one aspect of the entity; 404 for none, 409 for several."""
    rows = match_aspects(reader, entity_id, selector, status)
    if not rows:
        raise no_aspect_called(reader, entity_id, selector)
    return _only(rows, "Aspect", selector, "aspect")


def find_value(reader: Reader, attribute_id: str) -> Row:
    """A stored claim value of any status; 404 if the agent has none with this id."""
    row = value_or_none(reader, attribute_id)
    if row is None:
        raise OperationError(404, f"Claim value not found: {attribute_id}", field="attribute_id")
    return row


def value_or_none(reader: Reader, attribute_id: str) -> Row | None:
    """A stored claim value with its aspect's name, entity and status."""
    return reader.row(
        "SELECT v.*, a.entity_id, a.name AS aspect, a.status AS aspect_status,"
        " a.archived_at AS aspect_archived_at FROM entity_attributes AS v"
        " LEFT JOIN entity_aspects AS a ON a.id = v.aspect_id AND a.agent_id = :agent"
        " WHERE v.id = :id AND v.agent_id = :agent",
        id=attribute_id,
    )


def find_link(reader: Reader, link_id: str) -> Row:
    """A dependency of any status; 404 if the agent has none with this id."""
    row = link_or_none(reader, link_id)
    if row is None:
        raise OperationError(404, f"Link not found: {link_id}", field="id")
    return row


def link_or_none(reader: Reader, link_id: str) -> Row | None:
    """A dependency of any status with the names at its two ends."""
    return reader.row(
        "SELECT d.*, s.name AS source_name, t.name AS target_name FROM entity_dependencies AS d"
        " LEFT JOIN entities AS s ON s.id = d.source_entity_id AND s.agent_id = :agent"
        " LEFT JOIN entities AS t ON t.id = d.target_entity_id AND t.agent_id = :agent"
        " WHERE d.id = :id AND d.agent_id = :agent",
        id=link_id,
    )


def _only(rows: Sequence[Row], what: str, selector: str, field: str) -> Row:
    if len(rows) > 1:
        raise OperationError(
            409, f"{what} selector is ambiguous: {selector}", field=field, do="Use an id"
        )
    return rows[0]
