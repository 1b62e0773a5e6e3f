"""How well the learned scorer ranks against the heuristic: by session, and by entity."""

import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from core.model.session_start_and_end import Comparison, EntityHealth
from core.model.times import later
from core.queries.rows_to_model import number, text
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer, new_id

TOP = 10
"""Ranks that count."""
TREND = 0.1
"""How much the later half must differ from the earlier one to be a trend."""

_COMPARISONS = """
SELECT c.focal_entity_id, c.focal_entity_name, c.predictor_won, c.margin, c.created_at
FROM predictor_comparisons c
WHERE c.agent_id = :agent AND c.focal_entity_id IS NOT NULL
ORDER BY replace(c.created_at, 'T', ' '), c.rowid"""
_OF_ENTITY = """
SELECT c.predictor_won, c.margin, c.created_at FROM predictor_comparisons c
WHERE c.agent_id = :agent AND c.focal_entity_id = :entity
ORDER BY replace(c.created_at, 'T', ' '), c.rowid"""
_NAMES = """
SELECT e.id, e.name FROM json_each(:ids) f CROSS JOIN entities e ON e.id = f.value
WHERE e.agent_id = :agent"""
_RATE = """
SELECT COUNT(*) AS number, AVG(c.predictor_won) AS rate FROM predictor_comparisons c
WHERE c.agent_id = :agent AND c.focal_entity_id = :entity"""


def ndcg(scores: Sequence[float] | np.ndarray, relevance: Sequence[float] | np.ndarray) -> float:
    """NDCG of the order by `scores` in its first ten, 0 to 1.

    1 where nothing is relevant: no order is better than another.
    """
    gains = np.asarray(relevance, np.float64)
    ranked = gains[np.argsort(-np.asarray(scores, np.float64), kind="stable")][:TOP]
    ideal = -np.sort(-gains)[:TOP]
    worth = 1 / np.log2(np.arange(2, len(ideal) + 2))
    # Not a dot product: its last digit depends on where the arrays lie in memory, and the best
    # order must come to exactly 1.
    best = math.fsum(ideal * worth)
    return math.fsum(ranked * worth) / best if best > 0 else 1.0


def entity_health(
    reader: Reader, *, since: str = "", min_comparisons: int = 3
) -> tuple[EntityHealth, ...]:
    """The win rate of each entity that was the focus often enough, the best first.

    Args:
        since: only comparisons after this time.
    """
    grouped: defaultdict[str, list[Row]] = defaultdict(list)
    for row in reader.rows(_COMPARISONS):
        if not since or later(row["created_at"], since):
            grouped[text(row["focal_entity_id"])].append(row)
    enough = {id: rows for id, rows in grouped.items() if len(rows) >= max(min_comparisons, 1)}
    names = {row["id"]: text(row["name"]) for row in reader.rows(_NAMES, ids=list(enough))}
    health = [health_of(id, names.get(id) or text(rows[-1]["focal_entity_name"]), rows)
             for id, rows in enough.items()]
    return tuple(sorted(
        health, key=lambda one: (-one.win_rate, -one.comparison_count, one.entity_id)))


def comparisons_of(reader: Reader, entity_id: str) -> list[Row]:
    """The comparisons of the sessions with this entity in focus, oldest first."""
    return reader.rows(_OF_ENTITY, entity=entity_id)


def health_of(entity_id: str, name: str, rows: Sequence[Row]) -> EntityHealth:
    """Wins and trend of an entity's comparisons; nought where there are none."""
    won = [bool(row["predictor_won"]) for row in rows]
    half = len(won) // 2
    change = _share(won[half:]) - _share(won[:half]) if half else 0.0
    trend = "improving" if change > TREND else "declining" if change < -TREND else "stable"
    return EntityHealth(entity_id, name, len(won), _share(won),
                        sum(number(row["margin"]) for row in rows) / max(len(rows), 1), trend)


def _share(won: Sequence[bool]) -> float:
    return sum(won) / len(won) if won else 0.0


def win_rate(reader: Reader, entity_id: str, min_comparisons: int) -> float | None:
    """The entity's win rate, None where it is not known yet."""
    row = reader.row(_RATE, entity=entity_id)
    if row is None or row["number"] < min_comparisons:
        return None
    return number(row["rate"])


def keep(
    writer: Writer, session_key: str, comparison: Comparison, *, project: str,
    counts: Sequence[int], alpha: float, top: Sequence[Sequence[str]], relevance: dict[str, float],
) -> None:
    """Write or update a session's comparison.

    Args:
        counts: candidates, those found by the walk, constraints.
        alpha: 1 if the scorer's order was used, else 0.
        top: the first ids by the scorer and by the heuristic.
    """
    values: dict[str, object] = {
        "predictor_ndcg": comparison.predictor_ndcg, "baseline_ndcg": comparison.baseline_ndcg,
        "predictor_won": int(comparison.won), "margin": comparison.margin, "alpha": alpha,
        "focal_entity_id": comparison.focal_entity_id,
        "focal_entity_name": comparison.focal_entity_name,
        "project": project or None, "candidate_count": counts[0], "traversal_count": counts[1],
        "constraint_count": counts[2], "predictor_top_ids": list(top[0][:TOP]),
        "baseline_top_ids": list(top[1][:TOP]), "relevance_scores": relevance,
    }
    mine = "session_key = :session AND agent_id = :agent"
    if writer.value(f"SELECT 1 FROM predictor_comparisons WHERE {mine}", session=session_key):
        writer.update_where("predictor_comparisons", mine, values, session=session_key)
    else:
        writer.insert("predictor_comparisons", id=new_id(), session_key=session_key,
                      agent_id=writer.agent, created_at=writer.now(), **values)
