"""Tools that show conflicts: claims that collide in a merge, and two values for one place."""

from pydantic import Field

from core.model.names import spoken
from core.review.competing_values import find
from core.review.merge_conflicts import Colliding
from core.review.merge_conflicts import merge_plan as plan_of
from explorer.caller_arguments import Arguments
from explorer.competing_values_json import two_values_json
from explorer.graph_for_caller import Answer, Door
from explorer.mcp.tool import Tool
from explorer.model_json import plain


class Merge(Arguments):
    """Two entities."""

    target: str = Field(description="The entity to merge into: its name, or its id")
    source: str = Field(description="The entity to merge: its name, or its id")


def merge_plan(door: Door, given: Merge) -> Answer:
    """List the claims of which two entities say different things. Propose merge_entities with
    keep_values, newer_values or own_values to say which value holds.
    """
    with door.read() as reader:
        plan = plan_of(reader, given.target, [given.source])
    answer = plain(plan)
    assert isinstance(answer, dict)
    lines = [f"! {warning}" for warning in plan.warnings]
    lines += [line for claim in plan.claims for line in _lines(claim)]
    return Answer(answer, "\n".join(lines) or "No claims collide.")


class Two(Arguments):
    """Which two."""

    id: str = Field(description="The id of a pending proposal, or of a value in force")
    other: str = Field("", description="Beside a value: the id of the other one")


def two_values(door: Door, given: Two) -> Answer:
    """Read two values for one place side by side: what is proposed and what is in force, or two
    in force. A person settles them.
    """
    with door.read() as reader:
        shown = find(reader, [one for one in (given.id, given.other) if one.strip()])
    return Answer(two_values_json(shown), "\n".join((
        f"{shown.entity_name}: {shown.where}",
        *(f"- {side.text} ({side.who or 'unknown'}, {side.said_at[:10]})"
          for side in (shown.first, shown.second)))))


def _lines(claim: Colliding) -> list[str]:
    return [f"{claim.aspect}: {spoken(claim.claim_key)}",
            *(f"- {side.entity_name}: {side.content} [{side.id}]" for side in claim.values)]


MERGE_TOOLS = (Tool(merge_plan, Merge, reads=True), Tool(two_values, Two, reads=True))
