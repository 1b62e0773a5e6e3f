"""Reads epistemic assertions: who said what of an entity."""

from core.model.assertion import Assertion
from core.queries.rows import assertion_of
from core.store.handles import Reader

_ASSERTIONS = """
SELECT a.*, e.name AS subject_name FROM epistemic_assertions a
JOIN entities e ON e.id = a.subject_entity_id AND +e.agent_id = :agent
WHERE a.agent_id = :agent"""


def assertions_of(
    reader: Reader, entity_id: str, *, status: str = "active", limit: int = 200
) -> tuple[Assertion, ...]:
    """What has been said of the entity, newest first; `status` may be `all`."""
    found = reader.rows(
        f"{_ASSERTIONS} AND a.subject_entity_id = :entity"
        " AND (:status = 'all' OR a.status = :status)"
        " ORDER BY replace(a.asserted_at, 'T', ' ') DESC, a.created_at DESC LIMIT :limit",
        entity=entity_id, status=status, limit=limit)
    return tuple(assertion_of(row) for row in found)


def get_assertion(reader: Reader, assertion_id: str) -> Assertion | None:
    """One assertion; None if the agent has none such, or its subject is gone."""
    row = reader.row(f"{_ASSERTIONS} AND a.id = :id", id=assertion_id)
    return None if row is None else assertion_of(row)
