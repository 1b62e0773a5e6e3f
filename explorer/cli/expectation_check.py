"""`check`: whether every expectation holds, for people and for CI."""

import typer

from core.expectations.check import check as check_all
from core.expectations.check import failing
from core.expectations.store import expectations
from core.model.expectation import CheckedExpectation
from core.model.text_formatting import counted
from explorer.cli import engine_options, output
from explorer.cli.engine_options import Set
from explorer.cli.open_graph import reading
from explorer.cli.options import EVERYONE, AgentName, Json, Store
from explorer.model_json import checked_json

FAILED = 1
"""The exit code where an expectation fails."""


def check(
    change: Set = None, store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """Check every expectation; the exit code is 1 if one fails.

    An expectation of a claim follows the claim: what the claim says now is what must come, or must
    not, whatever it said when the expectation was written down.
    """
    settings = engine_options.settings_with("session", change)
    embedder = engine_options.embedder(settings)
    with reading(store, agent) as workspace, workspace.read() as reader:
        checked = check_all(reader, expectations(reader), settings, embedder)
    failed = failing(checked)
    if not output.answered(as_json, checked_json(checked)):
        for each in failed:
            _tell(each)
        output.say(_sum(checked, failed))
    engine_options.save_vectors()
    if failed:
        raise typer.Exit(FAILED)


def _tell(each: CheckedExpectation) -> None:
    """A failing expectation, why, and what came instead."""
    output.say(f"FAILS {each.line}")
    output.say(f"  why: {each.why}")
    for line in each.came:
        output.say(f"  came instead: {line}")


def _sum(checked: tuple[CheckedExpectation, ...], failed: tuple[CheckedExpectation, ...]) -> str:
    if not checked:
        return "No expectations. Add one: constellation expect add QUESTION --must ID"
    if not failed:
        return f"{counted(len(checked), 'expectation')}, all hold"
    return f"{len(failed)} of {counted(len(checked), 'expectation')} " + (
        "fails" if len(failed) == 1 else "fail")
