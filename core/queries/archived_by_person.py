"""Finds what a person has archived, so that no other hand brings it back."""

from core.model.names import canonical, slot_key
from core.queries.authors import is_by_person
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader

_VALUES = """
SELECT v.id, v.content, v.status, v.claim_key, v.group_key, v.archived_by, s.id AS aspect
FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE s.entity_id = :entity AND +v.agent_id = :agent AND v.status IN ('active', 'deleted')
ORDER BY v.updated_at, v.rowid"""


def archived_value(
    reader: Reader, entity_id: str, words: str, claim_key: str | None = None,
    group_key: str | None = None, *, beside: str = "",
) -> Row | None:
    """The value of an entity with these words that a person archived last; None where they are
    still told, or another claim said them.

    Args:
        beside: the id of the value that says them now; it is looked at for itself alone.
    """
    same = canonical(words)
    rows = [row for row in reader.rows(_VALUES, entity=entity_id)
            if row["id"] != beside and canonical(text(row["content"])) == same
            and _one_claim(row, claim_key, group_key)]
    if any(row["status"] == "active" for row in rows):
        return None
    gone = [row for row in rows if is_by_person(row["archived_by"], reader.agent)]
    return gone[-1] if gone else None


def _one_claim(row: Row, claim_key: str | None, group_key: str | None) -> bool:
    """The same claim, or one of the two names none."""
    mine, its = slot_key(claim_key), slot_key(row["claim_key"])
    if mine is None or its is None:
        return True
    return mine == its and (
        slot_key(group_key, "general") == slot_key(row["group_key"], "general"))
