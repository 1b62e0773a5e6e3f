"""Finds the keys and passwords of what is exported or imported, each with its place."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from core.model.secret_wording import FoundSecret, kinds_of_secrets
from core.model.text_formatting import one_line
from core.store.reader_and_writer import Reader
from core.transfer.bundle import bundle_lines

_VALUES = """
SELECT e.name, v.content FROM entity_attributes v JOIN entity_aspects s ON s.id = v.aspect_id
JOIN entities e ON e.id = s.entity_id
WHERE (:every OR v.agent_id = :of) AND (:all OR v.status = 'active')
  AND (:ids IS NULL OR e.id IN (SELECT value FROM json_each(:ids)))
UNION ALL SELECT e.name, e.description FROM entities e
WHERE (:every OR e.agent_id = :of) AND e.description <> ''
  AND (:ids IS NULL OR e.id IN (SELECT value FROM json_each(:ids)))"""
_LINKS = """
SELECT e.name, d.reason AS content FROM entity_dependencies d
JOIN entities e ON e.id = d.source_entity_id
WHERE d.agent_id = :of AND d.status = 'active' AND d.reason <> ''
  AND (:ids IS NULL OR e.id IN (SELECT value FROM json_each(:ids)))"""
_FIELDS = """
SELECT e.name, f.fields AS content FROM source_fields f
LEFT JOIN entity_attributes v ON v.id = f.owner_id
LEFT JOIN entity_aspects s ON s.id = v.aspect_id
LEFT JOIN entity_dependencies d ON d.id = f.owner_id
JOIN entities e ON e.id = COALESCE(s.entity_id, d.source_entity_id, f.owner_id)
WHERE f.agent_id = :of AND (:ids IS NULL OR e.id IN (SELECT value FROM json_each(:ids)))"""
_NAMED = {"entities": "description", "entity_attributes": "content"}
"""What `_VALUES` tells by the name of the entity."""
_NO_WORDS = re.compile(r"(?:^|_)(?:id|at|hash|kind|type|status)$")
"""Columns without words."""
_SHORTEST = 8
"""Characters of a text that can tell a key or a password with its name."""


def secrets_of(
    reader: Reader, ids: Collection[str] | None = None, agent: str | None = None, *,
    everything: bool = False,
) -> tuple[FoundSecret, ...]:
    """The keys and passwords of what an export writes.

    Args:
        ids: the entities that are written; None for all.
        agent: whose rows are written; None for those of every agent.
        everything: True where past versions and memories are written, too.
    """
    given: dict[str, Any] = {"ids": sorted(ids) if ids is not None else None, "of": agent or "",
                             "every": agent is None, "all": everything}
    seen: dict[FoundSecret, None] = {}
    for statement in (_VALUES,) if everything else (_VALUES, _LINKS, _FIELDS):
        for row in reader.rows(statement, **given):
            note_secrets(seen, f"“{one_line(str(row['name']), 60)}”", str(row["content"] or ""))
    for line in bundle_lines(reader, agent) if everything else ():
        if "table" in line:
            for text in texts_of_row(line["row"], without=_NAMED.get(line["table"], "")):
                note_secrets(seen, _place(line["table"], line["row"]), text)
    return tuple(seen)


def texts_of_row(row: Mapping[str, object], without: str = "") -> Iterator[str]:
    """The texts of a row of a bundle that may tell a key or a password."""
    for column, cell in row.items():
        if (isinstance(cell, str) and len(cell) >= _SHORTEST and column != without
                and not _NO_WORDS.search(column)):
            yield cell


def _place(table: str, row: Mapping[str, object]) -> str:
    """`“memory 1f0a2b3c”`, `“ontology proposals 1f0a2b3c”`."""
    noun = "memory" if table == "memories" else table.replace("_", " ")
    gone = ", forgotten" if table == "memories" and row.get("is_deleted") else ""
    return f"“{noun} {str(row.get('id', ''))[:8]}”".replace(" ”", "”") + gone


def note_secrets(seen: dict[FoundSecret, None], where: str, text: str) -> None:
    """Add what a text looks like to what was found before: each place once for each kind."""
    seen |= dict.fromkeys(FoundSecret(where, kind) for kind in kinds_of_secrets(text))
