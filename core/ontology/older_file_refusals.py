"""Refuses operations that an older Signet file can't store.

The Writer drops columns that a file lacks. That is right for provenance, and wrong for the
requested change itself: archiving an entity in a file without `entities.status` would report
success and change nothing.
"""

from core.errors import OperationError
from core.store.reader_and_writer import Reader


def require_column(reader: Reader, table: str, column: str, what: str) -> None:
    """Raise 409 unless the real file has the column; `what` completes `cannot …`."""
    if not reader.has_column(table, column):
        raise OperationError(
            409,
            f"This file was written by an older Signet, which can't {what}",
            do="Open it once with a newer Signet to upgrade it",
            detail=f"{table}.{column} is missing",
        )


def require_slots(reader: Reader) -> None:
    """Raise 409 unless the file stores claims in slots (Signet since migration 059)."""
    require_column(reader, "entity_attributes", "claim_key", "store claims under a key")


def require_proposals(reader: Reader) -> None:
    """Raise 409 unless the file can store proposals (Signet since migration 067)."""
    require_column(reader, "ontology_proposals", "status", "store proposals")


def require_assertions(reader: Reader) -> None:
    """Raise 409 unless the file can store assertions (Signet since migration 071)."""
    require_column(reader, "epistemic_assertions", "predicate", "store assertions")


def refuse_taken_name(reader: Reader, name: str, entity_id: str = "") -> None:
    """Raise 409 if the file allows a name only once across agents, and another row has it.

    Signet's files before migration 105 do; there SQLite would answer with a raw error.
    """
    unique = reader.value(
        "SELECT 1 FROM pragma_index_list('entities', 'main') AS l WHERE l.\"unique\" = 1"
        " AND (SELECT group_concat(i.name) FROM pragma_index_info(l.name, 'main') AS i) = 'name'"
    )
    if unique and reader.value(
        "SELECT 1 FROM entities WHERE name = :name AND id <> :id", name=name, id=entity_id
    ):
        raise OperationError(409, f"The name “{name}” is already taken in this file", field="name")
