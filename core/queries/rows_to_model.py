"""Turns rows of the store into the model's structs, tolerating malformed data."""

import json
from collections.abc import Container, Iterable, Mapping

from core.model.claims_and_assertions import Aspect, Assertion, Value
from core.model.entity import EntityRow
from core.model.link import Link
from core.model.memory import Memory
from core.store.database import Row

ENTITY_COLUMNS = ("e.id, e.name, e.entity_type, e.mentions, e.pinned, e.pinned_at, e.muted,"
                  " e.status, e.updated_at")
ENTITY_ORDER = ("e.pinned DESC, e.pinned_at DESC, e.mentions DESC, e.updated_at DESC, e.name ASC")
"""The seeds' order of an entity list."""


def same_words(value: str) -> str:
    """SQL for what is alike in values that say the same; `value` names the table in the query.

    Where none is stored, the text itself is, in small letters: an import does not keep it twice.
    """
    return f"COALESCE({value}.normalized_content, lower({value}.content))"


VALUE_COLUMNS = ("v.id, v.aspect_id, v.kind, v.content, v.group_key, v.claim_key, v.status,"
                 " v.version, v.version_root_id, v.previous_attribute_id, v.superseded_by,"
                 " v.confidence, v.importance, v.memory_id, v.source_kind, v.source_id,"
                 " v.source_path, v.proposal_id, v.archived_at, v.archived_by, v.archive_reason,"
                 " v.created_at, v.updated_at, v.agent_id, v.source_root,"
                 f" {same_words('v')} AS normalized_content,"
                 " v.proposal_evidence")
VALUE_ORDER = "v.importance DESC, v.rowid"
"""The one order of values in every list: the most important first, equal ones as written.

A row's number is the order of writing, also where ids are random and all times are one.
"""
CLAIM_ORDER = "COALESCE(r.importance, v.importance) DESC, COALESCE(r.rowid, v.rowid), v.rowid"
"""The one order of claims in every list: as `VALUE_ORDER`, by the first version `r` of a value.

So a claim keeps its place when it is given another value. The groups of an aspect come by key,
`general` first.
"""
# Upstream stores some keys as they were written; the slot is the same (names.slot_key).
GROUP_KEY = "COALESCE(NULLIF(replace(lower(trim(v.group_key)), ' ', '_'), ''), 'general')"
CLAIM_KEY = "replace(lower(trim(v.claim_key)), ' ', '_')"

MEMORY_COLUMNS = ("m.id, m.type, m.content, m.importance, m.confidence, m.pinned, m.who, m.why,"
                  " m.project, m.tags, m.source_type, m.source_id, m.source_path, m.created_at,"
                  " m.updated_at, m.is_deleted")


def visible(memory: str) -> str:
    """SQL that is true of a memory (by its table's alias) that the agent may read.

    Its own; else one that its owner shares (`global`), as far as the agent's read policy goes:
    `shared` reads those of all, `group` those of its group, `isolated` none. An agent that the
    file does not know is isolated, but `default` reads all (Signet's `agents`).
    """
    return (f"({memory}.agent_id = :agent OR {memory}.visibility = 'global'"
            f" AND ({readable(f'{memory}.agent_id')}))")


def readable(agent: str) -> str:
    """SQL that is true of an agent (an expression) of whom the reading one reads what is shared."""
    return ("EXISTS (SELECT 1 FROM reading_agents mine WHERE mine.id = :agent"
            " AND mine.read_policy = 'shared') OR EXISTS (SELECT 1 FROM reading_agents mine"
            " JOIN reading_agents theirs ON theirs.policy_group = mine.policy_group"
            " WHERE mine.id = :agent AND mine.read_policy = 'group' AND mine.policy_group <> ''"
            f" AND theirs.id = {agent})")


MEMORY_VISIBLE = visible("m")
"""A memory `m` that the agent may read."""



def text(value: object) -> str:
    """`value` as text; empty for NULL, with replacement marks where bytes are no text."""
    if type(value) is str:  # Nearly always, and it is asked for very often.
        return value
    if value is None:
        return ""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value)


def number(value: object, default: float = 0.0) -> float:
    """`value` as a number, `default` for NULL and for text that is none."""
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return default


def whole(value: object, default: int = 0) -> int:
    """`value` as a whole number, `default` where it is none."""
    try:
        return int(number(value, default))
    except (OverflowError, ValueError):
        return default


def json_object(value: object) -> dict[str, object]:
    """The JSON object in `value`; empty when it is missing, broken or something else."""
    parsed = _json(value)
    return parsed if isinstance(parsed, dict) else {}


def json_array(value: object) -> tuple[object, ...]:
    """The JSON array in `value`; empty when it is missing, broken or something else."""
    parsed = _json(value)
    return tuple(parsed) if isinstance(parsed, list) else ()


def _json(value: object) -> object:
    if value is None or value == "[]":
        return None
    try:
        return json.loads(text(value))
    except (ValueError, RecursionError):
        return None


def entity_row(row: Row, fact: str = "", fact_id: str = "") -> EntityRow:
    """A row of `ENTITY_COLUMNS`."""
    return EntityRow(row["id"], text(row["name"]), text(row["entity_type"]) or "unknown",
                     whole(row["mentions"]), bool(row["pinned"]), row["pinned_at"],
                     bool(row["muted"]), text(row["status"]), text(row["updated_at"]), fact,
                     fact_id)


def aspect_of(row: Row) -> Aspect:
    """A row of `entity_aspects`, without its values."""
    return Aspect(
        row["id"], text(row["entity_id"]), text(row["name"]), number(row["weight"], 0.5),
        text(row["status"]), text(row["updated_at"]), agent_id=text(row["agent_id"]),
        canonical_name=text(row["canonical_name"]), archived_at=row["archived_at"],
        archived_by=row["archived_by"], archive_reason=row["archive_reason"],
        proposal_id=row["proposal_id"], created_at=text(row["created_at"]))


def value_of(row: Row, entity_id: str) -> Value:
    """A row of `VALUE_COLUMNS`, owned by `entity_id`."""
    return Value(
        id=row["id"], aspect_id=row["aspect_id"], entity_id=entity_id, kind=text(row["kind"]),
        content=text(row["content"]), group_key=row["group_key"] or None,
        claim_key=row["claim_key"] or None, status=text(row["status"]),
        version=whole(row["version"], 1), version_root_id=row["version_root_id"],
        previous_attribute_id=row["previous_attribute_id"], superseded_by=row["superseded_by"],
        confidence=number(row["confidence"]), importance=number(row["importance"], 0.5),
        # The memory that was made from the value is none that it rests on.
        memory_id=row["memory_id"] if row["memory_id"] != row["id"] else None,
        source_kind=row["source_kind"], source_id=row["source_id"],
        source_path=row["source_path"], proposal_id=row["proposal_id"],
        archived_at=row["archived_at"], archived_by=row["archived_by"],
        archive_reason=row["archive_reason"], created_at=text(row["created_at"]),
        updated_at=text(row["updated_at"]), agent_id=text(row["agent_id"]),
        normalized_content=text(row["normalized_content"]), source_root=row["source_root"],
        proposal_evidence=json_array(row["proposal_evidence"]),
    )


def link_of(row: Row) -> Link:
    """A row of `links.COLUMNS`."""
    return Link(
        id=row["id"], direction=row["direction"], dependency_type=text(row["dependency_type"]),
        source_entity_id=row["source_entity_id"], target_entity_id=row["target_entity_id"],
        other_id=row["other_id"], other_name=text(row["other_name"]),
        other_type=text(row["other_type"]) or "unknown", aspect_id=row["aspect_id"],
        strength=number(row["strength"], 0.5), confidence=number(row["confidence"], 0.7),
        reason=row["reason"], status=text(row["status"]), source_kind=row["source_kind"],
        source_path=row["source_path"], proposal_id=row["proposal_id"],
        created_at=text(row["created_at"]), updated_at=text(row["updated_at"]),
    )


def memory_of(row: Row, mention: str | None = None) -> Memory:
    """A row of `MEMORY_COLUMNS`."""
    return Memory(
        id=text(row["id"]), type=text(row["type"]) or "fact", content=text(row["content"]),
        importance=number(row["importance"], 0.5), confidence=number(row["confidence"], 1.0),
        pinned=bool(row["pinned"]), who=row["who"], why=row["why"], project=row["project"],
        tags=tags_in(row["tags"]), source_kind=row["source_type"], source_id=row["source_id"],
        source_path=row["source_path"], created_at=text(row["created_at"]),
        updated_at=text(row["updated_at"]), is_deleted=bool(row["is_deleted"]), mention=mention,
    )


def tags_in(value: object) -> tuple[str, ...]:
    """The tags of a memory: comma separated text; some writers store a JSON array instead."""
    tags = text(value)
    if not tags:
        return ()
    if tags.startswith("["):
        return tuple(text(tag) for tag in json_array(tags))
    return tuple(tag.strip() for tag in tags.split(",") if tag.strip())


def assertion_of(row: Row) -> Assertion:
    """A row of `epistemic_assertions` with `subject_name`."""
    return Assertion(
        id=row["id"], subject_entity_id=row["subject_entity_id"],
        subject_name=text(row["subject_name"]), claim_attribute_id=row["claim_attribute_id"],
        predicate=text(row["predicate"]), content=text(row["content"]), speaker=row["speaker"],
        asserted_at=text(row["asserted_at"]), confidence=number(row["confidence"]),
        evidence=json_array(row["evidence"]), source_kind=row["source_kind"],
        source_path=row["source_path"], status=text(row["status"]),
        created_by=text(row["created_by"]), agent_id=text(row["agent_id"]),
        normalized_content=text(row["normalized_content"]), source_id=row["source_id"],
        source_root=row["source_root"], supersedes_assertion_id=row["supersedes_assertion_id"],
        archived_at=row["archived_at"], archived_by=row["archived_by"],
        archive_reason=row["archive_reason"], created_at=text(row["created_at"]),
        updated_at=text(row["updated_at"]),
    )


def first_text(payload: Mapping[str, object], *keys: str) -> str:
    """The first non-empty text of `keys`, trimmed; empty if there is none."""
    for key in keys:
        value = payload.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def rows_of(asked: Container[str], column: str, rows: Iterable[Row]) -> list[Row]:
    """The rows about what was asked for: a damaged index leads to others."""
    return [row for row in rows if row[column] in asked]
