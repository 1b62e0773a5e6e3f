"""What an agent asks about the graph as a whole: what is wrong with it, figures, communities."""

from pydantic import Field

from core.constellation.community_list import list_communities
from core.doctor_report import examine_open
from core.health.dismissed_findings import left_findings
from core.health.kinds import KINDS
from core.health.name_match_strictness import Strictness
from core.health.report import report
from explorer.caller_arguments import Arguments
from explorer.entity_health_json import entity_health_json
from explorer.graph_for_caller import Answer, Door
from explorer.health_json import report_json, rules_of
from explorer.mcp.tool import Tool
from explorer.model_json import plain
from explorer.statistics_and_communities_json import communities_json, stats_json


class Hygiene(Arguments):
    """What to look for."""

    kinds: tuple[str, ...] = Field(
        (), description=f"Only findings of these kinds; all without it: {', '.join(KINDS)}")
    strictness: Strictness | None = Field(
        None, description="How much the names of duplicates may differ")
    limit: int = Field(50, ge=1, le=500, description="The most findings of each kind")


def hygiene(door: Door, given: Hygiene) -> Answer:
    """Find what is wrong with the graph: duplicates, contradictions, names that are none, what is
    stale or untidy; each with the operation that mends it, which you can propose.
    """
    rules = rules_of(door.engine.settings, duplicates=given.strictness)
    with door.read() as reader:
        result = report(reader, rules, kinds=given.kinds, limit=given.limit,
                    left=left_findings(door.workspace.sidecar, door.workspace.agent))
    lines = [f"{KINDS[kind].title}: {count}" for kind, count in result.counts.items() if count]
    lines += [f"- {one.text}{f' ({one.fix.operation})' if one.fix else ''}"
              for one in result.findings]
    return Answer(report_json(result), "\n".join(lines) or "Nothing is wrong with this graph.")


def knowledge_stats(door: Door, given: Arguments) -> Answer:
    """Count what is known, how much of what is remembered is organised, and the weights."""
    with door.read() as reader:
        return Answer.of(stats_json(reader))


def communities(door: Door, given: Arguments) -> Answer:
    """List groups of entities that have more to do with each other than with the rest."""
    with door.read() as reader:
        found = list_communities(reader, door.workspace.sidecar, door.engine.embedder)
    lines = [f"- {one.name}: {one.summary}" for one in found]
    return Answer(communities_json(found), "\n".join(lines) or "There are none.")


class OneEntity(Arguments):
    """An entity."""

    entity: str = Field(description="Its name, another name of it, or its id")


def entity_health(door: Door, given: OneEntity) -> Answer:
    """Read how an entity fares in sessions: win rate, history, trend, and ratings."""
    with door.read() as reader:
        return Answer.of(entity_health_json(reader, given.entity))


def doctor(door: Door, given: Arguments) -> Answer:
    """Report versions, what can't be loaded, and the health of the graph file; tells no contents.
    """
    report_of_file = examine_open(door.workspace)
    answer = plain(report_of_file)
    assert isinstance(answer, dict)
    return Answer(answer, "\n".join(report_of_file.lines()))


HEALTH_TOOLS = (
    Tool(hygiene, Hygiene, reads=True),
    Tool(knowledge_stats, Arguments, reads=True),
    Tool(communities, Arguments, reads=True),
    Tool(entity_health, OneEntity, reads=True, about="entity"),
    Tool(doctor, Arguments, reads=True),
)
