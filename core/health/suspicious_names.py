"""Finds entities whose names would be refused today (entity quality, version 3)."""

from collections.abc import Iterator

from core.health.finding import Finding, Fix, Rules, Severity, fix
from core.ingest.name_quality import REASONS, clean_name, refuse
from core.model.names import name_key
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader

_ENTITIES = """
SELECT e.id, e.name, e.entity_type, e.pinned, e.canonical_name FROM entities e
WHERE e.agent_id = :agent AND +e.status = 'active' AND e.entity_type <> 'task'
ORDER BY e.mentions DESC, e.name, e.id"""
_OF_TYPE = frozenset((
    "unknown_entity_type", "non_concrete_entity_type", "event_without_time_or_event_signal"))
"""Reasons that are about the type and not about the name."""
_NO_NAME = frozenset((
    "punctuation_only", "numeric_only", "generic_or_scaffolding_name", "metadata_role",
    "discourse_fragment", "role_prefixed_scaffolding", "section_heading"))
"""The reasons for which no entity can be meant; the others may be about a real one."""


def suspicious_names(reader: Reader, rules: Rules) -> Iterator[Finding]:
    """Names that are a general word, a role, a heading, a number or only signs; Markdown marks.

    One that is right without its marks is renamed, unless another entity has that name; what can
    be no name is archived. Of a pinned entity a person has chosen the name.
    """
    rows = reader.rows(_ENTITIES)
    taken = {text(row["canonical_name"]) for row in rows}
    for row in rows:
        name = text(row["name"])
        clean = clean_name(name)
        reason = refuse(name, text(row["entity_type"]), shown=clean)
        reason = None if reason in _OF_TYPE else reason
        if reason is None and clean == name:
            continue
        words = REASONS[reason] if reason else "the name has marks of formatting around it"
        yield Finding("suspicious_name", _severity(reason), (row["id"],), row["id"], name,
                      f"“{name}”: {words}", _mend(reader, row, clean, reason, taken))


def _severity(reason: str | None) -> Severity:
    return "warning" if reason in _NO_NAME else "info"


def _mend(reader: Reader, row: Row, clean: str, reason: str | None, taken: set[str]) -> Fix | None:
    if row["pinned"]:
        return None
    if reason in _NO_NAME:
        return fix(reader, "archive_entity", entity=row["id"], reason=REASONS[reason or ""])
    if clean == text(row["name"]) or name_key(clean) in taken:
        return None
    return fix(reader, "rename_entity", entity=row["id"], new_name=clean)
