"""Tells which types and names an earlier import had to make up, so that given ones replace them."""

import json
from pathlib import Path

from core.model.vocabulary import IMPORTED
from core.store.reader_and_writer import Reader
from core.transfer import import_queries
from core.transfer.find_or_create_entities import KnownEntity
from core.transfer.mcp_records import McpEntity

NOTE = "note"
"""The type of a note that gives none."""
_UNTYPED = "unknown"
_PERSON = "person"
_ENDINGS = ("", ".md", ".markdown")
_UNTOUCHED = """
SELECT e.source_path FROM entities e WHERE e.id = :id AND e.agent_id = :agent
  AND e.source_kind = :kind AND e.proposal_id IS NULL"""


def is_of_notes(path: str) -> bool:
    """True of a note in Markdown, and of a folder."""
    place = Path(path)
    return place.is_absolute() and (place.suffix.lower() in _ENDINGS or place.is_dir())


def has_made_up_type(reader: Reader, known: KnownEntity) -> bool:
    """True if no file has given an entity its type, and nobody has set it since."""
    if known.entity_type != NOTE:
        return known.entity_type == _UNTYPED
    row = reader.row(_UNTOUCHED, id=known.id, kind=IMPORTED)
    return row is not None and is_of_notes(str(row["source_path"] or "")) and not any(
        "entityType" in json.loads(kept["fields"])
        for kept in reader.rows(import_queries.FIELDS, ids=[known.id]))


def has_made_up_name(reader: Reader, known: KnownEntity, entity: McpEntity) -> bool:
    """True if a person is called in small letters, as by an id, the file has capitals, and nobody
    has named them since."""
    return (known.entity_type == _PERSON and known.name == known.name.lower() != entity.name
            and entity.name.lower() == known.name
            and reader.row(_UNTOUCHED, id=known.id, kind=IMPORTED) is not None)
