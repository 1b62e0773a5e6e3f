"""`ontology repair`, also `ontology proposals repair`: merges of what has one name."""

from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import OperationError
from core.model.text_formatting import counted
from core.store.reader_and_writer import Reader, Writer
from explorer.cli import output
from explorer.cli.open_graph import reading
from explorer.cli.options import EVERYONE, OPERATOR, Actor, AgentName, Json, Reason, Store
from explorer.cli.run_operation import carry_out

if TYPE_CHECKING:
    from core.health.merge_plans import RepairPlan, Repairs

_LABEL = "Propose merges of what has one name"


def repair(
    merge: Annotated[str, typer.Option(
        "--merge", metavar="TARGET", help="Plan a merge into this entity, by name or id, instead of"
                                          " looking for duplicates.")] = "",
    sources: Annotated[list[str] | None, typer.Option(
        "--from", metavar="SOURCE", help="An entity to merge into it; may be repeated.",
        show_default=False)] = None,
    write: Annotated[bool, typer.Option(
        "--write-proposals", help="Propose them; without it nothing is written.")] = False,
    force: Annotated[bool, typer.Option(
        "--force", help="Also plan a merge of what is pinned or of another type.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-l", min=1, max=100, help="The most merges.")
                     ] = 25,
    store: Store = None, agent: AgentName = EVERYONE, actor: Actor = OPERATOR, reason: Reason = "",
    as_json: Json = False,
) -> None:
    """Plan the merges that make one entity of those with one name, and propose them.

    What is pinned or of another type blocks a merge: it is listed, and not proposed.
    """
    from core.health import merge_plans as planning  # noqa: PLC0415 - other commands need none of it

    if bool(merge) != bool(sources):
        raise typer.BadParameter("--merge and --from belong together")

    def plan(reader: Reader) -> "Repairs":
        if merge:
            return planning.Repairs((planning.plan_of(reader, merge, sources or (), force=force),))
        return planning.Repairs(planning.duplicate_plans(reader, limit))

    def propose(writer: Writer) -> "Repairs":
        if not merge:
            return planning.propose_repairs(writer, limit)
        one = planning.plan_of(writer, merge, sources or (), force=force)
        if one.blocked:
            return planning.Repairs((one,), refused=("; ".join(one.warnings),))
        return planning.Repairs((one,), (planning.propose_plan(writer, one, rationale=reason),))

    if write:
        repairs, _ = carry_out(store, agent, actor, _LABEL, propose)
    else:
        with reading(store, agent) as workspace, workspace.read() as reader:
            repairs = plan(reader)
    _tell(repairs, write, as_json)
    if write and merge and not repairs.proposed:
        raise OperationError(409, repairs.refused[0], field="force",
                             do="Use --force to propose it for review")


def _tell(repairs: "Repairs", write: bool, as_json: bool) -> None:
    if output.answered(as_json, {
            "items": repairs.items, "proposals": repairs.proposed, "count": len(repairs.items),
            "writtenCount": len(repairs.proposed), "skippedCount": len(repairs.refused),
            "dryRun": not repairs.proposed}):
        return
    output.table(("merge into", "takes in", "risk", "but"), map(_line, repairs.items),
                 empty="No entities share a name.")
    if write:
        output.say(f"{counted(len(repairs.proposed), 'merge')} proposed")
        for why in repairs.refused:
            output.note(f"! not proposed: {why}")
    elif repairs.items:
        output.note("Nothing was written; --write-proposals proposes what is not blocked")


def _line(plan: "RepairPlan") -> tuple[str, ...]:
    return (plan.target.name, ", ".join(one.name for one in plan.sources), plan.risk,
            "; ".join(plan.warnings))
