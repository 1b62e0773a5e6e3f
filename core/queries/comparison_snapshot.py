"""A snapshot of what an agent knows, by names or by ids, to be compared with another state."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct, field

from core.model.changes import Changes
from core.model.names import name_key
from core.queries.rows_to_model import CLAIM_KEY, GROUP_KEY, text
from core.store.database import Row
from core.store.reader_and_writer import Reader

By = Literal["ids", "names"]
"""What makes two things the same one: the ids of one graph at two times, names of two agents."""

_ENTITIES = """
SELECT e.id, e.name, e.entity_type, e.description, e.pinned FROM entities e
WHERE e.agent_id = :agent AND e.status = 'active'"""
_VALUES = f"""
SELECT v.id, v.kind, v.content, s.id AS aspect_id, s.name AS aspect, {GROUP_KEY} AS grp,
  {CLAIM_KEY} AS claim, e.id AS entity_id
FROM entities e CROSS JOIN entity_aspects s ON s.entity_id = e.id
CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE e.agent_id = :agent AND e.status = 'active' AND s.status = 'active'
  AND v.status = 'active' AND +v.agent_id = :agent"""
_NOT_PRIVATE = """
  AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = v.memory_id AND m.agent_id = :agent
    AND m.visibility <> 'global')"""
_SHARED = f"""
  AND EXISTS (SELECT 1 FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
    WHERE s.entity_id = e.id AND v.status = 'active' AND +v.agent_id = :agent{_NOT_PRIVATE})"""
"""Of what nothing is shared the name is not, either."""
_LINKS = """
SELECT d.id, d.source_entity_id AS source, d.target_entity_id AS target, d.dependency_type AS type,
  d.reason FROM entity_dependencies d WHERE d.agent_id = :agent AND d.status = 'active'"""


_OF_SOME = " AND e.id IN (SELECT value FROM json_each(:only))"
_FROM_SOME = " AND d.source_entity_id IN (SELECT value FROM json_each(:only))"


_TO_SOME = """
SELECT DISTINCT d.source_entity_id AS source FROM json_each(:only) f
CROSS JOIN entity_dependencies d ON d.target_entity_id = f.value
WHERE +d.agent_id = :agent AND +d.status = 'active' LIMIT :most"""
MOST_CHANGED = 500
"""Entities, and rows that were written, up to which those alone are compared anew."""


def _owners(table: str, owner: str, more: str = "") -> str:
    """The statement that gives whose the rows of a table are, by their ids or ranges of numbers."""
    of = f"{table} t ON {{}}{more} WHERE {owner} IS NOT NULL"
    within = ("t.rowid BETWEEN json_extract(f.value, '$[0]') AND json_extract(f.value, '$[1]')")
    return (f"SELECT {owner} AS owner FROM json_each(:ids) f CROSS JOIN"
            f" {of.format('t.id = f.value')} UNION SELECT owner FROM (SELECT DISTINCT {owner}"
            f" AS owner FROM json_each(:ranges) f CROSS JOIN {of.format(within)} LIMIT :most)")


_OWNERS = {
    "entities": _owners("entities", "t.id"),
    "entity_aspects": _owners("entity_aspects", "t.entity_id"),
    "entity_attributes": _owners("entity_attributes", "s.entity_id",
                                 " CROSS JOIN entity_aspects s ON s.id = t.aspect_id"),
    "entity_dependencies": _owners("entity_dependencies", "t.source_entity_id"),
}
"""By the tables of which something is compared."""


class Thing(Struct, frozen=True):
    """An entity as it is compared."""

    id: str
    name: str
    entity_type: str
    description: str
    pinned: bool


class Place(Struct, frozen=True):
    """Where values are: entity key, aspect key, kind, group, claim; without a claim the value."""

    entity: str
    aspect: str
    kind: str
    group: str
    claim: str
    value: str = ""


class Contents(Struct):
    """A state of what one agent knows; entities by their key."""

    entities: dict[str, Thing] = field(default_factory=dict)
    values: defaultdict[Place, list[str]] = field(default_factory=lambda: defaultdict(list))
    value_ids: defaultdict[Place, list[str]] = field(default_factory=lambda: defaultdict(list))
    aspects: dict[str, str] = field(default_factory=dict)
    """The name of each aspect key."""
    links: dict[tuple[str, str, str], str] = field(default_factory=dict)
    """The reason of each link: source key, target key, type."""


def contents_of(
    reader: Reader, by: By = "ids", *, shared_only: bool = False,
    only: Collection[str] | None = None, named: Collection[str] = (),
) -> Contents:
    """All that the agent knows now.

    Args:
        shared_only: without values from memories that it keeps to itself, and without entities
            of which it shares no value.
        only: these entities, by id, their values, and their links to each other and to what is
            named; None for all.
        named: entities of which nothing but what they themselves are is read, beside `only`.
    """
    contents = Contents()
    keys: dict[str, str] = {}
    of_some, from_some = ("", "") if only is None else (_OF_SOME, _FROM_SOME)
    entities = _ENTITIES + of_some + (_SHARED if shared_only else "")
    for row in reader.each(entities, only=None if only is None else {*only, *named}):
        keys[row["id"]] = row["id"] if by == "ids" else name_key(text(row["name"]))
        contents.entities[keys[row["id"]]] = Thing(
            row["id"], text(row["name"]), text(row["entity_type"]), text(row["description"]),
            bool(row["pinned"]))
    values = _VALUES + of_some + (_NOT_PRIVATE if shared_only else "")
    _read_values(reader.each(values, only=only), contents, keys, by)
    for row in reader.each(_LINKS + from_some, only=only):
        source, target = keys.get(row["source"]), keys.get(row["target"])
        if source and target:
            contents.links[source, target, text(row["type"])] = text(row["reason"])
    return contents


def _read_values(
    rows: Iterable[Row], contents: Contents, keys: Mapping[str, str], by: By
) -> None:
    once: dict[str, str] = {}  # Words that many values have are kept once.
    for row in rows:
        aspect = row["aspect_id"] if by == "ids" else name_key(text(row["aspect"]))
        aspect = once.setdefault(aspect, aspect)
        called, claim, kind, group = (once.setdefault(text(row[name]), text(row[name]))
                                      for name in ("aspect", "claim", "kind", "grp"))
        contents.aspects[aspect] = called
        alone = "" if claim else row["id"] if by == "ids" else text(row["content"])
        place = Place(keys[row["entity_id"]], aspect, kind, group, claim, alone)
        contents.values[place].append(text(row["content"]))
        contents.value_ids[place].append(row["id"])


def contents_that_differ(
    before: Reader, after: Reader, among: Collection[str] | None = None
) -> tuple[Contents, Contents]:
    """Of two states of one graph what is about the entities in which they differ, by ids.

    All else is read and not kept: most of a large graph is the same in both.

    Args:
        among: the entities in which they may differ, where that is known: no other is read.
    """
    changed = _changed(before, after) if among is None else {*among}
    if not all(isinstance(id, str) for id in changed):  # No text can name an id that is none.
        return contents_of(before), contents_of(after)
    # A link tells the name of its other end.
    ends = {row["target"] for state in (before, after)
            for row in state.each(_LINKS + _FROM_SOME, only=changed)}
    return (contents_of(before, only=changed, named=ends),
            contents_of(after, only=changed, named=ends))


def _changed(before: Reader, after: Reader) -> set[str]:
    """The entities of which something that is compared is another in one state."""
    sums: defaultdict[str, int] = defaultdict(int)
    for state, sign in ((before, 1), (after, -1)):
        for id, compared in _by_entity(state):
            sums[id] += sign * hash(compared)
    return {id for id, left in sums.items() if left}


def _by_entity(reader: Reader) -> Iterator[tuple[str, tuple[object, ...]]]:
    """All that is compared by ids, a piece at a time: the entity, and what is said of it."""
    there = set()
    for id, *facts in reader.each(_ENTITIES):
        there.add(id)
        yield id, tuple(facts)
    for id, kind, content, aspect, _, group, claim, entity in reader.each(_VALUES):
        yield entity, (aspect, kind, group, claim, "" if claim else id, content)
    for _, source, target, kind, reason in reader.each(_LINKS):
        if source in there and target in there:
            yield source, (target, kind, reason)


def owners_of_changes(states: Sequence[Reader], changes: Changes) -> set[str] | None:
    """The entities of which these changes may have made something that is compared another, so far
    as one of the states has them; None where that can't be told, or where they are many.

    Where one is there in one state only, its links count for the others at their starts.
    """
    touched = _OWNERS.keys() & changes.tables
    if changes.external or not all(map(changes.tells_rows, touched)):
        return None
    if sum(len(changes.ids.get(table, ())) for table in touched) > MOST_CHANGED:
        return None
    owners: set[str] = set()
    for state in states:
        for table in touched:
            ids, ranges = changes.ids.get(table, ()), changes.ranges.get(table, ())
            owners |= {row["owner"] for row in state.rows(
                _OWNERS[table], ids=list(ids), ranges=[list(each) for each in ranges],
                most=MOST_CHANGED + 1)}
    if len(owners) > MOST_CHANGED or not all(isinstance(id, str) for id in owners):
        return None
    there = [id for state in states for id in {
        row["id"] for row in state.each(_ENTITIES + _OF_SOME, only=owners)}]
    passing = [id for id, states_with in Counter(there).items() if states_with < len(states)]
    for state in states if passing else ():
        owners |= {row["source"] for row in state.rows(
            _TO_SOME, only=passing, most=MOST_CHANGED + 1)}
    return owners if len(owners) <= MOST_CHANGED else None
