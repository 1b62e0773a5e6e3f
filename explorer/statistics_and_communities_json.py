"""Statistics and communities as JSON, in upstream's shapes."""

from collections.abc import Sequence
from typing import Any

from core.constellation.community_list import Community
from core.queries import stats
from core.queries.knowledge_coverage import coverage
from core.store.reader_and_writer import Reader

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
