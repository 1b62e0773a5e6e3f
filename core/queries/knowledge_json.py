"""The navigation answers as JSON, in upstream's shapes and with its keys (camelCase)."""

from collections import Counter
from collections.abc import Iterable, Sequence

from core.errors import OperationError
from core.model.claim import Slot
from core.model.names import canonical, slot_key
from core.model.times import parse_time
from core.queries.claims import versions as slot_versions
from core.queries.entities import find_entity
from core.queries.rows import CLAIM_KEY, ENTITY_ORDER, GROUP_KEY, text
from core.queries.search_patterns import like
from core.queries.selectors import no_aspect_called
from core.queries.shapes import (
    Json,
    aspect_json,
    attribute_json,
    counted_json,
    entity_json,
    version_json,
)
from core.store.database import Row
from core.store.handles import Reader

PREVIEW = 140
"""Characters of a value that a claim shows."""

_VALUE_COUNT = """
 (SELECT COUNT(*) FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
   WHERE s.entity_id = e.id AND +s.status = 'active' AND +v.status = 'active'
   AND +v.agent_id = :agent AND +v.kind = '{kind}')"""
_LINK_COUNT = """
 (SELECT COUNT(*) FROM entity_dependencies d LEFT JOIN entities o ON o.id = d.{far}_entity_id
   WHERE d.{near}_entity_id = e.id AND +d.agent_id = :agent AND +d.status = 'active'
   AND COALESCE(o.status, 'active') = 'active')"""
_COUNTED = f"""
SELECT e.*,
 (SELECT COUNT(*) FROM entity_aspects s WHERE s.entity_id = e.id AND +s.status = 'active')
   AS aspect_count,
 {_VALUE_COUNT.format(kind="attribute")} AS attribute_count,
 {_VALUE_COUNT.format(kind="constraint")} AS constraint_count,
 {_LINK_COUNT.format(near="source", far="target")} AS outgoing_count,
 {_LINK_COUNT.format(near="target", far="source")} AS incoming_count
FROM entities e WHERE e.agent_id = :agent"""

_ASPECTS = """
SELECT s.* FROM entity_aspects s
WHERE s.entity_id = :entity AND +s.agent_id = :agent AND +s.status = 'active'
ORDER BY s.weight DESC, s.name"""
_ASPECT = """
SELECT s.* FROM entity_aspects s
WHERE s.entity_id = :entity AND +s.agent_id = :agent
  AND (s.id = :selector OR s.canonical_name = :name)
ORDER BY s.status, s.id"""

# Everything that is not deleted, one row a value: the counts of a group, claim and aspect are
# all sums over it. The content is cut here, so that long values do not travel for a preview.
_SLOTS = f"""
SELECT v.aspect_id, v.kind, v.status, v.claim_key, {GROUP_KEY} AS group_key, v.updated_at,
  substr(v.content, 1, {PREVIEW + 1}) AS content
FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE s.entity_id = :entity AND +s.agent_id = :agent AND +v.agent_id = :agent
  AND +v.status <> 'deleted' AND (:aspect IS NULL OR s.id = :aspect)"""

_VALUES = f"""
SELECT v.* FROM entity_attributes v
WHERE v.aspect_id = :aspect AND +v.agent_id = :agent AND {GROUP_KEY} = :group
  AND {CLAIM_KEY} = :claim AND (:kind = '' OR +v.kind = :kind)
  AND (:status = 'all' OR +v.status = :status)
ORDER BY replace(v.created_at, 'T', ' ') DESC, v.importance DESC, v.id
LIMIT :limit OFFSET :offset"""


def entities(
    reader: Reader, *, query: str = "", entity_type: str = "", limit: int = 50, offset: int = 0
) -> Json:
    """Active entities by type and by a part of the canonical name, in the seeds' order."""
    items = reader.rows(
        f"{_COUNTED} AND e.status = 'active'"
        " AND (:type = '' OR e.entity_type = :type)"
        " AND (:query = '' OR e.canonical_name LIKE :name ESCAPE '\\')"
        f" ORDER BY {ENTITY_ORDER} LIMIT :limit OFFSET :offset",
        type=entity_type, query=canonical(query), name=like(canonical(query)), limit=limit,
        offset=offset)
    return {"items": [counted_json(row) for row in items], "limit": limit, "offset": offset}


def entity(reader: Reader, selector: str) -> Json:
    """One active entity with its counts.

    Raises:
        OperationError: 404 or 409, as every selector does.
    """
    row = _owner(reader, selector)
    found = counted_json(row)
    density = {"aspects": found["aspectCount"], "attributes": found["attributeCount"],
               "constraints": found["constraintCount"], "dependencies": found["dependencyCount"]}
    return {**found, "structuralDensity": density,
            "incomingDependencyCount": row["incoming_count"],
            "outgoingDependencyCount": row["outgoing_count"]}


def tree(
    reader: Reader, selector: str, *, max_aspects: int = 20, max_groups: int = 20,
    max_claims: int = 50, depth: int = 3,
) -> Json:
    """An entity's aspects; from depth 2 with their groups, from depth 3 with their claims."""
    owner = _owner(reader, selector)
    slots = _slots(reader, owner["id"])
    items = []
    for row in reader.rows(_ASPECTS, entity=owner["id"])[:max_aspects]:
        mine = [slot for slot in slots if slot["aspect_id"] == row["id"]]
        found = _groups(mine)
        item: Json = {"aspect": aspect_json(row), **_kinds(mine), "groupCount": len(found),
                      "claimCount": len({_claim(slot) for slot in mine if slot["claim_key"]})}
        if depth >= 2:
            item["groups"] = [
                {**group, "claims": _claims(mine, group["groupKey"])[:max_claims]}
                if depth >= 3 else group for group in found[:max_groups]]
        items.append(item)
    return {"entity": entity_json(owner), "items": items}


def aspects(reader: Reader, selector: str) -> Json:
    """An entity's active aspects, heaviest first, with the counts of their active values."""
    owner = _owner(reader, selector)
    active = [slot for slot in _slots(reader, owner["id"]) if slot["status"] == "active"]
    return {"entity": entity_json(owner), "items": [
        {"aspect": aspect_json(row),
         **_kinds([slot for slot in active if slot["aspect_id"] == row["id"]])}
        for row in reader.rows(_ASPECTS, entity=owner["id"])]}


def groups(reader: Reader, selector: str, aspect: str) -> Json:
    """The groups of an aspect; `general` holds the values without a group key."""
    owner = _owner(reader, selector)
    found = _aspect(reader, owner["id"], aspect)
    return {"entity": entity_json(owner), "aspect": aspect_json(found),
            "items": _groups(_slots(reader, owner["id"], found["id"]))}


def claims(
    reader: Reader, selector: str, aspect: str, group: str, *, limit: int = 50, offset: int = 0
) -> Json:
    """The claims of a group: those with active values first, then the last changed."""
    owner = _owner(reader, selector)
    found = _aspect(reader, owner["id"], aspect)
    slots = _slots(reader, owner["id"], found["id"])
    return {"entity": entity_json(owner), "aspect": aspect_json(found),
            "items": _claims(slots, slot_key(group, "general"))[offset:offset + limit],
            "limit": limit, "offset": offset}


def attributes(
    reader: Reader, selector: str, aspect: str, group: str, claim: str, *, kind: str = "",
    status: str = "active", limit: int = 50, offset: int = 0,
) -> Json:
    """The values of a claim, newest first; `status` may be `all`."""
    owner = _owner(reader, selector)
    found = _aspect(reader, owner["id"], aspect)
    rows = reader.rows(
        _VALUES, aspect=found["id"], group=slot_key(group, "general"), claim=slot_key(claim, ""),
        kind=kind, status=status, limit=limit, offset=offset)
    return {"entity": entity_json(owner), "aspect": aspect_json(found),
            "items": [attribute_json(row) for row in rows], "limit": limit, "offset": offset}


def versions(
    reader: Reader, selector: str, aspect: str, group: str, claim: str, *,
    kind: str = "attribute",
) -> Json:
    """A claim's versions, newest first; an archived entity's history can be read too."""
    owner = find_entity(reader, selector, archived=True)
    found = _aspect(reader, owner.id, aspect)
    slot = Slot(owner.id, found["id"], kind, slot_key(group, "general"), slot_key(claim, ""))
    items = [version_json(version.value) for version in slot_versions(reader, slot)]
    return {"items": items, "count": len(items)}


def _owner(reader: Reader, selector: str) -> Row:
    found = find_entity(reader, selector)
    return reader.rows(f"{_COUNTED} AND e.id = :id", id=found.id)[0]


def _aspect(reader: Reader, entity_id: str, selector: str) -> Row:
    """The aspect that `selector` means, an active one before an archived one.

    Raises:
        OperationError: 404 if nothing is meant, 409 if more than one aspect is.
    """
    found = reader.rows(_ASPECT, entity=entity_id, selector=selector.strip(),
                        name=canonical(selector))
    active = [row for row in found if row["status"] == "active"] or found
    if not active:
        raise no_aspect_called(reader, entity_id, selector)
    if len(active) > 1:
        raise OperationError(409, f"Aspect selector is ambiguous: {selector}", do="Use an id")
    return active[0]


def _slots(reader: Reader, entity_id: str, aspect_id: str | None = None) -> list[Row]:
    return reader.rows(_SLOTS, entity=entity_id, aspect=aspect_id)


def _claim(slot: Row) -> tuple[str, str]:
    return slot["group_key"], slot_key(slot["claim_key"]) or ""


def _kinds(slots: Iterable[Row]) -> Json:
    count = Counter(slot["kind"] == "constraint" for slot in slots)
    return {"attributeCount": count[False], "constraintCount": count[True]}


def _latest(slots: Sequence[Row]) -> str | None:
    """The last change among the rows, whatever form their times have."""
    dated = [(moment, text(slot["updated_at"])) for slot in slots
             if (moment := parse_time(slot["updated_at"]))]
    return max(dated)[1] if dated else None


def _groups(slots: Sequence[Row]) -> list[Json]:
    found: dict[str, list[Row]] = {}
    for slot in slots:
        found.setdefault(slot["group_key"], []).append(slot)
    return [{"groupKey": key, **_kinds(mine),
             "claimCount": len({_claim(slot) for slot in mine if slot["claim_key"]}),
             "latestUpdatedAt": _latest(mine)}
            for key, mine in sorted(found.items())]


def _claims(slots: Sequence[Row], group: object) -> list[Json]:
    found: dict[str, list[Row]] = {}
    for slot in slots:
        if slot["group_key"] == group and slot["claim_key"]:
            found.setdefault(_claim(slot)[1], []).append(slot)
    items = [_claim_json(key, str(group), mine) for key, mine in sorted(found.items())]
    # Two stable sorts: the last changed first, and of these the ones with active values.
    items.sort(key=lambda item: text(item["latestUpdatedAt"]).replace("T", " "), reverse=True)
    items.sort(key=lambda item: item["activeCount"] == 0)
    return items


def _claim_json(key: str, group: str, slots: Sequence[Row]) -> Json:
    active = [slot for slot in slots if slot["status"] == "active"]
    shown = max(active or slots, key=lambda slot: text(slot["updated_at"]).replace("T", " "))
    preview = " ".join(text(shown["content"]).split())
    return {
        "claimKey": key, "groupKey": group, **_kinds(slots), "activeCount": len(active),
        "supersededCount": sum(slot["status"] == "superseded" for slot in slots),
        "latestUpdatedAt": _latest(slots),
        "preview": preview if len(preview) <= PREVIEW else preview[:PREVIEW - 3] + "...",
    }
