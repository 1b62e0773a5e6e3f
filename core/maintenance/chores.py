"""The chores of maintenance: each reads what to do and does it in one change.

What takes long (a model's judgement, vectors) is done outside of any transaction.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from core.embedding import backfill
from core.embedding.embedder import Embedder
from core.errors import OperationError
from core.jobs import Report, ignore
from core.learning import decay as decays
from core.learning import propagation, supersession
from core.learning.aspect_weights import name_steps
from core.learning.config import FeedbackSettings, SupersessionSettings
from core.learning.contradiction import ContradictionJudge
from core.maintenance import duplicate_values, task_expiry
from core.maintenance.config import MaintenanceSettings
from core.store.handles import Writer
from core.workspace import Workspace

T = TypeVar("T")
MOST_TOLD = 500
INITIATOR = "maintenance"
ACTOR = "maintenance"


@dataclass(frozen=True, slots=True)
class ChoreResult:
    """The result of one chore; `error` is why it failed, the others continue.

    `details` are sentences about what was done, at most `MOST_TOLD` of them.
    """

    chore: str
    changed: int
    details: tuple[str, ...] = ()
    error: str = ""


Chore = Callable[[Workspace, bool], ChoreResult]
"""Does its work on a graph; with True it only says what it would do."""


def make(workspace: Workspace, label: str, change: Callable[[Writer], T], rehearse: bool) -> T:
    """Carry a change out under its label, or try it out and take it back."""
    if rehearse:
        return workspace.rehearse(change, actor=ACTOR).result
    return workspace.write(label, change, initiator=INITIATOR, actor=ACTOR).result


def propagate(workspace: Workspace, rehearse: bool) -> ChoreResult:
    """Values whose memory was deleted count no longer."""
    def run(writer: Writer) -> list[str]:
        orphaned = propagation.orphans(writer)
        propagation.retire(writer, orphaned)
        return [str(row["content"]) for row in orphaned]

    gone = make(workspace, "Retire values whose memory was deleted", run, rehearse)
    return ChoreResult("propagation", len(gone), tuple(gone[:MOST_TOLD]))


def decay(settings: FeedbackSettings) -> Chore:
    """Lower the weight of aspects not confirmed for long."""
    def run(workspace: Workspace, rehearse: bool) -> ChoreResult:
        with workspace.read() as reader:
            if not decays.any_stale(reader, settings):
                return ChoreResult("decay", 0)
        count, details = make(
            workspace, "Lower the weight of unconfirmed aspects", change, rehearse)
        return ChoreResult("decay", count, details)

    def change(writer: Writer) -> tuple[int, tuple[str, ...]]:
        details = name_steps(writer, decays.stale(writer, settings)[:MOST_TOLD])
        return decays.decay_aspects(writer, settings), details

    return run


def embed(embedder: Embedder, report: Report = ignore) -> Chore:
    """Compute missing vectors; a Signet file that can't store them is left alone.

    `report` takes the finished share; when it raises Cancelled, finished vectors are stored.
    """
    def run(workspace: Workspace, rehearse: bool) -> ChoreResult:
        try:
            if rehearse:
                with workspace.read() as reader:
                    backfill.missing(reader, embedder, 1)
                    return ChoreResult("embeddings", backfill.count_missing(reader, embedder))
            return ChoreResult("embeddings", backfill.backfill(
                workspace.read, lambda change: make(workspace, "Compute missing vectors", change,
                                                    rehearse=False), embedder, report=report))
        except OperationError as refused:
            return ChoreResult("embeddings", 0, (str(refused),))

    return run


def supersede(
    settings: SupersessionSettings, judge: ContradictionJudge | None = None
) -> Chore:
    """Values that newer ones contradict become history."""
    def run(workspace: Workspace, rehearse: bool) -> ChoreResult:
        with workspace.read() as reader:
            contradictions = supersession.find_all(reader, settings)
        wanted = supersession.judged(contradictions, settings, judge)
        if not wanted:
            return ChoreResult("supersession", 0)
        label = ("Record values that newer ones contradict" if settings.shadow
                 else "Retire values that newer ones contradict")
        result = make(workspace, label, lambda w: supersession.apply(w, wanted, settings), rehearse)
        return ChoreResult("supersession", len(result.superseded) + result.proposed, tuple(
            f"{one.old} → {one.new} ({one.verdict.reasoning})"
            for one in result.found[:MOST_TOLD]))

    return run


def collapse(workspace: Workspace, rehearse: bool) -> ChoreResult:
    """Merge duplicate values."""
    with workspace.read() as reader:
        groups = duplicate_values.find(reader)
    if not groups:
        return ChoreResult("duplicates", 0)
    gone = make(workspace, "Merge duplicate values",
                lambda w: duplicate_values.collapse(w, groups), rehearse)
    return ChoreResult("duplicates", len(gone), tuple(
        f"{group.content} ({len(group.gone_ids) + 1} times)" for group in groups[:MOST_TOLD]))


def expire(settings: MaintenanceSettings) -> Chore:
    """Tasks whose time is over are cancelled."""
    def run(workspace: Workspace, rehearse: bool) -> ChoreResult:
        names = make(
            workspace, "Expire tasks", lambda w: task_expiry.expire(w, settings), rehearse)
        return ChoreResult("expiry", len(names), names[:MOST_TOLD])

    return run


def release(settings: MaintenanceSettings) -> Chore:
    """Tasks that have been over for a while are archived."""
    def run(workspace: Workspace, rehearse: bool) -> ChoreResult:
        names = make(workspace, "Archive finished tasks",
                     lambda w: task_expiry.release(w, settings), rehearse)
        return ChoreResult("release", len(names), names[:MOST_TOLD])

    return run


def hold_weight(settings: MaintenanceSettings) -> Chore:
    """Limit tasks to their initial weight."""
    def run(workspace: Workspace, rehearse: bool) -> ChoreResult:
        with workspace.read() as reader:
            steps = task_expiry.heavy(reader, settings)
            details = name_steps(reader, steps[:MOST_TOLD])
        if not steps:
            return ChoreResult("task weight", 0)
        held = make(workspace, "Limit the weight of tasks",
                    lambda w: task_expiry.hold_weight(w, steps), rehearse)
        return ChoreResult("task weight", len(held), details)

    return run
