"""The descriptions of entities, as they are told and shown."""

from collections.abc import Sequence

from core.model.text_formatting import one_line
from core.model.vocabulary import NAMED_ONLY
from core.queries.rows_to_model import text
from core.store.reader_and_writer import Reader

LONGEST = 200
"""Characters of a description that are told."""
MOST = 3
"""Entities that are described."""

_SAID = """EXISTS (SELECT 1
  FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
  WHERE s.entity_id = e.id AND +v.agent_id = :agent AND +v.status {status}
    AND v.content = e.description)"""
SAID_BY_VALUE = _SAID.format(status="= 'active'")
"""SQL that is true of an entity `e` whose description is what one of its values in force says."""
_SAID_BEFORE = _SAID.format(status="<> 'active'")
HOLDS = f"(NOT {_SAID_BEFORE} OR {SAID_BY_VALUE})"
"""SQL that is true of an entity `e` whose description is not what one of its values said that is no
longer in force: an import describes an entity by its first words, which are a value of it, too."""

_DESCRIPTIONS = f"""
SELECT e.id, e.name, e.entity_type, e.description FROM json_each(:ids) f
CROSS JOIN entities e ON e.id = f.value
WHERE +e.agent_id = :agent AND +e.status = 'active' AND e.description NOT IN ('', :named_only)
  AND {HOLDS}
ORDER BY f.key LIMIT :most"""


def descriptions(reader: Reader, ids: Sequence[str], most: int = MOST) -> dict[str, str]:
    """`Petra (person): Teaches the double bass.`, by id, of the first of these that have one.

    One that says what a value of the entity said that is no longer in force is not told.
    """
    if not ids or not reader.has_column("entities", "description"):
        return {}
    rows = reader.rows(_DESCRIPTIONS, ids=list(ids), most=most, named_only=NAMED_ONLY)
    return {row["id"]: f"{text(row['name'])} ({text(row['entity_type'])}): "
                       f"{one_line(text(row['description']), LONGEST)}" for row in rows}


def told_description(reader: Reader, id: str, description: str) -> str:
    """The description of an entity as an agent is told it: empty for one that no longer holds."""
    holds = description and reader.value(
        f"SELECT {HOLDS} FROM entities e WHERE e.id = :id AND +e.agent_id = :agent", id=id)
    return description if holds else ""


def own_description(stored: object) -> str:
    """What describes an entity; empty for the mark of one that was made for a relation alone."""
    description = text(stored)
    return "" if description == NAMED_ONLY else description
