"""Finds near misses of a walk, with the rule and the number that excluded each."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple

from core.model.names import name_key
from core.model.walk import Miss
from core.queries.entity_search import snippet
from core.queries.rows_to_model import MEMORY_VISIBLE, number, text
from core.store.database import Row
from core.store.reader_and_writer import Reader
from core.traversal import walk_queries
from core.traversal.config import TraversalSettings
from core.traversal.walk_queries import link_of, plain_kind, sureness
from core.traversal.walk_rows import AnyScope, MemoryFilter, ReachedMemory
from core.traversal.walk_state import WalkState, link_label

MORE = 20
"""Rows beyond a limit that are looked at, for each entity or aspect."""
FORMER = 5
"""Values of an aspect that are no longer in force, the newest."""
_WIDTH = 140


class FailedRule(NamedTuple):
    """The rule that excluded something, with its number and the limit."""

    rule: str
    value: float | None = None
    limit: float | None = None


_LINKS = """
SELECT f.value AS source, d.id, d.source_entity_id, d.target_entity_id, d.dependency_type,
  d.strength, d.confidence, d.reason, d.source_kind, d.status, t.name,
  t.status AS target_status, t.muted
FROM json_each(:entities) f CROSS JOIN entity_dependencies d ON d.id IN (
  SELECT c.id FROM entity_dependencies c
  WHERE c.source_entity_id = f.value AND +c.agent_id = :agent
  ORDER BY c.confidence * c.strength DESC, c.id LIMIT :looked)
LEFT JOIN entities t ON t.id = d.target_entity_id AND +t.agent_id = :agent ORDER BY f.key"""

_ASPECTS = """
SELECT s.id, s.entity_id, s.name, s.weight, s.updated_at, s.canonical_name, s.status
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
LEFT JOIN memories m ON {MEMORY_VISIBLE} AND m.id = COALESCE((
  SELECT o.id FROM memories o WHERE o.id = v.id AND o.is_deleted = 0), v.memory_id)
ORDER BY f.key"""

_FORMER = """
SELECT v.id, v.aspect_id, v.content, v.status
FROM json_each(:aspects) f CROSS JOIN entity_attributes v ON v.rowid IN (
  SELECT r.rowid FROM entity_attributes r
  WHERE r.aspect_id = f.value AND r.status <> 'active' AND +r.agent_id = :agent
  ORDER BY r.rowid DESC LIMIT :former) ORDER BY f.key"""


def near_misses(reader: Reader, state: WalkState) -> tuple[Miss, ...]:
    """Near misses, as far as time allows; each kind has its share."""
    share = state.settings.max_misses // 4
    kinds = (_links(reader, state), _aspects(reader, state), _attributes(reader, state),
             _memories(reader, state, share))
    return (*_unread(state), *(miss for kind in kinds for miss in islice(kind, share)))


def _unread(state: WalkState) -> Iterator[Miss]:
    """The entities for whose memories there was no time."""
    if state.in_time:
        return
    read = {aspect.entity_id for aspect in state.aspects}
    for entity in state.entities.values():
        if entity.id not in read:
            yield Miss("entity", entity.id, entity.name, "deadline", None,
                       state.settings.timeout_ms, entity.id)


def _links(reader: Reader, state: WalkState) -> Iterator[Miss]:
    limits, walked = state.settings, state.entities
    rows, _ = reader.rows_in_time(
        _LINKS, entities=[entity.id for entity in state.focal], looked=limits.max_branching + MORE)
    rows.sort(key=lambda row: -sureness(link_of(row), limits.weigh_confidence))
    ranks: dict[str, int] = {}
    for row in rows:
        failed = _failed_by_link(row, limits)
        if failed is None:
            rank = ranks[row["source"]] = ranks.get(row["source"], 0) + 1
            if rank > limits.max_branching:
                failed = FailedRule("strength rank", rank, limits.max_branching)
            elif row["target_entity_id"] not in walked:
                failed = FailedRule("links in all", None, limits.max_dependency_hops)
        if failed is not None:
            label = link_label(link_of(row).words, text(row["name"]))
            yield Miss("link", row["id"], label, failed.rule, failed.value, failed.limit,
                       row["source"])


def _failed_by_link(row: Row, limits: TraversalSettings) -> FailedRule | None:
    """The rule that a link fails by itself, None if only others went before it."""
    if row["status"] != "active" or (row["target_status"] or "active") != "active":
        return FailedRule("archived")
    if row["target_status"] is None:
        return FailedRule("gone")
    if row["muted"]:
        return FailedRule("muted")
    link, sure = link_of(row), limits.weigh_confidence
    if sure and link.confidence < limits.min_confidence:
        return FailedRule("confidence", link.confidence, limits.min_confidence)
    if sureness(link, sure) < limits.min_dependency_strength:
        return FailedRule("strength", sureness(link, sure), limits.min_dependency_strength)
    return None


def _aspects(reader: Reader, state: WalkState) -> Iterator[Miss]:
    limit, wanted = state.settings.max_aspects_per_entity, name_key(state.filters.aspect)
    rows, _ = reader.rows_in_time(
        _ASPECTS, entities=[entity.id for entity in state.visited], looked=limit + MORE)
    by_id = {row["id"]: row for row in rows}
    ranks: dict[str, int] = {}
    for aspect in walk_queries.ranked_aspects(rows):
        row, rank = by_id[aspect.id], None
        if row["status"] != "active":
            rule = "archived"
        elif wanted not in text(row["canonical_name"]).lower():
            rule = "aspect filter"
        else:
            rule = "weight rank"
            rank = ranks[aspect.entity_id] = ranks.get(aspect.entity_id, 0) + 1
            if rank <= limit:
                continue
        yield Miss("aspect", aspect.id, aspect.name, rule, rank, limit if rank else None,
                   aspect.entity_id)


def _attributes(reader: Reader, state: WalkState) -> Iterator[Miss]:
    aspects = {aspect.id: aspect for aspect in state.aspects}
    limit = state.settings.max_attributes_per_aspect
    rows, _ = reader.rows_in_time(
        _ATTRIBUTES.format(kind=plain_kind(reader, "r")), aspects=list(aspects),
        looked=limit + MORE)
    rows.sort(key=lambda row: (-number(row["importance"], 0.5), -row["place"]))
    seen = {each.attribute_id for each in _all_reached(state)}
    ranks: dict[str, int] = {}
    for row in rows:
        if row["id"] in seen:
            continue
        rule, rank = _failed_by_memory(row, state.filters), None
        if not rule:
            rank = ranks[row["aspect_id"]] = ranks.get(row["aspect_id"], limit) + 1
        yield Miss("attribute", row["id"], _short(row["content"]), rule or "importance rank", rank,
                   limit if rank else None, aspects[row["aspect_id"]].entity_id)
    former, _ = reader.rows_in_time(_FORMER, aspects=list(aspects), former=FORMER)
    for row in former:
        rule = "superseded" if row["status"] == "superseded" else "archived"
        yield Miss("attribute", row["id"], _short(row["content"]), rule,
                   entity_id=aspects[row["aspect_id"]].entity_id)


def _failed_by_memory(row: Row, filters: MemoryFilter) -> str:
    """The rule that an attribute's memory fails, empty if only others went before it."""
    if not row["known"]:
        return "no memory"
    if row["is_deleted"]:
        return "deleted"
    if row["visibility"] == "archived":
        return "archived"
    if not isinstance(filters.scope, AnyScope) and row["scope"] != filters.scope:
        return "scope"
    return ""


def _memories(reader: Reader, state: WalkState, most: int) -> Iterator[Miss]:
    """Memories that found no room, those of entities that were not reached any more at the end."""
    room = state.budget.limit
    waiting: dict[str, ReachedMemory] = {}
    for each in chain(state.budget.rejected, _not_reached(reader, state)):
        if each.memory_id not in state.budget.taken:
            waiting.setdefault(each.memory_id, each)
        if len(waiting) >= most:
            break
    beyond = _not_mentioned(reader, state)
    contents = walk_queries.read_contents(reader, [*waiting, *beyond])
    for rank, (id, each) in enumerate(waiting.items(), room + 1):
        if id in contents:
            yield Miss("memory", id, _short(contents[id]), "budget", rank, room, each.entity_id)
    limit = state.settings.max_attributes_per_aspect
    for id, each in beyond.items():
        if id in contents:
            yield Miss("memory", id, _short(contents[id]), "mention rank", limit + each.rank, limit,
                       each.entity_id)


def _not_mentioned(reader: Reader, state: WalkState) -> dict[str, ReachedMemory]:
    """Memories that mention a walked entity after as many others as may; there was room."""
    if not state.in_time or not state.budget.free or not state.mentioned:
        return {}
    mentions, _ = walk_queries.read_mentions(
        reader, state.mentioned, state.settings, state.filters, MORE, state.budget.taken)
    beyond: dict[str, ReachedMemory] = {}
    for memories in mentions.values():
        for each in memories:
            beyond.setdefault(each.memory_id, each)
    return beyond


def _not_reached(reader: Reader, state: WalkState) -> Iterable[ReachedMemory]:
    """What the walk did not look for because its budget was full, read as it is asked for."""
    if not state.in_time or state.budget.free:
        return
    settings, filters, taken = state.settings, state.filters, state.budget.taken
    visited = {entity.id for entity in state.visited}
    later = [entity for entity in state.neighbors if entity.id not in visited]
    mentioned = {entity.id for entity in state.mentioned}
    silent = [entity for id, entity in state.entities.items()
              if id in visited and id not in mentioned]
    more, _ = walk_queries.read_mentions(reader, silent, settings, filters, MORE, taken)
    yield from chain.from_iterable(more.values())
    aspects, _ = walk_queries.read_aspects(reader, later, settings, filters)
    values, _ = walk_queries.read_attributes(reader, aspects, state.constraints, settings, filters)
    yield from chain.from_iterable(values.values())
    last, _ = walk_queries.read_mentions(reader, later, settings, filters, MORE, taken)
    yield from chain.from_iterable(last.values())


def _all_reached(state: WalkState) -> Iterator[ReachedMemory]:
    for group in state.budget.taken.values():
        yield from group
    yield from state.budget.rejected


def _short(content: object) -> str:
    return snippet(text(content), (), _WIDTH)
