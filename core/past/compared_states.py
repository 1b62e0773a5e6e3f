"""What is different between two moments of a graph, or between what two agents know."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime

from msgspec import Struct

from core.errors import OperationError
from core.model.changes import Changes
from core.model.times import day_words, parse_time
from core.queries.comparison_snapshot import (
    MOST_CHANGED,
    contents_of,
    contents_that_differ,
    owners_of_changes,
)
from core.queries.graph_difference import CHANGE_WORDS, Change, Difference, differences
from core.queries.hide_writes_of_held_agents import Sight, everything
from core.queries.refuse_unreadable_agent import refuse_unreadable
from core.store.reader_and_writer import Reader, stamp
from core.workspace import Workspace

LAST_VISIT = "last visit"
"""What names the moment at which the graph was last looked at in the window."""
_VISITED = "visited by "


class Compared(Struct, frozen=True):
    """Two states and their differences.

    Attributes:
        since: the earlier moment; None where two agents are compared now.
        until: the later moment; None for now.
        agent: whose knowledge is the first state.
        other: whose is the second.
    """

    since: datetime | None
    until: datetime | None
    agent: str
    other: str
    items: tuple[Difference, ...]

    @property
    def since_words(self) -> str:
        """The earlier moment in words."""
        return day_words(self.since.isoformat()) if self.since else self.agent

    @property
    def words(self) -> Mapping[Change, str]:
        """What each change is called: of two agents one knows more, or otherwise."""
        if self.agent == self.other:
            return CHANGE_WORDS
        return {"added": f"only {self.other}", "gone": f"only {self.agent}",
                "changed": "different"}


def compare_moments(
    workspace: Workspace, since: str, until: str = "", sight: Sight = everything
) -> Compared:
    """What has changed from one date to another; without a second one, to now.

    Raises OperationError (400) for a date that can't be read, or dates the wrong way round.
    """
    now = datetime.now(UTC)
    start = moment_named(workspace, since, now)
    end = moment_named(workspace, until, now) if until else None
    if end is not None and start > end:
        raise OperationError(400, "The dates are the wrong way round", field="to",
                             do="Name the earlier one first")
    if start == end:
        return Compared(start, end, workspace.agent, workspace.agent, ())
    items = _differences(workspace.read_as_of(start, as_seen=start == last_visit(workspace)),
                         workspace.read_as_of(end) if end else workspace.read(), sight)
    return Compared(start, end, workspace.agent, workspace.agent, items)


def compare_with_now(workspace: Workspace) -> Compared | None:
    """What has changed since the past that is shown, or else since the last visit.

    None where neither is there.
    """
    past = workspace.past
    since = past.moment if past else last_visit(workspace)
    if since is None:
        return None
    now = datetime.now(UTC)
    items = _differences(workspace.read_as_of(since, as_seen=past is None),
                         workspace.read_as_of(now) if past else workspace.read())
    return Compared(since, None, workspace.agent, workspace.agent, items)


def compare_again(workspace: Workspace, known: Compared, changes: Changes) -> Compared | None:
    """What `compare_with_now` gives after these changes, where only what they touched is read, and
    what was different before.

    None where that can't be told from the changes alone: then all of it is to be compared.
    """
    past = workspace.past
    since = past.moment if past else last_visit(workspace)
    if past or since is None or since != known.since or len(known.items) > MOST_CHANGED:
        return None
    with workspace.read_as_of(since, as_seen=True) as old, workspace.read() as new:
        touched = owners_of_changes((old, new), changes)
        if touched is None:
            return None
        among = touched.union(item.entity_id for item in known.items)
        items = differences(*contents_that_differ(old, new, among))
    return Compared(since, None, workspace.agent, workspace.agent, items)


def compare_agents(
    workspace: Workspace, other: str, at: str = "", sight: Sight = everything, *,
    by_policy: bool = False,
) -> Compared:
    """What another agent knows beyond or otherwise than this one; entities are told by names.

    Args:
        by_policy: the agent itself asks: its read policy decides, and what the other keeps private
            is left out. OperationError 403 where it may not read the other.
    """
    if other == workspace.agent:
        raise OperationError(400, "An agent can't be compared with itself", field="withAgent",
                             do="Name another agent")
    end = moment_named(workspace, at) if at else None
    if by_policy:
        with workspace.read() as reader:
            refuse_unreadable(reader, other)
    with workspace.read_as_of(end) if end else workspace.read() as reader, sight(reader):
        mine = contents_of(reader, "names")
        reader.agent = other
        theirs = contents_of(reader, "names", shared_only=by_policy)
    return Compared(None, end, workspace.agent, other, differences(mine, theirs))


def moment_named(workspace: Workspace, text: str, now: datetime | None = None) -> datetime:
    """The moment that a date names; `last visit` is one."""
    if text.strip().casefold() != LAST_VISIT:
        # Its patterns take long to compile.
        from core.past.moment_from_words import named_moment  # noqa: PLC0415

        return named_moment(text, now)
    visited = last_visit(workspace)
    if visited is None:
        raise OperationError(404, "No visit is known yet", field="from",
                             do="The window notes one each time that the graph is closed")
    return visited


def last_visit(workspace: Workspace) -> datetime | None:
    """When this agent's graph was last looked at in the window: at the latest now, where the clock
    has been set back since."""
    visited = parse_time(workspace.sidecar.meta().get(_VISITED + workspace.agent))
    return min(visited, datetime.now(UTC)) if visited else None


def note_visit(workspace: Workspace) -> None:
    """Keep now as the last visit, beside the graph."""
    workspace.sidecar.remember(_VISITED + workspace.agent, stamp(datetime.now(UTC)))


def _differences(
    before: AbstractContextManager[Reader], after: AbstractContextManager[Reader],
    sight: Sight = everything,
) -> tuple[Difference, ...]:
    with before as old, after as new, sight(old), sight(new):
        return differences(*contents_that_differ(old, new))
