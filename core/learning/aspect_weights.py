"""The weight of an aspect: moved within bounds, each change on record for its line over time."""

from collections.abc import Iterable
from typing import NamedTuple

from core.learning.automatic_change_log import CHANGES, entry
from core.queries.rows_to_model import number
from core.queries.sessions import WEIGHT
from core.store.reader_and_writer import Reader, Writer

# Tasks do not gain weight (seed 002), and what is archived does not learn.
_ASPECTS = """
SELECT a.id, a.weight, e.entity_type = 'task' OR EXISTS (
  SELECT 1 FROM task_meta t WHERE t.entity_id = e.id) AS task
FROM json_each(:ids) f CROSS JOIN entity_aspects a ON a.id = f.value
CROSS JOIN entities e ON e.id = a.entity_id
WHERE +a.agent_id = :agent AND a.status = 'active' AND e.agent_id = :agent
  AND e.status = 'active'"""


class Bounds(NamedTuple):
    """Between which weights the graph moves by itself; what a person set beyond them stays."""

    least: float
    most: float

    def moved(self, weight: float, by: float) -> float:
        """The weight after a step."""
        if by >= 0:
            return max(weight, min(weight + by, self.most))
        return min(weight, max(weight + by, self.least))


class Step(NamedTuple):
    """An aspect's weight before and after a change."""

    aspect_id: str
    before: float
    after: float


def note_weights(
    writer: Writer, steps: Iterable[Step], *, by: str, why: str, session_key: str = ""
) -> None:
    """Record changes of weights, so that their history is complete.

    The records are removed when the change is undone.
    """
    metadata = {"session_key": session_key} if session_key else {}
    writer.insert_many(CHANGES, (
        entry(writer, WEIGHT, id, old=f"{before:g}", new=f"{after:g}", by=by, reason=why,
              metadata=metadata) for id, before, after in steps if before != after))


def name_steps(reader: Reader, steps: Iterable[Step]) -> tuple[str, ...]:
    """Changes of weights as a person reads them: `Harbor · facts 0.8 → 0.795`."""
    asked = list(steps)
    names = {row["id"]: f"{row['entity']} · {row['name']}" for row in reader.rows(
        "SELECT a.id, a.name, e.name AS entity FROM json_each(:ids) f"
        " CROSS JOIN entity_aspects a ON a.id = f.value"
        " CROSS JOIN entities e ON e.id = a.entity_id AND e.agent_id = :agent",
        ids=[step.aspect_id for step in asked])}
    return tuple(f"{names.get(step.aspect_id, step.aspect_id)} {step.before:g} → {step.after:g}"
                 for step in asked)


def move_weights(
    writer: Writer, steps: dict[str, float], bounds: Bounds, *, by: str, why: str,
    session_key: str,
) -> int:
    """Move the weights of aspects, each by its step; returns how many were moved.

    An aspect that is confirmed counts as fresh even where its weight is at the bound already.
    """
    moved = []
    for id, weight, is_task in _known(writer, steps):
        step = steps[id]
        if step == 0 or (is_task and step > 0):
            continue
        after = round(bounds.moved(weight, step), 6)
        writer.update("entity_aspects", id, weight=after, updated_at=writer.now())
        moved.append(Step(id, weight, after))
    note_weights(writer, moved, by=by, why=why, session_key=session_key)
    return len(moved)


def _known(reader: Reader, ids: Iterable[str]) -> list[tuple[str, float, bool]]:
    wanted = sorted(ids)
    rows = reader.rows(_ASPECTS, ids=wanted) if wanted else []
    return [(row["id"], number(row["weight"], 0.5), bool(row["task"])) for row in rows]
