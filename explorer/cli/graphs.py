"""Opens the graph that a command works on."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.workspace import Workspace
from explorer.cli import output
from explorer.paths import chosen_store


@contextmanager
def reading(store: Path | None, agent: str) -> Iterator[Workspace]:
    """The graph for a command that only reads; closed at the end."""
    workspace = Workspace.open(chosen_store(store), agent=agent)
    try:
        yield workspace
    finally:
        workspace.close()


@contextmanager
def writing(store: Path | None, agent: str) -> Iterator[Workspace]:
    """The graph for a command that writes.

    Typing a write command is the permission to write into Signet's own file, which is backed up
    before the first time.
    """
    with reading(store, agent) as workspace:
        backup = workspace.allow_writing()
        if backup is not None:
            output.note(f"This is the first write to this file. A backup was made: {backup}")
        yield workspace
