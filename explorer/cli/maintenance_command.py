"""`maintenance`: runs maintenance once."""

from typing import Annotated

import typer

from core.embedding.choose_embedder import choose
from core.maintenance import rounds
from core.workspace import Workspace
from explorer.cli import engine_options, output
from explorer.cli.engine_options import Explain, Set
from explorer.cli.open_graph import reading, writing
from explorer.cli.options import EVERYONE, AgentName, DryRun, Json, Store
from explorer.cli.output import progress

_NEWEST = 100


def maintenance(
    only: Annotated[list[str] | None, typer.Option(
        "--only", help="Only this task, or those of this setting, such as tasks; may be "
                        "repeated.", show_default=False)] = None,
    shadow: Annotated[bool, typer.Option(
        "--shadow", help="Only record contradictions; replace nothing.")] = False,
    change: Set = None, dry_run: DryRun = False, store: Store = None, agent: AgentName = EVERYONE,
    explain: Explain = False, as_json: Json = False,
) -> None:
    """Run maintenance once; each task is one change that `undo` reverts.

    It runs automatically only if maintenance.enabled is set and the window is open.
    """
    tree = engine_options.settings_with("maintenance", change)
    supersession = tree.supersession
    if shadow:
        supersession = supersession.model_copy(update={"shadow": True})
    with progress() as report:
        tasks = rounds.usual(tree.maintenance, supersession, tree.feedback,
                              embedder=choose(tree.embedding), report=report)
        known = [*tasks, *sorted(set(map(rounds.setting_of, tasks)) - tasks.keys())]
        unknown = sorted(set(only or ()) - set(known))
        if unknown:
            raise typer.BadParameter(
                f"{unknown[0]} is not a maintenance task; choose one of {', '.join(known)}")
        with (reading if dry_run else writing)(store, agent) as workspace:
            before = _steps(workspace)
            result = rounds.maintain(workspace, tasks, only=only or (), rehearse=dry_run)
            steps = len(_steps(workspace) - before)
    if output.answered(as_json, result):
        return
    if dry_run:
        output.say("Dry run, nothing changed. Would do:")
    output.table(("task", "changed", ""), (
        (task.chore, task.changed,
         task.error or ("" if explain else "; ".join(task.details[:3])))
        for task in result.done), empty="No maintenance task is enabled.")
    for task in result.done if explain else ():
        for line in task.details:
            output.say(f"{task.chore}: {line}")
        if task.changed > len(task.details) > 0:
            output.say(f"{task.chore}: and {task.changed - len(task.details)} more")
    if steps:
        output.note("“constellation undo” reverts it" if steps == 1 else
                    f"“constellation undo” reverts the last of these {steps} changes; "
                    f"{steps} times, all of them")


def _steps(workspace: Workspace) -> frozenset[int | None]:
    """The newest steps of the history, more than one round can add."""
    return frozenset(item.undo_id for item in workspace.history(limit=_NEWEST))
