"""`knowledge merge-plan`: what a merge has to settle first."""

from typing import Annotated

import typer

from core.model.names import spoken
from explorer.cli import output
from explorer.cli.open_graph import reading
from explorer.cli.options import EVERYONE, AgentName, Json, Store


def merge_plan(
    target: Annotated[str, typer.Argument(
        metavar="TARGET", help="The entity to merge into, by name or id.")],
    sources: Annotated[list[str], typer.Argument(
        metavar="SOURCE", help="The entities to merge, by name or id.")],
    store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """List the claims of which entities say different things, before they become one.

    `ontology entity merge` takes the choice for each: --keep-values, --newer-values, --own-values.
    """
    from core.review import merge_conflicts as plans  # noqa: PLC0415 - other commands need none of it

    with reading(store, agent) as workspace, workspace.read() as reader:
        plan = plans.merge_plan(reader, target, sources)
    if output.answered(as_json, plan):
        return
    for warning in plan.warnings:
        output.say(f"! {warning}")
    output.table(("aspect", "claim", "value", "of", "says"), (
        (claim.aspect, spoken(claim.claim_key), side.id, side.entity_name, side.content)
        for claim in plan.claims for side in claim.values), empty="No claims collide.")
    if plan.same:
        output.note(f"{plan.same} more say the same already")
