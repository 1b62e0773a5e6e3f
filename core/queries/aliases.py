"""Finds entities by what else they are called, and by what they are nearly called."""

from core.errors import OperationError
from core.model.names import canonical
from core.model.suggestions import did_you_mean
from core.queries.rows import text
from core.store.handles import Reader

_COMPARED = 2000
"""Names that a mistyped one is compared with, the most mentioned first."""


def aliased(reader: Reader, selector: str, status: str = "") -> tuple[str, ...]:
    """The ids of the agent's entities, of this status if one is given, that have this alias."""
    return tuple(row["id"] for row in reader.rows(
        "SELECT DISTINCT e.id FROM entity_aliases a JOIN entities e ON e.id = a.entity_id"
        " WHERE a.agent_id = :agent AND a.status = 'active' AND a.canonical_alias = :alias"
        " AND +e.agent_id = :agent AND (:status = '' OR e.status = :status)",
        alias=canonical(selector), status=status))


def require_name(selector: str, field: str = "") -> None:
    """Refuse (400) an empty name, which can mean nothing."""
    if not selector.strip():
        raise OperationError(400, "The name of the entity is empty", field=field,
                             do="Give a name or an id")


def nothing_called(
    reader: Reader, selector: str, field: str = "", status: str = "active"
) -> OperationError:
    """That there is no such entity (404), that it is archived, or which are called nearly so."""
    if status == "active" and reader.value(
            "SELECT 1 FROM entities WHERE agent_id = :agent AND canonical_name = :name"
            " AND +status = 'archived'", name=canonical(selector)):
        return OperationError(404, f"Entity not found: {selector}", field=field,
                              do="It is in the archive; restore it first")
    names = [text(row["name"]) for row in reader.rows(
        "SELECT name FROM entities WHERE agent_id = :agent AND status = :status"
        " ORDER BY mentions DESC LIMIT :most", status=status, most=_COMPARED)]
    return OperationError(404, f"Entity not found: {selector}", field=field,
                          do=did_you_mean(selector, names))


def no_aspect_called(reader: Reader, entity_id: str, selector: str) -> OperationError:
    """That the entity has no such aspect (404), and which ones are called nearly so."""
    names = [text(row["name"]) for row in reader.rows(
        "SELECT name FROM entity_aspects WHERE agent_id = :agent AND entity_id = :entity"
        " AND status = 'active'", entity=entity_id)]
    return OperationError(404, f"Aspect not found: {selector}", field="aspect",
                          do=did_you_mean(selector, names))
