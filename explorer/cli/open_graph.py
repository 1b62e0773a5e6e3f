"""Opens the graph that a command works on."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from core.errors import UndoRefused
from core.model.changes import Step
from core.past.earliest_moment import moment_within
from core.progress import Report
from core.queries.stats import other_agents
from core.store.reader_and_writer import Writer, stamp
from core.workspace import Label, Workspace, Written
from explorer.cli import output
from explorer.default_graph import chosen_store, require_folder

T = TypeVar("T")
PATIENCE_S = 1.0
SNAPSHOT = ("The program that wrote this file was stopped, and its folder can't be written: a copy "
            "of this moment is read")


class WritableWorkspace(Workspace):
    """A graph for a write command: typing the command is the permission to write into Signet's own
    file.

    The first write is dry-run, so that a refused one leaves no trace, then a backup is
    made.
    """

    def submit(self, label: Label[T], change: Callable[[Writer], T], *, initiator: str = "",
               actor: str | None = None, force: bool = False,
               agent: str = "") -> Future[Written[T]]:
        if not self.allowed:
            self.rehearse(change, actor=actor or "you", agent=agent)
            self.permit()
        return super().submit(
            label, change, initiator=initiator, actor=actor, force=force, agent=agent)

    def undo(self, entry: int | None = None, *, actor: str | None = None,
             shown: Step | None = None, before: int | None = None, force: bool = False) -> str:
        self._permit_after_a_look("undo")
        return super().undo(entry, actor=actor, shown=shown, before=before, force=force)

    def redo(self, entry: int | None = None, *, actor: str | None = None,
             shown: Step | None = None) -> str:
        self._permit_after_a_look("redo")
        return super().redo(entry, actor=actor, shown=shown)

    def _permit_after_a_look(self, word: str) -> None:
        if not self.allowed and not self.history(limit=1):
            raise UndoRefused(f"Nothing to {word}")
        self.permit()

    def permit(self) -> None:
        """Allow writing, and print the backup's path if this was the first time."""
        backup = self.allow_writing()
        if backup is not None:
            output.note(f"This is the first write to this file. A backup was made: {backup}")


@contextmanager
def reading(store: Path | None, agent: str, as_of: str = "") -> Iterator[Workspace]:
    """The graph for a command that only reads; closed at the end.

    Args:
        as_of: a date as people write it, to read the graph as it stood then; what is not known of
            that time is noted.
    """
    with _opened(Workspace, store, agent) as workspace:
        if as_of:
            show_as_of(workspace, as_of)
        yield workspace


def show_as_of(workspace: Workspace, date: str) -> None:
    """Have a graph read as it stood at a date. Raises OperationError in words where it can't."""
    workspace.show_as_of(moment_within(workspace, read_moment(date)))
    for gap in workspace.past.unknown if workspace.past else ():
        output.note(f"Not known of then: {gap}")


def read_moment(date: str) -> datetime:
    """The moment that a date names (`core.past.moment_from_words`, loaded for this alone)."""
    moment: datetime = import_module("core.past.moment_from_words").named_moment(date)
    return moment


def dated(workspace: Workspace, answer: dict[str, Any]) -> dict[str, Any]:
    """An answer as JSON; of the past with its moment and what is not known of then."""
    past = workspace.past
    return answer if past is None else {
        **answer, "asOf": {"moment": stamp(past.moment), "unknown": list(past.unknown)}}


@contextmanager
def writing(store: Path | None, agent: str) -> Iterator[WritableWorkspace]:
    """The graph for a command that writes."""
    with _opened(WritableWorkspace, store, agent) as workspace:
        yield workspace


def create(store: Path, agent: str) -> None:
    """Make a graph that is not there, for a command that takes something into it, and say so."""
    require_folder(store)
    Workspace.open(store, agent=agent, create=True).close()
    output.note(created(store))


def created(store: Path) -> str:
    """That a graph was made: its path may have been mistyped."""
    return f"There was no {store}: it was created"


W = TypeVar("W", bound=Workspace)


@contextmanager
def _opened(kind: type[W], store: Path | None, agent: str) -> Iterator[W]:
    workspace = kind.open(chosen_store(store), agent=agent, report=note_if_slow())
    try:
        for log in workspace.left_logs:
            output.note(f"A log of an earlier file at this path was set aside: {log}")
        if workspace.snapshot:
            output.note(SNAPSHOT)
        note_other_agents(workspace)
        yield workspace
    finally:
        workspace.close()


def note_if_slow() -> Report:
    """Notes once that the graph is being brought up to date, if that takes longer than a second."""
    began = [time.monotonic()]

    def report(_share: float) -> None:
        if began and time.monotonic() - began[0] > PATIENCE_S:
            began.clear()
            output.note("Updating this graph for the new version, once; a backup has been made")

    return report


def note_other_agents(workspace: Workspace) -> None:
    """Note if the agent has no data and others do: its name may be mistyped."""
    with workspace.read() as reader:
        others = other_agents(reader)
    if others:
        output.note(
            f"The agent “{workspace.agent}” has no data in this graph; it has data of "
            f"{', '.join(others)}"
            if len(others) > 1 else
            f"The agent “{workspace.agent}” has no data in this graph; it has data of {others[0]}")


def note_open_doors(workspace: Workspace) -> None:
    """Note where agents are let in already, so that they need no second server."""
    from core.session.servers_and_clients import visits  # noqa: PLC0415 (only servers ask)

    doors, _ = visits(workspace.sidecar)
    for door in doors:
        if door.address:
            output.note(f"This graph is served already: {door.door} at {door.address}")
