"""`knowledge hygiene` and its kin: what is wrong with the graph, and what mends it.

Their parts are loaded when they run: the other commands of the group need none of them.
"""

from typing import Annotated

import typer

from core.health.config import Strictness
from core.health.kinds import KINDS
from core.model.text_format import counted
from explorer.cli import output
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
    countable,
)

_SHOWN = 10
"""Findings of each kind that a person is shown."""


def hygiene(
    kind: Annotated[list[str] | None, typer.Option(
        "--kind", help=f"Only findings of this kind; may be repeated: {', '.join(KINDS)}.",
        show_default=False)] = None,
    strictness: Annotated[Strictness | None, typer.Option(
        "--strictness", help="How much the names of duplicates may differ.",
        show_default=False)] = None,
    limit: Annotated[int, typer.Option(
        "--limit", "-l", min=1, metavar="N", callback=countable,
        help="Maximum number of findings of each kind.")] = 1000,
    memory_limit: Annotated[int | None, typer.Option(
        "--memory-limit", min=0, metavar="N", callback=countable, show_default=False,
        help="How many of the newest memories are searched for names.")] = None,
    mend: Annotated[str, typer.Option(
        "--fix", metavar="KIND|ID", show_default=False,
        help="Mend one finding by its id, or all of a kind, as one step that “undo” takes "
             "back.")] = "",
    dry_run: DryRun = False, store: Store = None, agent: AgentName = EVERYONE,
    actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Report what is wrong with the graph, each with the operation that mends it."""
    from core.health.report import report  # noqa: PLC0415
    from explorer.cli import health_fixes  # noqa: PLC0415
    from explorer.cli.engine_options import settings_with  # noqa: PLC0415
    from explorer.health_json import report_json, rules_of  # noqa: PLC0415

    rules = rules_of(settings_with("health", ()), duplicates=strictness, memories=memory_limit)
    if mend:
        health_fixes.carry_out_fix(mend, rules, store, agent, actor, dry_run, as_json)
        return
    with reading(store, agent) as workspace, workspace.read() as reader:
        result = report(reader, rules, kinds=kind or (), limit=limit)
    if output.answered(as_json, report_json(result)):
        return
    if not result.findings:
        output.say("Nothing is wrong with this graph.")
    for name, count in result.counts.items():
        findings = [one for one in result.findings if one.kind == name]
        if findings:
            output.say(f"{KINDS[name].title} ({count}, {name})")
            output.table(("", "", "", ""), (
                (f"  {one.severity}", one.id, one.text, one.fix.operation if one.fix else "")
                for one in findings[:_SHOWN]), empty="")
            if count > _SHOWN:
                output.say(f"  and {counted(count - _SHOWN, 'more', 'more')}; --kind {name} --json"
                           " lists all")


def add_to(app: Commands) -> None:
    """Add the commands to the group `knowledge`."""
    app.command()(hygiene)
