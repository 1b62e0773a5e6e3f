"""Reads the parts of an entity: aspects, groups, claims, values, constraints."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec.structs import replace

from core.model.claims_and_assertions import Aspect, Claim, Group, Slot, Value
from core.model.names import name_key, slot_key
from core.model.vocabulary import FINISHED_TASKS
from core.queries.find_by_name_or_id import find_aspect, match_aspects
from core.queries.first_values_of_groups import FirstValues, Most, Part, first_values
from core.queries.hide_writes_of_held_agents import waiting_rows
from core.queries.outdated_memories import FINISHED
from core.queries.rows_to_model import (
    CLAIM_ORDER,
    GROUP_KEY,
    VALUE_COLUMNS,
    aspect_of,
    text,
    value_of,
)
from core.store.database import Row
from core.store.reader_and_writer import Reader

KNOWN = ("active", "superseded")
"""The statuses of values that were not archived."""
EVERY = (*KNOWN, "deleted")

_ASPECTS = """
SELECT s.* FROM entity_aspects s
WHERE s.entity_id = :entity AND +s.agent_id = :agent
  AND (:archived OR +s.status = 'active')
ORDER BY s.weight DESC, s.name, s.id"""
_BY_WEIGHT = """
SELECT s.* FROM entity_aspects s
WHERE s.entity_id = :entity AND s.status = 'active' AND +s.agent_id = :agent
ORDER BY s.weight DESC, s.updated_at DESC, s.id LIMIT :limit"""

_VALUES = f"""
SELECT {VALUE_COLUMNS} FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
LEFT JOIN entity_attributes r ON r.id = v.version_root_id AND +r.agent_id = :agent
WHERE s.entity_id = :entity AND +s.agent_id = :agent AND +v.agent_id = :agent
  AND +v.status IN (SELECT value FROM json_each(:statuses))
ORDER BY {CLAIM_ORDER}"""

_VERSIONS = f"""
SELECT v.aspect_id, v.kind, {GROUP_KEY} AS group_place, v.claim_key, COUNT(*) AS versions
FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE s.entity_id = :entity AND +s.agent_id = :agent AND +v.agent_id = :agent
  AND COALESCE(v.claim_key, '') <> ''
GROUP BY v.aspect_id, v.kind, {GROUP_KEY}, v.claim_key"""

# Rows without a claim key that belong to a chain, as `claims.versions` follows it.
_NEAR = """
(SELECT o.id FROM entity_attributes o WHERE o.id = v.{column} AND +o.agent_id = :agent
  AND +o.aspect_id = v.aspect_id AND +o.kind = v.kind)"""
_CHAINED = f"""
SELECT v.id, {_NEAR.format(column="version_root_id")} AS root,
  {_NEAR.format(column="superseded_by")} AS successor
FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE s.entity_id = :entity AND +s.agent_id = :agent AND +v.agent_id = :agent
  AND COALESCE(v.claim_key, '') = ''
  AND (v.superseded_by IS NOT NULL OR v.version_root_id <> v.id)"""

_Key = tuple[str, str, str, str]
"""A slot within an entity: aspect id, kind, group and claim key in canonical form.

In place of the claim key a row that has none carries its own id, which stands alone.
"""

PendingSlots = Mapping[tuple[str, str, str], int]
"""How many proposals wait by canonical aspect name, group and claim key."""


def aspects_of(
    reader: Reader, entity_id: str, *, archived: bool = False,
    statuses: Collection[str] | None = None, pending: PendingSlots | None = None,
    most: Most | None = None, also: Sequence[Slot] = (),
) -> tuple[Aspect, ...]:
    """The tree under an entity, highest aspect weight first, in a fixed number of statements.

    Args:
        archived: also archived aspects, and values that were archived.
        statuses: the values of these statuses, instead of the active ones (and archived).
        pending: the number of pending proposals for each slot, as `core.review` counts them.
        most: how many values to read of each group, with all of their claims; else all. Claims
            that proposals wait for are read wherever they stand.
        also: slots that are read wherever they stand.
    """
    aspects = reader.rows(_ASPECTS, entity=entity_id, archived=archived)
    if not aspects:
        return ()
    statuses = statuses or (("active", "deleted") if archived else ("active",))
    pending = pending or {}
    first = first_values(
        reader, entity_id, statuses, most, _wherever(aspects, pending, also),
        [slot.attribute_id for slot in also if slot.attribute_id]) if most is not None else None
    rows = first.rows if first else reader.rows(
        _VALUES, entity=entity_id, statuses=list(statuses))
    by_aspect: defaultdict[str, list[Value]] = defaultdict(list)
    held = waiting_rows(reader).values
    for row in rows:
        value = value_of(row, entity_id)
        by_aspect[row["aspect_id"]].append(
            replace(value, held=True) if value.id in held else value)
    versions = _versions(reader, entity_id, first)
    tree = (_with_groups(aspect_of(row), by_aspect[row["id"]], versions, pending)
            for row in aspects)
    return tuple(_counted(aspect, first) if first else aspect for aspect in tree)


def aspect_called(
    reader: Reader, entity_id: str, selector: str, statuses: Collection[str] = KNOWN
) -> Aspect:
    """The aspect with this id or name, with its values: an active one before an archived one.

    Raises:
        OperationError: 404 if nothing matches, 409 if more than one aspect does.
    """
    status = "active" if match_aspects(reader, entity_id, selector) else "archived"
    id = find_aspect(reader, entity_id, selector, status)["id"]
    return next(aspect for aspect in aspects_of(reader, entity_id, archived=True, statuses=statuses)
                if aspect.id == id)


def get_aspect(reader: Reader, aspect_id: str) -> Aspect | None:
    """One aspect without its values, whatever its status; None if not found."""
    row = reader.row("SELECT s.* FROM entity_aspects s WHERE s.id = :id AND +s.agent_id = :agent",
                     id=aspect_id)
    return None if row is None else aspect_of(row)


def heaviest_aspects(reader: Reader, entity_id: str, *, limit: int = 200) -> tuple[Aspect, ...]:
    """An entity's active aspects in the order in which a walk takes them, without their values."""
    return tuple(map(aspect_of, reader.rows(_BY_WEIGHT, entity=entity_id, limit=limit)))


def constraints_of(reader: Reader, entity_id: str) -> tuple[Value, ...]:
    """The entity's active constraints in the order of every list of claims."""
    rows = reader.rows(
        f"SELECT {VALUE_COLUMNS} FROM entity_aspects s"
        " CROSS JOIN entity_attributes v ON v.aspect_id = s.id"
        " LEFT JOIN entity_attributes r ON r.id = v.version_root_id AND +r.agent_id = :agent"
        " WHERE s.entity_id = :entity AND +s.agent_id = :agent AND +s.status = 'active'"
        " AND +v.agent_id = :agent AND v.status = 'active' AND v.kind = 'constraint'"
        f" ORDER BY {CLAIM_ORDER}", entity=entity_id)
    held = waiting_rows(reader).values
    return tuple(replace(value_of(row, entity_id), held=row["id"] in held) for row in rows)


def constraints_in_force(reader: Reader, *, limit: int = 1000) -> list[tuple[str, str]]:
    """Every constraint that binds the agent, with its entity's name: the most important first.

    Those of muted entities and of finished tasks bind nobody.
    """
    return [(text(row["name"]), text(row["content"])) for row in reader.rows(
        _IN_FORCE, finished=list(FINISHED_TASKS), limit=limit)]


_IN_FORCE = f"""
SELECT e.name, v.content FROM entity_attributes v
CROSS JOIN entity_aspects s ON s.id = v.aspect_id CROSS JOIN entities e ON e.id = s.entity_id
WHERE v.agent_id = :agent AND v.kind = 'constraint' AND v.status = 'active'
  AND s.status = 'active' AND e.status = 'active' AND e.muted = 0 AND +e.agent_id = :agent
  AND NOT {FINISHED.format(entity="e.id")}
ORDER BY v.importance DESC, e.name, v.id LIMIT :limit"""


def _versions(
    reader: Reader, entity_id: str, first: FirstValues | None
) -> Counter[_Key | str]:
    """How many versions there are by slot, and by id for chained rows without a claim key."""
    counts: Counter[_Key | str] = Counter()
    for row in first.versions if first else reader.rows(_VERSIONS, entity=entity_id):
        counts[row["aspect_id"], text(row["kind"]), row["group_place"],
               slot_key(row["claim_key"]) or ""] += row["versions"]
    if first is None or first.unkeyed:
        for chain in _chains(reader.rows(_CHAINED, entity=entity_id)):
            counts.update(dict.fromkeys(chain, len(chain)))
    return counts


def _wherever(
    aspects: Iterable[Row], pending: PendingSlots, also: Iterable[Slot]
) -> set[tuple[str, str, str]]:
    """The slots with a claim key that are read wherever they stand: aspect's id, group, claim."""
    slots = {(slot.aspect_id, slot_key(slot.group_key, "general") or "",
              slot_key(slot.claim_key) or "") for slot in also}
    if pending:
        named = {name_key(text(row["name"])): row["id"] for row in aspects}
        slots |= {(named[aspect], group, claim) for aspect, group, claim in pending
                  if aspect in named}
    return {slot for slot in slots if slot[2]}


def _counted(aspect: Aspect, first: FirstValues) -> Aspect:
    """An aspect of which not all values may have been read, with the number of all."""
    def of(counts: Mapping[Part, int], binds: bool, group: str = "") -> int:
        return sum(count for part, count in counts.items() if part.aspect == aspect.id
                   and part.binds == binds and group in ("", part.group))

    return replace(
        aspect, attributes=of(first.active, False), constraints=of(first.active, True),
        groups=tuple(replace(group, attributes=of(first.counts, False, group.key),
                             constraints=of(first.counts, True, group.key))
                     for group in aspect.groups))


def _slot_of(value: Value) -> _Key:
    return (value.aspect_id or "", value.kind, slot_key(value.group_key, "general") or "general",
            slot_key(value.claim_key) or value.id)


def _chains(rows: Iterable[Row]) -> list[set[str]]:
    """The sets of values that are linked by their root or by what superseded them."""
    chain_of: dict[str, set[str]] = {}
    for row in rows:
        joined: set[str] = set()
        for member in (row["id"], row["root"], row["successor"]):
            if member:
                joined |= chain_of.get(member, {member})
        chain_of.update(dict.fromkeys(joined, joined))
    return list({id(chain): chain for chain in chain_of.values()}.values())


def _with_groups(
    aspect: Aspect, values: list[Value], versions: Counter[_Key | str], pending: PendingSlots
) -> Aspect:
    groups: defaultdict[str, defaultdict[_Key, list[Value]]] = defaultdict(
        lambda: defaultdict(list))
    for value in values:
        slot = _slot_of(value)
        groups[slot[2]][slot].append(value)
    name = name_key(aspect.name)
    active = Counter(value.kind == "constraint" for value in values if value.status == "active")
    kinds = Counter((slot_key(value.group_key, "general"), value.kind == "constraint")
                    for value in values)
    return replace(aspect, attributes=active[False], constraints=active[True], groups=tuple(
        Group(key, tuple(_claim((name, key, slot[3]), in_slot, versions[slot], versions, pending)
                         for slot, in_slot in groups[key].items()),
              kinds[key, False], kinds[key, True])
        for key in sorted(groups, key=lambda key: (key != "general", key))))


def _claim(
    place: tuple[str, str, str], values: Sequence[Value], of_slot: int,
    versions: Mapping[_Key | str, int], pending: PendingSlots,
) -> Claim:
    """A slot's values, active and newest ones first.

    Args:
        place: its aspect, group and claim key, as `pending` counts them.
        of_slot: how many versions its slot has, if it has a claim key.
    """
    newest = sorted(values, key=lambda value: (value.status == "active", value.version,
                                               value.created_at), reverse=True)
    first = newest[0]
    keyed = slot_key(first.claim_key) is not None
    return Claim(
        claim_key=first.claim_key, group_key=place[1], kind=first.kind, values=tuple(newest),
        versions=of_slot if keyed else versions.get(first.id, 0) or 1,
        pending=pending.get(place, 0) if keyed else 0,
    )
