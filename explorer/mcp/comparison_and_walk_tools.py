"""What an agent asks of the past of the graph, and what it would be told of a question."""

from pydantic import Field

from core.past.compared_states import Compared, compare_agents, compare_moments
from explorer.caller_arguments import Arguments
from explorer.difference_json_and_markdown import compared_json, counted_words, line, title
from explorer.graph_for_caller import Answer, Door
from explorer.mcp.tool import Tool
from explorer.model_json import walk_json
from explorer.question_walk import Start, walked

LONGEST = 300


class Moments(Arguments):
    """Which two moments."""

    since: str = Field(alias="from", min_length=1, description="The earlier date: 2026-05-03, "
                                                               "“3 May”, “two weeks ago”")
    until: str = Field("", alias="to", description="The later date; now without it")


def graph_diff(door: Door, given: Moments) -> Answer:
    """List what was added, changed or taken away between two dates: entities, claims,
    constraints, links and pins.
    """
    return _listed(compare_moments(door.workspace, given.since, given.until, door.told))


class Other(Arguments):
    """Which other agent."""

    other: str = Field(alias="withAgent", min_length=1, description="The agent to compare with")
    until: str = Field("", alias="to", description="As both stood at this date; now without it")


def graph_diff_agents(door: Door, given: Other) -> Answer:
    """List what another agent knows beyond or otherwise than you, as far as your read policy lets
    you read it: entities, claims, constraints, links and pins.
    """
    return _listed(compare_agents(
        door.workspace, given.other, given.until, door.told, by_policy=True))


def _listed(compared: Compared) -> Answer:
    lines = [f"{title(compared)}: {counted_words(compared.items)}",
             *(f"{one.entity_name}: {line(one, LONGEST)}" for one in compared.items)]
    return Answer(compared_json(compared), "\n".join(lines))


def traverse(door: Door, given: Start) -> Answer:
    """Walk the graph from a question or entities, without searching memories: the entities in
    focus, the rules that bind, the memories that a walk comes to.
    """
    walk = walked(door, given)
    lines = [f"Focus: {', '.join(one.name or one.id for one in walk.focal.entities) or 'none'}",
             *(f"! {rule.entity_name}: {rule.marked_text}" for rule in walk.constraints),
             *(f"- {memory.marked_text} [{memory.id}]" for memory in walk.memories)]
    return Answer(walk_json(walk), "\n".join((*lines, *walk.missing)))


PAST_TOOLS = (
    Tool(graph_diff, Moments, reads=True),
    Tool(graph_diff_agents, Other, reads=True),
    Tool(traverse, Start, reads=True),
)
