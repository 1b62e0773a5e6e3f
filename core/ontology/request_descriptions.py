"""Describes the targets of operations and what they would do."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from msgspec import Struct, field
from pydantic import Field

from core.errors import OperationError
from core.model.entity import EntityRow
from core.model.names import name_key, slot_key, spoken
from core.model.text_formatting import one_line
from core.ontology import wording
from core.ontology.operation_catalog import CATALOG, find_operation
from core.ontology.payload_base import (
    ASPECT,
    ENTITY_ITSELF,
    OperationInfo,
    Payload,
    Text,
    called,
)
from core.queries.assertions import assertion_or_none
from core.queries.find_by_name_or_id import memory_id
from core.queries.rows_to_model import ENTITY_COLUMNS, MEMORY_VISIBLE, entity_row, json_object, text
from core.store.database import Row
from core.store.reader_and_writer import Reader

Payloads = Sequence[tuple[str, Mapping[str, object]]]
"""Names of operations, each with a payload that need not be valid."""


class Description(Struct, frozen=True):
    """What an operation with its payload would do, in words.

    Attributes:
        title: a short line: `Set schedule · start time`.
        sentence: one plain sentence of what will change, or why it can't be done.
        target_id: the entity concerned, None where it does not exist (yet).
        destructive: it takes something away.
    """

    title: str
    sentence: str
    target_id: str | None = None
    destructive: bool = False


def describe(reader: Reader, operation: str, payload: Mapping[str, object]) -> Description:
    """Describe what an operation would do; never raises for any payload."""
    try:
        known = find_operation(operation)
        fields = known.fields.read(payload)
    except OperationError as error:
        label = wording.short(operation).replace("_", " ").capitalize()
        return Description(label, f"{label}: {error.what}.")
    [target] = targets(reader, [(operation, payload)])
    return Description(fields.title(reader), fields.sentence(reader),
                       target.entity.id if target.entity else None, known.destructive)


class Target(Struct, frozen=True):
    """The target of a payload, as far as it is in the graph.

    `name` is unchanged if there is no such entity; `other` is the far end of a link, or the first
    of the entities that a merge takes in.
    """

    info: OperationInfo
    entity: EntityRow | None = None
    name: str = ""
    entity_type: str = ""
    """What the payload takes the entity for."""
    new_name: str = ""
    aspect: str = ""
    group_key: str = "general"
    claim_key: str = ""
    kind: str = "attribute"
    value: str = ""
    """What the payload wants the claim to say."""
    other: EntityRow | None = None
    other_name: str = ""
    attribute_id: str = ""
    link_id: str = ""
    link_type: str = ""
    assertion_id: str = ""
    content: str = ""
    """What the stored value, the assertion or the memory says that the payload names by its id."""
    found: bool = True
    """False if the payload names something by an id that is not there."""

    @property
    def entity_key(self) -> str:
        """The entity's identity: its id, else its canonical name."""
        return self.entity.id if self.entity else name_key(self.name)

    @property
    def slot(self) -> tuple[str, str, str, str] | None:
        """The claim slot in canonical words, None if the payload is about no slot."""
        if not (self.aspect and self.claim_key):
            return None
        return self.entity_key, name_key(self.aspect), self.group_key, self.claim_key

    def line(self) -> str:
        """One line without the entity's name: `Set schedule · start time`."""
        return " ".join(self.info.line.format(**self._words()).split())

    def label(self) -> str:
        """The name that the thing would have: a new name, an aspect, a claim, a link's type."""
        return self.info.label.format(**self._words())

    def slot_words(self) -> str:
        """The slot for display: `schedule · start time`; the value's text without a key."""
        claim = spoken(self.claim_key) if self.claim_key else self.content
        return " · ".join(part for part in (self.aspect, claim) if part) or "a value"

    def _words(self) -> dict[str, str]:
        claim = spoken(self.claim_key) or name_key(self.aspect)
        return {
            "name": self.name, "type": spoken(self.entity_type or "entity"),
            "new": self.new_name or "another name", "aspect": self.aspect,
            "slot": self.slot_words(), "claim": claim if self.entity else self.name,
            "link": spoken(self.link_type or "related_to"), "link_type": self.link_type,
            "other": self.other_name,
            "content": (f"“{one_line(self.content or self.value, 80)}”"
                        if self.content or self.value else "a memory"),
        }


class _Unknown(Payload):
    """How the payload of an operation that is not in the catalogue is read."""

    info = OperationInfo(line="", past={})

    entity: Text | None = Field(None, validation_alias=ENTITY_ITSELF)
    aspect: Text | None = Field(None, validation_alias=ASPECT)
    value: Text | None = Field(None, validation_alias=called("value", "content"))
    attribute_id: Text | None = None


_SLOT_FIELDS = ("group_key", "claim_key", "kind", "link_type", "new_name")
_ONE = ("aspect", "value", "attribute", "link", "memory", "assertion", "entity_type",
        *_SLOT_FIELDS)
"""What a payload says one thing of."""


class _Given(Struct, frozen=True):
    """What one payload says, by what it means."""

    info: OperationInfo
    entity: Sequence[str]
    other: Sequence[str]
    first: Mapping[str, str] = field(default_factory=dict)


@cache
def _keys(fields: type[Payload]) -> Mapping[str, Sequence[Sequence[str]]]:
    """By what it means, the fields of a payload, each with the keys that it may be given by."""
    info = fields.info
    roles = {"entity": info.entity, "other": info.other, "aspect": info.aspect,
             "value": info.value, "attribute": info.attribute, "link": info.link,
             "memory": info.memory, "assertion": info.assertion,
             "entity_type": info.entity_type, **{name: (name,) for name in _SLOT_FIELDS}}
    return {role: [fields.names_of(name) for name in names if name in fields.model_fields]
            for role, names in roles.items()}


def _given(operation: str, payload: Mapping[str, object]) -> _Given:
    fields = CATALOG[operation].fields if operation in CATALOG else _Unknown
    keys = _keys(fields)
    return _Given(fields.info, _texts(payload, keys["entity"]), _texts(payload, keys["other"]),
                  {role: (_texts(payload, keys[role]) or ("",))[0] for role in _ONE})


def _texts(payload: Mapping[str, object], fields: Sequence[Sequence[str]]) -> list[str]:
    """What a payload says for some fields; of each the first key that it has words for."""
    texts: list[str] = []
    for keys in fields:
        for key in keys:
            if key in payload and (words := _words(payload[key])):
                texts += words
                break
    return texts


def _words(value: object) -> list[str]:
    if type(value) is str:  # Nearly always.
        words = value.strip()
        return [words] if words else []
    items = value if isinstance(value, list | tuple) else [value]
    return [item.strip() for item in items if isinstance(item, str) and item.strip()]


def targets(reader: Reader, payloads: Payloads) -> list[Target]:
    """What each operation with its payload is about, in a fixed number of statements."""
    return _targets(reader, [_given(operation, payload) for operation, payload in payloads])


def targets_of_json(reader: Reader, payloads: Iterable[tuple[str, str]]) -> list[Target]:
    """The same of payloads as they are kept; those that were read before are not taken apart."""
    return _targets(reader, [_given_in_json(operation, payload) for operation, payload in payloads])


@lru_cache(maxsize=2000)
def _given_in_json(operation: str, payload: str) -> _Given:
    return _given(operation, json_object(payload))


def _targets(reader: Reader, given: Sequence[_Given]) -> list[Target]:
    values = _by_id(reader, _VALUES, {item.first["attribute"] for item in given})
    links = _by_id(reader, _LINKS, {item.first["link"] for item in given})
    aspects = _by_id(reader, _ASPECTS, {item.first["aspect"] for item in given})
    memories = {start: row for start in {item.first["memory"] for item in given} - {""}
                for row in reader.rows(_MEMORY, id=memory_id(reader, start))}
    assertions = {start: row for start in {item.first["assertion"] for item in given} - {""}
                  if (row := assertion_or_none(reader, start)) is not None}
    names = {name for item in given for name in (*item.entity, *item.other)}
    names |= {row["subject_entity_id"] for row in assertions.values()}
    names |= {row["entity_id"] for row in memories.values()} - {None}
    names |= {row["entity_id"] for row in values.values()}
    names |= {end for row in links.values()
              for end in (row["source_entity_id"], row["target_entity_id"])}
    entities = _entities(reader, names)
    stored = _Stored(values, links, aspects, entities, memories, assertions)
    return [_target(item, stored) for item in given]


def _called(reader: Reader, entity_id: str) -> frozenset[str]:
    """What payloads may call an entity: its id, its name's key and those of others."""
    rows = reader.rows(_CALLED, id=entity_id)
    return frozenset((entity_id, *(text(row["called"]) for row in rows)))


class _Rough(NamedTuple):
    """The words of a payload that tell a slot, and whether it names something by its id."""

    entities: frozenset[str]
    others: frozenset[str]
    aspect: str
    group: str
    claim: str
    by_value: bool
    by_assertion: bool
    by_id: bool
    """It names what tells the entity by itself."""


@lru_cache(maxsize=2000)
def _rough_target(operation: str, payload: str) -> _Rough:
    given = _given_in_json(operation, payload)
    first = given.first
    return _Rough(
        frozenset((*given.entity, *map(name_key, given.entity))),
        frozenset((*given.other, *map(name_key, given.other))), first["aspect"],
        slot_key(first["group_key"], "general") or "general",
        slot_key(first["claim_key"], "") or "", bool(first["attribute"]), bool(first["assertion"]),
        any(first[role] for role in ("memory", "assertion", "link")))


class RoughTargets:
    """The words of many payloads, to be asked which may be about the same as a target.

    It is a quick look at the words alone: what may be about the same is to be read by `targets`.
    """

    def __init__(self, payloads: Iterable[tuple[str, str]]) -> None:
        """`payloads` are operations with their JSON."""
        self._all = [_rough_target(operation, payload) for operation, payload in payloads]
        self._slots: dict[tuple[str, str], list[int]] = {}
        for at, rough in enumerate(self._all):
            if not rough.by_value:
                self._slots.setdefault((rough.group, rough.claim), []).append(at)
        self._by_value = [at for at, rough in enumerate(self._all) if rough.by_value]
        self._by_assertion = [at for at, rough in enumerate(self._all) if rough.by_assertion]
        self.by_id = [at for at, rough in enumerate(self._all) if rough.by_value or rough.by_id]
        """The places of those of which only what they name by an id tells the entity."""

    def naming(self, reader: Reader, entity_id: str) -> list[int]:
        """The places of the others that may mean an entity, at either end."""
        called, by_id = _called(reader, entity_id), set(self.by_id)
        return [at for at, rough in enumerate(self._all) if at not in by_id and not (
            called.isdisjoint(rough.entities) and called.isdisjoint(rough.others))]

    def may_share(self, reader: Reader, target: Target) -> list[int]:
        """The places of those that may be about the slot or assertion of this target."""
        if target.assertion_id:
            return self._by_assertion
        if target.slot is None:
            return list(range(len(self._all)))
        _, aspect, group, claim = target.slot
        called = (_called(reader, target.entity.id) if target.entity
                  else frozenset((name_key(target.name),)))
        near = [at for at in self._slots.get((group, claim), ()) if self._all[at].by_id
                or not called.isdisjoint(self._all[at].entities)]
        named = _by_id(reader, _ASPECTS, {self._all[at].aspect for at in near})
        return sorted([*self._by_value, *(at for at in near if name_key(
            text(named[word]["name"]) if (word := self._all[at].aspect) in named else word
        ) == aspect)])


class _Stored(Struct, frozen=True):
    """The rows that payloads name, by what they name them with."""

    values: Mapping[str, Row]
    links: Mapping[str, Row]
    aspects: Mapping[str, Row]
    entities: Mapping[str, EntityRow]
    memories: Mapping[str, Row]
    assertions: Mapping[str, Row]


_VALUES = """
SELECT v.id, v.kind, v.content, v.group_key, v.claim_key, s.entity_id, s.name AS aspect
FROM entity_attributes v JOIN entity_aspects s ON s.id = v.aspect_id
WHERE v.id IN (SELECT value FROM json_each(:ids)) AND +v.agent_id = :agent"""
_LINKS = """
SELECT d.id, d.dependency_type, d.source_entity_id, d.target_entity_id
FROM entity_dependencies d
WHERE d.id IN (SELECT value FROM json_each(:ids)) AND +d.agent_id = :agent"""
_ASPECTS = """
SELECT s.id, s.name FROM entity_aspects s
WHERE s.id IN (SELECT value FROM json_each(:ids)) AND +s.agent_id = :agent"""
_MEMORY = f"""
SELECT m.id, m.content, (
  SELECT e.id FROM memory_entity_mentions n CROSS JOIN entities e ON e.id = n.entity_id
  WHERE n.memory_id = m.id AND +e.agent_id = :agent AND e.status = 'active'
  ORDER BY e.mentions DESC, e.id LIMIT 1) AS entity_id
FROM memories m WHERE m.id = :id AND {MEMORY_VISIBLE}"""
_ENTITIES = f"""
SELECT {ENTITY_COLUMNS}, e.canonical_name AS called, 1 AS by_name FROM entities e
WHERE e.id IN (SELECT value FROM json_each(:ids)) AND +e.agent_id = :agent
UNION SELECT {ENTITY_COLUMNS}, e.canonical_name, 1 FROM entities e
WHERE e.canonical_name IN (SELECT value FROM json_each(:names)) AND e.agent_id = :agent
UNION SELECT {ENTITY_COLUMNS}, a.canonical_alias, 0
FROM entity_aliases a JOIN entities e ON e.id = a.entity_id
WHERE a.canonical_alias IN (SELECT value FROM json_each(:names)) AND a.agent_id = :agent
  AND a.status = 'active' AND +e.agent_id = :agent"""

_CALLED = """
SELECT e.canonical_name AS called FROM entities e WHERE e.id = :id UNION ALL
SELECT a.canonical_alias FROM entity_aliases a
WHERE a.entity_id = :id AND a.agent_id = :agent AND a.status = 'active'"""


def _by_id(reader: Reader, statement: str, ids: Iterable[str]) -> dict[str, Row]:
    wanted = sorted(set(ids) - {""})
    return {row["id"]: row for row in reader.rows(statement, ids=wanted)} if wanted else {}


def _entities(reader: Reader, names: Iterable[str]) -> dict[str, EntityRow]:
    """Entities by id, canonical name and alias; an active one goes before an archived one, and
    what is called so before what is called so beside its name."""
    wanted = sorted({name for name in names if name})
    if not wanted:
        return {}
    rows = reader.rows(_ENTITIES, ids=wanted, names=[name_key(name) for name in wanted])
    entities: dict[str, EntityRow] = {}
    for row in sorted(rows, key=lambda row: (row["status"] == "active", row["by_name"])):
        entities[row["id"]] = entities[text(row["called"])] = entity_row(row)
    return entities


def _target(given: _Given, rows: _Stored) -> Target:
    first = given.first
    entities = rows.entities
    memory, assertion = rows.memories.get(first["memory"]), rows.assertions.get(first["assertion"])
    value, link = rows.values.get(first["attribute"]), rows.links.get(first["link"])
    aspect = rows.aspects.get(first["aspect"])
    owner, other = _first(entities, given.entity), _first(entities, given.other)
    link_type = first["link_type"]
    if value is not None:
        owner = owner or entities.get(value["entity_id"])
    if memory is not None:
        owner = entities.get(memory["entity_id"])
    if assertion is not None:
        owner = entities.get(assertion["subject_entity_id"])
    if link is not None:
        owner = entities.get(link["source_entity_id"])
        other = entities.get(link["target_entity_id"])
        link_type = link_type or text(link["dependency_type"])
    stored = value or dict.fromkeys(("aspect", "group_key", "claim_key", "kind", "content"))
    return Target(
        info=given.info, entity=owner,
        name=owner.name if owner else next(reversed(given.entity), ""),
        entity_type=first["entity_type"], new_name=first["new_name"],
        aspect=text(aspect["name"]) if aspect else first["aspect"] or text(stored["aspect"]),
        group_key=slot_key(first["group_key"] or stored["group_key"], "general") or "general",
        claim_key=slot_key(first["claim_key"] or stored["claim_key"], "") or "",
        kind=first["kind"] or text(stored["kind"]) or "attribute", value=first["value"],
        other=other, other_name=_other_name(given.other, owner, other),
        attribute_id=first["attribute"], link_id=first["link"], link_type=link_type,
        assertion_id=text(assertion["id"]) if assertion else first["assertion"],
        content=text((memory or assertion or stored)["content"]),
        found=all(row is not None for role, row in (
            ("attribute", value), ("link", link), ("memory", memory),
            ("assertion", assertion)) if first[role]),
    )


def _other_name(given: Sequence[str], owner: EntityRow | None, other: EntityRow | None) -> str:
    """The name of the far end, or what the payload calls it if there is no such entity.

    What was merged leads to what it became: its own name tells what the merge was with.
    """
    merged = other is not None and owner is not None and other.id == owner.id
    if other is not None and not (merged and given):
        return other.name
    return given[-1] if given else ""


def _first(entities: Mapping[str, EntityRow], names: Iterable[str]) -> EntityRow | None:
    for name in names:
        entity = entities.get(name) or entities.get(name_key(name))
        if entity:
            return entity
    return None
