"""What an agent asks of the past of the graph."""

from pydantic import Field

from core.past.compared_states import compare_moments
from explorer.difference_json import compared_json, counted_words, line, title
from explorer.door import Answer, Arguments, Door
from explorer.mcp.tool import Tool

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
    compared = compare_moments(door.workspace, given.since, given.until)
    lines = [f"{title(compared)}: {counted_words(compared.items)}",
             *(f"{one.entity_name}: {line(one, LONGEST)}" for one in compared.items)]
    return Answer(compared_json(compared), "\n".join(lines))


PAST_TOOLS = (Tool(graph_diff, Moments, reads=True),)
