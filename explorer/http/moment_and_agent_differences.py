"""What is different between two moments of the graph, or between two agents."""

from pydantic import Field

from core.past.compared_states import compare_agents, compare_moments
from explorer.caller_arguments import Arguments, Json
from explorer.difference_json_and_markdown import compared_json
from explorer.graph_for_caller import Door
from explorer.http.endpoint import Endpoint, Words


class Moments(Arguments):
    """Which two moments."""

    since: Words = Field(alias="from", description="The earlier date: `2026-05-03`, `3 May`, "
                                                   "`two weeks ago`, a time")
    until: str = Field("", alias="to", description="The later date; now without it")


def diff(door: Door, given: Moments) -> Json:
    """List what was added, changed or taken away between two dates."""
    return compared_json(compare_moments(door.workspace, given.since, given.until, door.told))


class Other(Arguments):
    """Which other agent."""

    other: Words = Field(alias="withAgent", description="The agent to compare with")
    until: str = Field("", alias="to", description="As both stood at this date; now without it")


def diff_agents(door: Door, given: Other) -> Json:
    """List what another agent knows beyond or otherwise than this one, as far as the read policy
    of this one goes."""
    return compared_json(compare_agents(
        door.workspace, given.other, given.until, door.told, by_policy=True))


PAST = (
    Endpoint("GET", "/api/knowledge/diff", diff, Moments, refuses=(404,),
             example={"from": "2026-05-03"}),
    Endpoint("GET", "/api/knowledge/diff/agents", diff_agents, Other, refuses=(404,),
             example={"withAgent": "researcher"}),
)
