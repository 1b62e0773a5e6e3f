"""Says how the program, its folder and a graph file are, without a word of what the graph holds."""

import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct
from msgspec.structs import replace

from core.errors import ConstellationError, Damaged
from core.model.text_formatting import counted, one_line
from core.store.backup import copy_file
from core.store.database import connect, in_words, library_version
from core.store.file_detection import inspect
from core.store.migrate import newest, version_of
from core.store.reader_and_writer import Reader
from core.store.restore import backup_paths
from core.store.sidecar_file import data_folder
from core.workspace import Workspace

PACKAGE = "constellation-explorer"
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_OPTIONAL = {"pyarrow": "tables of GraphRAG can't be imported"}
"""What is used where it is installed, and what does not work without it."""
_QT = "pyside6-essentials"
_WINDOW = "PySide6.QtWidgets"
_WAIT_S = 30
_KNOWN = ("entities", "entity_aliases", "entity_aspects", "entity_attributes",
          "entity_dependencies", "memories", "memory_entity_mentions", "ontology_proposals",
          "epistemic_assertions", "embeddings")
_TRIGGERS = "SELECT COUNT(*) FROM main.sqlite_schema t WHERE t.type = 'trigger'"


class Versions(Struct, frozen=True):
    """What runs."""

    program: str
    python: str
    system: str
    sqlite: str
    qt: str
    packages: dict[str, str]


class NotLoaded(Struct, frozen=True):
    """Something that can't be loaded: its name, why, and what does not work without it."""

    what: str
    why: str
    means: str


class DataFolder(Struct, frozen=True):
    """The folder of sidecars and backups: sizes in bytes."""

    exists: bool
    writable: bool
    files: int
    size: int
    free: int


class FileState(Struct, frozen=True):
    """A graph file: what it is and what is wrong with it.

    Attributes:
        kind: `native` or `signet`; empty if it can't be opened.
        fault: why it can't be opened; empty if it can.
        schema: the version of its schema, and `newest` the one that this program makes.
        rows: how many rows each table of a graph has.
        problems: kinds of faults in rows, each with how many there are.
        sidecar: `sound`, `missing` or what is wrong with it.
    """

    kind: str = ""
    fault: str = ""
    size: int = 0
    log_size: int = 0
    writable: bool = False
    schema: int = 0
    newest: int = 0
    journal: str = ""
    triggers: int = 0
    rows: dict[str, int] | None = None
    problems: dict[str, int] | None = None
    sidecar: str = ""
    undo_steps: int = 0
    backups: int = 0


class Doctor(Struct, frozen=True):
    """The whole report; `file` is None where no file was asked for."""

    versions: Versions
    not_loaded: tuple[NotLoaded, ...]
    data: DataFolder
    file: FileState | None = None

    @property
    def is_well(self) -> bool:
        """True if everything that is needed is there and the file is sound."""
        needed = [each for each in self.not_loaded if each.what not in _OPTIONAL]
        return not needed and self.data.writable and (self.file is None or not (
            self.file.fault or self.file.problems))

    def lines(self) -> Iterator[str]:
        """The report as a person reads and copies it."""
        it = self.versions
        yield f"Constellation Explorer {it.program}"
        yield f"Python {it.python}, {it.system}"
        yield f"SQLite {it.sqlite}, Qt {it.qt}"
        yield f"Packages: {', '.join(f'{name} {its}' for name, its in it.packages.items())}"
        for each in self.not_loaded:
            yield f"Can't be loaded: {each.what}: {each.why}; {each.means}"
        data = self.data
        state = "can be written" if data.writable else "can't be written"
        yield (f"Data folder: {state}, {counted(data.files, 'file')}, {_bytes(data.size)}; "
               f"{_bytes(data.free)} free" if data.exists else "Data folder: not made yet")
        if self.file is not None:
            yield from _file_lines(self.file)


def examine(path: Path | None, *, in_window: bool = False) -> Doctor:
    """Look at everything once; reads each table of the file, and writes nothing into it.

    Args:
        path: the graph file; None to look at the program alone.
        in_window: True where the window is open, so that nobody needs to try whether it opens.
    """
    faults = (*_missing(), *(() if in_window else _window_fault()))
    return Doctor(_versions(), faults, _data(), _file(path) if path else None)


def examine_open(workspace: Workspace) -> Doctor:
    """The same of a graph that is open in this process, for whoever comes through its doors."""
    size = workspace.path.stat().st_size if workspace.path.is_file() else 0
    return Doctor(_versions(), tuple(_missing()), _data(), _state(workspace, size))


def _file_lines(file: FileState) -> Iterator[str]:
    if file.fault:
        yield f"Graph file: can't be opened: {file.fault}"
        return
    kind = {"native": "a graph of this program", "signet": "a database of Signet"}[file.kind]
    yield (f"Graph file: {kind}, {_bytes(file.size)}, log {_bytes(file.log_size)}, "
           f"{'writable' if file.writable else 'read-only'}, journal {file.journal}")
    of = f" of {file.newest}" if file.kind == "native" else ""
    yield f"Schema {file.schema}{of}, {counted(file.triggers, 'trigger')}"
    yield f"Rows: {', '.join(f'{name} {count:,}' for name, count in (file.rows or {}).items())}"
    for what, count in (file.problems or {}).items():
        yield f"Problem: {what} ({count:,})"
    if not file.problems:
        yield "No problems in the file"
    yield (f"Beside it: sidecar {file.sidecar}, {counted(file.undo_steps, 'step')} to undo, "
           f"{counted(file.backups, 'backup')}")


def _versions() -> Versions:
    found = {name: version for name in _needed() if (version := _version(name))}
    return Versions(
        _version(PACKAGE) or "from a working tree", platform.python_version(),
        f"{platform.system()} {platform.release()} {platform.machine()}", library_version(),
        found.pop(_QT, "not installed"), found)


def _needed() -> list[str]:
    """The packages that the program itself asks for."""
    try:
        asked = metadata.requires(PACKAGE) or []
    except metadata.PackageNotFoundError:
        return []
    names = (_NAME.match(each) for each in asked if "extra ==" not in each)
    return list(dict.fromkeys(name.group().lower() for name in names if name))


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _missing() -> Iterator[NotLoaded]:
    for name in _needed():
        if not _version(name):
            yield NotLoaded(name, "is not installed", "install the program again")
    for name, means in _OPTIONAL.items():
        if importlib.util.find_spec(name) is None:
            yield NotLoaded(name, "is not installed", means)


def _window_fault() -> Iterator[NotLoaded]:
    """Why Qt can't be loaded, if it can't, as where a library of the system is missing."""
    try:
        tried = subprocess.run([sys.executable, "-c", f"import {_WINDOW}"], capture_output=True,
                               text=True, timeout=_WAIT_S, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        yield NotLoaded(_WINDOW, one_line(str(error), 200), "the window can't open")
        return
    if tried.returncode:
        last = (tried.stderr.strip().splitlines() or ["no reason was given"])[-1]
        yield NotLoaded(_WINDOW, one_line(last, 200), "the window can't open")


def _data() -> DataFolder:
    folder = data_folder()
    there = folder.exists()
    above = next(each for each in (folder, *folder.parents) if each.exists())
    files = [each for each in folder.rglob("*") if each.is_file()] if there else []
    return DataFolder(there, os.access(above, os.W_OK), len(files),
                      sum(each.stat().st_size for each in files), shutil.disk_usage(above).free)


def _file(path: Path) -> FileState:
    size = path.stat().st_size if path.is_file() else 0
    try:
        detected = inspect(path)
        with TemporaryDirectory(prefix="constellation-") as folder:
            if detected.kind == "native" and (schema := _schema(path)) < newest():
                # Opening it would bring it up to date: a copy is looked at.
                copy_file(path, copy := Path(folder) / "graph.db")
                with closing(Workspace.open(copy, data_dir=Path(folder))) as workspace:
                    return replace(_state(workspace, size), schema=schema)
            with closing(Workspace.open(path)) as workspace:
                return _state(workspace, size)
    except ConstellationError as error:
        return FileState(fault=error.what, size=size, newest=newest())


def _schema(path: Path) -> int:
    with in_words(path), closing(connect(path)) as connection:
        return version_of(connection)


def _state(workspace: Workspace, size: int) -> FileState:
    log = Path(f"{workspace.path.resolve()}-wal")
    with workspace.read() as reader:
        rows = {table: _count(reader, table) for table in _KNOWN if reader.has_table(table)}
        journal = str(reader.value("PRAGMA main.journal_mode"))
        schema = reader.value(
            "SELECT MAX(s.version) FROM main.schema_migrations s"
            if workspace.kind == "signet" and reader.has_table("schema_migrations")
            else "PRAGMA main.user_version")
        triggers = int(reader.value(_TRIGGERS))
        sidecar = _sidecar(reader)
    return FileState(
        workspace.kind, "", size, log.stat().st_size if log.exists() else 0, workspace.writable,
        int(schema or 0), newest(), journal, triggers, rows, _problems(workspace), sidecar,
        len(workspace.history()), len(backup_paths(workspace.path)))


def _count(reader: Reader, table: str) -> int:
    try:
        return int(reader.value(f"SELECT COUNT(*) FROM {reader.stored(table)}"))
    except Damaged:
        return -1


def _sidecar(reader: Reader) -> str:
    if not reader.sidecar:
        return "missing"
    try:
        answer = str(reader.value("PRAGMA side.quick_check(1)"))
    except Damaged as error:
        return f"damaged: {error.detail}"
    return "sound" if answer == "ok" else f"damaged: {one_line(answer, 100)}"


def _problems(workspace: Workspace) -> dict[str, int]:
    """Kinds of problems with how many there are; what a row says is left out of the words."""
    tally = Counter(
        " ".join(filter(None, (each.table, each.field, each.what.split(":")[0])))
        if each.table else each.what for each in workspace.find_problems())
    return dict(tally)


def _bytes(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB" if size >= 100_000 else f"{size:,} bytes"
