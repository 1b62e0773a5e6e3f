"""What a reader of a format is given and gives: a first look, notes on faults, records."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct, field

from core.errors import ConstellationError, OpenError
from core.progress import Report, ignore
from core.store.disk_backed_collections import LongList
from core.store.file_detection import MAGIC
from core.transfer.line_places import Places
from core.transfer.mcp_records import McpFile, McpProblem
from core.transfer.read_mcp_file import collect
from core.transfer.readers.foreign_tables import columns_by_table
from core.transfer.readers.json_first_keys import key_paths
from core.transfer.record_notes import problem_list
from core.transfer.text_encodings import TextParts, decoded

BEGINNING = 65_536
"""Bytes of a file by which its format is known."""

_LOOKED_INTO = 200
"""Folders that are looked into to know a format."""

Record = Mapping[str, object]
Placed = tuple[int, Record]
"""The number of a line, and a record as of a memory file: an entity or a relation."""


class Look(Struct, frozen=True, dict=True):
    """A first look at a file or folder, by which a format knows its own."""

    path: Path
    beginning: bytes = b""

    @classmethod
    def at(cls, path: Path) -> "Look":
        """Raises OSError where there is nothing to read."""
        if path.is_dir():
            return cls(path)
        with path.open("rb") as stream:
            return cls(path, stream.read(BEGINNING))

    @cached_property
    def is_folder(self) -> bool:
        """True for a folder."""
        return self.path.is_dir()

    @cached_property
    def is_database(self) -> bool:
        """True for a file of SQLite."""
        return self.beginning.startswith(MAGIC)

    @cached_property
    def text(self) -> str:
        """The beginning as text."""
        return decoded(self.beginning, lambda line, what: None)[0].lstrip("\ufeff \t\r\n")

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of JSON that begins the file, as `nodes.id`; empty for everything else."""
        return key_paths(self.text) if self.text[:1] in ("{", "[") else frozenset()

    @cached_property
    def tables(self) -> Mapping[str, frozenset[str]]:
        """The columns of each table of a database; empty for everything else."""
        try:
            return columns_by_table(self.path) if self.is_database else {}
        except ConstellationError:
            return {}  # Opening it says what is wrong.

    @property
    def is_graph(self) -> bool:
        """True for a graph of this program and for a database of Signet."""
        return self.is_database and {"entities", "entity_attributes"} <= self.tables.keys()

    def has(self, endings: Iterable[str]) -> bool:
        """True for a folder with a file of such an ending; of very many folders the first tell."""
        wanted = tuple(endings)
        return self.is_folder and any(
            _is_file(each, wanted) for folder in islice(_folders(self.path), _LOOKED_INTO)
            for each in folder.iterdir())

    def files(self, endings: Iterable[str]) -> Iterator[Path]:
        """The files of a folder with such an ending, or this one; hidden ones and links are left.

        In the order of their names, so that a second import reads the same.
        """
        wanted = tuple(endings)
        if not self.is_folder:
            yield self.path
            return
        for folder in _folders(self.path):
            yield from (each for each in sorted(folder.iterdir()) if _is_file(each, wanted))


def _is_file(path: Path, endings: tuple[str, ...]) -> bool:
    return (path.suffix.lower() in endings and not path.name.startswith(".")
            and not path.is_symlink() and path.is_file())


def _folders(top: Path) -> Iterator[Path]:
    """The folder and those within; a link is not followed, which may lead back."""
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        yield folder
        inner = (each for each in sorted(folder.iterdir(), reverse=True)
                 if not each.is_symlink() and each.is_dir() and not each.name.startswith("."))
        waiting += inner


class Notes(Struct):
    """Hears what can't be taken over, what is kept elsewhere, and which file comes next."""

    unit: str = "line"
    problems: LongList[McpProblem] = field(default_factory=problem_list)
    remarks: LongList[McpProblem] = field(default_factory=problem_list)
    encoding: str = ""
    _names: list[str] = field(default_factory=list)
    _starts: list[int] = field(default_factory=list)
    _end: int = 0

    def complain(self, line: int, what: str, where: str = "") -> None:
        """Something is left out."""
        self.problems.append(McpProblem(line, where, what))

    def remark(self, line: int, what: str, where: str = "") -> None:
        """Something became another thing, or this graph has no place for it."""
        self.remarks.append(McpProblem(line, where, what))

    def begin(self, name: str, lines: int) -> int:
        """A file or table of so many lines comes next: returns what its line numbers begin after.
        """
        start, self._end = self._end, self._end + max(lines, 1)
        self._names.append(name)
        self._starts.append(start)
        return start

    def places(self) -> Places:
        """Where the lines of all files are."""
        return Places(self.unit, tuple(self._names), tuple(self._starts))

    def parts(self, stream: BinaryIO, start: int = 0) -> TextParts:
        """The text of an open file, a part at a time; its encoding is noted."""
        parts = TextParts(stream, lambda line, what: self.complain(start + line, what))
        self._note_encoding(parts.encoding, start)
        return parts

    def text(self, raw: bytes, start: int = 0) -> str:
        """The bytes of a file as text without a mark of its encoding, which is noted."""
        words, encoding = decoded(raw, lambda line, what: self.complain(start + line, what))
        self._note_encoding(encoding, start)
        return words.removeprefix("\ufeff")

    def _note_encoding(self, encoding: str, start: int) -> None:
        """Of several files it is told which one was read otherwise."""
        if encoding and self._names:
            self.remark(start + 1, f"The file is not UTF-8: it was read as {encoding}")
        else:
            self.encoding = encoding


Read = Callable[[Look, Notes, Report], Iterable[Placed]]


class ImportFormat(Struct, frozen=True):
    """A format that can be imported: its name, how it is known, and what reads it.

    Attributes:
        name: a short word for programs.
        title: what a person calls such a file or folder.
        title_of_file: what a single file is called, where `title` is a folder's name.
        is_text: the lines of a fact are lines of the file.
        untyped: the type of an entity that is given none.
        knows: tells from a first look whether this is one.
        records: its entities and relations, as records of a memory file.
        unit: what is counted to tell a place: `line`, `row` or `record`.
    """

    name: str
    title: str
    knows: Callable[[Look], bool]
    records: Read
    unit: str = "line"
    title_of_file: str = ""
    is_text: bool = False
    untyped: str = ""

    def read(self, look: Look, report: Report = ignore) -> McpFile:
        """All that it holds, checked and merged as a memory file is."""
        notes = Notes(self.unit)
        try:
            return collect(str(look.path.absolute()), self.records(look, notes, report), notes,
                           self.title if look.is_folder else self.title_of_file or self.title,
                           is_text=self.is_text, untyped=self.untyped)
        except RecursionError:
            raise OpenError("foreign", "This is nested too deep to be read", where=str(look.path),
                            do="Nothing was changed") from None
