"""Finds the whole id that the first signs of it mean."""

from core.errors import OperationError
from core.queries.rows import MEMORY_VISIBLE
from core.store.handles import Reader

SHORTEST = 6
"""Signs of an id that are enough where only one begins so."""
_LAST = "\U0010ffff"
_SCOPE = {"memories": MEMORY_VISIBLE, "ontology_proposals": "m.agent_id = :agent"}


def memory_id(reader: Reader, told: str) -> str:
    """The id of the agent's memory that is meant; what means none is given back as it is.

    Raises OperationError (409) where several begin so.
    """
    return _whole(reader, "memories", told, "memories")


def proposal_id(reader: Reader, told: str) -> str:
    """The id of the agent's proposal that is meant; what means none is given back as it is.

    Raises OperationError (409) where several begin so.
    """
    return _whole(reader, "ontology_proposals", told, "proposals")


def _whole(reader: Reader, table: str, told: str, what: str) -> str:
    told = told.strip()
    if len(told) < SHORTEST:
        return told
    rows = reader.rows(
        f"SELECT m.id FROM {table} m WHERE m.id >= :told AND m.id < :end AND {_SCOPE[table]}"
        " ORDER BY m.id LIMIT 3", told=told, end=told + _LAST)
    found = [str(row["id"]) for row in rows]
    if told in found or not found:
        return told
    if len(found) > 1:
        raise OperationError(409, f"The ids of several {what} begin with {told}", field="id",
                             do=f"Give more of it, such as {found[0]}")
    return found[0]
