"""A folder of notes that is watched, and what is remembered of its notes."""

from collections.abc import Mapping

from msgspec import Struct

from core.model.secret_wording import FoundSecret

Stamp = tuple[int, int]
"""When a file was last changed, in nanoseconds, and its size in bytes."""

LEFT = "Left as it was: "
"""How a fault begins that is about some notes only."""


class WatchedFolder(Struct, frozen=True):
    """A folder that an agent's graph is kept in step with.

    Attributes:
        since: from when on it is watched.
        changed_at: when the last step was written; empty before the first.
        changes: the steps written on the day of `changed_at`.
        fault: why it, or some of its notes, is left alone now, in words; empty while none is.
    """

    id: str
    agent: str
    path: str
    since: str
    changed_at: str = ""
    changes: int = 0
    fault: str = ""

    @property
    def is_away(self) -> bool:
        """True where nothing of it is looked at now."""
        return bool(self.fault) and not self.fault.startswith(LEFT)


class WatchedNote(Struct, frozen=True):
    """What a note said when it was last read.

    Attributes:
        stamp: of the file as it was read.
        title, permalink: what its front matter calls it.
        said: its statements, see `core.transfer.note_statements_to_compare`.
    """

    stamp: Stamp
    title: str
    permalink: str
    said: tuple[str, ...]


class WrittenRow(Struct, frozen=True):
    """The row that was written for a statement; `archived` once no note said it any more."""

    id: str
    archived: bool = False


class LastStep(Struct, frozen=True):
    """A row that the last step for a folder wrote: a graph without it is not the one of then.

    Attributes:
        entry: the step's number in the history.
        table, row_id: the row.
    """

    entry: int
    table: str
    row_id: str


class NoteChange(Struct, frozen=True):
    """What becomes of some notes in one step.

    Attributes:
        places: the notes that it is about.
        fresh: statements that no note said before.
        gone: statements that no note says any more.
        rows: what was written for these statements, and for the entities of their links.
        folder: the folder, where an earlier import may have taken the same from.
        called: what the notes call their entities, now or before, in canonical form.
        renamed: the new names of entities whose notes have another name now, by the canonical
            form of the old ones.
    """

    places: tuple[str, ...]
    fresh: frozenset[str]
    gone: frozenset[str]
    rows: Mapping[str, WrittenRow]
    folder: str
    called: frozenset[str] = frozenset()
    renamed: Mapping[str, str] = {}


class FolderStep(Struct, frozen=True):
    """A step that was written for a watched folder.

    Attributes:
        places: the notes that it is about.
        words: what happened to them.
        new, archived: how many entities, values and links came, and went.
        entry: its number in the history; None where nothing changed in the graph.
        problems: what of the notes could not be taken over, in lines.
        secrets: where these notes have what looks like a key or a password.
    """

    places: tuple[str, ...]
    words: str
    new: int
    archived: int
    entry: int | None
    problems: tuple[str, ...] = ()
    secrets: tuple[FoundSecret, ...] = ()
