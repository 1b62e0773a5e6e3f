"""Finds the one value of an entity that a person names by what it says."""

from collections.abc import Mapping

from core.error_advice import back_in_force
from core.errors import OperationError
from core.model.did_you_mean import did_you_mean
from core.model.names import canonical, slot_key
from core.model.text_formatting import one_line
from core.queries.find_by_name_or_id import find_entity, find_value, value_id
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader

_SHOWN = 60
_MOST_NAMED = 3
_VALUES = """
SELECT v.id, v.content, v.status, v.claim_key, v.aspect_id, v.superseded_by FROM entity_aspects s
CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE s.entity_id = :entity AND +s.agent_id = :agent AND +v.agent_id = :agent
ORDER BY v.updated_at DESC, v.id"""


def value_by_words(
    reader: Reader, entity: str, words: str, *, in_force: bool = True, corrected: bool = False
) -> Row:
    """The value that says this, or begins so, or has this id; 404 for none, 409 for several.

    Args:
        in_force: which are meant where both say it: those in force, or those that no longer are.
        corrected: one that was corrected since stands for what it was corrected to.
    """
    owner = find_entity(reader, entity, field="entity")
    rows = reader.rows(_VALUES, entity=owner["id"])
    meant = _meant(rows, canonical(words), in_force)
    if not meant:
        id = value_id(reader, words)
        meant = [row for row in rows if row["id"] == id]
    if not meant:
        known = (text(row["content"]) for row in rows if row["status"] == "active")
        raise OperationError(
            404, f"{text(owner['name'])} has no value “{one_line(words, _SHOWN)}”",
            field="value", do=did_you_mean(words, known))
    if len(meant) > 1:
        named = [f"“{one_line(text(row['content']), _SHOWN)}” ({row['id']})"
                 for row in meant[:_MOST_NAMED]]
        more = ", and others" if len(meant) > _MOST_NAMED else ""
        raise OperationError(409, f"Several values begin with “{one_line(words, _SHOWN)}”",
                             field="value", do=f"Use more words or an id: {', '.join(named)}{more}")
    by_id = {row["id"]: row for row in rows} if corrected else {}
    return find_value(reader, _newest(by_id, meant[0])["id"])


def keyless_value_called(
    reader: Reader, aspect_id: str, kind: str, claim_key: str
) -> str | None:
    """The id of the value without a claim key whose whole text was given as a claim's key.

    One that was corrected since stands for what it was corrected to. Raises 409 for one that was
    archived, and nothing took its place: its words are no key.
    """
    rows = {row["id"]: row for row in reader.rows(
        "SELECT v.id, v.content, v.status, v.superseded_by FROM entity_attributes v"
        " WHERE v.aspect_id = :aspect AND v.kind = :kind AND +v.agent_id = :agent"
        " AND trim(COALESCE(v.claim_key, '')) = ''", aspect=aspect_id, kind=kind)}
    said = [row for row in rows.values()
            if slot_key(text(row["content"])) == slot_key(claim_key)]
    now = {newest["id"]: newest for newest in (_newest(rows, row) for row in said)}
    in_force = [id for id, row in now.items() if row["status"] == "active"]
    if now and not in_force:
        raise OperationError(
            409, f"“{one_line(claim_key, _SHOWN)}” is a fact that is no longer in force, not a"
            " claim", field="claim_key",
            do=back_in_force(next(iter(now))))
    return in_force[0] if len(in_force) == 1 else None


def _newest(rows: Mapping[str, Row], row: Row) -> Row:
    """What a value was corrected to, and that in turn."""
    seen = {row["id"]}
    while row["status"] == "superseded" and (by := row["superseded_by"]) in rows and (
            by not in seen):
        seen.add(by)
        row = rows[by]
    return row


def _meant(rows: list[Row], words: str, in_force: bool) -> list[Row]:
    """What says the words whole, else what begins so; of these those of the status that is meant,
    else the others."""
    said = [(row, canonical(text(row["content"]))) for row in rows]
    whole = [row for row, content in said if content == words]
    begun = [row for row, content in said if words and content.startswith(words)]
    for found in (whole, begun):
        for active in (in_force, not in_force):
            if meant := [row for row in found if (row["status"] == "active") == active]:
                return meant
    return []
