"""Tells what one record of a memory file is, under any of the names that its fields go by."""

import json
from collections.abc import Mapping

from core.model.names import storable
from core.transfer.json_records import LISTS, shown

NAME = ("name", "entityName", "entity_name")
TYPE = ("entityType", "entity_type")
OBSERVATION_LIST = ("observations", "contents", "observation")
FROM = ("from", "from_id", "fromId", "source", "source_id")
TO = ("to", "to_id", "toId", "target", "target_id")
WORDS = ("relationType", "relation_type", "relation", "label")
TEXT = ("text", "content", "observation", "value", "contents")


def quoted(value: object) -> str:
    """The beginning of a value as JSON."""
    try:
        return shown(json.dumps(value))
    except (TypeError, RecursionError):
        return "it is nested too deep"


def _kind(record: Mapping[str, object], part: str) -> str | None:
    """What a record is: it says so, or its list does, or its keys; None if nothing tells."""
    if record.get("type") is not None:
        kind = str(record["type"])
        return kind.lower() if kind.lower() in ("entity", "relation") and part == "" else kind
    if part:
        return "entity" if part == "entities" else "relation"
    if _first(record, NAME) is not None:
        return "entity"
    return "relation" if _first(record, FROM) is not None else None


def kind_and_record(
    record: Mapping[str, object], part: str
) -> tuple[str | None, Mapping[str, object]]:
    """What a record is, and the record with its own type in the usual field.

    Some tools call the type of an entity or a relation just `type`: its list or its fields tell.
    """
    kind = _kind(record, part)
    if kind in (None, "entity", "relation"):
        return kind, record
    is_relation = part == "relations" or _first(record, FROM) and _first(record, TO)
    is_entity = part == "entities" or _first(record, NAME) and _first(record, OBSERVATION_LIST)
    if not (is_relation or is_entity):
        return kind, record
    rest = {key: value for key, value in record.items() if key != "type"}
    return ("relation", {"relationType": kind, **rest}) if is_relation else (
        "entity", {"entityType": kind, **rest})


def is_graph(record: Mapping[str, object]) -> bool:
    """True of an object that holds the lists of a whole document."""
    return "type" not in record and (any(isinstance(record.get(key), list) for key in LISTS)
                                     or by_name(record.get(LISTS[0])) is not None)


def by_name(value: object) -> list[object] | None:
    """Entities that an object has under their names, as a list; None for anything else."""
    if not isinstance(value, dict) or not value or not all(
            isinstance(each, dict) for each in value.values()):
        return None
    return [{"name": name, **each} for name, each in value.items()]


def _first(record: Mapping[str, object], keys: tuple[str, ...]) -> object:
    return next((record[key] for key in keys if record.get(key) is not None), None)


def clean(value: object) -> str:
    """A name as it can be stored: trimmed, without NUL and half characters."""
    return words_of(value).strip()


def words_of(value: object) -> str:
    """A text as it can be stored, with its white space."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return storable(str(value).replace("\0", ""))


def listed(value: object) -> list[object]:
    """Observations as a list, whatever stands for it: nothing, one text, one object."""
    if value is None:
        return []
    return [item for item in value if item is not None] if isinstance(value, list) else [value]
