"""Runs the chores one after another, and computes when the next round is due."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.embedding.embedder import Embedder
from core.errors import Cancelled, ConstellationError
from core.jobs import Report, ignore
from core.learning.config import FeedbackSettings, SupersessionSettings
from core.learning.contradiction import ContradictionJudge
from core.maintenance import chores
from core.maintenance.chores import Chore, ChoreResult
from core.maintenance.config import MaintenanceSettings
from core.model.times import parse_time
from core.store.handles import stamp
from core.workspace import Workspace

_LAST = "maintained_at"


@dataclass(frozen=True, slots=True)
class Round:
    """The result of one round of maintenance."""

    at: str
    done: tuple[ChoreResult, ...]
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
    judge: ContradictionJudge | None = None, report: Report = ignore,
) -> dict[str, Chore]:
    """The enabled chores, by name, in the order in which they run.

    Args:
        embedder: makes the vectors that are missing; without it none are made.
        judge: a model that is asked about contradictions, where the settings allow it.
        report: takes how far the making of vectors has come, which may take minutes.
    """
    every: tuple[tuple[str, bool, Chore | None], ...] = (
        ("propagation", settings.propagation, chores.propagate),
        ("duplicates", settings.duplicates, chores.collapse),
        ("supersession", settings.supersession, chores.supersede(supersession, judge)),
        ("decay", settings.decay, chores.decay(feedback)),
        ("expiry", settings.tasks, chores.expire(settings)),
        ("release", settings.tasks, chores.release(settings)),
        ("task weight", settings.tasks, chores.hold_weight(settings)),
        ("embeddings", settings.embeddings,
         chores.embed(embedder, report) if embedder else None),
    )
    return {name: chore for name, on, chore in every if on and chore is not None}


def maintain(
    workspace: Workspace, wanted: Mapping[str, Chore], *, only: Iterable[str] = (),
    rehearse: bool = False, now: datetime | None = None,
) -> Round:
    """Run the chores; each is one change that can be undone separately.

    A failed chore is reported in the round and does not stop the others. Blocks while it works:
    not for the GUI thread.

    Args:
        only: names of the chores to do; all without any.
        rehearse: say what would be done, and change nothing.
    """
    at, names = stamp(now), set(only)
    if not rehearse:
        workspace.sidecar.remember(_LAST, at)
    return Round(at, tuple(
        _one(workspace, name, chore, rehearse) for name, chore in wanted.items()
        if not names or name in names), rehearse)


def _one(workspace: Workspace, name: str, chore: Chore, rehearse: bool) -> ChoreResult:
    try:
        return chore(workspace, rehearse)
    except Cancelled:
        raise
    except ConstellationError as error:
        return ChoreResult(name, 0, error=str(error))
