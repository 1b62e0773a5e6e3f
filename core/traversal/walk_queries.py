"""The statements of a walk: each reads what belongs to many entities at once, in bounded time.

A join of a list with an `IN (... LIMIT k)` that refers to it: for each entity or aspect SQLite
reads a few rows along an index and entities. Written as a plain join with a window it would look at
every attribute of the file.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from operator import itemgetter

from core.model.link import own_words
from core.model.memory_text_of_value import worded
from core.model.names import name_key
from core.model.vocabulary import FINISHED_TASKS
from core.model.walk import Focal
from core.queries.entity_search import like
from core.queries.outdated_memories import FINISHED, any_finished, current, derived
from core.queries.rows_to_model import number, rows_of, text, visible
from core.store.database import Row
from core.store.reader_and_writer import Reader
from core.traversal.config import TraversalSettings
from core.traversal.walk_rows import (
    AnyScope,
    ConstraintRow,
    MemoryFilter,
    ReachedMemory,
    WalkedAspect,
    WalkedEntity,
    WalkedLink,
)

MENTIONS = 1000
"""Mentions of one entity that are looked at, the newest: a hub costs no more than others."""
UNCERTAIN = 50
"""Uncertain links of one entity that may be tried, the surest."""
SHORT = 2_000
"""Characters up to which a text is read along with what leads to it; a longer one is read only of
what is taken."""


def _short(table: str) -> str:
    """SQL for a row's text, by its table's alias; NULL for a long one."""
    return f"CASE WHEN length({table}.content) <= {SHORT} THEN {table}.content END"


_ENTITIES = """
SELECT e.id, e.name, e.entity_type FROM json_each(:entities) f CROSS JOIN entities e
ON e.id = f.value WHERE +e.agent_id = :agent AND +e.status = 'active' ORDER BY f.key"""


@lru_cache(maxsize=100)
def filled(sql: str, /, **parts: str) -> str:
    """A statement with its parts put in: the same one is found sooner where it is the same object.
    """
    return sql.format(**parts)


@cache
def gates(link: str, sure: bool) -> str:
    """SQL that is true of a link (by its table's alias) that may be followed."""
    if not sure:
        return f"{link}.strength >= :strength"
    return (f"{link}.confidence * {link}.strength >= :strength"
            f" AND +{link}.confidence >= :confidence")


@cache
def surest(link: str, sure: bool) -> str:
    """The order of links, those first that `sureness` ranks highest."""
    return f"{link}.confidence * {link}.strength DESC" if sure else f"{link}.strength DESC"



_LINKS = """
SELECT f.key AS place, d.id, d.source_entity_id, d.target_entity_id, d.dependency_type,
  d.strength, d.confidence, d.reason, d.source_kind, t.name, t.entity_type
FROM json_each(:entities) f CROSS JOIN entity_dependencies d ON d.id IN (
  SELECT c.id FROM entity_dependencies c CROSS JOIN entities o ON o.id = c.target_entity_id
  WHERE c.source_entity_id = f.value AND +c.agent_id = :agent AND +c.status = 'active'
    AND {gates} AND +o.agent_id = :agent AND +o.status = 'active' AND +o.muted = 0
  ORDER BY {order}, c.id LIMIT :branching)
CROSS JOIN entities t ON t.id = d.target_entity_id"""

_LAST_BRANCH = """
SELECT {counts} AS counts FROM entity_dependencies c CROSS JOIN entities o
ON o.id = c.target_entity_id
WHERE c.source_entity_id = :entity AND +c.agent_id = :agent AND +c.status = 'active'
  AND +o.agent_id = :agent AND +o.status = 'active' AND +o.muted = 0
ORDER BY {order} LIMIT 1 OFFSET :before"""

# Bounded for each entity before the targets are looked at: a hub costs no more than others.
_UNCERTAIN = f"""
SELECT d.id, d.source_entity_id, d.target_entity_id, d.dependency_type,
  d.strength, d.confidence, d.reason, d.source_kind, t.name, t.entity_type
FROM json_each(:entities) f CROSS JOIN entity_dependencies d ON d.id IN (
  SELECT c.id FROM entity_dependencies c
  WHERE c.source_entity_id = f.value AND +c.agent_id = :agent AND +c.status = 'active'
    AND NOT ({gates('c', True)}) AND +c.confidence < :certain
  ORDER BY {surest('c', True)}, c.id LIMIT {UNCERTAIN})
CROSS JOIN entities t ON t.id = d.target_entity_id
WHERE +t.agent_id = :agent AND +t.status = 'active' AND +t.muted = 0
  AND t.id NOT IN (SELECT value FROM json_each(:walked))
ORDER BY f.key, d.id"""

_CONSTRAINTS = """
SELECT v.id, v.rowid AS place, s.entity_id, s.id AS aspect_id, v.content, v.importance,
  v.memory_id, v.group_key, v.claim_key,
  EXISTS (SELECT 1 FROM memories m WHERE m.id = v.memory_id AND m.id <> v.id AND {memory})
    AS remembered
FROM json_each(:entities) f CROSS JOIN entity_aspects s ON s.entity_id = f.value
CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE +s.agent_id = :agent AND +s.status = 'active' AND +v.agent_id = :agent
  AND v.status = 'active' AND v.kind = 'constraint'{unless}"""

_ASPECTS = """
SELECT s.id, s.entity_id, s.name, s.weight, s.updated_at
FROM json_each(:entities) f CROSS JOIN entity_aspects s ON s.rowid IN (
  SELECT a.rowid FROM entity_aspects a WHERE a.entity_id = f.value AND +a.agent_id = :agent
    AND +a.status = 'active'{named}
  ORDER BY a.weight DESC, a.updated_at DESC, a.id LIMIT :aspects)"""

# A value is told by the memory made for it, else by the one that it rests on; a value of a file
# that has neither is told as itself.
_ATTRIBUTES = f"""
SELECT v.id, v.rowid AS place, v.aspect_id, v.importance, v.group_key, v.claim_key,
  CASE WHEN v.agent_id = :agent THEN COALESCE(
    m.id, b.id, CASE WHEN {{itself}} THEN v.id END) END AS memory_id,
  m.id IS NULL AND b.id IS NULL AS itself,
  CASE WHEN m.id IS NOT NULL THEN {_short('m')} WHEN b.id IS NOT NULL THEN {_short('b')}
    ELSE {_short('v')} END AS said
FROM json_each(:aspects) f CROSS JOIN entity_attributes v ON v.rowid IN (
  SELECT r.rowid FROM entity_attributes r
  WHERE r.aspect_id = f.value AND r.status = 'active' AND {{kind}}{{own}}{{told}}
  ORDER BY r.importance DESC, r.rowid DESC LIMIT :attributes)
LEFT JOIN memories m ON m.id = v.id AND {{memory}}
LEFT JOIN memories b ON b.id = CASE WHEN m.id IS NULL THEN v.memory_id END AND {{beneath}}"""
_ITSELF = "NOT EXISTS (SELECT 1 FROM memories g WHERE g.id IN ({value}.id, {value}.memory_id))"
_OWN = " AND +r.agent_id = :agent"
# Asked only where some are not told, or are another agent's: nearly all are told and the agent's
# own, and are looked at for their memories anyway.
_TOLD = """
    AND (EXISTS (SELECT 1 FROM memories m WHERE m.id = r.id AND {memory})
         OR EXISTS (SELECT 1 FROM memories m WHERE m.id = r.memory_id AND {memory})
         OR {itself})"""

# Most mentions are of memories made from values: those go before their own rows are read. Whether a
# memory is outdated is asked in the order in which they are taken, and no further than they are:
# of a hub's thousand mentions that is a few.
_MENTIONS = f"""
SELECT f.value AS entity_id, m.id, m.rowid AS place, m.importance, n.confidence,
  {_short('m')} AS said
FROM json_each(:entities) f CROSS JOIN memory_entity_mentions n ON n.rowid IN (
  SELECT k.place FROM (
    SELECT k.place, m.id, m.agent_id FROM (
      SELECT q.rowid AS place, q.memory_id, q.confidence FROM memory_entity_mentions q
      WHERE q.entity_id = f.value ORDER BY q.rowid DESC LIMIT :looked) k
    CROSS JOIN memories m ON m.id = k.memory_id
    WHERE k.memory_id NOT IN (SELECT value FROM json_each(:taken)) AND NOT {derived('k.memory_id')}
      AND {{memory}}
    ORDER BY k.confidence DESC, m.importance DESC, k.place DESC LIMIT :looked) k
  WHERE {current('k')} LIMIT :mentions)
CROSS JOIN memories m ON m.id = n.memory_id"""

_CONTENTS = """
SELECT m.id, m.content FROM json_each(:memories) f CROSS JOIN memories m ON m.id = f.value"""
_TIMES = """
SELECT m.id, m.created_at FROM json_each(:memories) f CROSS JOIN memories m ON m.id = f.value"""
_VALUES = """
SELECT v.id, v.content, v.claim_key, s.name AS aspect, e.name AS entity
FROM json_each(:values) f CROSS JOIN entity_attributes v ON v.id = f.value
CROSS JOIN entity_aspects s ON s.id = v.aspect_id CROSS JOIN entities e ON e.id = s.entity_id
WHERE +v.agent_id = :agent"""


NONE_KNOWN: Mapping[str, str] = {}

_Value = tuple[float, int, str, str, str, str | None, str | None, str | None, int]
"""A value in the order of its aspect: less its importance, less its place; then its memory, what
it is, its id, the keys of its slot, and what is told, by itself or not."""


def read_entities(reader: Reader, focal: Focal) -> list[WalkedEntity]:
    """The agent's active entities among the focal ones, in their order."""
    ids, asked = list(dict.fromkeys(focal.ids)), focal.asked_ids
    return [WalkedEntity(row["id"], text(row["name"]), text(row["entity_type"]), None,
                         row["id"] in asked) for row in reader.rows(_ENTITIES, entities=ids)]


def read_neighbors(
    reader: Reader, entities: Sequence[WalkedEntity], settings: TraversalSettings,
    parts: Iterable[WalkedEntity] = (),
) -> list[WalkedEntity]:
    """The targets of links that may be followed: every focal entity's highest confidence first,
    those of what was asked before those of pinned entities.

    A target that several links lead to comes once, by the first of them; one that is walked
    already does not come again, but its link has been one of the branches.
    """
    sure = settings.weigh_confidence
    rows = reader.rows(
        filled(_LINKS, gates=gates("c", sure), order=surest("c", sure)),
        entities=[entity.id for entity in entities], branching=settings.max_branching,
        strength=settings.min_dependency_strength, confidence=settings.min_confidence)
    asked = {entity.id: entity.asked for entity in entities}
    ranked = _ranked_links(rows_of(asked, "source_entity_id", rows), sure)
    ranked.sort(key=lambda pair: (not asked[pair[0].source_id], pair[0].rank, pair[1]["place"]))
    if settings.max_dependency_hops is not None:
        in_order = sorted((link for link, _ in ranked),
                          key=lambda link: (not asked[link.source_id], -sureness(link, sure)))
        followed = {link.id for link in in_order[:settings.max_dependency_hops]}
        ranked = [(link, row) for link, row in ranked if link.id in followed]
    known = {entity.id for entity in (*entities, *parts)}
    neighbors: dict[str, WalkedEntity] = {}
    for link, row in ranked:
        if link.target_id not in known:
            neighbors.setdefault(link.target_id, WalkedEntity(
                link.target_id, text(row["name"]), text(row["entity_type"]), link,
                asked[link.source_id]))
    return list(neighbors.values())


def read_last_branch(reader: Reader, entity_id: str, settings: TraversalSettings) -> float:
    """What the last link that is followed from an entity counts; 0 where all of them are."""
    if settings.max_branching < 1:
        return 0.0
    order = surest("c", settings.weigh_confidence)
    return number(reader.value(
        _LAST_BRANCH.format(counts=order.removesuffix(" DESC"), order=order), entity=entity_id,
        before=settings.max_branching - 1))


def read_uncertain(
    reader: Reader, entities: Sequence[WalkedEntity], settings: TraversalSettings, certain: float,
    walked: Collection[str],
) -> list[WalkedEntity]:
    """The targets of links that a walk does not follow and whose confidence is below `certain`.

    Each comes once; those that are `walked` anyway do not come.
    """
    rows = reader.rows(
        _UNCERTAIN, entities=[entity.id for entity in entities], walked=list(walked),
        certain=certain, strength=settings.min_dependency_strength,
        confidence=settings.min_confidence)
    targets: dict[str, WalkedEntity] = {}
    for row in rows:
        link = link_of(row)
        targets.setdefault(link.target_id, WalkedEntity(
            link.target_id, text(row["name"]), text(row["entity_type"]), link))
    return list(targets.values())


def _ranked_links(rows: Iterable[Row], sure: bool) -> list[tuple[WalkedLink, Row]]:
    """Each link with its rank among those of its source, from 1."""
    sources: dict[str, list[tuple[WalkedLink, Row]]] = {}
    for row in rows:
        link = link_of(row)
        sources.setdefault(link.source_id, []).append((link, row))
    ranked = []
    for group in sources.values():
        group.sort(key=lambda pair: (-sureness(pair[0], sure), pair[0].id))
        ranked += [(link._replace(rank=rank), row) for rank, (link, row) in enumerate(group, 1)]
    return ranked


def link_of(row: Row) -> WalkedLink:
    """A row of `entity_dependencies`."""
    return WalkedLink(
        row["id"], row["source_entity_id"], row["target_entity_id"], text(row["dependency_type"]),
        number(row["strength"], 0.5), number(row["confidence"], 0.7), 0, words=(
            own_words(row["dependency_type"], row["reason"], row["source_kind"])
            or text(row["dependency_type"])))


def sureness(link: WalkedLink, sure: bool) -> float:
    """What links are ranked by: confidence times strength, or strength alone."""
    return link.confidence * link.strength if sure else link.strength


def read_constraints(
    reader: Reader, entities: Sequence[WalkedEntity], filters: MemoryFilter
) -> list[ConstraintRow]:
    """Every constraint in force of these entities, over all their active aspects.

    Those of a task that is finished bind no longer.
    """
    unless, bound = "", _scope(filters)
    if any_finished(reader):
        unless = f" AND NOT {FINISHED.format(entity='s.entity_id')}"
        bound = {**bound, "finished": list(FINISHED_TASKS)}
    rows = reader.rows(filled(_CONSTRAINTS, memory=_memory(filters), unless=unless), **bound,
                       entities=[entity.id for entity in entities])
    return [ConstraintRow(
        row["id"], row["entity_id"], row["aspect_id"], text(row["content"]),
        share(row["importance"]), row["memory_id"], bool(row["remembered"]), row["group_key"],
        row["claim_key"], row["place"] or 0)
        for row in rows_of({entity.id for entity in entities}, "entity_id", rows)]


def read_aspects(
    reader: Reader, entities: Sequence[WalkedEntity], settings: TraversalSettings,
    filters: MemoryFilter,
) -> tuple[list[WalkedAspect], bool]:
    """The heaviest aspects of each entity, and whether there was time for all."""
    named = " AND a.canonical_name LIKE :named ESCAPE '\\'" if filters.aspect else ""
    rows, whole = reader.rows_in_time(
        filled(_ASPECTS, named=named), entities=[entity.id for entity in entities],
        aspects=settings.max_aspects_per_entity, named=like(name_key(filters.aspect)))
    return ranked_aspects(rows_of({entity.id for entity in entities}, "entity_id", rows)), whole


def ranked_aspects(rows: Iterable[Row]) -> list[WalkedAspect]:
    """Aspects with their rank by weight; among equals the one that changed last leads.

    Args:
        rows: id, entity, name, weight, time of the last change; more columns may follow.
    """
    by_entity: dict[str, list[tuple[float, str, str, str]]] = {}
    for id, entity_id, name, weight, updated_at, *_ in rows:
        if id is None:  # Of a table that has no such column any more.
            continue
        by_entity.setdefault(entity_id, []).append((
            number(weight, 0.5), text(updated_at), id, text(name)))
    aspects = []
    for entity_id, group in by_entity.items():
        try:
            group.sort(key=itemgetter(2))
        except TypeError:  # Ids that are no texts.
            group.sort(key=lambda aspect: str(aspect[2]))
        group.sort(key=itemgetter(0, 1), reverse=True)
        aspects += [WalkedAspect(id, entity_id, name, rank)
                    for rank, (_, _, id, name) in enumerate(group, 1)]
    return aspects


def read_attributes(
    reader: Reader, aspects: Sequence[WalkedAspect], constraints: Iterable[ConstraintRow],
    settings: TraversalSettings, filters: MemoryFilter,
) -> tuple[dict[str, list[ReachedMemory]], bool]:
    """By entity: the memories of its aspects' most important values, the best first.

    Constraints are values too and share the aspect's limit. Also tells whether there was time
    for all.
    """
    by_id = {aspect.id: aspect for aspect in aspects}
    limit = settings.max_attributes_per_aspect
    by_aspect: dict[str, list[_Value]] = {id: [] for id in by_id}
    rows, whole = _values(reader, list(by_id), limit, filters)
    # Unpacked, since it is done so often: to look each column up by name takes three times as long.
    for id, place, aspect_id, importance, group_key, claim_key, memory_id, itself, said in rows:
        if aspect_id in by_aspect:  # A damaged index leads to others.
            by_aspect[aspect_id].append((
                -share(importance), -place, memory_id, "attribute", id, group_key, claim_key,
                said, itself))
    for each in constraints:
        if each.remembered and each.aspect_id in by_aspect and each.memory_id is not None:
            by_aspect[each.aspect_id].append((
                -each.importance, -each.order, each.memory_id, "constraint", each.id,
                each.group_key, each.claim_key, None, 0))
    return _by_entity(((by_id[id], values) for id, values in by_aspect.items()), limit), whole


def _values(
    reader: Reader, aspects: Sequence[str], limit: int, filters: MemoryFilter
) -> tuple[list[Row], bool]:
    """The first `limit` values of each aspect that a memory or they themselves tell."""
    memory, itself = _memory(filters), "0" if isinstance(filters.scope, str) else _ITSELF

    def ask(aspects: Sequence[str], own: str, told: str) -> tuple[list[Row], bool]:
        return reader.rows_in_time(
            filled(_ATTRIBUTES, memory=memory, beneath=_memory(filters, "b"),
                   kind=plain_kind(reader, "r"), own=own, told=told,
                   itself=filled(itself, value="v")),
            **_scope(filters), aspects=aspects, attributes=limit)

    # Only a native file has an index that tells all else of a value.
    rows, whole = ask(aspects, "" if reader.kind == "native" else _OWN, "")
    silent = {row["aspect_id"] for row in rows if row["memory_id"] is None}
    if not silent:
        return rows, whole
    counts = Counter(row["aspect_id"] for row in rows)
    full = [aspect for aspect in aspects if aspect in silent and counts[aspect] >= limit]
    others = [row for row in rows if row["memory_id"] is not None and row["aspect_id"] not in full]
    if not full or not whole:
        return others, whole
    rows, whole = ask(full, _OWN, _TOLD.format(memory=memory, itself=itself.format(value="r")))
    return [*others, *rows], whole


def _by_entity(
    aspects: Iterable[tuple[WalkedAspect, list[_Value]]], limit: int
) -> dict[str, list[ReachedMemory]]:
    """The best `limit` of each aspect, then all of an entity in one order."""
    by_entity: dict[str, list[tuple[float, int, int, ReachedMemory]]] = {}
    for aspect, values in aspects:
        memories = by_entity.setdefault(aspect.entity_id, [])
        values.sort()
        for rank, (score, order, memory, via, id, group, claim, said, itself) in enumerate(
                values[:limit], 1):
            memories.append((score, aspect.rank, rank, ReachedMemory(
                memory, -score, aspect.entity_id, via, rank, aspect, id, group, claim, -order,
                said, bool(itself))))
    return {entity: [each[-1] for each in sorted(memories, key=itemgetter(0, 1, 2))]
            for entity, memories in by_entity.items()}


def read_mentions(
    reader: Reader, entities: Sequence[WalkedEntity], settings: TraversalSettings,
    filters: MemoryFilter, most: int, taken: Collection[str],
) -> tuple[dict[str, list[ReachedMemory]], bool]:
    """By entity: further memories that mention it, for where values bring too few.

    Those `taken` already do not count, so that a full answer is not crowded out by what it has.
    """
    rows, whole = reader.rows_in_time(
        filled(_MENTIONS, memory=_memory(filters)), **_scope(filters), looked=MENTIONS,
        taken=list(taken), entities=[entity.id for entity in entities],
        mentions=min(settings.max_attributes_per_aspect, most))
    by_entity: dict[str, list[Row]] = {}
    for row in rows_of({entity.id for entity in entities}, "entity_id", rows):
        by_entity.setdefault(row["entity_id"], []).append(row)
    for group in by_entity.values():
        group.sort(key=lambda row: (number(row["confidence"]), number(row["importance"]),
                                    row["place"]), reverse=True)
    return {entity: [ReachedMemory(row["id"], share(row["importance"]), entity, "mention", rank,
                                   said=row["said"])
                     for rank, row in enumerate(group, 1)]
            for entity, group in by_entity.items()}, whole


def read_contents(
    reader: Reader, ids: Iterable[str], known: Mapping[str, str] = NONE_KNOWN
) -> dict[str, str]:
    """The text of memories that have been found visible, as far as there is time; a value without
    one says it itself.

    Args:
        known: what was read already.
    """
    unknown = [id for id in ids if id not in known]
    if not unknown:
        return dict(known)
    rows, _ = reader.rows_in_time(_CONTENTS, memories=unknown)
    found = {id: text(content) for id, content in rows}
    values = [id for id in unknown if id not in found]
    rows, _ = reader.rows_in_time(_VALUES, values=values) if values else ([], True)
    found.update({row["id"]: worded(text(row["entity"]), text(row["aspect"]), row["claim_key"],
                                    text(row["content"])) for row in rows})
    found |= known
    return {id: found[id] for id in ids if id in found}


def read_times(reader: Reader, ids: Collection[str]) -> dict[str, str]:
    """When memories were made."""
    return {row["id"]: text(row["created_at"]) for row in reader.rows(_TIMES, memories=list(ids))}


def share(value: object) -> float:
    """A stored importance as a number from 0 to 1, a half where there is none."""
    if type(value) is float and 0.0 <= value <= 1.0:  # Nearly always, and asked for very often.
        return value
    return min(1.0, max(0.0, number(value, 0.5)))


def plain_kind(reader: Reader, table: str) -> str:
    """The condition for values that are no constraints; a native file knows two kinds only."""
    if reader.kind == "native":
        return f"{table}.kind = 'attribute'"
    return f"COALESCE({table}.kind, '') <> 'constraint'"


def _memory(filters: MemoryFilter, memory: str = "m") -> str:
    """The condition for a memory, by its table's alias, that may be shown."""
    if isinstance(filters.scope, AnyScope):
        return _shown(memory)
    return _shown(memory, " AND {m}.scope IS NULL" if filters.scope is None else
                  " AND {m}.scope = :scope")


@cache
def _shown(memory: str, scope: str = "") -> str:
    return (f"{visible(memory)} AND COALESCE({memory}.is_deleted, 0) = 0"
            f" AND COALESCE({memory}.visibility, '') <> 'archived'{scope.format(m=memory)}")


def _scope(filters: MemoryFilter) -> dict[str, object]:
    return {"scope": filters.scope} if isinstance(filters.scope, str) else {}
