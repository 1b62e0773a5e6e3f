"""The statements of a walk: each reads what belongs to many entities at once, in bounded time.

A join of a list with an `IN (... LIMIT k)` that refers to it: for each entity or aspect SQLite
reads a few rows along an index and stops. Written as a plain join with a window it would look at
every attribute of the file.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from core.queries.rows import MEMORY_VISIBLE, number, text
from core.queries.search_patterns import like
from core.store.database import Row
from core.store.handles import Reader
from core.traversal.config import TraversalSettings
from core.traversal.walk_rows import Candidate, Everything, Hop, Narrowing, Rule, Side, Stop

MENTIONS = 1000
"""Mentions of one entity that are looked at, the newest: a hub costs no more than others."""

_ENTITIES = """
SELECT e.id, e.name, e.entity_type FROM json_each(:entities) f CROSS JOIN entities e
ON e.id = f.value WHERE +e.agent_id = :agent AND +e.status = 'active' ORDER BY f.key"""

_SURENESS = "c.confidence * c.strength DESC"
_SURE = "c.confidence * c.strength >= :strength AND +c.confidence >= :confidence"
_STRONG = "c.strength >= :strength"

_LINKS = """
SELECT f.key AS place, d.id, d.source_entity_id, d.target_entity_id, d.dependency_type,
  d.strength, d.confidence, t.name, t.entity_type
FROM json_each(:entities) f CROSS JOIN entity_dependencies d ON d.id IN (
  SELECT c.id FROM entity_dependencies c CROSS JOIN entities o ON o.id = c.target_entity_id
  WHERE c.source_entity_id = f.value AND +c.agent_id = :agent AND +c.status = 'active'
    AND {gates} AND +o.agent_id = :agent AND +o.status = 'active' AND +o.muted = 0
  ORDER BY {order}, c.id LIMIT :branching)
CROSS JOIN entities t ON t.id = d.target_entity_id"""

_CONSTRAINTS = """
SELECT v.id, v.rowid AS place, s.entity_id, s.id AS aspect_id, v.content, v.importance,
  v.memory_id, v.group_key, v.claim_key,
  EXISTS (SELECT 1 FROM memories m WHERE m.id = v.memory_id AND {memory}) AS remembered
FROM json_each(:entities) f CROSS JOIN entity_aspects s ON s.entity_id = f.value
CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE +s.agent_id = :agent AND +s.status = 'active' AND +v.agent_id = :agent
  AND v.status = 'active' AND v.kind = 'constraint'"""

_ASPECTS = """
SELECT s.id, s.entity_id, s.name, s.weight, s.updated_at
FROM json_each(:entities) f CROSS JOIN entity_aspects s ON s.id IN (
  SELECT a.id FROM entity_aspects a WHERE a.entity_id = f.value AND +a.agent_id = :agent
    AND +a.status = 'active'{named}
  ORDER BY a.weight DESC, a.updated_at DESC, a.id LIMIT :aspects)"""

_ATTRIBUTES = """
SELECT v.id, v.rowid AS place, v.aspect_id, v.importance, v.memory_id, v.group_key, v.claim_key
FROM json_each(:aspects) f CROSS JOIN entity_attributes v ON v.rowid IN (
  SELECT r.rowid FROM entity_attributes r CROSS JOIN memories m ON m.id = r.memory_id
  WHERE r.aspect_id = f.value AND r.status = 'active' AND {kind} AND +r.agent_id = :agent
    AND {memory}
  ORDER BY r.importance DESC, r.rowid DESC LIMIT :attributes)"""

_MENTIONS = """
SELECT f.value AS entity_id, m.id, m.rowid AS place, m.importance, n.confidence
FROM json_each(:entities) f CROSS JOIN memory_entity_mentions n ON n.rowid IN (
  SELECT k.place FROM (
    SELECT q.rowid AS place, q.memory_id, q.confidence FROM memory_entity_mentions q
    WHERE q.entity_id = f.value ORDER BY q.rowid DESC LIMIT :looked) k
  CROSS JOIN memories m ON m.id = k.memory_id WHERE {memory}
    AND m.id NOT IN (SELECT value FROM json_each(:taken))
  ORDER BY k.confidence DESC, m.importance DESC, k.place DESC LIMIT :mentions)
CROSS JOIN memories m ON m.id = n.memory_id"""

_CONTENTS = """
SELECT m.id, m.content FROM json_each(:memories) f CROSS JOIN memories m ON m.id = f.value"""


def entities(reader: Reader, ids: Iterable[str]) -> list[Stop]:
    """The agent's active entities among `ids`, in that order."""
    return [Stop(row["id"], text(row["name"]), text(row["entity_type"]))
            for row in reader.rows(_ENTITIES, entities=list(ids))]


def links(reader: Reader, stops: Sequence[Stop], settings: TraversalSettings) -> list[Stop]:
    """Where the links lead that may be followed: every focal entity's surest, then the next.

    A target that several links lead to comes once, by the first of them; one that is a stop
    already does not come again, but its link has been one of the branches.
    """
    sure = settings.weigh_confidence
    rows = reader.rows(
        _LINKS.format(gates=_SURE if sure else _STRONG,
                      order=_SURENESS if sure else "c.strength DESC"),
        entities=[stop.id for stop in stops], branching=settings.max_branching,
        strength=settings.min_dependency_strength, confidence=settings.min_confidence)
    ranked = sorted(_ranked(rows, sure), key=lambda found: (found[0].rank, found[1]["place"]))
    if settings.max_dependency_hops is not None:
        surest = sorted((hop for hop, _ in ranked), key=lambda hop: -sureness(hop, sure))
        kept = {hop.id for hop in surest[:settings.max_dependency_hops]}
        ranked = [found for found in ranked if found[0].id in kept]
    known = {stop.id for stop in stops}
    reached: dict[str, Stop] = {}
    for hop, row in ranked:
        if hop.target_id not in known:
            reached.setdefault(hop.target_id, Stop(
                hop.target_id, text(row["name"]), text(row["entity_type"]), hop))
    return list(reached.values())


def _ranked(rows: Iterable[Row], sure: bool) -> list[tuple[Hop, Row]]:
    """Each link with its place among those of its source, from 1."""
    sources: dict[str, list[tuple[Hop, Row]]] = {}
    for row in rows:
        hop = hop_of(row)
        sources.setdefault(hop.source_id, []).append((hop, row))
    found = []
    for group in sources.values():
        group.sort(key=lambda each: (-sureness(each[0], sure), each[0].id))
        found += [(hop._replace(rank=place), row) for place, (hop, row) in enumerate(group, 1)]
    return found


def hop_of(row: Row) -> Hop:
    """A row of `entity_dependencies`."""
    return Hop(row["id"], row["source_entity_id"], row["target_entity_id"],
               text(row["dependency_type"]), number(row["strength"], 0.5),
               number(row["confidence"], 0.7), 0)


def sureness(hop: Hop, sure: bool) -> float:
    """What links are ranked by: confidence times strength, or strength alone."""
    return hop.confidence * hop.strength if sure else hop.strength


def constraints(reader: Reader, stops: Sequence[Stop], asked: Narrowing) -> list[Rule]:
    """Every constraint in force of these entities, over all their active aspects."""
    rows = reader.rows(_CONSTRAINTS.format(memory=_memory(asked)), **_scope(asked),
                       entities=[stop.id for stop in stops])
    return [Rule(row["id"], row["entity_id"], row["aspect_id"], text(row["content"]),
                 share(row["importance"]), row["memory_id"], bool(row["remembered"]),
                 row["group_key"], row["claim_key"], row["place"]) for row in rows]


def aspects(
    reader: Reader, stops: Sequence[Stop], settings: TraversalSettings, asked: Narrowing
) -> tuple[list[Side], bool]:
    """The heaviest aspects of each entity, and whether there was time for all."""
    named = " AND a.canonical_name LIKE :named ESCAPE '\\'" if asked.aspect else ""
    rows, whole = reader.rows_in_time(
        _ASPECTS.format(named=named), entities=[stop.id for stop in stops],
        aspects=settings.max_aspects_per_entity, named=like(asked.aspect.lower()))
    return ranked_sides(rows), whole


def ranked_sides(rows: Iterable[Row]) -> list[Side]:
    """Aspects with their place by weight; among equals the one that changed last leads."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["entity_id"], []).append(row)
    sides = []
    for group in found.values():
        group.sort(key=lambda row: row["id"])
        group.sort(key=lambda row: (number(row["weight"], 0.5), text(row["updated_at"])),
                   reverse=True)
        sides += [Side(row["id"], row["entity_id"], text(row["name"]), number(row["weight"], 0.5),
                       place) for place, row in enumerate(group, 1)]
    return sides


def attributes(
    reader: Reader, sides: Sequence[Side], rules: Iterable[Rule], settings: TraversalSettings,
    asked: Narrowing,
) -> tuple[dict[str, list[Candidate]], bool]:
    """By entity: the memories of its aspects' most important values, the best first.

    Constraints are values too and share the aspect's limit. Also tells whether there was time
    for all.
    """
    by_id = {side.id: side for side in sides}
    limit = settings.max_attributes_per_aspect
    rows, whole = reader.rows_in_time(
        _ATTRIBUTES.format(memory=_memory(asked), kind=plain_kind(reader, "r")), **_scope(asked),
        aspects=list(by_id), attributes=limit)
    found: dict[str, list[Candidate]] = {side.id: [] for side in sides}
    for row in rows:
        side = by_id[row["aspect_id"]]
        found[side.id].append(Candidate(
            row["memory_id"], share(row["importance"]), side.entity_id, "attribute", 0, side,
            row["id"], row["group_key"], row["claim_key"], row["place"]))
    for rule in rules:
        if rule.remembered and rule.aspect_id in found and rule.memory_id is not None:
            found[rule.aspect_id].append(Candidate(
                rule.memory_id, rule.importance, rule.entity_id, "constraint", 0,
                by_id[rule.aspect_id], rule.id, rule.group_key, rule.claim_key, rule.order))
    return _by_entity(found, limit), whole


def _by_entity(found: Mapping[str, list[Candidate]], limit: int) -> dict[str, list[Candidate]]:
    """The best `limit` of each aspect, then all of an entity in one order."""
    entities: dict[str, list[Candidate]] = {}
    for group in found.values():
        group.sort(key=lambda each: (-each.score, -each.order))
        for place, each in enumerate(group[:limit], 1):
            entities.setdefault(each.entity_id, []).append(each._replace(rank=place))
    for each_entity in entities.values():
        each_entity.sort(key=lambda each: (-each.score, each.side.rank if each.side else 0,
                                           each.rank))
    return entities


def mentions(
    reader: Reader, stops: Sequence[Stop], settings: TraversalSettings, asked: Narrowing,
    most: int, taken: Collection[str],
) -> tuple[dict[str, list[Candidate]], bool]:
    """By entity: further memories that mention it, for where values bring too few.

    Those `taken` already do not count, so that a full answer is not crowded out by what it has.
    """
    rows, whole = reader.rows_in_time(
        _MENTIONS.format(memory=_memory(asked)), **_scope(asked), looked=MENTIONS,
        taken=list(taken), entities=[stop.id for stop in stops],
        mentions=min(settings.max_attributes_per_aspect, most))
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["entity_id"], []).append(row)
    for group in found.values():
        group.sort(key=lambda row: (number(row["confidence"]), number(row["importance"]),
                                    row["place"]), reverse=True)
    return {entity: [Candidate(row["id"], share(row["importance"]), entity, "mention", place)
                     for place, row in enumerate(group, 1)]
            for entity, group in found.items()}, whole


def contents(reader: Reader, ids: Collection[str]) -> dict[str, str]:
    """The text of memories that have been found visible, as far as there is time."""
    rows, _ = reader.rows_in_time(_CONTENTS, memories=list(ids)) if ids else ([], True)
    return {row["id"]: text(row["content"]) for row in rows}


def share(value: object) -> float:
    """A stored importance as a number from 0 to 1, a half where there is none."""
    return min(1.0, max(0.0, number(value, 0.5)))


def plain_kind(reader: Reader, table: str) -> str:
    """The condition for values that are no constraints; a native file knows two kinds only."""
    if reader.kind == "native":
        return f"{table}.kind = 'attribute'"
    return f"COALESCE({table}.kind, '') <> 'constraint'"


def _memory(asked: Narrowing) -> str:
    """The condition for a memory `m` that may be shown."""
    if isinstance(asked.scope, Everything):
        scope = ""
    else:
        scope = " AND m.scope IS NULL" if asked.scope is None else " AND m.scope = :scope"
    return (f"{MEMORY_VISIBLE} AND COALESCE(m.is_deleted, 0) = 0"
            f" AND COALESCE(m.visibility, '') <> 'archived'{scope}")


def _scope(asked: Narrowing) -> dict[str, object]:
    return {"scope": asked.scope} if isinstance(asked.scope, str) else {}
