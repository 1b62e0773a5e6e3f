"""What is wrong with the graph, its figures, its communities, and how entities fare."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, Field

from core.constellation.community_list import list_communities
from core.doctor_report import examine_open
from core.health.dismissed_findings import left_findings
from core.health.kinds import KINDS
from core.health.name_match_strictness import Strictness
from core.health.report import report
from explorer.caller_arguments import Arguments, Json
from explorer.entity_health_json import entity_health_json, every_health_json
from explorer.graph_for_caller import Door
from explorer.health_json import report_json, rules_of
from explorer.http.endpoint import Endpoint, Words, known, within
from explorer.model_json import plain
from explorer.statistics_and_communities_json import communities_json, stats_json


class Hygiene(Arguments):
    """What to look for."""

    limit: Annotated[int, within(1, 500), Field(
        description="The most findings of each kind, 1 to 500")] = 50
    memory_limit: Annotated[int, within(1, 1000), Field(
        description="How many of the newest memories are searched for names, 1 to 1000")] = 200
    kind: Annotated[str, known(tuple(KINDS), ""), Field(
        description=f"Only findings of this kind: {', '.join(KINDS)}; any other word: all")] = ""
    strictness: Strictness | None = Field(
        None, description="How much the names of duplicates may differ")


def hygiene(door: Door, given: Hygiene) -> Json:
    """Report what is wrong with the graph, each with the operation that mends it."""
    rules = rules_of(door.engine.settings, duplicates=given.strictness,
                     memories=given.memory_limit)
    kinds = (given.kind,) if given.kind else ()
    with door.read() as reader:
        return report_json(report(reader, rules, kinds=kinds, limit=given.limit,
                    left=left_findings(door.workspace.sidecar, door.workspace.agent)))


def stats(door: Door, given: Arguments) -> Json:
    """Count what is known, how much of what is remembered is organised, and the weights."""
    with door.read() as reader:
        return stats_json(reader)


def communities(door: Door, given: Arguments) -> Json:
    """List groups of entities that have more to do with each other than with the rest."""
    with door.read() as reader:
        return communities_json(list_communities(
            reader, door.workspace.sidecar, door.engine.embedder))


class Health(Arguments):
    """Which entities."""

    since: str = Field("", description="Only sessions after this time")
    min_comparisons: Annotated[int, AfterValidator(lambda least: max(1, least)), Field(
        description="Only entities that were the focus in so many sessions, 1 or more")] = 3


def every_health(door: Door, given: Health) -> Sequence[Json]:
    """List how entities fare in sessions, the highest win rate first."""
    with door.read() as reader:
        return every_health_json(reader, given.since, given.min_comparisons)


class OneEntity(Arguments):
    """An entity."""

    id: Words = Field(description="The entity's id or name")


def entity_health(door: Door, given: OneEntity) -> Json:
    """Read how an entity fares in sessions: win rate, history, trend, and ratings."""
    with door.read() as reader:
        return entity_health_json(reader, given.id)


def doctor(door: Door, given: Arguments) -> object:
    """Report versions, what can't be loaded, and the health of the graph file; tells no contents.
    """
    return plain(examine_open(door.workspace))


_API = "/api/knowledge"
HEALTH = (
    Endpoint("GET", f"{_API}/hygiene", hygiene, Hygiene,
             example={"limit": 50, "kind": "duplicate_entities"}),
    Endpoint("GET", f"{_API}/stats", stats),
    Endpoint("GET", f"{_API}/communities", communities),
    Endpoint("GET", f"{_API}/entities/health", every_health, Health, lists=True,
             example={"min_comparisons": 3}),
    Endpoint("GET", f"{_API}/entities/{{id}}/health", entity_health, OneEntity,
             refuses=(404, 409), example={"id": "Alice"}),
    Endpoint("GET", "/api/doctor", doctor),
)
