"""Rounds of maintenance: tasks that run one after another, each as one change of its own.

What takes long (a model's judgement, vectors) is done outside of any transaction.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from msgspec import Struct

from core.embedding import backfill
from core.embedding.embedder_interface import Embedder
from core.error_advice import Advice
from core.errors import Cancelled, ConstellationError, OperationError
from core.learning import decay as decays
from core.learning import retire_contradicted_values, retire_orphaned_values
from core.learning.aspect_weights import name_steps
from core.learning.config import FeedbackSettings, SupersessionSettings
from core.maintenance import duplicate_values, task_expiry
from core.maintenance.config import MaintenanceSettings
from core.model.contradiction import Superseding
from core.model.dispute import Dispute
from core.model.times import parse_time
from core.ontology import disputes, proposal_expiry
from core.progress import Report, ignore
from core.store.reader_and_writer import Writer, stamp
from core.workspace import Workspace

T = TypeVar("T")
MOST_TOLD = 500
_OF_TASKS = ("expiry", "release", "task weight")
INITIATOR = ACTOR = "maintenance"
_LAST = "maintained_at"


class TaskResult(Struct, frozen=True):
    """The result of one task; `error` is why it failed, the others continue.

    `details` are sentences about what was done, at most `MOST_TOLD` of them.
    """

    chore: str
    changed: int
    details: tuple[str, ...] = ()
    error: str = ""


MaintenanceTask = Callable[[Workspace, bool], TaskResult]
"""Does its work on a graph; with True it only says what it would do."""


class Round(Struct, frozen=True):
    """The result of one round of maintenance."""

    at: str
    done: tuple[TaskResult, ...]
    rehearsed: bool = False

    @property
    def changed(self) -> int:
        """How much was changed in all."""
        return sum(one.changed for one in self.done)


def due(now: datetime, last: datetime | None, settings: MaintenanceSettings) -> bool:
    """True if a round should begin: never before, long enough ago, or the clock was set back."""
    if not settings.enabled:
        return False
    return last is None or last > now or now - last >= timedelta(minutes=settings.every_minutes)


def last_round(workspace: Workspace) -> datetime | None:
    """When the last round on this file began, None if there was none."""
    return parse_time(workspace.sidecar.meta().get(_LAST))


def usual(
    settings: MaintenanceSettings, supersession: SupersessionSettings,
    feedback: FeedbackSettings, *, embedder: Embedder | None = None,
    report: Report = ignore,
) -> dict[str, MaintenanceTask]:
    """The enabled tasks, by name, in the order in which they run.

    Args:
        embedder: makes the vectors that are missing; without it none are made.
        report: takes how far the making of vectors has come, which may take minutes.
    """
    every: tuple[tuple[str, MaintenanceTask | None], ...] = (
        ("propagation",
         _named("propagation", "Retire values whose memory was deleted", _retire_orphans)),
        ("duplicates", collapse),
        ("supersession", supersede(supersession)),
        ("decay", decay(feedback)),
        ("expiry",
         _named("expiry", "Expire tasks", lambda w: task_expiry.expire(w, settings))),
        ("release",
         _named("release", "Archive finished tasks", lambda w: task_expiry.release(w, settings))),
        ("task weight", hold_weight(settings)),
        ("proposals", _named("proposals", "Reject proposals that nobody has decided",
                             lambda w: proposal_expiry.expire(w, settings.proposal_age_days))),
        ("embeddings", embed(embedder, report) if embedder else None),
    )
    return {name: task for name, task in every
            if task is not None and getattr(settings, setting_of(name))}


def setting_of(name: str) -> str:
    """The setting that switches a task on: its own, or the one that several share."""
    return "tasks" if name in _OF_TASKS else name


def maintain(
    workspace: Workspace, wanted: Mapping[str, MaintenanceTask], *, only: Iterable[str] = (),
    rehearse: bool = False, now: datetime | None = None,
) -> Round:
    """Run the tasks; each is one change that can be undone separately.

    A failed task is reported in the round and does not stop the others. Blocks while it works:
    not for the GUI thread.

    Args:
        only: names of the tasks to do, or of their settings; all without any.
        rehearse: say what would be done, and change nothing.
    """
    at, names = stamp(now), set(only)
    if not rehearse:
        workspace.sidecar.remember(_LAST, at)
    return Round(at, tuple(
        _one(workspace, name, task, rehearse) for name, task in wanted.items()
        if not names or names & {name, setting_of(name)}), rehearse)


def _one(workspace: Workspace, name: str, task: MaintenanceTask, rehearse: bool) -> TaskResult:
    try:
        return task(workspace, rehearse)
    except Cancelled:
        raise
    except ConstellationError as error:
        return TaskResult(name, 0, error=Advice(str(error), error.in_window))


def carry_out(workspace: Workspace, label: str, change: Callable[[Writer], T], rehearse: bool) -> T:
    """Carry a change out under its label, or try it out and take it back."""
    if rehearse:
        return workspace.rehearse(change, actor=ACTOR).result
    return workspace.write(label, change, initiator=INITIATOR, actor=ACTOR).result


def _named(name: str, label: str, change: Callable[[Writer], Sequence[str]]) -> MaintenanceTask:
    """A task whose change returns the names or words of what it was done to."""
    def run(workspace: Workspace, rehearse: bool) -> TaskResult:
        names = tuple(carry_out(workspace, label, change, rehearse))
        return TaskResult(name, len(names), names[:MOST_TOLD])

    return run


def _retire_orphans(writer: Writer) -> list[str]:
    """Values whose memory was deleted count no longer."""
    orphaned = retire_orphaned_values.orphans(writer)
    retire_orphaned_values.retire(writer, orphaned)
    return [str(row["content"]) for row in orphaned]


def decay(settings: FeedbackSettings) -> MaintenanceTask:
    """Lower the weight of aspects not confirmed for long."""
    def run(workspace: Workspace, rehearse: bool) -> TaskResult:
        with workspace.read() as reader:
            if not decays.any_stale(reader, settings):
                return TaskResult("decay", 0)
        count, details = carry_out(
            workspace, "Lower the weight of unconfirmed aspects", change, rehearse)
        return TaskResult("decay", count, details)

    def change(writer: Writer) -> tuple[int, tuple[str, ...]]:
        details = name_steps(writer, decays.stale(writer, settings)[:MOST_TOLD])
        return decays.decay_aspects(writer, settings), details

    return run


def embed(embedder: Embedder, report: Report = ignore) -> MaintenanceTask:
    """Compute missing vectors; a Signet file that can't store them is left alone.

    `report` takes the finished share; when it raises Cancelled, finished vectors are stored.
    """
    def run(workspace: Workspace, rehearse: bool) -> TaskResult:
        try:
            if rehearse:
                with workspace.read() as reader:
                    backfill.missing(reader, embedder, 1)
                    return TaskResult("embeddings", backfill.count_missing(reader, embedder))
            return TaskResult("embeddings", backfill.backfill(
                workspace.read,
                lambda change: carry_out(workspace, "Compute missing vectors", change, False),
                embedder, report=report))
        except OperationError as refused:
            return TaskResult("embeddings", 0, (Advice(str(refused), refused.in_window),))

    return run


def supersede(settings: SupersessionSettings) -> MaintenanceTask:
    """Values that newer ones contradict become history; of two opposite rules a person decides."""
    def run(workspace: Workspace, rehearse: bool) -> TaskResult:
        with workspace.read() as reader:
            contradictions = retire_contradicted_values.find_all(reader, settings)
            held = retire_contradicted_values.over_a_person(
                reader, contradictions.sure, settings)
            opposites = disputes.find_all(reader) if settings.enabled and settings.sweep else []
            opposites += disputes.to_decide(reader, held)
        kept = frozenset(held)
        wanted = tuple(one for one in contradictions.sure if one not in kept)
        if not wanted and not opposites:
            return TaskResult("supersession", 0)

        def change(writer: Writer) -> tuple[Superseding, tuple[Dispute, ...]]:
            return (retire_contradicted_values.apply(writer, wanted, settings),
                    disputes.propose(writer, opposites))

        label = ("Record values that newer ones contradict" if settings.shadow or not wanted
                 else "Retire values that newer ones contradict")
        result, asked = carry_out(workspace, label, change, rehearse)
        return TaskResult("supersession", len(result.superseded) + result.proposed + len(asked), (
            *(f"{one.old} → {one.new} ({one.verdict.reasoning})"
              for one in result.found[:MOST_TOLD]),
            *(f"“{one.newer}” seems to take back “{one.older}”: to be decided under proposals"
              for one in asked[:MOST_TOLD])))

    return run


def collapse(workspace: Workspace, rehearse: bool) -> TaskResult:
    """Merge duplicate values."""
    with workspace.read() as reader:
        groups = duplicate_values.find(reader)
    if not groups:
        return TaskResult("duplicates", 0)
    gone = carry_out(workspace, "Merge duplicate values",
                lambda w: duplicate_values.collapse(w, groups), rehearse)
    return TaskResult("duplicates", len(gone), tuple(
        f"{group.content} ({len(group.gone_ids) + 1} times)" for group in groups[:MOST_TOLD]))


def hold_weight(settings: MaintenanceSettings) -> MaintenanceTask:
    """Limit tasks to their initial weight."""
    def run(workspace: Workspace, rehearse: bool) -> TaskResult:
        with workspace.read() as reader:
            steps = task_expiry.heavy(reader, settings)
            details = name_steps(reader, steps[:MOST_TOLD])
        if not steps:
            return TaskResult("task weight", 0)
        held = carry_out(workspace, "Limit the weight of tasks",
                    lambda w: task_expiry.hold_weight(w, steps), rehearse)
        return TaskResult("task weight", len(held), details)

    return run
