"""What `core.queries.knowledge` reads as JSON, in upstream's shapes and with its keys (camelCase).

An item lists active claims, and counts attributes and constraints of active values alone, whether
it is an entity, an aspect, a group or a claim. Only `preview` is cut: `values` has every value in
full. Groups and claims come in the one order of `core.queries.rows_to_model.CLAIM_ORDER`.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from core.model.claims_and_assertions import Aspect, Claim, Group, Slot, Value
from core.model.entity import Entity
from core.model.link import Link
from core.model.names import slot_key
from core.model.text_formatting import one_line
from core.model.times import parse_time
from core.queries import claims as claim_queries
from core.queries.entities import entity_in_full, find_entity, get_entities
from core.queries.knowledge import EVERY, KNOWN, aspect_called, aspects_of
from core.store.reader_and_writer import Reader
from explorer.model_json import camel, plain

Json = dict[str, Any]

PREVIEW = 140
"""Characters of a claim's preview."""

_ENTITY = ("id", "name", "canonical_name", "entity_type", "agent_id", "description", "mentions",
           "pinned", "pinned_at", "muted", "held", "status", "archived_at", "archived_by",
           "archive_reason", "proposal_id", "proposal_evidence", "created_at", "updated_at")
_ASPECT = ("id", "entity_id", "agent_id", "name", "canonical_name", "weight", "status",
           "archived_at", "archived_by", "archive_reason", "proposal_id", "created_at",
           "updated_at")
_LINK = ("id", "dependency_type", "strength", "confidence", "reason", "status", "source_kind",
         "source_path", "proposal_id", "aspect_id", "source_entity_id", "target_entity_id",
         "created_at", "updated_at")
_VERSION = ("id", "version", "version_root_id", "previous_attribute_id", "content", "status",
            "confidence", "proposal_id", "source_kind", "source_id", "source_path", "created_at",
            "updated_at")


def entities(reader: Reader, ids: Sequence[str]) -> list[Json]:
    """Entities with the counts of their active rows, in the order of their ids."""
    return [_counted(entity) for entity in get_entities(reader, ids)]


def entity(reader: Reader, selector: str) -> Json:
    """One active entity with its counts.

    Raises:
        OperationError: 404 or 409, as every selector does.
    """
    owner = _owner(reader, selector)
    counted = _counted(owner)
    density = {"aspects": owner.aspects, "attributes": owner.attributes,
               "constraints": owner.constraints, "dependencies": counted["dependencyCount"]}
    return {**counted, "structuralDensity": density, "incomingDependencyCount": owner.links_in,
            "outgoingDependencyCount": owner.links_out}


def tree(
    reader: Reader, selector: str, *, max_aspects: int = 20, max_groups: int = 20,
    max_claims: int = 50, depth: int = 3,
) -> Json:
    """An entity's aspects; from depth 2 with their groups, from depth 3 with claims in force."""
    owner = _owner(reader, selector)
    items = []
    for aspect in aspects_of(reader, owner.id, statuses=KNOWN)[:max_aspects]:
        groups = [_group(group) for group in aspect.groups]
        item = {"aspect": _fields(aspect, _ASPECT), **_kinds(_values(aspect.groups)),
                "groupCount": len(groups),
                "claimCount": sum(group["claimCount"] for group in groups)}
        if depth >= 2:
            item["groups"] = groups[:max_groups]
        if depth >= 3:
            for group, json in zip(aspect.groups, item["groups"], strict=False):
                json["claims"] = [claim for claim in _claims(group)
                                  if claim["activeCount"]][:max_claims]
        items.append(item)
    return {"entity": _fields(owner, _ENTITY), "items": items}


def aspects(reader: Reader, selector: str) -> Json:
    """An entity's active aspects, highest weight first, with the counts of their active values."""
    owner = _owner(reader, selector)
    return {"entity": _fields(owner, _ENTITY), "items": [
        {"aspect": _fields(aspect, _ASPECT), "attributeCount": aspect.attributes,
         "constraintCount": aspect.constraints} for aspect in aspects_of(reader, owner.id)]}


def groups(reader: Reader, selector: str, aspect: str) -> Json:
    """The groups of an aspect; `general` has the values without a group key."""
    owner = _owner(reader, selector)
    chosen = aspect_called(reader, owner.id, aspect)
    return _of_aspect(owner, chosen, [_group(group) for group in chosen.groups])


def claims(
    reader: Reader, selector: str, aspect: str, group: str, *, limit: int = 50, offset: int = 0
) -> Json:
    """The claims of a group in the order of every list (`CLAIM_ORDER`), those in force first."""
    owner = _owner(reader, selector)
    chosen = aspect_called(reader, owner.id, aspect)
    items = [claim for each in chosen.groups if each.key == slot_key(group, "general")
             for claim in _claims(each)]
    return {**_of_aspect(owner, chosen, items[offset:offset + limit]),
            "limit": limit, "offset": offset}


def attributes(
    reader: Reader, selector: str, aspect: str, group: str, claim: str, *, kind: str = "",
    status: str = "active", limit: int = 50, offset: int = 0,
) -> Json:
    """The values of a claim, newest first; `status` may be `all`."""
    owner = _owner(reader, selector)
    chosen = aspect_called(reader, owner.id, aspect, EVERY if status == "all" else [status])
    values = [value for each in chosen.groups if each.key == slot_key(group, "general")
              for slot in each.claims if slot_key(slot.claim_key) == slot_key(claim)
              and kind in ("", slot.kind) for value in slot.values]
    values.sort(key=lambda value: value.importance, reverse=True)
    values.sort(key=lambda value: value.created_at.replace("T", " "), reverse=True)
    return {**_of_aspect(owner, chosen, [plain(value) for value in values[offset:offset + limit]]),
            "limit": limit, "offset": offset}


def aspect_values(
    reader: Reader, selector: str, aspect: str, *, kind: str = "", status: str = "all"
) -> list[Json]:
    """Every value of an aspect, the most important first, then the newest."""
    owner = _owner(reader, selector)
    chosen = aspect_called(reader, owner.id, aspect, EVERY if status == "all" else [status])
    values = [value for value in _values(chosen.groups) if kind in ("", value.kind)]
    values.sort(key=lambda value: value.created_at.replace("T", " "), reverse=True)
    values.sort(key=lambda value: value.importance, reverse=True)
    return [_whole(value) for value in values]


def dependency(link: Link, name: str) -> Json:
    """A link as read from the entity of this name, with the names of both its ends."""
    out = link.direction == "out"
    ends = (name, link.other_name) if out else (link.other_name, name)
    return {**_fields(link, _LINK), "direction": "outgoing" if out else "incoming",
            "sourceEntityName": ends[0], "targetEntityName": ends[1]}


def versions(
    reader: Reader, selector: str, aspect: str, group: str, claim: str, *,
    kind: str = "attribute",
) -> Json:
    """A claim's versions, newest first; an archived entity's history can be read too."""
    owner = find_entity(reader, selector, archived=True)
    chosen = aspect_called(reader, owner.id, aspect)
    return versions_in(reader, Slot(
        owner.id, chosen.id, kind, slot_key(group, "general"), slot_key(claim, "")))


def versions_in(reader: Reader, slot: Slot) -> Json:
    """The versions of a slot, newest first."""
    items = [{**_fields(version.value, _VERSION), "inForce": plain(version.spans),
              "againSince": version.again_since or None}
             for version in claim_queries.versions(reader, slot)]
    return {"items": items, "count": len(items)}


def _owner(reader: Reader, selector: str) -> Entity:
    return entity_in_full(reader, find_entity(reader, selector).id, selector)


def _fields(thing: object, names: Iterable[str]) -> Json:
    return {camel(name): plain(getattr(thing, name)) for name in names}


def _whole(value: Value) -> Json:
    whole = plain(value)
    assert isinstance(whole, dict)
    return whole


def _of_aspect(owner: Entity, aspect: Aspect, items: Sequence[object]) -> Json:
    return {"entity": _fields(owner, _ENTITY), "aspect": _fields(aspect, _ASPECT),
            "items": list(items)}


def _counted(entity: Entity) -> Json:
    return {"entity": _fields(entity, _ENTITY), "aspectCount": entity.aspects,
            "attributeCount": entity.attributes, "constraintCount": entity.constraints,
            "dependencyCount": entity.links_out + entity.links_in}


def _values(groups: Iterable[Group]) -> list[Value]:
    return [value for group in groups for claim in group.claims for value in claim.values]


def _kinds(values: Iterable[Value]) -> Json:
    kinds = Counter(value.kind == "constraint" for value in values if value.status == "active")
    return {"attributeCount": kinds[False], "constraintCount": kinds[True]}


def _latest(values: Iterable[Value]) -> str | None:
    """The last change among the values, whatever form their times have."""
    dated = [(moment, value.updated_at) for value in values
             if (moment := parse_time(value.updated_at))]
    return max(dated)[1] if dated else None


def _group(group: Group) -> Json:
    values = _values([group])
    return {"groupKey": group.key, **_kinds(values),
            "claimCount": sum(1 for claim in group.claims if claim.claim_key),
            "latestUpdatedAt": _latest(values)}


def _claims(group: Group) -> list[Json]:
    return sorted(map(_claim, group.claims), key=lambda item: item["activeCount"] == 0)


def _claim(claim: Claim) -> Json:
    """A claim of a group; `claimKey` is None for a value that stands alone."""
    shown = claim.in_force or claim.values
    return {
        "claimKey": slot_key(claim.claim_key), "groupKey": claim.group_key, "kind": claim.kind,
        **_kinds(claim.values), "activeCount": len(claim.in_force),
        "supersededCount": sum(value.status == "superseded" for value in claim.values),
        "versions": claim.versions, "latestUpdatedAt": _latest(claim.values),
        "preview": one_line(shown[0].content, PREVIEW, "..."),
        "values": [plain(value) for value in claim.in_force],
    }
