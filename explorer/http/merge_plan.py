"""What a merge has to settle first."""

from pydantic import Field

from core.review.merge_conflicts import MergePlan
from core.review.merge_conflicts import merge_plan as plan_of
from explorer.caller_arguments import Arguments
from explorer.graph_for_caller import Door
from explorer.http.endpoint import Endpoint, Words


class Merge(Arguments):
    """Two entities."""

    target: Words = Field(description="The entity to merge into, by name or id")
    source: Words = Field(description="The entity to merge, by name or id")


def merge_plan(door: Door, given: Merge) -> MergePlan:
    """List the claims of which two entities say different things, before they become one."""
    with door.read() as reader:
        return plan_of(reader, given.target, [given.source])


MERGING = (
    Endpoint("GET", "/api/ontology/merge-plan", merge_plan, Merge, refuses=(404, 409),
             example={"target": "Alice", "source": "Alice Smith"}),
)
