"""Keeps what a held hand wrote out of whatever is told, until a person has seen it.

A hand (an agent, or another program) is held by a line in the sidecar. Whoever tells something
(a walk, recall, the start of a session) runs under `without_held`, the one place of this rule.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from msgspec.structs import replace

from core.model.entity import EntityRow
from core.model.hidden_rows import HiddenRows
from core.model.inbox import ASSERTION, ENTITY, KINDS, LINK, MEMORY, VALUE, InboxItem
from core.model.times import later
from core.queries.authors import name_alone
from core.queries.rows_to_model import text
from core.queries.unseen_writes import unseen
from core.store.hide_rows import hiding
from core.store.reader_and_writer import Reader, Writer, stamp

P = ParamSpec("P")
T = TypeVar("T")
Sight = Callable[[Reader], AbstractContextManager[None]]
"""What hides from a reader, for a while, what the one who asks is not told."""
WAITS = "It waits until a person has seen it; nobody is told it before"
FIRST_DAYS = 7
"""Where nobody has looked yet, what was written in so many days is new."""
MOST = 50_000
"""The newest rows of each table in which something may be held."""
_RESTATED = "restated memory"
_HOLDS = """
SELECT h.agent_id, h.hand, s.since AS looked, h.since AS held FROM side.inbox_holds h
LEFT JOIN side.inbox_since s ON s.agent_id = h.agent_id"""
_WAITING = """
SELECT f.value AS key FROM json_each(:keys) f WHERE NOT EXISTS (
  SELECT 1 FROM side.inbox_seen s WHERE s.id = f.value AND s.agent_id = :agent)"""
# By the aspect, for which every file has an index.
_REPLACED = """
SELECT DISTINCT o.id FROM json_each(:ids) f CROSS JOIN entity_attributes v ON v.id = f.value
CROSS JOIN entity_attributes o ON o.aspect_id = v.aspect_id AND o.superseded_by = v.id
WHERE +o.status = 'superseded' AND +o.agent_id = :agent"""
_ACTIVE = """
SELECT r.id FROM json_each(:ids) f CROSS JOIN {table} r ON r.id = f.value
WHERE +r.status = 'active' AND +r.agent_id = :agent"""
_RECORDS = """
SELECT r.proposal_id AS id FROM json_each(:ids) f CROSS JOIN {table} r ON r.id = f.value
WHERE +r.agent_id = :agent AND r.proposal_id IS NOT NULL"""
_ASPECTS = """
SELECT DISTINCT v.aspect_id AS id FROM json_each(:ids) f CROSS JOIN entity_attributes v
ON v.id = f.value WHERE +v.agent_id = :agent AND NOT EXISTS (
  SELECT 1 FROM entity_attributes o WHERE o.aspect_id = v.aspect_id
    AND o.id NOT IN (SELECT value FROM json_each(:ids)))"""
_ASSERTED_AGAIN = """
SELECT o.id FROM json_each(:ids) f CROSS JOIN epistemic_assertions a ON a.id = f.value
CROSS JOIN epistemic_assertions o ON o.id = a.supersedes_assertion_id
WHERE +o.status = 'superseded' AND +o.agent_id = :agent"""
# No assertion names the record of how it came about: the record names the assertion.
_ASSERTION_RECORDS = """
SELECT p.id FROM ontology_proposals p WHERE p.agent_id = :agent
AND p.operation IN ('create_assertion', 'supersede_assertion') AND p.status = 'applied'
AND p.updated_at >= (SELECT MIN(a.created_at) FROM json_each(:ids) f
  CROSS JOIN epistemic_assertions a ON a.id = f.value)
AND CASE WHEN json_valid(p.result) THEN json_extract(p.result, '$.assertionId') END
  IN (SELECT value FROM json_each(:ids))"""
_SPOKEN_OF = """
SELECT f.value AS id FROM json_each(:ids) f WHERE EXISTS (
  SELECT 1 FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
  WHERE s.entity_id = f.value AND +v.status = 'active' AND +v.agent_id = :agent
    AND v.id NOT IN (SELECT value FROM json_each(:values)))
OR EXISTS (SELECT 1 FROM entity_dependencies d WHERE d.source_entity_id = f.value
    AND +d.status = 'active' AND d.id NOT IN (SELECT value FROM json_each(:links)))
OR EXISTS (SELECT 1 FROM entity_dependencies d WHERE d.target_entity_id = f.value
    AND +d.status = 'active' AND d.id NOT IN (SELECT value FROM json_each(:links)))
OR EXISTS (SELECT 1 FROM epistemic_assertions a WHERE a.subject_entity_id = f.value
    AND a.agent_id = :agent AND a.status = 'active'
    AND a.id NOT IN (SELECT value FROM json_each(:assertions)))"""


def hands_held(reader: Reader) -> frozenset[str]:
    """The hands of this agent's graph that are held back, as `name_alone` gives them."""
    return frozenset(text(row["hand"]) for row in reader.rows(
        "SELECT hand FROM side.inbox_holds WHERE agent_id = :agent"))


def writes_held(writer: Writer) -> bool:
    """True if what is being written is held back."""
    return name_alone(writer.actor) in hands_held(writer)


def since_of(reader: Reader, now: datetime | None = None) -> str:
    """What was written until then counts as seen; empty where the person has never looked, or by
    a clock that has been set back."""
    since = text(reader.value("SELECT since FROM side.inbox_since WHERE agent_id = :agent"))
    return "" if later(since, stamp(now)) else since


def first_moment(now: datetime | None = None) -> str:
    """What was written after it is new where nobody has looked yet."""
    return stamp((now or datetime.now(UTC)) - timedelta(days=FIRST_DAYS))


def without_held(
    tell: Callable[Concatenate[Reader, P], T]
) -> Callable[Concatenate[Reader, P], T]:
    """Have a function that tells something see nothing of what is held back.

    Where no hand is held it costs one look at an empty table.
    """
    @wraps(tell)
    def run(reader: Reader, /, *args: P.args, **kwargs: P.kwargs) -> T:
        rows = waiting_rows(reader)
        with hiding(reader, rows) if rows else nullcontext():
            return tell(reader, *args, **kwargs)

    return run


def everything(reader: Reader) -> AbstractContextManager[None]:
    """Hide nothing: a person asks."""
    return nullcontext()


@contextmanager
def leaving_out_held(reader: Reader) -> Iterator[None]:
    """Have the block see nothing of what is held back."""
    rows = waiting_rows(reader)
    with hiding(reader, rows) if rows else nullcontext():
        yield


def waiting_words(reader: Reader) -> str:
    """`3 facts wait until a person has seen them`, under `without_held`; empty where none do."""
    return reader.hidden.words if reader.hidden and reader.hidden.facts else ""


def held_rows(reader: Reader) -> HiddenRows:
    """What is held back of every agent's graph in this file; nothing where no hand is held."""
    holds: dict[tuple[str, str], list[str]] = {}
    held = reader.rows(_HOLDS)
    now = stamp() if held else ""
    for row in held:
        since = next((at for at in (text(row["looked"]), text(row["held"]))
                      if at and not later(at, now)), first_moment()[:10])
        holds.setdefault((row["agent_id"], since), []).append(text(row["hand"]))
    rows = HiddenRows()
    for (agent, since), hands in holds.items():
        rows |= _rows_of(reader, agent, _waiting(reader, agent, since, frozenset(hands)))
    return rows


def waiting_rows(reader: Reader) -> HiddenRows:
    """What is held back, for who shows it with a mark; nothing where it is not shown at all."""
    return HiddenRows() if reader.hidden else held_rows(reader)


def with_held(reader: Reader, rows: Sequence[EntityRow]) -> list[EntityRow]:
    """The rows of a list, those marked that wait, or whose matching fact waits."""
    waiting = waiting_rows(reader)
    return [replace(row, held=True)
            if row.id in waiting.entities or row.fact_id in waiting.values else row
            for row in rows] if waiting else list(rows)


def _waiting(
    reader: Reader, agent: str, since: str, hands: frozenset[str]
) -> Iterable[InboxItem]:
    """What these hands wrote and nobody has seen, replaced values included."""
    known: dict[object, dict[str, InboxItem]] = reader.once("written by held hands", dict)
    asked = agent, since, hands
    if asked not in known:
        items, _ = unseen(reader, since, MOST, agent=agent, held=hands, seen=True, former=True)
        known[asked] = {item.key: item for item in items if item.waits}
    written = known[asked]
    keys = {row["key"] for row in reader.rows(_WAITING, keys=list(written), agent=agent)}
    kept = {item.source_id for key, item in written.items()
            if item.kind == VALUE and key not in keys}
    return [item for key, item in written.items()
            if key in keys and not (item.restated and item.id in kept)]


def _rows_of(reader: Reader, agent: str, items: Iterable[InboxItem]) -> HiddenRows:
    """The rows of these items, read once after each change of the file or of what is seen."""
    ids: dict[str, set[str]] = {kind: set() for kind in (*KINDS, _RESTATED)}
    for item in items:
        ids[_RESTATED if item.restated else item.kind].add(item.id)
    known: dict[object, HiddenRows] = reader.once(f"held rows of {agent}", dict)
    key = tuple(frozenset(each) for each in ids.values())
    if key not in known:
        known[key] = _with_what_belongs(reader, agent, ids)
    return known[key]


def _with_what_belongs(
    reader: Reader, agent: str, ids: Mapping[str, set[str]]
) -> HiddenRows:
    """The rows by kind, as far as they count; entities of which others speak are shown."""
    active, active_said = (
        _ids(reader, _ACTIVE.format(table=table), agent, ids=ids[kind]) for table, kind in (
            ("entity_attributes", VALUE), ("epistemic_assertions", ASSERTION)))
    hidden, restored = _replaced(reader, agent, active, ids[VALUE])
    said, said_again = _replaced(reader, agent, active_said, ids[ASSERTION], _ASSERTED_AGAIN)
    spoken_of = _ids(reader, _SPOKEN_OF, agent, ids=ids[ENTITY], values=hidden,
                     links=ids[LINK], assertions=said)
    facts = len(active) + len(active_said) + sum(len(ids[kind]) for kind in (MEMORY, LINK, ENTITY))
    entities = ids[ENTITY] - spoken_of
    records = set().union(*(
        _ids(reader, _RECORDS.format(table=table), agent, ids=rows) for table, rows in (
            ("entity_attributes", hidden), ("entity_dependencies", ids[LINK]),
            ("entities", entities))))
    if said:
        records |= _ids(reader, _ASSERTION_RECORDS, agent, ids=said)
    return HiddenRows(
        frozenset(ids[MEMORY] | ids[_RESTATED]), frozenset(hidden), frozenset(ids[LINK]),
        frozenset(entities), frozenset(records),
        frozenset(_ids(reader, _ASPECTS, agent, ids=hidden)), frozenset(said),
        frozenset(restored | said_again), facts)


def _replaced(
    reader: Reader, agent: str, active: Collection[str], written: Collection[str],
    sql: str = _REPLACED,
) -> tuple[set[str], set[str]]:
    """What is held and counts, with what was held before it, and what these have replaced."""
    hidden, restored, newest = set(active), set[str](), set(active)
    while newest:
        before = _ids(reader, sql, agent, ids=newest) - hidden - restored
        newest = before & set(written)
        hidden |= newest
        restored |= before - newest
    return hidden, restored


def _ids(reader: Reader, sql: str, agent: str, **params: object) -> set[str]:
    return {row["id"] for row in reader.rows(sql, agent=agent, **params)}
