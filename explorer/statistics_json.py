"""Statistics, communities and how entities fare as JSON, in upstream's shapes."""

from collections.abc import Sequence
from typing import Any

from core.constellation.community_list import Community
from core.health.entity_session_ratings import entity_record
from core.learning.scorer_comparison import entity_health
from core.model.session_start_and_end import EntityHealth
from core.queries import stats
from core.queries.entities import find_entity
from core.queries.knowledge_coverage import coverage
from core.store.reader_and_writer import Reader
from explorer.to_json import plain

Json = dict[str, Any]


def stats_json(reader: Reader) -> Json:
    """Counts of the graph and how much of what is remembered is organised (seed 001)."""
    counts, covered = stats.counts(reader), coverage(reader)
    return {
        "entityCount": counts.entities, "aspectCount": counts.aspects,
        "attributeCount": counts.attributes, "constraintCount": counts.constraints,
        "dependencyCount": counts.dependencies, "unassignedMemoryCount": covered.unassigned,
        "coveragePercent": covered.percent, "averageAspectWeight": covered.average_weight,
        "maxWeightAspectCount": covered.most_weight, "minWeightAspectCount": covered.least_weight,
        "feedbackUpdatedAspectCount": covered.recent}


def communities_json(communities: Sequence[Community]) -> Json:
    """Communities with the keys of upstream's answer, which are in snake case."""
    return {"items": [
        {"id": one.id, "name": one.name, "cohesion": round(one.cohesion, 4),
         "member_count": one.member_count, "summary": one.summary,
         "created_at": one.created_at or None, "updated_at": one.updated_at or None,
         "member_ids": list(one.members)} for one in communities], "count": len(communities)}


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
