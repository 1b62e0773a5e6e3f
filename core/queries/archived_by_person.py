"""Finds what a person has archived or corrected, so that no other hand brings it back."""

from collections.abc import Callable

from core.model.names import canonical, slot_key
from core.queries.authors import is_by_person, names_a_person
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader

# What replaced a value tells by its record who did so.
_VALUES = """
SELECT v.id, v.content, v.status, v.claim_key, v.group_key, s.id AS aspect,
  COALESCE(v.archived_by, p.applied_by, p.created_by) AS gone_by
FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
LEFT JOIN entity_attributes n ON n.id = v.superseded_by AND +n.agent_id = :agent
  AND v.status = 'superseded'
LEFT JOIN ontology_proposals p ON p.id = n.proposal_id AND +p.agent_id = :agent
WHERE s.entity_id = :entity AND +v.agent_id = :agent
ORDER BY v.updated_at, v.rowid"""

WHO_SAID = "COALESCE(p.applied_by, p.created_by) AS by, m.updated_by AS remembered_by"
SAID_WITH = """
LEFT JOIN ontology_proposals p ON p.id = v.proposal_id AND +p.agent_id = :agent
LEFT JOIN memories m ON m.id = v.memory_id"""
"""What tells who said a value `v`: the record of a change, or the memory that it was told with."""


def archived_value(
    reader: Reader, entity_id: str, words: str, claim_key: str | None = None,
    group_key: str | None = None, *, beside: str = "",
) -> Row | None:
    """The value of an entity with these words that a person archived or corrected last; None where
    they are still told, or another claim said them.

    What is given as a claim's next value may be what the claim said before a correction.

    Args:
        beside: the id of the value that says them now; it is looked at for itself alone.
    """
    same = canonical(words)
    return _gone(reader, entity_id, lambda row: row["id"] != beside
                 and canonical(text(row["content"])) == same
                 and _one_claim(row, claim_key, group_key))


def restated_value(
    reader: Reader, entity_id: str, says: Callable[[str], bool]
) -> Row | None:
    """The same for words in free text: of the values that say what `says` knows."""
    return _gone(reader, entity_id, lambda row: says(text(row["content"])))


def is_of_person(reader: Reader, attribute_id: str) -> bool:
    """True for a value that a person wrote, had written, or told with `remember`."""
    row = reader.row(
        f"SELECT {WHO_SAID} FROM entity_attributes v {SAID_WITH}"
        " WHERE v.id = :id AND +v.agent_id = :agent", id=attribute_id)
    return row is not None and is_said_by_person(row["by"], row["remembered_by"], reader.agent)


def is_said_by_person(by: object, remembered_by: object, agent: str) -> bool:
    """The same by who the record of the change names, and who last wrote the value's memory."""
    if by:
        return is_by_person(by, agent)
    # Other programs write many names there: only this one's own name of a person counts.
    return names_a_person(text(remembered_by))


def by_whom(row: Row) -> str:
    """`archived by a person`, or `corrected by a person`."""
    return f"{'corrected' if row['status'] == 'superseded' else 'archived'} by a person"


def _gone(reader: Reader, entity_id: str, meant: Callable[[Row], bool]) -> Row | None:
    rows = reader.rows(_VALUES, entity=entity_id)
    # Few rows were taken away by a person, and to compare words costs more than to see that.
    gone = [row for row in rows
            if is_by_person(row["gone_by"], reader.agent) and meant(row)]
    if not gone or any(row["status"] == "active" and meant(row) for row in rows):
        return None
    return gone[-1]


def _one_claim(row: Row, claim_key: str | None, group_key: str | None) -> bool:
    """The same claim, or one of the two names none."""
    mine, its = slot_key(claim_key), slot_key(row["claim_key"])
    if not mine or not its:
        return True
    return row["status"] != "superseded" and mine == its and (
        slot_key(group_key, "general") == slot_key(row["group_key"], "general"))
