"""Finds what a proposal's payload is about: entity, aspect, slot, link."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.model.entity import EntityRow
from core.model.names import canonical, slot_key
from core.queries.knowledge import PendingSlots
from core.queries.rows import ENTITY_COLUMNS, entity_row, first_text, json_object, text
from core.store.database import Row
from core.store.handles import Reader

PENDING = 1000
"""Pending proposals that are looked at for what touches an entity or a slot, newest first."""

_ASPECT_OPERATIONS = ("create_aspect", "rename_aspect", "archive_aspect", "restore_aspect",
                      "merge_aspects", "weigh_aspect")
_LINK_OPERATIONS = ("create_link", "update_link", "archive_link", "restore_link",
                    "attach_interface")


@dataclass(frozen=True, slots=True)
class Target:
    """What a payload names, as far as the graph knows it.

    `name` stays as it was written when there is no such entity; `other` is the far end of a link.
    """

    entity: EntityRow | None = None
    name: str = ""
    aspect: str = ""
    group_key: str = "general"
    claim_key: str = ""
    kind: str = "attribute"
    other: EntityRow | None = None
    other_name: str = ""
    attribute_id: str = ""
    link_id: str = ""
    link_type: str = ""
    content: str = ""
    found: bool = True
    """False if the payload names a value, link or aspect by an id that is not there."""

    @property
    def entity_key(self) -> str:
        """The entity's identity: its id, else its canonical name."""
        return self.entity.id if self.entity else canonical(self.name)

    @property
    def slot(self) -> tuple[str, str, str, str] | None:
        """The claim slot in canonical words, None if the payload is about no slot."""
        if not (self.aspect and self.claim_key):
            return None
        return self.entity_key, canonical(self.aspect), self.group_key, self.claim_key


@dataclass(frozen=True, slots=True)
class Pending:
    """A pending proposal with what it is about."""

    id: str
    operation: str
    payload: Mapping[str, object]
    confidence: float
    target: Target


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of one payload that name something."""

    entity_ids: tuple[str, ...]
    entity: str
    others: tuple[str, ...]
    aspect: str
    attribute: str
    link: str
    payload: Mapping[str, object] = field(default_factory=dict)


def _texts(payload: Mapping[str, object], *keys: str) -> tuple[str, ...]:
    return tuple(found for key in keys if (found := first_text(payload, key)))


def _words(operation: str, payload: Mapping[str, object]) -> _Words:
    """Which keys mean what, by operation (seed 001; aliases as upstream takes them)."""
    others: tuple[str, ...] = ()
    names: tuple[str, ...] = ("entity", "target_entity", "name", "target", "selector")
    ids: tuple[str, ...] = ("entity_id", "target_entity_id", "target_id")
    aspect: tuple[str, ...] = ("aspect", "target_aspect", "aspect_name", "aspect_id")
    if operation in _LINK_OPERATIONS:
        ids, names = ("source_entity_id",), ("source_entity", "source", "entity")
        others = _texts(payload, "target_entity_id", "target_entity", "target", "interface",
                        "interface_name")
    elif operation in _ASPECT_OPERATIONS:
        names = ("entity", "target_entity")
        aspect = ("aspect", "aspect_id", "selector", "target", "name")
    elif operation == "merge_entities":
        names = ("target_entity", "target")
        others = _sources(payload)
    elif operation in ("pin_entity", "unpin_entity", "mute_entity", "unmute_entity"):
        ids = (*ids, "id")
    link = first_text(payload, "id", "dependency_id", "link_id") if (
        operation in ("update_link", "archive_link", "restore_link")) else ""
    return _Words(_texts(payload, *ids), first_text(payload, *names), others,
                  first_text(payload, *aspect), first_text(payload, "attribute_id"), link, payload)


def _sources(payload: Mapping[str, object]) -> tuple[str, ...]:
    """The entities that a merge would take in, under any of its spellings."""
    found = list(_texts(payload, "source_entity_id", "source_entity", "source"))
    for key in ("source_entity_ids", "source_entities", "sources"):
        items = payload.get(key)
        if isinstance(items, (list, tuple)):
            found += [item.strip() for item in items if isinstance(item, str) and item.strip()]
    return tuple(found)


def resolve(
    reader: Reader, payloads: Sequence[tuple[str, Mapping[str, object]]]
) -> list[Target]:
    """What each (operation, payload) is about, in a fixed number of statements."""
    words = [_words(operation, payload) for operation, payload in payloads]
    values = _by_id(reader, _VALUES, {item.attribute for item in words})
    links = _by_id(reader, _LINKS, {item.link for item in words})
    aspects = _by_id(reader, _ASPECTS, {item.aspect for item in words})
    ids = {text_ for item in words for text_ in (*item.entity_ids, item.entity, *item.others)}
    ids |= {row["entity_id"] for row in values.values()}
    ids |= {end for row in links.values()
            for end in (row["source_entity_id"], row["target_entity_id"])}
    entities = _entities(reader, ids)
    return [_target(item, values, links, aspects, entities) for item in words]


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


def _by_id(reader: Reader, statement: str, ids: Iterable[str]) -> dict[str, Row]:
    wanted = sorted(set(ids) - {""})
    return {row["id"]: row for row in reader.rows(statement, ids=wanted)} if wanted else {}


def _entities(reader: Reader, texts: Iterable[str]) -> dict[str, EntityRow]:
    """Entities by id, and by canonical name; an active one goes before an archived one."""
    wanted = sorted({item for item in texts if item})
    if not wanted:
        return {}
    found = reader.rows(
        f"SELECT {ENTITY_COLUMNS}, e.canonical_name FROM entities e"
        " WHERE e.id IN (SELECT value FROM json_each(:ids)) AND +e.agent_id = :agent"
        f" UNION SELECT {ENTITY_COLUMNS}, e.canonical_name FROM entities e"
        " WHERE e.canonical_name IN (SELECT value FROM json_each(:names))"
        " AND e.agent_id = :agent",
        ids=wanted, names=[canonical(item) for item in wanted])
    entities: dict[str, EntityRow] = {}
    for row in sorted(found, key=lambda row: row["status"] == "active"):
        entities[row["id"]] = entities[text(row["canonical_name"])] = entity_row(row)
    return entities


def _target(
    words: _Words, values: Mapping[str, Row], links: Mapping[str, Row],
    aspects: Mapping[str, Row], entities: Mapping[str, EntityRow],
) -> Target:
    payload = words.payload
    value, link = values.get(words.attribute), links.get(words.link)
    owner = _first(entities, *words.entity_ids, words.entity)
    other = _first(entities, *words.others)
    link_type = first_text(payload, "link_type", "dependency_type", "type")
    if value is not None:
        owner = owner or entities.get(value["entity_id"])
    if link is not None:
        owner = entities.get(link["source_entity_id"])
        other = entities.get(link["target_entity_id"])
        link_type = link_type or text(link["dependency_type"])
    aspect = aspects.get(words.aspect)
    written = value or {"aspect": "", "group_key": None, "claim_key": None, "kind": "",
                        "content": ""}
    return Target(
        entity=owner,
        name=owner.name if owner else words.entity or next(iter(words.entity_ids), ""),
        aspect=text(aspect["name"]) if aspect else words.aspect or text(written["aspect"]),
        group_key=slot_key(first_text(payload, "group_key", "group")
                           or written["group_key"], "general") or "general",
        claim_key=slot_key(first_text(payload, "claim_key", "claim")
                           or written["claim_key"], "") or "",
        kind=first_text(payload, "kind") or text(written["kind"]) or "attribute",
        other=other, other_name=other.name if other else next(iter(words.others), ""),
        attribute_id=words.attribute, link_id=words.link, link_type=link_type,
        content=text(written["content"]),
        found=not (words.attribute and value is None) and not (words.link and link is None),
    )


def _first(entities: Mapping[str, EntityRow], *texts: str) -> EntityRow | None:
    for item in texts:
        found = entities.get(item) or entities.get(canonical(item))
        if found:
            return found
    return None


def pending_targets(reader: Reader) -> list[Pending]:
    """The newest pending proposals with what they are about."""
    rows = reader.rows(
        "SELECT id, operation, payload, confidence FROM ontology_proposals"
        " WHERE agent_id = :agent AND status = 'pending'"
        " ORDER BY updated_at DESC, id LIMIT :limit", limit=PENDING)
    asked = [(text(row["operation"]), json_object(row["payload"])) for row in rows]
    return [Pending(row["id"], operation, payload, row["confidence"] or 0.0, target)
            for row, (operation, payload), target
            in zip(rows, asked, resolve(reader, asked), strict=True)]


def pending_of(reader: Reader, entity_id: str) -> list[Pending]:
    """The pending proposals that would touch the entity, from either end of a link."""
    return [item for item in pending_targets(reader)
            if any(end is not None and end.id == entity_id
                   for end in (item.target.entity, item.target.other))]


def pending_slots(pending: Iterable[Pending], entity_id: str) -> PendingSlots:
    """How many of the proposals wait for each slot of the entity."""
    return Counter(
        (canonical(target.aspect), target.group_key, target.claim_key)
        for target in (item.target for item in pending)
        if target.entity is not None and target.entity.id == entity_id and target.aspect)
