"""Rounds of maintenance on the open graph, when the person asks or has them done by the clock."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from core.embedding.choose_embedder import choose
from core.model.text_formatting import counted
from ui.action import Action
from ui.context import Context
from ui.error_words import told
from ui.runner import Job

if TYPE_CHECKING:
    from core.maintenance.rounds import Round


def do_round(context: Context) -> None:
    """Do every task that is switched on, away from the GUI thread; each can be undone."""
    settings = context.engine.settings

    def work(job: Job) -> "Round":
        from core.maintenance import rounds  # noqa: PLC0415  a minute after the start at most

        job.check()
        tasks = rounds.usual(
            settings.maintenance, settings.supersession, settings.feedback,
            embedder=choose(settings.embedding),
            report=lambda share: job.report(share, "vectors of memories"))
        return rounds.maintain(context.workspace, tasks)

    def report(round_: "Round") -> None:
        faults = [told(task.error) for task in round_.done if task.error]
        what = (f"{counted(round_.changed, 'change')}; undo in Activity" if round_.changed
                else "nothing to do")
        context.say(f"Maintenance: {what}{f'. Left as it is: {faults[0]}' if faults else ''}")
        context.runner.look_for_steps()

    context.runner.job(work, report, label="Maintenance")


def do_round_if_due(context: Context) -> None:
    """What the clock asks every minute: begins a round where the person wants them and one is due.

    Only a graph of ours: Signet's own files are kept by their own daemon.
    """
    workspace, settings = context.workspace, context.engine.settings.maintenance
    if (workspace.kind != "native" or not context.runner.may_write
            or workspace.past is not None or not settings.enabled):
        return
    from core.maintenance import rounds  # noqa: PLC0415  few want rounds

    if rounds.due(datetime.now(UTC), rounds.last_round(workspace), settings):
        do_round(context)


ACTIONS = (
    Action[Context]("graph.maintain", "Run maintenance", do_round, (), "activity", "Graph",
           "upkeep", enabled=lambda context: context.runner.may_write),
)
