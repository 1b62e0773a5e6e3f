"""Recognises a write-ahead log that an earlier file left at a path, so that it is never replayed.

SQLite keeps the last changes of a file in a log next to it (`-wal`). Where another file is put in
its place, such as a backup, SQLite plays the old log into it: the file is then damaged, or nothing
was restored. A file says nowhere which log is its own, so two things are looked at: a file that
keeps no log at all has none, and while a log is written, samples of its file are kept beside.
"""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct
from msgspec.structs import asdict

from core.store.read_bytes_keeping_locks import raw_bytes

HEADER, FRAME = 32, 24
PAGE_SIZE_AT, SALTS_AT = slice(8, 12), slice(16, 24)
_PAGES_AFTER = slice(4, 8)
"""How many pages the graph has after the commit that this frame of its log ends; 0 within one."""
_USES_LOG = 2
"""What a file that keeps a write-ahead log says in bytes 18 and 19 of its header."""
SAMPLES = 64
"""Pages that are kept of a file, the first one always: the others lie evenly between."""
_MOMENT_S = 0.02
"""Longer than the clock of any usual file system takes to move on."""
LOGS = ("-wal", "-shm")
"""What SQLite keeps next to a file that has a write-ahead log."""


class LogRecord(Struct, frozen=True):
    """A log and the file it was written for: `salts` distinguish it from every other log.

    `inode` is the file's; `pages` are digests of some of its pages, by their number from 1.
    """

    salts: str
    inode: tuple[int, int]
    pages: dict[int, str]


def salts_of(graph: Path) -> str:
    """What distinguishes the log next to a graph from every other; empty where there is none."""
    try:
        with Path(f"{graph}-wal").open("rb") as log:
            head = log.read(HEADER)
    except OSError:
        return ""
    return head[SALTS_AT].hex() if len(head) == HEADER else ""


def make_record(graph: Path) -> LogRecord | None:
    """The log that a graph has now, with samples of its file; None where it has none."""
    salts, status = salts_of(graph), graph.stat()
    if not salts:
        return None
    with raw_bytes(graph) as file:
        size = _page_size(file.read(100))
        count = status.st_size // size
        step = max(1, -(-count // SAMPLES))
        pages = {number: _digest(file, number, size) for number in range(1, count + 1, step)}
    return LogRecord(salts, (status.st_dev, status.st_ino), pages)


def write_record(record: LogRecord, path: Path) -> None:
    """Keep a record in a file; half of one is never seen."""
    half = path.with_name(path.name + ".part")
    half.write_text(json.dumps(asdict(record)))
    half.replace(path)


def read_record(path: Path) -> LogRecord | None:
    """What was kept; None where there is nothing that can be understood."""
    try:
        kept = json.loads(path.read_text())
        device, number = kept["inode"]
        return LogRecord(str(kept["salts"]), (int(device), int(number)),
                         {int(page): str(digest) for page, digest in kept["pages"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def is_stale(graph: Path, record: LogRecord | None) -> bool:
    """True if the log next to a graph is certainly not its own; False where that is not certain.

    A program that writes meanwhile begins its log anew, or brings pages over into the file, between
    what is read here: then nothing fits, although all is well. So a log is stale only if it is
    found so twice, a moment apart, while neither file changes.
    """
    before = _states(graph)
    if not _looks_stale(graph, record):
        return False
    time.sleep(_MOMENT_S)
    return _looks_stale(graph, record) and _states(graph) == before


def _states(graph: Path) -> list[tuple[int, int]]:
    """What changes whenever the graph or its log is written."""
    files = [Path(name).stat() for name in (graph, f"{graph}-wal") if Path(name).exists()]
    return [(status.st_mtime_ns, status.st_size) for status in files]


def _looks_stale(graph: Path, record: LogRecord | None) -> bool:
    salts = salts_of(graph)
    if not salts or not has_frames(graph):
        return False
    with raw_bytes(graph) as file:
        head = file.read(100)
        if len(head) == 100 and _USES_LOG not in (head[18], head[19]):
            return True
        if record is None or record.salts != salts:
            return False
        status = graph.stat()
        if record.inode != (status.st_dev, status.st_ino):
            return True
        size = _page_size(head)
        changed = {number for number, digest in record.pages.items()
                   if number * size <= status.st_size
                   and _digest(file, number, size) != digest}
        # A page that was brought over from the log is there, too; any other came from elsewhere.
        return bool(changed) and not changed <= set(_copied(graph, file, changed))


def set_aside(graph: Path, suffixes: tuple[str, ...] = LOGS) -> tuple[Path, ...]:
    """Move the logs next to a graph out of SQLite's sight; returns where they are now.

    They may hold the last changes of an earlier file, so they are kept under another name.
    """
    moved = []
    for suffix in suffixes:
        log = graph.with_name(graph.name + suffix)
        number = 1
        while (aside := log.with_name(f"{log.name}.left-{number}")).exists():
            number += 1
        if log.is_file():
            log.replace(aside)
            moved.append(aside)
    return tuple(moved)


def _page_size(head: bytes) -> int:
    size = int.from_bytes(head[16:18], "big")
    return 65536 if size == 1 else max(size, 512)


def _digest(file: BinaryIO, number: int, size: int) -> str:
    import hashlib  # noqa: PLC0415  only files that can't be read in place need it

    file.seek((number - 1) * size)
    return hashlib.sha256(file.read(size)).hexdigest()[:32]


def has_frames(graph: Path) -> bool:
    """True if the log next to a graph holds changes."""
    try:
        return next(_frames(graph), None) is not None
    except OSError:
        return False


def commits_in_log(graph: Path) -> tuple[str, int, int]:
    """What tells the log next to a graph from every other, how many commits it holds, and how many
    frames they have.

    Raises OSError.
    """
    path = Path(f"{graph}-wal")
    if not path.exists():
        return "", 0, 0
    with path.open("rb") as log:
        head = log.read(HEADER)
        size = int.from_bytes(head[PAGE_SIZE_AT], "big")
        commits = frames = number = 0
        while len(frame := log.read(FRAME)) == FRAME and frame[8:16] == head[SALTS_AT]:
            number += 1
            if any(frame[_PAGES_AFTER]):
                commits, frames = commits + 1, number
            log.seek(size, os.SEEK_CUR)
    return head[SALTS_AT].hex(), commits, frames


def _copied(graph: Path, file: BinaryIO, pages: set[int]) -> Iterator[int]:
    """Those of the pages that the log holds exactly as the file has them."""
    for number, content in _frames(graph):
        if number in pages:
            file.seek((number - 1) * len(content))
            if file.read(len(content)) == content:
                yield number


def _frames(graph: Path) -> Iterator[tuple[int, bytes]]:
    """Each page of the log as (number, content), oldest first."""
    with Path(f"{graph}-wal").open("rb") as log:
        head = log.read(HEADER)
        size = int.from_bytes(head[PAGE_SIZE_AT], "big")
        while len(frame := log.read(FRAME)) == FRAME and frame[8:16] == head[SALTS_AT]:
            content = log.read(size)
            if len(content) == size:
                yield int.from_bytes(frame[:4], "big"), content
