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

_DESCRIPTIONS = """
SELECT e.id, e.name, e.entity_type, e.description FROM json_each(:ids) f
CROSS JOIN entities e ON e.id = f.value
WHERE +e.agent_id = :agent AND +e.status = 'active' AND e.description NOT IN ('', :named_only)
ORDER BY f.key LIMIT :most"""


def descriptions(reader: Reader, ids: Sequence[str], most: int = MOST) -> dict[str, str]:
    """`Petra (person): Teaches the double bass.`, by id, of the first of these that have one."""
    if not ids or not reader.has_column("entities", "description"):
        return {}
    rows = reader.rows(_DESCRIPTIONS, ids=list(ids), most=most, named_only=NAMED_ONLY)
    return {row["id"]: f"{text(row['name'])} ({text(row['entity_type'])}): "
                       f"{one_line(text(row['description']), LONGEST)}" for row in rows}


def own_description(stored: object) -> str:
    """What describes an entity; empty for the mark of one that was made for a relation alone."""
    description = text(stored)
    return "" if description == NAMED_ONLY else description
