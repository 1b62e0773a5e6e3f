"""Reads what hangs on an entity: aspects, groups, claims, values, constraints."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from core.model.claim import Aspect, Claim, Group, Value
from core.model.names import canonical, slot_key
from core.queries.rows import VALUE_COLUMNS, number, text, value_of
from core.queries.targets import pending_targets
from core.store.database import Row
from core.store.handles import Reader

_ASPECTS = """
SELECT s.id, s.entity_id, s.name, s.weight, s.status, s.updated_at FROM entity_aspects s
WHERE s.entity_id = :entity AND +s.agent_id = :agent
  AND (:archived OR +s.status = 'active')
ORDER BY s.weight DESC, s.name, s.id"""

_VALUES = f"""
SELECT {VALUE_COLUMNS} FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE s.entity_id = :entity AND +s.agent_id = :agent AND +v.agent_id = :agent
  AND +v.status IN (SELECT value FROM json_each(:statuses))
ORDER BY v.importance DESC, v.id"""

# Unkeyed rows count by their chain; keyed ones by their slot.
_VERSIONS = """
SELECT v.aspect_id, v.kind, v.group_key, v.claim_key,
  CASE WHEN COALESCE(v.claim_key, '') = '' THEN COALESCE(v.version_root_id, v.id) END AS root,
  COUNT(*) AS versions
FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE s.entity_id = :entity AND +s.agent_id = :agent AND +v.agent_id = :agent
GROUP BY v.aspect_id, v.kind, v.group_key, v.claim_key, root"""

_Key = tuple[str, str, str, str]
"""A slot within an entity: aspect id, kind, group and claim key (or root) in canonical form."""


def aspects_of(
    reader: Reader, entity_id: str, *, archived: bool = False
) -> tuple[Aspect, ...]:
    """The whole tree under an entity, heaviest aspect first, in a fixed number of statements.

    Args:
        archived: also archived aspects, and values that were archived. Superseded values are
            never here: they are read by `claims.versions`.
    """
    aspects = reader.rows(_ASPECTS, entity=entity_id, archived=archived)
    if not aspects:
        return ()
    statuses = ("active", "deleted") if archived else ("active",)
    values = [value_of(row, entity_id)
              for row in reader.rows(_VALUES, entity=entity_id, statuses=statuses)]
    versions: Counter[_Key] = Counter()
    for row in reader.rows(_VERSIONS, entity=entity_id):
        versions[_slot(row["aspect_id"], text(row["kind"]), row["group_key"],
                       row["claim_key"] or None, row["root"])] += row["versions"]
    pending = _pending_slots(reader, entity_id)
    by_aspect: defaultdict[str, list[Value]] = defaultdict(list)
    for value in values:
        by_aspect[value.aspect_id or ""].append(value)
    return tuple(_aspect(row, by_aspect[row["id"]], versions, pending) for row in aspects)


def constraints_of(reader: Reader, entity_id: str) -> tuple[Value, ...]:
    """The entity's active constraints, most important first."""
    found = reader.rows(
        f"SELECT {VALUE_COLUMNS} FROM entity_aspects s"
        " CROSS JOIN entity_attributes v ON v.aspect_id = s.id"
        " WHERE s.entity_id = :entity AND +s.agent_id = :agent AND +s.status = 'active'"
        " AND +v.agent_id = :agent AND v.status = 'active' AND v.kind = 'constraint'"
        " ORDER BY v.importance DESC, v.id", entity=entity_id)
    return tuple(value_of(row, entity_id) for row in found)


def _slot(aspect: str, kind: str, group: str | None, claim: str | None, root: str | None) -> _Key:
    return (aspect, kind, slot_key(group, "general") or "general",
            slot_key(claim) or f"\0{root}")


def _slot_of(value: Value) -> _Key:
    return _slot(value.aspect_id or "", value.kind, value.group_key, value.claim_key,
                 value.version_root_id or value.id)


def _pending_slots(reader: Reader, entity_id: str) -> Counter[tuple[str, str, str]]:
    """Pending proposals of the entity by canonical aspect, group and claim key."""
    return Counter(
        (canonical(target.aspect), target.group_key, target.claim_key)
        for target in (item.target for item in pending_targets(reader))
        if target.entity is not None and target.entity.id == entity_id and target.aspect)


def _aspect(
    row: Row, values: list[Value], versions: Counter[_Key], pending: Counter[tuple[str, str, str]]
) -> Aspect:
    name = text(row["name"])
    groups: defaultdict[str, defaultdict[_Key, list[Value]]] = defaultdict(
        lambda: defaultdict(list))
    for value in values:
        slot = _slot_of(value)
        # Unkeyed rows stand alone even where they share a chain.
        key = slot if value.claim_key else (*slot[:3], f"\0{value.id}")
        groups[slot[2]][key].append(value)
    active = Counter(value.kind == "constraint" for value in values if value.status == "active")
    return Aspect(
        id=row["id"], entity_id=row["entity_id"], name=name,
        weight=number(row["weight"], 0.5), status=text(row["status"]),
        updated_at=text(row["updated_at"]),
        groups=tuple(
            Group(key, tuple(_claim(canonical(name), key, found, versions, pending)
                             for found in groups[key].values()))
            for key in sorted(groups, key=lambda key: (key != "general", key))),
        attributes=active[False], constraints=active[True],
    )


def _claim(
    aspect: str, group: str, values: Iterable[Value], versions: Counter[_Key],
    pending: Counter[tuple[str, str, str]],
) -> Claim:
    newest = sorted(values, key=lambda value: (value.status == "active", value.version,
                                               value.created_at, value.id), reverse=True)
    first = newest[0]
    claim = slot_key(first.claim_key)
    return Claim(
        claim_key=first.claim_key, group_key=group, kind=first.kind, values=tuple(newest),
        versions=versions[_slot_of(first)],
        pending=pending[aspect, group, claim] if claim else 0,
    )
