"""What expectations are about as it stands now: the value in force of a claim, or a memory."""

from collections.abc import Iterable, Sequence

from core import error_advice
from core.errors import OperationError
from core.model.expectation import CLAIM, MEMORY, Expectation, Target
from core.model.text_formatting import one_line
from core.queries.find_by_name_or_id import memory_id, value_id
from core.queries.rows_to_model import CLAIM_KEY, GROUP_KEY, MEMORY_VISIBLE, text
from core.store.database import Row
from core.store.reader_and_writer import Reader

_QUOTED = 200
"""Characters of a target's words that are shown."""
_COLUMNS = """
v.id, v.content, v.status, v.memory_id, s.status AS aspect_status, e.id AS entity_id,
  e.name AS entity_name, e.status AS entity_status"""
_OWNERS = """
LEFT JOIN entity_aspects s ON s.id = v.aspect_id AND +s.agent_id = :agent
LEFT JOIN entities e ON e.id = s.entity_id AND +e.agent_id = :agent"""
_CHOSEN = f"""
SELECT f.value AS asked, {_COLUMNS} FROM json_each(:ids) f
CROSS JOIN entity_attributes v ON v.id = f.value AND +v.agent_id = :agent {_OWNERS}"""
_OLD_CLAIM, _OLD_GROUP = CLAIM_KEY.replace("v.", "o."), GROUP_KEY.replace("v.", "o.")
# What has taken its place: by name of the successor, by version, by the slot that it stood in.
_IN_FORCE = f"""
WITH RECURSIVE later(id) AS (
  SELECT :id
  UNION SELECT o.superseded_by FROM later l CROSS JOIN entity_attributes o ON o.id = l.id
  WHERE o.superseded_by IS NOT NULL AND +o.agent_id = :agent)
SELECT {_COLUMNS} FROM (
  SELECT n.rowid AS place, 0 AS way, n.version FROM later l
    CROSS JOIN entity_attributes n ON n.id = l.id
  UNION ALL SELECT n.rowid, 1, n.version FROM entity_attributes o
    CROSS JOIN entity_attributes n ON n.aspect_id = o.aspect_id AND n.status = 'active'
    AND n.version_root_id = COALESCE(o.version_root_id, o.id) WHERE o.id = :id
  UNION ALL SELECT v.rowid, 2, v.version FROM entity_attributes o
    CROSS JOIN entity_attributes v ON v.aspect_id = o.aspect_id AND v.status = 'active'
    AND v.kind = o.kind AND v.claim_key IS NOT NULL AND {CLAIM_KEY} = {_OLD_CLAIM}
    AND {GROUP_KEY} = {_OLD_GROUP} WHERE o.id = :id) f
CROSS JOIN entity_attributes v ON v.rowid = f.place AND v.status = 'active' AND +v.agent_id = :agent
{_OWNERS} ORDER BY f.way, f.version DESC LIMIT 1"""
_MEMORIES = f"""
SELECT m.id, m.content, m.is_deleted, COALESCE(m.visibility, '') AS visibility
FROM json_each(:ids) f CROSS JOIN memories m ON m.id = f.value WHERE {MEMORY_VISIBLE}"""


def chosen_target(reader: Reader, start: str) -> tuple[str, str]:
    """The kind and the whole id of the value or memory whose id is, or begins with, `start`.

    Raises OperationError: 404 where there is none, 409 where several begin so.
    """
    value = value_id(reader, start)
    if reader.rows(_CHOSEN, ids=[value]):
        return CLAIM, value
    memory = memory_id(reader, start)
    if reader.rows(_MEMORIES, ids=[memory]):
        return MEMORY, memory
    raise OperationError(404, f"No claim value and no memory has the id {start}", field="id",
                         do=error_advice.IDS)


def standing(reader: Reader, asked: Sequence[Expectation]) -> dict[str, Target]:
    """The target of each expectation as it stands now, by the expectation's id."""
    values = {row["asked"]: row for row in reader.rows(_CHOSEN, ids=_ids(asked, CLAIM))}
    memories = {row["id"]: row for row in reader.rows(_MEMORIES, ids=_ids(asked, MEMORY))}
    return {one.id: _claim(reader, values.get(one.target_id)) if one.kind == CLAIM
            else _memory(memories.get(one.target_id)) for one in asked}


def _ids(asked: Iterable[Expectation], kind: str) -> list[str]:
    return sorted({one.target_id for one in asked if one.kind == kind})


def _claim(reader: Reader, row: Row | None) -> Target:
    if row is None:
        return Target(gone="The claim is no longer in the graph")
    if row["status"] == "active":
        return _target(row, _hidden(row))
    now = reader.row(_IN_FORCE, id=row["id"])
    if now is not None:
        return _target(now, _hidden(now))
    archived = row["status"] == "deleted"
    return _target(row, f"The claim is {'archived' if archived else 'superseded'}, and no value "
                        "of it is in force")


def _hidden(row: Row) -> str:
    """Why a value in force can't be told: what it belongs to is archived."""
    if row["entity_id"] is None:
        return "The claim belongs to no entity"
    for owner, name in (("entity", text(row["entity_name"])), ("aspect", "")):
        if row[f"{owner}_status"] != "active":
            return f"The claim's {owner}{f' “{name}”' if name else ''} is archived"
    return ""


def _target(row: Row, gone: str) -> Target:
    return Target("" if gone else row["id"], one_line(text(row["content"]), _QUOTED),
                  text(row["entity_id"]), text(row["entity_name"]), text(row["memory_id"]), gone)


def _memory(row: Row | None) -> Target:
    if row is None:
        return Target(gone="The memory is no longer in the graph")
    gone = "The memory is forgotten" if row["is_deleted"] or row["visibility"] == "archived" else ""
    return Target("" if gone else row["id"], one_line(text(row["content"]), _QUOTED), gone=gone)
