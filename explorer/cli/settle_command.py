"""`ontology settle`: two values for one place side by side, and what is to become of them."""

from typing import Annotated

import typer

from core.model.text_formatting import one_line
from core.review.competing_values import Decision, Side, TwoValues, find, settle
from core.store.reader_and_writer import Writer
from explorer.cli import output
from explorer.cli.open_graph import reading
from explorer.cli.options import EVERYONE, OPERATOR, Actor, AgentName, DryRun, Json, Store
from explorer.cli.run_operation import carry_out, tell_changes
from explorer.competing_values_json import two_values_json
from explorer.model_json import plain


def settle_values(
    ids: Annotated[list[str], typer.Argument(
        metavar="ID", help="The id of a pending proposal, or the ids of two values in force.")],
    keep: Annotated[int, typer.Option(
        "--keep", min=0, max=2, metavar="1|2", show_default=False,
        help="Keep the first or the second one.")] = 0,
    value: Annotated[str, typer.Option(
        "--combine", metavar="TEXT", show_default=False,
        help="Put this in the place of both.")] = "",
    assertions: Annotated[bool, typer.Option(
        "--assertions", help="Keep both as what was said; what is in force, or the newer one, "
                             "stays.")] = False,
    dry_run: DryRun = False, store: Store = None, agent: AgentName = EVERYONE,
    actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Show two values for one place side by side; keep one, combine them, or keep both."""
    options: dict[Decision, bool] = {"first": keep == 1, "second": keep == 2,
                                     "combined": bool(value), "assertions": assertions}
    chosen = [decision for decision, is_chosen in options.items() if is_chosen]
    if len(chosen) > 1:
        raise typer.BadParameter("one of --keep, --combine and --assertions decides")
    if not chosen:
        with reading(store, agent) as workspace, workspace.read() as reader:
            shown = find(reader, ids)
        if not output.answered(as_json, two_values_json(shown)):
            _tell(shown)
        return

    def change(writer: Writer) -> tuple[TwoValues, str]:
        found = find(writer, ids)
        return found, settle(writer, found, chosen[0], value)

    (shown, said), changes = carry_out(store, agent, actor, lambda done: done[1], change,
                                       dry_run=dry_run)
    if as_json:
        answer = {**two_values_json(shown), "decision": chosen[0], "dryRun": dry_run}
        output.answer_json({**answer, "changes": plain(changes)} if dry_run else answer)
        return
    output.say(f"{'Dry run, nothing changed' if dry_run else 'Done'}: {said}")
    tell_changes(changes)


def _tell(shown: TwoValues) -> None:
    output.say(f"{shown.entity_name} · {shown.where}")
    words = ("in force", "proposed") if shown.proposed else ("older", "newer")
    output.table(("", "", "by", "when", "value"), (
        (number, word, side.who, side.said_at[:10], _cut(side))
        for number, word, side in zip((1, 2), words, (shown.first, shown.second), strict=True)),
        empty="")
    output.say(f"both in one: {one_line(shown.combined, 400)}")


def _cut(side: Side) -> str:
    return one_line(f"{'! ' if side.kind == 'constraint' else ''}{side.text}", 200)
