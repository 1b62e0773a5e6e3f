"""How an entity fares in sessions: the scorer's wins where it was the focus, and its ratings."""

from msgspec import Struct

from core.learning.scorer_comparison import TREND, comparisons_of, health_of
from core.model.session_start_and_end import EntityHealth
from core.queries.rows_to_model import number, text
from core.store.database import Row
from core.store.reader_and_writer import Reader

_RATINGS = """
SELECT f.session_key, f.memory_id, f.rating, f.reward, f.created_at FROM path_feedback_events f
WHERE f.agent_id = :agent AND json_valid(f.path_json) AND EXISTS (
  SELECT 1 FROM json_each(f.path_json, '$.entity_ids') p WHERE p.value = :entity)
ORDER BY replace(f.created_at, 'T', ' '), f.rowid"""


class Played(Struct, frozen=True):
    """One session in which the entity was the focus: whether the scorer ranked better."""

    created_at: str
    won: bool
    margin: float


class Rated(Struct, frozen=True):
    """One rating of a memory that was reached through the entity, -1 to 1."""

    created_at: str
    session_key: str
    memory_id: str
    rating: float
    reward: float


class Feedback(Struct, frozen=True):
    """The ratings of what was reached through an entity; oldest first.

    Attributes:
        average: None without any.
        trend: the later half against the earlier one, as of a win rate.
    """

    history: tuple[Rated, ...]
    average: float | None
    trend: str


class EntityRecord(Struct, frozen=True):
    """How an entity fares: its wins, each session of them, and the ratings of its paths."""

    health: EntityHealth
    history: tuple[Played, ...]
    feedback: Feedback


def entity_record(reader: Reader, entity_id: str, name: str) -> EntityRecord:
    """Read all of one entity, however few sessions there were."""
    rows = comparisons_of(reader, entity_id)
    ratings = tuple(map(_rated, reader.rows(_RATINGS, entity=entity_id)))
    return EntityRecord(
        health_of(entity_id, name, rows), tuple(map(_played, rows)), _feedback(ratings))


def _played(row: Row) -> Played:
    return Played(text(row["created_at"]), bool(row["predictor_won"]), number(row["margin"]))


def _rated(row: Row) -> Rated:
    return Rated(text(row["created_at"]), text(row["session_key"]), text(row["memory_id"]),
                 number(row["rating"]), number(row["reward"]))


def _feedback(ratings: tuple[Rated, ...]) -> Feedback:
    values = [one.rating for one in ratings]
    half = len(values) // 2
    change = _mean(values[half:]) - _mean(values[:half]) if half else 0.0
    trend = "improving" if change > TREND else "declining" if change < -TREND else "stable"
    return Feedback(ratings, _mean(values) if values else None, trend)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
