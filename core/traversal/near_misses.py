"""Finds what nearly came along on a walk, with the rule and the number that kept it out."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from core.model.walk import Miss
from core.queries.rows import MEMORY_VISIBLE, number, text
from core.queries.search_patterns import snippet
from core.store.database import Row
from core.store.handles import Reader
from core.traversal import collect
from core.traversal.collect import hop_of, plain_kind, sureness
from core.traversal.config import TraversalSettings
from core.traversal.journey import Journey
from core.traversal.paths import link_label
from core.traversal.walk_rows import Candidate, Everything, Narrowing

MORE = 20
"""Rows beyond a limit that are looked at, for each entity or aspect."""
FORMER = 5
"""Values of an aspect that are no longer in force, the newest."""
_WIDTH = 140


class Kept(NamedTuple):
    """The rule that kept something out, with its number and the limit."""

    rule: str
    value: float | None = None
    limit: float | None = None


_LINKS = """
SELECT f.value AS source, d.id, d.source_entity_id, d.target_entity_id, d.dependency_type,
  d.strength, d.confidence, d.status, t.name, t.status AS target_status, t.muted
FROM json_each(:entities) f CROSS JOIN entity_dependencies d ON d.id IN (
  SELECT c.id FROM entity_dependencies c
  WHERE c.source_entity_id = f.value AND +c.agent_id = :agent
  ORDER BY c.confidence * c.strength DESC, c.id LIMIT :looked)
LEFT JOIN entities t ON t.id = d.target_entity_id AND +t.agent_id = :agent ORDER BY f.key"""

_ASPECTS = """
SELECT s.id, s.entity_id, s.name, s.canonical_name, s.weight, s.updated_at, s.status
FROM json_each(:entities) f CROSS JOIN entity_aspects s ON s.id IN (
  SELECT a.id FROM entity_aspects a WHERE a.entity_id = f.value AND +a.agent_id = :agent
  ORDER BY a.weight DESC, a.updated_at DESC, a.id LIMIT :looked) ORDER BY f.key"""

_ATTRIBUTES = f"""
SELECT v.id, v.rowid AS place, v.aspect_id, v.content, v.importance, v.status, v.memory_id,
  m.id IS NOT NULL AS known, COALESCE(m.is_deleted, 0) AS is_deleted, m.visibility, m.scope
FROM json_each(:aspects) f CROSS JOIN entity_attributes v ON v.rowid IN (
  SELECT r.rowid FROM entity_attributes r
  WHERE r.aspect_id = f.value AND r.status = 'active' AND {{kind}} AND +r.agent_id = :agent
  ORDER BY r.importance DESC, r.rowid DESC LIMIT :looked)
LEFT JOIN memories m ON m.id = v.memory_id AND {MEMORY_VISIBLE} ORDER BY f.key"""

_FORMER = """
SELECT v.id, v.aspect_id, v.content, v.status
FROM json_each(:aspects) f CROSS JOIN entity_attributes v ON v.rowid IN (
  SELECT r.rowid FROM entity_attributes r
  WHERE r.aspect_id = f.value AND r.status <> 'active' AND +r.agent_id = :agent
  ORDER BY r.rowid DESC LIMIT :former) ORDER BY f.key"""


def near_misses(reader: Reader, journey: Journey) -> tuple[Miss, ...]:
    """What stopped at the door, as far as there is time to look; each kind has its share."""
    share = journey.settings.max_misses // 4
    kinds = (_links(reader, journey), _aspects(reader, journey), _attributes(reader, journey),
             _memories(reader, journey, share))
    return (*_unread(journey), *(miss for kind in kinds for miss in islice(kind, share)))


def _unread(journey: Journey) -> Iterator[Miss]:
    """The entities for whose memories there was no time."""
    if journey.whole:
        return
    read = {side.entity_id for side in journey.sides}
    for stop in journey.stops.values():
        if stop.id not in read:
            yield Miss("entity", stop.id, stop.name, "deadline", None,
                       journey.settings.timeout_ms, stop.id)


def _links(reader: Reader, journey: Journey) -> Iterator[Miss]:
    limits, walked = journey.settings, journey.stops
    rows, _ = reader.rows_in_time(
        _LINKS, entities=[stop.id for stop in journey.focal], looked=limits.max_branching + MORE)
    rows.sort(key=lambda row: -sureness(hop_of(row), limits.weigh_confidence))
    ranks: dict[str, int] = {}
    for row in rows:
        kept = _kept_link(row, limits)
        if kept is None:
            rank = ranks[row["source"]] = ranks.get(row["source"], 0) + 1
            if rank > limits.max_branching:
                kept = Kept("strength rank", rank, limits.max_branching)
            elif row["target_entity_id"] not in walked:
                kept = Kept("links in all", None, limits.max_dependency_hops)
        if kept is not None:
            label = link_label(text(row["dependency_type"]), text(row["name"]))
            yield Miss("link", row["id"], label, kept.rule, kept.value, kept.limit, row["source"])


def _kept_link(row: Row, limits: TraversalSettings) -> Kept | None:
    """The rule that a link fails by itself, None if only others went before it."""
    if row["status"] != "active" or (row["target_status"] or "active") != "active":
        return Kept("archived")
    if row["target_status"] is None:
        return Kept("gone")
    if row["muted"]:
        return Kept("muted")
    hop, sure = hop_of(row), limits.weigh_confidence
    if sure and hop.confidence < limits.min_confidence:
        return Kept("confidence", hop.confidence, limits.min_confidence)
    if sureness(hop, sure) < limits.min_dependency_strength:
        return Kept("strength", sureness(hop, sure), limits.min_dependency_strength)
    return None


def _aspects(reader: Reader, journey: Journey) -> Iterator[Miss]:
    limit, asked = journey.settings.max_aspects_per_entity, journey.asked.aspect.lower()
    rows, _ = reader.rows_in_time(
        _ASPECTS, entities=[stop.id for stop in journey.visited], looked=limit + MORE)
    by_id = {row["id"]: row for row in rows}
    ranks: dict[str, int] = {}
    for side in collect.ranked_sides(rows):
        row, rank = by_id[side.id], None
        if row["status"] != "active":
            rule = "archived"
        elif asked not in text(row["canonical_name"]).lower():
            rule = "aspect filter"
        else:
            rule = "weight rank"
            rank = ranks[side.entity_id] = ranks.get(side.entity_id, 0) + 1
            if rank <= limit:
                continue
        yield Miss("aspect", side.id, side.name, rule, rank, limit if rank else None,
                   side.entity_id)


def _attributes(reader: Reader, journey: Journey) -> Iterator[Miss]:
    sides = {side.id: side for side in journey.sides}
    limit = journey.settings.max_attributes_per_aspect
    rows, _ = reader.rows_in_time(
        _ATTRIBUTES.format(kind=plain_kind(reader, "r")), aspects=list(sides), looked=limit + MORE)
    rows.sort(key=lambda row: (-number(row["importance"], 0.5), -row["place"]))
    seen = {each.attribute_id for each in _candidates(journey)}
    ranks: dict[str, int] = {}
    for row in rows:
        if row["id"] in seen:
            continue
        rule, rank = _kept_attribute(row, journey.asked), None
        if not rule:
            rank = ranks[row["aspect_id"]] = ranks.get(row["aspect_id"], limit) + 1
        yield Miss("attribute", row["id"], _short(row["content"]), rule or "importance rank", rank,
                   limit if rank else None, sides[row["aspect_id"]].entity_id)
    former, _ = reader.rows_in_time(_FORMER, aspects=list(sides), former=FORMER)
    for row in former:
        rule = "superseded" if row["status"] == "superseded" else "archived"
        yield Miss("attribute", row["id"], _short(row["content"]), rule,
                   entity_id=sides[row["aspect_id"]].entity_id)


def _kept_attribute(row: Row, asked: Narrowing) -> str:
    """The rule that an attribute's memory fails, empty if only others went before it."""
    if not row["known"]:
        return "no memory"
    if row["is_deleted"]:
        return "deleted"
    if row["visibility"] == "archived":
        return "archived"
    if not isinstance(asked.scope, Everything) and row["scope"] != asked.scope:
        return "scope"
    return ""


def _memories(reader: Reader, journey: Journey, most: int) -> Iterator[Miss]:
    """Memories that found no room, those of entities that were not reached any more at the end."""
    room = journey.basket.room
    waiting: dict[str, Candidate] = {}
    for each in (*journey.basket.left, *_not_reached(reader, journey)):
        if each.memory_id not in journey.basket.taken:
            waiting.setdefault(each.memory_id, each)
    beyond = _not_mentioned(reader, journey)
    contents = collect.contents(reader, [*list(waiting)[:most], *beyond])
    for place, (id, each) in enumerate(waiting.items(), room + 1):
        if id in contents:
            yield Miss("memory", id, _short(contents[id]), "budget", place, room, each.entity_id)
    limit = journey.settings.max_attributes_per_aspect
    for id, each in beyond.items():
        if id in contents:
            yield Miss("memory", id, _short(contents[id]), "mention rank", limit + each.rank, limit,
                       each.entity_id)


def _not_mentioned(reader: Reader, journey: Journey) -> dict[str, Candidate]:
    """Memories that mention a walked entity after as many others as may; there was room."""
    if not journey.whole or not journey.basket.free or not journey.mentioned:
        return {}
    found, _ = collect.mentions(
        reader, journey.mentioned, journey.settings, journey.asked, MORE, journey.basket.taken)
    beyond: dict[str, Candidate] = {}
    for group in found.values():
        for each in group:
            beyond.setdefault(each.memory_id, each)
    return beyond


def _not_reached(reader: Reader, journey: Journey) -> Iterable[Candidate]:
    """What the walk did not look for because its budget was full."""
    if not journey.whole or journey.basket.free:
        return
    settings, asked = journey.settings, journey.asked
    visited = {stop.id for stop in journey.visited}
    later = [stop for stop in journey.hops if stop.id not in visited]
    mentioned = {stop.id for stop in journey.mentioned}
    silent = [stop for stop in journey.stops.values() if stop.id not in mentioned]
    taken = journey.basket.taken
    more, _ = collect.mentions(
        reader, [stop for stop in silent if stop.id in visited], settings, asked, MORE, taken)
    sides, _ = collect.aspects(reader, later, settings, asked)
    found, _ = collect.attributes(reader, sides, journey.rules, settings, asked)
    last, _ = collect.mentions(reader, later, settings, asked, MORE, taken)
    for part in (more, found, last):
        for candidates in part.values():
            yield from candidates


def _candidates(journey: Journey) -> Iterator[Candidate]:
    for group in journey.basket.taken.values():
        yield from group
    yield from journey.basket.left


def _short(content: object) -> str:
    return snippet(text(content), (), _WIDTH)
