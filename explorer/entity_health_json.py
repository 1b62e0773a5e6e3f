"""How entities fare in sessions as JSON, in upstream's shapes."""

from typing import Any

from core.health.entity_session_ratings import entity_record
from core.learning.scorer_comparison import entity_health
from core.model.session_start_and_end import EntityHealth
from core.queries.entities import find_entity
from core.store.reader_and_writer import Reader
from explorer.model_json import plain

Json = dict[str, Any]


def entity_health_json(reader: Reader, selector: str) -> Json:
    """How one entity fares: wins, history and trend, and the ratings of what it led to."""
    owner = find_entity(reader, selector)
    record = entity_record(reader, owner.id, owner.name)
    played = len(record.history)
    return {**_health(record.health), "winRate": record.health.win_rate if played else None,
            "avgMargin": record.health.avg_margin if played else None,
            "history": plain(record.history), "feedback": plain(record.feedback)}


def _health(health: EntityHealth) -> Json:
    whole = plain(health)
    assert isinstance(whole, dict)
    return whole


def every_health_json(reader: Reader, since: str, min_comparisons: int) -> list[Json]:
    """How each entity fares that was the focus often enough, the best first."""
    return [_health(one) for one in entity_health(
        reader, since=since, min_comparisons=min_comparisons)]
