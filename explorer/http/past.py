"""What has changed between two moments of the graph."""

from pydantic import Field

from core.past.compared_states import compare_moments
from explorer.difference_json import compared_json
from explorer.door import Arguments, Door, Json
from explorer.http.endpoint import Endpoint, Words


class Moments(Arguments):
    """Which two moments."""

    since: Words = Field(alias="from", description="The earlier date: `2026-05-03`, `3 May`, "
                                                   "`two weeks ago`, a time")
    until: str = Field("", alias="to", description="The later date; now without it")


def diff(door: Door, given: Moments) -> Json:
    """List what was added, changed or taken away between two dates."""
    return compared_json(compare_moments(door.workspace, given.since, given.until))


PAST = (
    Endpoint("GET", "/api/knowledge/diff", diff, Moments, example={"from": "2026-05-03"}),
)
