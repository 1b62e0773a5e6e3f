"""Tells what still holds from what no longer does: whole memories, and parts of one."""

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from msgspec import Struct

from core.model.dispute import Dispute
from core.model.memory_text_of_value import place
from core.model.names import canonical
from core.model.outdated_claim import OF_A_TASK, OutdatedClaim
from core.model.vocabulary import FINISHED_TASKS, WITHDRAWN
from core.queries.authors import is_by_person
from core.queries.disputes import disputes
from core.queries.rows_to_model import text, whole
from core.queries.values_about_others import without_values_about_others
from core.store.compat_views import LIST_OF_CONSTRAINTS, LIST_OF_OUTDATED, list_of
from core.store.database import Row
from core.store.reader_and_writer import Reader


def current(memory: str) -> str:
    """SQL that is true of a memory (by its table's alias) that is not outdated, after
    `read_outdated`: neither by the agent's values nor by those of the agent that it is from."""
    return (f"(EXISTS (SELECT 1 FROM memories_in_force i WHERE i.memory_id = {memory}.id)"
            " OR NOT EXISTS (SELECT 1 FROM outdated_memories o"
            f" WHERE o.memory_id = {memory}.id AND o.agent_id IN (:agent, {memory}.agent_id)))")


def derived(memory: str) -> str:
    """SQL that is true of a memory (by an expression for its id) that was made from a value, whose
    id it has."""
    return f"EXISTS (SELECT 1 FROM entity_attributes d WHERE d.id = {memory})"


# What replaced a value, step by step, as far as it leads to one in force; else what is in force
# in its slot. Both only of the few values asked for.
_HEIR = """
COALESCE((
  WITH RECURSIVE chain(id, step) AS (
    SELECT v.superseded_by, 1
    UNION SELECT n.superseded_by, chain.step + 1 FROM chain
      CROSS JOIN entity_attributes n ON n.id = chain.id
      WHERE n.superseded_by IS NOT NULL AND n.status <> 'active' AND chain.step < 100)
  SELECT n.id FROM chain CROSS JOIN entity_attributes n ON n.id = chain.id
  WHERE n.status = 'active' AND n.agent_id = v.agent_id LIMIT 1), (
  SELECT n.id FROM entity_attributes n WHERE n.aspect_id = v.aspect_id AND n.id <> v.id
    AND v.claim_key <> '' AND n.claim_key = v.claim_key
    AND COALESCE(n.group_key, 'general') = COALESCE(v.group_key, 'general')
    AND n.kind = v.kind AND n.status = 'active' AND +n.agent_id = v.agent_id
  ORDER BY n.version DESC, n.rowid DESC LIMIT 1))"""


def replaced(of: str) -> str:
    """SQL that is true if one of the values `v` that meet a condition was replaced by one that
    counts, so that a memory `m` may tell it as past; none whose claim has been archived since."""
    return f"""EXISTS (SELECT 1 FROM entity_attributes v
  CROSS JOIN entity_aspects s ON s.id = v.aspect_id CROSS JOIN entities e ON e.id = s.entity_id
  WHERE {of} AND v.status = 'superseded' AND v.agent_id IN (:agent, m.agent_id)
    AND s.status = 'active' AND e.status = 'active'
    AND (v.superseded_by IS NULL OR {_HEIR} IS NOT NULL))"""


CURRENT, DERIVED = current("m"), derived("m.id")
"""The same of a memory `m`."""
SAYS_REPLACED = replaced("v.id IN (SELECT o.id FROM former_values o WHERE o.memory_id = m.id)")
"""`replaced` of what a memory `m` rests on, after `read_outdated`."""

_ASKED = """
WITH asked(memory_id, id) AS (
  SELECT f.value, o.id FROM json_each(:ids) f CROSS JOIN former_values o
    ON o.memory_id = f.value WHERE +o.agent_id = :agent
  UNION ALL SELECT v.id, v.id FROM json_each(:values) f CROSS JOIN entity_attributes v
    ON v.id = f.value WHERE v.status <> 'active' AND +v.agent_id = :agent)"""
_CLAIMS = f"""{_ASKED}
SELECT asked.memory_id, v.content, v.claim_key, v.version, v.created_at, v.updated_at,
  v.archived_at, v.archived_by, v.archive_reason,
  s.name AS aspect, e.name AS entity, e.id AS entity_id,
  substr(m.content, 1, 20000) AS told,
  EXISTS (SELECT 1 FROM outdated_memories o WHERE o.memory_id = asked.memory_id
    AND o.agent_id = :agent) AS past,
  r.created_at AS replaced_at, CASE WHEN r.status <> 'deleted' THEN r.content END AS replacement,
  s.status AS aspect_status, e.status AS entity_status, h.content AS heir
FROM asked CROSS JOIN entity_attributes v ON v.id = asked.id
LEFT JOIN memories m ON m.id = asked.memory_id
LEFT JOIN entity_aspects s ON s.id = v.aspect_id LEFT JOIN entities e ON e.id = s.entity_id
LEFT JOIN entity_attributes r ON r.id = v.superseded_by
LEFT JOIN entity_attributes h ON h.id = {_HEIR}"""
# A value without a claim key is a version of what it has replaced, and of nothing else.
_LINES = f"""{_ASKED}
SELECT asked.memory_id, v.content, CASE WHEN v.claim_key <> ''
  THEN json_array(v.aspect_id, COALESCE(v.group_key, 'general'), v.claim_key)
  ELSE COALESCE(v.version_root_id, v.id) END AS line
FROM asked CROSS JOIN entity_attributes v ON v.id = asked.id"""
_PAST = """
SELECT f.value AS id FROM json_each(:ids) f LEFT JOIN memories m ON m.id = f.value
WHERE EXISTS (SELECT 1 FROM outdated_memories o
    WHERE o.memory_id = f.value AND o.agent_id IN (:agent, m.agent_id))
  OR EXISTS (SELECT 1 FROM entity_attributes v WHERE v.id = f.value AND v.status <> 'active'
    AND v.agent_id = :agent)"""
_CONSTRAINTS = """
SELECT f.value AS id FROM json_each(:ids) f WHERE EXISTS (
    SELECT 1 FROM constraint_memories c WHERE c.memory_id = f.value AND c.agent_id = :agent)
  OR EXISTS (SELECT 1 FROM entity_attributes v WHERE v.id = f.value AND v.status = 'active'
    AND v.kind = 'constraint' AND v.agent_id = :agent)"""


_SAYS_MORE = """
SELECT f.value AS id FROM json_each(:ids) f WHERE EXISTS (SELECT 1 FROM values_in_force a
  WHERE a.memory_id = f.value AND a.kind <> 'constraint' AND +a.agent_id = :agent)"""
# From the tasks, of which there are few: no file has an index over what rests on a memory.
_FINISHED = """
SELECT v.id, v.memory_id, e.name, t.status, t.completed_at, t.updated_at
FROM task_meta t CROSS JOIN entities e ON e.id = t.entity_id
CROSS JOIN entity_aspects s ON s.entity_id = e.id
CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE t.agent_id = :agent AND t.status IN (SELECT value FROM json_each(:finished))
  AND e.status = 'active' AND v.status = 'active' AND +v.agent_id = :agent
  AND (+v.id IN (SELECT value FROM json_each(:ids))
       OR +v.memory_id IN (SELECT value FROM json_each(:ids)))"""
_ANY_FINISHED = """
SELECT EXISTS (SELECT 1 FROM task_meta t WHERE t.agent_id = :agent
  AND t.status IN (SELECT value FROM json_each(:finished)))"""
FINISHED = """EXISTS (SELECT 1 FROM task_meta t WHERE t.entity_id = {entity} AND t.status IN
  (SELECT value FROM json_each(:finished)))"""
"""True of an entity that is a finished task, by its column; binds `finished`."""


def read_outdated(reader: Reader, *, constraints: bool = True) -> None:
    """Make `CURRENT` and `standing` true to the file as it is now; call it before using them.

    A native file answers row by row from its index on `entity_attributes.memory_id`. Signet's
    have none, so there what is asked for is listed once after each change of the file.

    Args:
        constraints: for `standing`, which knows the memories that say constraints; a walk needs
            none of that, and it is most of the work.
    """
    if reader.kind != "native" and reader.has_table("entity_attributes"):
        values = reader.stored("entity_attributes")
        reader.list_once("outdated", list_of(LIST_OF_OUTDATED, values))
        if constraints:
            reader.list_once("constraint memories", list_of(LIST_OF_CONSTRAINTS, values))


class Standing(Struct, frozen=True):
    """What holds of some memories, by their ids.

    Attributes:
        outdated: what a memory says that no longer holds.
        past: the memories of which nothing is known to hold any more.
        constraints: those that say a constraint in force, and nothing else that is.
        disputed: those that say what something newer seems to take back.
    """

    outdated: Mapping[str, tuple[OutdatedClaim, ...]]
    past: frozenset[str]
    constraints: frozenset[str]
    disputed: Mapping[str, Dispute]


class _Stands(NamedTuple):
    """What holds of one memory, as `Standing` tells it of several."""

    outdated: tuple[OutdatedClaim, ...]
    past: bool
    constraint: bool


def standing(reader: Reader, ids: Iterable[str]) -> Standing:
    """What holds of these memories; a value without a memory is asked for by its own id."""
    asked = list(ids)
    if not asked:
        return Standing({}, frozenset(), frozenset(), {})
    read_outdated(reader)
    known = reader.each_once(f"standing for {reader.agent}", asked, partial(_stands, reader))
    return Standing(
        {id: each.outdated for id, each in known.items() if each.outdated},
        frozenset(id for id, each in known.items() if each.past),
        frozenset(id for id, each in known.items() if each.constraint), disputes(reader))


def _stands(reader: Reader, ids: list[str]) -> dict[str, "_Stands"]:
    past, constraints = ({row["id"] for row in reader.rows(statement, ids=ids)}
                         for statement in (_PAST, _CONSTRAINTS))
    outdated = outdated_claims(reader, ids)
    return {id: _Stands(outdated.get(id, ()), id in past, id in constraints) for id in ids}


def outdated_claims(
    reader: Reader, ids: Iterable[str], *, in_force: Collection[str] = (),
    settled: Container[str] = ()
) -> dict[str, tuple[OutdatedClaim, ...]]:
    """By memory what it says that no longer holds, the oldest first; a value said anew holds.

    What is about an entity that the memory is not about is not what it says.
    What was to be done for a task that is finished no longer is.

    Args:
        in_force: those of the ids that are known to be values in force.
        settled: those on which only values rest that are known to be in force.
    """
    by_memory: dict[str, dict[OutdatedClaim, None]] = {}
    asked = list(ids)
    values = [id for id in asked if id not in in_force]
    rested = [id for id in asked if id not in settled]
    rows = reader.rows(_CLAIMS, ids=rested, values=values) if rested or values else ()
    claims = [*map(partial(_claim_of, reader.agent), without_values_about_others(
        reader, [row for row in rows if not _is_said_elsewhere(row)]))]
    claims += _finished(reader, asked) if asked else ()
    for memory_id, claim in sorted(claims, key=lambda pair: (pair[1].since, pair[1].version)):
        if canonical(claim.was) != canonical(claim.now):
            by_memory.setdefault(memory_id, {})[claim] = None
    return {id: tuple(claims) for id, claims in by_memory.items()}


def says_only_constraints(reader: Reader, ids: Iterable[str]) -> frozenset[str]:
    """Those of memories of constraints in force that say nothing else that is, so far as the file
    has an index to tell so."""
    asked = frozenset(ids)
    if reader.kind != "native" or not asked:
        return asked
    return asked.difference(row["id"] for row in reader.rows(_SAYS_MORE, ids=list(asked)))


def version_lines(reader: Reader, ids: Iterable[str]) -> dict[tuple[str, str], str]:
    """By memory and what it says that no longer holds: a word that all versions of one claim, or
    of one fact without a claim key, have in common."""
    asked = list(ids)
    return {(row["memory_id"], text(row["content"])): row["line"]
            for row in (reader.rows(_LINES, ids=asked, values=asked) if asked else ())}


def _finished(reader: Reader, asked: list[str]) -> Iterator[tuple[str, OutdatedClaim]]:
    """Memories of values of finished tasks, with the task's end."""
    if any_finished(reader):
        for row in reader.rows(_FINISHED, ids=asked, finished=list(FINISHED_TASKS)):
            ended = OutdatedClaim(
                f"the task {text(row['name'])}", "open", text(row["status"]), version=OF_A_TASK,
                until=text(row["completed_at"]) or text(row["updated_at"]))
            yield from ((id, ended) for id in {row["id"], row["memory_id"]} & set(asked))


def any_finished(reader: Reader) -> bool:
    """True if a task of the agent is finished; asked once after each change of the file, since
    few graphs have any."""
    return reader.has_table("task_meta") and reader.once(
        f"any finished task of {reader.agent}", lambda: bool(
            reader.value(_ANY_FINISHED, finished=list(FINISHED_TASKS))))


def _is_said_elsewhere(row: Row) -> bool:
    """True of what a note no longer says that is said elsewhere: its memory, which is just this
    text, holds still."""
    return (row["archive_reason"] == WITHDRAWN and not row["past"]
            and canonical(text(row["told"])) == canonical(text(row["content"])))


def _claim_of(agent: str, row: Row) -> tuple[str, OutdatedClaim]:
    """A memory, and what it says that no longer holds."""
    hidden = "archived" in (row["aspect_status"], row["entity_status"])
    now, then = "" if hidden else text(row["heir"]), text(row["replacement"])
    return row["memory_id"], OutdatedClaim(
        place(text(row["entity"]), text(row["aspect"]), row["claim_key"]), text(row["content"]),
        now, "" if canonical(then) == canonical(now) else then, whole(row["version"], 1),
        text(row["created_at"]), _until(row),
        text(row["archive_reason"]) if is_by_person(row["archived_by"], agent) else "")


def _until(row: Row) -> str:
    """When a value stopped: when what replaced it was made, if that is younger than the value.

    A restored version is older than the one that it replaces; then it is the time of the change.
    """
    began, replaced = (text(row[name]) for name in ("created_at", "replaced_at"))
    if replaced.replace("T", " ") > began.replace("T", " "):
        return replaced
    return text(row["archived_at"]) or text(row["updated_at"])
