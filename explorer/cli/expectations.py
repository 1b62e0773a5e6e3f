"""`expect`: what must, or must not, come for a question; `check` tells whether it does."""

from typing import Annotated

import typer

from core.expectations.current_targets import standing
from core.expectations.store import add_expectation, expectations, remove_expectation
from core.model.expectation import CLAIM, Expectation
from core.model.text_formatting import one_line
from explorer.cli import engine_options, output
from explorer.cli.open_graph import reading
from explorer.cli.options import (
    EVERYONE,
    OPERATOR,
    Actor,
    AgentName,
    Commands,
    DryRun,
    Json,
    Store,
)
from explorer.cli.run_operation import carry_out
from explorer.model_json import expectation_json

FOLLOWS = "An expectation of a claim follows the claim: what it says now is meant"

app = Commands(help="Write down what must, or must not, come for a question.",
               no_args_is_help=True)


@app.command()
def add(
    question: Annotated[str, typer.Argument(
        metavar="QUESTION", help="What the agent is asked; - for standard input.")],
    must: Annotated[str, typer.Option(
        "--must", metavar="ID", help="The claim value or memory that must come.")] = "",
    must_not: Annotated[str, typer.Option(
        "--must-not", metavar="ID", help="The one that must not come.")] = "",
    dry_run: DryRun = False, store: Store = None, agent: AgentName = EVERYONE,
    actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Expect that a claim or memory comes, or does not come, for a question."""
    if bool(must) == bool(must_not):
        raise typer.BadParameter("give one of --must ID and --must-not ID")
    asked = engine_options.question(question)
    made, _ = carry_out(
        store, agent, actor, label_of,
        lambda writer: add_expectation(writer, asked, must or must_not, must=bool(must)),
        dry_run=dry_run)
    if not output.answered(as_json, expectation_json(made)):
        output.say(f"{'Dry run, nothing changed: ' if dry_run else ''}{label_of(made)}")
        output.table(("", ""), [("expectation", made.id)], empty="")


def label_of(made: Expectation) -> str:
    """The step of the history that writes an expectation down."""
    return f"Expect for “{one_line(made.question, 60)}” that it {made.word}"


@app.command("list")
def list_expectations(
    store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """List the expectations; “check” tells which of them hold.

    One about a claim follows the claim: shown is what the claim says now.
    """
    with reading(store, agent) as workspace, workspace.read() as reader:
        asked = expectations(reader)
        targets = standing(reader, asked)
    if output.answered(as_json, {"items": [expectation_json(one, targets[one.id])
                                           for one in asked]}):
        return
    output.table(("id", "question", "", "what", "since"), (
        (output.short_id(one.id), one.question, one.word, targets[one.id].text,
         one.made_at[:10]) for one in asked), empty="No expectations.")
    if any(one.kind == CLAIM for one in asked):
        output.note(FOLLOWS)


@app.command()
def remove(
    id: Annotated[str, typer.Argument(metavar="ID", help="The expectation.")],
    dry_run: DryRun = False, store: Store = None, agent: AgentName = EVERYONE,
    actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Remove an expectation."""
    gone, _ = carry_out(
        store, agent, actor, lambda gone: f"Remove: {label_of(gone)}",
        lambda writer: remove_expectation(writer, id), dry_run=dry_run)
    if not output.answered(as_json, expectation_json(gone)):
        output.say(f"{'Dry run, nothing changed: ' if dry_run else ''}Remove: {label_of(gone)}")
