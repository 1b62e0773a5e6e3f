"""Reads MCP memory files, in every dialect and with every fault that they are found with."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, Protocol

from core.garbage_collection import resting_collector
from core.model.names import storable
from core.progress import Report, ignore
from core.transfer.json_records import records
from core.transfer.line_places import Places
from core.transfer.mcp_records import McpFile, McpProblem
from core.transfer.merged_records import MergedRecords
from core.transfer.record_notes import by_line
from core.transfer.text_encodings import TextParts
from core.transfer.unknown_formats import looks_like


@resting_collector()
def read_mcp(
    source: Path | str | BinaryIO, report: Report = ignore, *, path: str = ""
) -> McpFile:
    """Read a memory file: JSON Lines, a JSON array, or one object of entities and relations.

    What can't be read is listed with its line and left out; nothing raises but a file that is
    not there.

    Args:
        source: a path, or an open binary stream that can be read twice.
        report: hears the finished share, and may stop the reading by raising Cancelled.
        path: the name that a stream's rows will carry as their source.
    """
    if isinstance(source, str | Path):
        with Path(source).open("rb") as stream:
            return read_mcp(stream, report, path=path or str(source))
    merged = MergedRecords()
    parts = TextParts(source, merged.complain)
    for record in records(parts, merged.complain, report):
        merged.take(record.line, record.value, record.part)
    return _file(merged, storable(path), encoding=parts.encoding, looks=looks_like(
        merged.strange_fields, parts.beginning()[:200]))


def gather(given: Sequence[object], path: str = "") -> McpFile:
    """Records that did not come from a file, checked and merged as those of a file are.

    The line of a problem is the number of its record, from 1.
    """
    merged = MergedRecords(warns=False)
    for number, record in enumerate(given, 1):
        merged.take(number, record)
    return _file(merged, path)


class Noted(Protocol):
    """What a reader has noted while its records were read."""

    encoding: str

    @property
    def problems(self) -> Iterable[McpProblem]:
        """What could not be taken."""

    @property
    def remarks(self) -> Iterable[McpProblem]:
        """What became one with something else, or is kept aside."""

    def places(self) -> Places:
        """Where the lines of all files are."""


def collect(
    path: str, given: Iterable[tuple[int, Mapping[str, object]]], notes: Noted, title: str, *,
    is_text: bool = False, untyped: str = "",
) -> McpFile:
    """The records of another format, each with its line, checked and merged as of a memory file.

    They may also say an entity's `description` and `aliases`, and of a fact its `aspect` and
    `kind`.

    Args:
        is_text: the lines of a fact are lines of the file.
        untyped: the type of an entity that is given none.
    """
    merged = MergedRecords(every_field=True, is_text=is_text, untyped=untyped)
    for line, record in given:
        merged.take(line, record)
    entities, relations = merged.entities(), merged.relations()
    return McpFile(storable(path), entities, relations,
                   by_line(merged.notes.problems(), notes.problems), merged.notes.merged(),
                   notes.encoding, by_line(merged.notes.remarks(), notes.remarks), "",
                   notes.places(), title, merged.notes.secrets(notes.places()))


def _file(merged: MergedRecords, path: str, encoding: str = "", looks: str = "") -> McpFile:
    entities, relations = merged.entities(), merged.relations()
    return McpFile(path, entities, relations, merged.notes.problems(), merged.notes.merged(),
                   encoding, merged.notes.remarks(), looks,
                   secrets=merged.notes.secrets(Places()))
