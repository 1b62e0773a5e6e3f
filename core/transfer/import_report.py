"""What an import did, and what it says of names that became one and of what stayed archived."""

from collections.abc import Iterator, Sequence
from heapq import merge

from msgspec import Struct

from core.errors import OpenError
from core.model.dispute import Dispute
from core.model.ingest_results import MergedName
from core.model.secret_wording import FoundSecret
from core.model.text_formatting import counted
from core.transfer.aspects_over_limit import FullAspect
from core.transfer.facts_of_earlier_import import NoLongerSaid
from core.transfer.line_places import Places
from core.transfer.mcp_records import MEMORY_FILE, McpFile, McpProblem
from core.transfer.unknown_formats import what_to_do


class ArchivedEntity(Struct, frozen=True):
    """An entity of the file that a person has archived, with how many of its values stay out."""

    line: int
    name: str
    values: int

    @property
    def words(self) -> str:
        """`“Spike” is archived and stays so; its 2 values were left out`."""
        its = f"; its {counted(self.values, 'value was', 'values were')} left out"
        return f"“{self.name}” is archived and stays so{its if self.values else ''}"


class ImportReport(Struct, frozen=True):
    """What an import did.

    `skipped` counts what the person has archived or deleted, which does not come back.
    """

    entities_new: int
    entities_unchanged: int
    values_new: int
    values_unchanged: int
    links_new: int
    links_unchanged: int
    skipped: int
    dangling: Sequence[str]
    """Ends of relations that the file does not describe: made as entities of unknown type."""
    kept_words: Sequence[str]
    """What new relations are called that are no dependency type: kept as `related_to`."""
    problems: Sequence[McpProblem]
    merged: Sequence[MergedName] = ()
    """Names that another spelling, an alias or a merge has made one, and types that were lost."""
    archived: Sequence[ArchivedEntity] = ()
    disputes: tuple[Dispute, ...] = ()
    """Rules in force that new values seem to take back: a person decides."""
    encoding: str = ""
    """How the bytes of the file were read, where that was not as UTF-8."""
    remarks: Sequence[McpProblem] = ()
    """What became one with something else, and what is kept as source data only."""
    full: tuple[FullAspect, ...] = ()
    """Aspects that hold more than their limit now."""
    rows_new: int = 0
    rows_unchanged: int = 0
    """Of a bundle the rows of all tables."""
    rows_kept: tuple[str, ...] = ()
    """Rows of a bundle that stay as they are here, or that this graph has no place for."""
    dry_run: bool = False
    """True where this only would be done: nothing was written."""
    secrets: tuple[FoundSecret, ...] = ()
    """Where something stands that looks like a key or a password; what it is is not told."""
    no_longer: NoLongerSaid | None = None
    """Facts that an earlier import from there brought and that are no longer in it."""
    places: Places = Places()
    """Where the lines are that are told, in an import of several files or tables."""

    def notes(self) -> Iterator[str]:
        """One line for a rare encoding, each name that became one with another, each archived,
        each aspect that is over its limit.
        """
        yield from (each.words for each in self.secrets)
        yield from self.changed()
        for each in self.archived:
            yield f"{self.places.where(each.line)}: {each.words}"
        yield from (each.words for each in self.full)
        yield from self.rows_kept

    def changed(self) -> Iterator[str]:
        """One line for each thing that was taken otherwise than the file has it."""
        if self.encoding:
            yield f"The file is not UTF-8: it was read as {self.encoding}"
        told: Iterator[McpProblem | MergedName] = merge(
            self.remarks, self.merged, key=lambda each: each.line)
        for each in told:
            yield f"{self.places.where(each.line)}: {each.words}"


def nothing_to_import(where: str, file: McpFile) -> OpenError:
    """Why there is nothing to import: what the file looks like, its first fault, what to do."""
    if not file.problems:
        return OpenError("empty", "This file has nothing to import", where=where,
                         do="Choose an MCP memory file; nothing was changed")
    first = file.problems[0]
    detail = f"{file.places.where(first.line)}: {first.words}"
    if file.title != MEMORY_FILE:
        return OpenError("foreign", "Nothing in it can be imported", where=where, detail=detail,
                         do=f"It was read as {file.title}; nothing was changed")
    looks = f": it looks like {file.looks_like}" if file.looks_like else ""
    return OpenError("foreign", f"No line of this file is an entity or a relation{looks}",
                     where=where, do=what_to_do(file.looks_like), detail=detail)
