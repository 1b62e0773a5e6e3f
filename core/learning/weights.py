"""The weight of an aspect: moved within its bounds, each step on record for its line over time."""

from collections.abc import Iterable
from typing import NamedTuple

from core.learning.history import record
from core.queries.rows import number
from core.queries.sessions import WEIGHT
from core.store.handles import Reader, Writer

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


def move_weights(
    writer: Writer, steps: dict[str, float], bounds: Bounds, *, by: str, why: str,
    session_key: str,
) -> int:
    """Move the weights of aspects, each by its step; returns how many were moved.

    An aspect that is confirmed counts as fresh even where its weight is at the bound already.
    """
    moved = 0
    for id, weight, is_task in _known(writer, steps):
        step = steps[id]
        if step == 0 or (is_task and step > 0):
            continue
        after = round(bounds.moved(weight, step), 6)
        writer.update("entity_aspects", id, weight=after, updated_at=writer.now())
        moved += 1
        if after != weight:
            record(writer, WEIGHT, id, old=f"{weight:g}", new=f"{after:g}", by=by, reason=why,
                   metadata={"session_key": session_key, "step": step}, lasting=False)
    return moved


def _known(reader: Reader, ids: Iterable[str]) -> list[tuple[str, float, bool]]:
    wanted = sorted(ids)
    rows = reader.rows(_ASPECTS, ids=wanted) if wanted else []
    return [(row["id"], number(row["weight"], 0.5), bool(row["task"])) for row in rows]
