"""Tells what one record of a memory file is, under any of the names that its fields go by."""

import json
from collections.abc import Mapping

from core.model.names import storable
from core.transfer.json_records import LISTS, NESTS, UNDER
from core.transfer.unknown_formats import is_of_another_tool

KINDS = ("entity", "relation")
"""What records say that they are."""
NAME = ("name", "entityName", "entity_name")
PINNED, MUTED = ("pinned",), ("muted",)
"""What our own files say of an entity that is pinned or muted; a note has it as a tag."""
OTHER_NAMES = ("entity", "title", "label", "id")
"""What else an entity may be called by, where it has none of the usual fields."""
TYPE = ("entityType", "entity_type")
OBSERVATION_LIST = ("observations", "contents", "observation", "facts")
FROM = ("from", "from_id", "fromId", "source", "source_id", "sourceId", "from_entity",
        "fromEntity", "source_entity", "sourceEntity", "from_name", "fromName", "subject")
TO = ("to", "to_id", "toId", "target", "target_id", "targetId", "to_entity", "toEntity",
      "target_entity", "targetEntity", "to_name", "toName", "object")
WORDS = ("relationType", "relation_type", "relation", "relationship", "relationship_type",
         "relationshipType", "predicate", "label", "name")
TEXT = ("text", "content", "observation", "value", "contents", "fact", "note", "statement",
        "description", "summary")
INLINE = ("relations", "relationships")
"""Where an entity has its own relations."""
_OBSERVED = ("observation", "observations")
_ITEM, _OWN_TEXT = "item", ("$text", "#text")
_OF_ITEMS = frozenset((_ITEM, *_OWN_TEXT))
"""What the items of a list and the text before them are called where XML became JSON."""
_OF_AN_ENTITY = frozenset((*TYPE, *OBSERVATION_LIST[:2]))


def _kind(record: Mapping[str, object], part: str) -> str | None:
    """What a record is: it says so, or its list does, or its keys; None if nothing tells."""
    if record.get("type") is not None:
        kind = str(record["type"])
        return kind.lower() if kind.lower() in KINDS and part == "" else kind
    if part:
        return "entity" if part == "entities" else "relation"
    if first_of(record, NAME) is not None and not is_of_another_tool(record):
        return "entity"
    # One end alone is no relation: notes of other tools say by `source` where they are from.
    ends = first_of(record, FROM) is not None and first_of(record, (*TO, *WORDS)) is not None
    return "relation" if ends else None


def kind_and_record(
    record: Mapping[str, object], part: str
) -> tuple[str | None, Mapping[str, object]]:
    """What a record is, and the record with its own type in the usual field.

    Some tools call the type of an entity or a relation just `type`: its list or its fields tell.
    """
    kind = _kind(record, part)
    if kind in (None, "entity", "relation"):
        return kind, record
    rest = {key: value for key, value in record.items() if key != "type"}
    if kind.lower() in _OBSERVED and part == "":
        return _observed(kind, record, rest)
    if part == "relations" or first_of(record, FROM) and first_of(record, TO):
        return "relation", {"relationType": kind, **rest}
    if part == "entities" or first_of(record, NAME) and (
            first_of(record, OBSERVATION_LIST) is not None):
        return "entity", {"entityType": kind, **rest}
    return kind, record


def _observed(
    kind: str, record: Mapping[str, object], rest: Mapping[str, object]
) -> tuple[str, Mapping[str, object]]:
    """A record of observations about an entity that it names, as a record of that entity."""
    name = next((key for key in (*NAME, "entity") if isinstance(record.get(key), str)), "")
    if not name:
        return kind, record
    given = next((key for key in (*OBSERVATION_LIST, *TEXT) if rest.get(key) is not None), "")
    if isinstance(rest.get(given), str):  # What else it says, it says of this one.
        said = {key: value for key, value in rest.items() if key not in (name, *TYPE)}
        types = {key: value for key, value in rest.items() if key in TYPE}
        return "entity", {"name": rest[name], **types, "observations": [said]}
    more = {key: value for key, value in rest.items() if key not in (name, given)}
    return "entity", {"name": rest[name], "observations": rest.get(given), **more}


def is_graph(record: Mapping[str, object]) -> bool:
    """True of an object that holds the lists of a whole document, or such an object again."""
    return "type" not in record and (
        isinstance(record.get(LISTS[0]), list)
        or isinstance(record.get(LISTS[1]), list) and first_of(record, NAME) is None
        or by_name(record.get(LISTS[0])) is not None
        or any(isinstance(inner := record.get(key), dict) and is_graph(inner) for key in NESTS))


def entities_by_name(record: Mapping[str, object]) -> list[object] | None:
    """A document that is nothing but entities under their names; None for anything else."""
    for each in record.values():  # Of nearly every record the first value tells it.
        if not isinstance(each, dict) or _OF_AN_ENTITY.isdisjoint(each):
            return None
    return by_name(record)


def of_an_answer(record: Mapping[str, object]) -> list[object] | None:
    """What the answer of a tool says, as clients save it: JSON in texts; None for anything else."""
    content = record.get("content")
    if not isinstance(content, list) or first_of(record, NAME) is not None:
        return None
    texts = [item["text"] for item in content if isinstance(item, dict)
             and item.get("type") == "text" and isinstance(item.get("text"), str)]
    try:
        said = [json.loads(text) for text in texts]
    except (ValueError, RecursionError):
        return None
    return said if said and all(isinstance(each, dict | list) for each in said) else None


def by_name(value: object, part: str = LISTS[0]) -> list[object] | None:
    """Entities that an object has under their names, or relations by their ids, as a list; None
    for anything else.
    """
    if not isinstance(value, dict) or not value or not all(
            isinstance(each, dict) for each in value.values()):
        return None
    return [{UNDER[part]: key, **each} for key, each in value.items()]


def is_triple(record: list[object]) -> bool:
    """A relation written as `["Alice", "works at", "Harbor"]`."""
    return len(record) == 3 and all(isinstance(word, str) for word in record)  # noqa: PLR2004


def first_of(record: Mapping[str, object], keys: tuple[str, ...]) -> object:
    """The value of the first of these keys that is given; None if none is."""
    for key in keys:  # A generator for `next` takes three times as long.
        value = record.get(key)
        if value is not None:
            return value
    return None


def ends_of(record: Mapping[str, object], keys: tuple[str, ...]) -> list[object]:
    """The names at one end of a relation: one, several, or an object that has a name."""
    given = first_of(record, keys)
    every = given if isinstance(given, list) and given else [given]
    return [first_of(each, (*NAME, *OTHER_NAMES)) if isinstance(each, dict) else each
            for each in every]


PLAIN = (str, int, float)
"""What stands for a text as it is."""


def clean(value: object) -> str:
    """A name as it can be stored: trimmed, without NUL and half characters."""
    return words_of(value).strip()


def words_of(value: object) -> str:
    """A text as it can be stored, with its white space."""
    if type(value) is not str:
        if isinstance(value, bool) or not isinstance(value, PLAIN):
            return ""
        value = str(value)
    return storable(value.replace("\0", ""))


def listed(value: object) -> list[object]:
    """Observations as a list, whatever stands for it: nothing, one text, one object, lists within,
    items as a program writes them that made JSON of XML.
    """
    if isinstance(value, list) and set(map(type, value)) <= {str}:
        return value
    found: list[object] = []
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, list) and (each or each is value):
            waiting += reversed(each)
        elif type(each) is dict and _ITEM in each and each.keys() <= _OF_ITEMS:
            waiting += [each[key] for key in (_ITEM, *_OWN_TEXT) if key in each]
        elif each is not None:
            found.append(each)
    return found
