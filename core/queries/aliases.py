"""Finds entities by another name that they have."""

from core.errors import OperationError
from core.model.entity import EntityRow
from core.model.names import canonical
from core.queries.entities import entities_by_id, find_entity
from core.store.handles import Reader


def entity_called(reader: Reader, name: str) -> EntityRow:
    """The one active entity with this id, name or alias; a name of its own goes before an alias.

    Raises OperationError: 404 if there is none, 409 if a name means several.
    """
    try:
        return find_entity(reader, name)
    except OperationError as error:
        if error.status != 404:
            raise
        ids = [row["entity_id"] for row in reader.rows(
            "SELECT entity_id FROM entity_aliases WHERE agent_id = :agent AND status = 'active'"
            " AND canonical_alias = :alias", alias=canonical(name))]
        shown = [row for row in entities_by_id(reader, ids).values() if row.status == "active"]
        if len(shown) != 1:
            raise
        return shown[0]
