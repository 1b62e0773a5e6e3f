"""Looks at a path before anything is opened, so that each failure has its own sentence."""

import math
import os
import shutil
import sqlite3
import stat
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from core import error_advice
from core.errors import OpenError
from core.store.database import SqliteError, connect, is_damage, worded
from core.store.file_identity import identity_in
from core.store.migrate import APPLICATION_ID, newest, version_of
from core.store.read_bytes_keeping_locks import raw_bytes
from core.store.stale_wal import has_frames

MAGIC = b"SQLite format 3\x00"
CHOOSE = ("Choose a graph or a Signet database; what other programs keep (an MCP memory file, "
          "notes, tables) is imported")
"""What to do with a file that is no graph."""
_PACKED = {
    b"\x1f\x8b": ("gzip", "gunzip"), b"PK\x03\x04": ("zip", "unzip"),
    b"BZh": ("bzip2", "bunzip2"), b"\xfd7zXZ\x00": ("xz", "unxz"),
    b"\x28\xb5\x2f\xfd": ("zstd", "unzstd"), b"7z\xbc\xaf\x27\x1c": ("7-Zip", "7z x"),
}
"""What a packed file begins with: what packed it, and the command that unpacks it."""
_OTHERS = {
    b"\x89PNG\r\n\x1a\n": "a PNG picture", b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture", b"%PDF-": "a PDF document", b"\x7fELF": "a program",
}


class DetectedFile(Struct, frozen=True):
    """The file at a path: `kind` is `native`, `signet` or `empty` (a database without tables).

    Attributes:
        source: what connections read: the file, or a copy where SQLite can't read it in place.
        writable: the file system allows writing.
        immutable: it lies where SQLite may place no file beside it, and nobody writes it.
        inode: distinguishes it from a later file at the same path.
        identity: independent of its path; empty if unknown (`core.store.file_identity`).
        schema: the version of its tables, of a native one.
        seen: for one that may not be written, what changes when others write it.
        copy: the folder of the copy, deleted with the last mention of this.
    """

    path: Path
    kind: str
    source: Path
    writable: bool
    immutable: bool
    inode: tuple[int, int]
    identity: str
    schema: int
    seen: tuple[object, ...] = ()
    copy: tempfile.TemporaryDirectory[str] | None = None

    @property
    def is_current(self) -> bool:
        """True while this same file is at the path and is best read in the same way."""
        try:
            return _inode(self.path.stat()) == self.inode and self.seen == (
                _seen(self.path.resolve()) if self.seen else ())
        except OSError:
            return False


def inspect(path: Path) -> DetectedFile:
    """The kind of file at a path. Raises OpenError with what, where and what to do."""
    where = str(path)
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise OpenError(
            "missing", "File not found", where=where,
            do=error_advice.NOT_THERE) from None
    except (OSError, ValueError) as error:
        raise _unreadable(where, error) from error
    if stat.S_ISDIR(status.st_mode):
        raise OpenError("folder", "This is a folder, not a graph", where=where,
                        do="Choose the file inside it, such as memory/memories.db")
    if not stat.S_ISREG(status.st_mode):
        raise OpenError("foreign", "This is a device or a pipe, not a file", where=where,
                        do=CHOOSE)
    # SQLite follows a link, and keeps its logs beside the real file.
    real = path.resolve()
    _look_at_bytes(real)
    if os.access(real.parent, os.W_OK):
        found = _look_inside(path, immutable=False)
        return DetectedFile(path, found.kind, path, os.access(real, os.W_OK), False,
                            _inode(status), found.identity, found.schema)
    return _locked_away(path, real, _inode(status))


def _locked_away(path: Path, real: Path, inode: tuple[int, int]) -> DetectedFile:
    """A file in a folder that may not be written: SQLite can make no index of its log there.

    Where the program that writes it has made one, that is used; where nobody writes, nothing is
    in the log. Otherwise, after a crash, file and log are copied, and the copy is read.
    """
    seen = _seen(real)
    if has_frames(real) and not os.access(f"{real}-shm", os.R_OK):
        copy = tempfile.TemporaryDirectory(prefix="constellation-")
        source = Path(copy.name) / real.name
        for end in ("", "-wal"):
            shutil.copyfile(f"{real}{end}", f"{source}{end}")
        found = _look_inside(source, immutable=False)
        return DetectedFile(path, found.kind, source, False, False, inode, found.identity,
                            found.schema, seen, copy)
    immutable = not Path(f"{real}-shm").exists() and not has_frames(real)
    found = _look_inside(path, immutable)
    return DetectedFile(path, found.kind, path, False, immutable, inode, found.identity,
                        found.schema, seen)


def _seen(real: Path) -> tuple[object, ...]:
    """What changes when others write the file, or begin to."""
    if os.access(f"{real}-shm", os.R_OK):
        return ("shared",)
    pieces = [real, Path(f"{real}-wal")]
    return tuple((piece.stat().st_mtime_ns, piece.stat().st_size) if piece.exists() else None
                 for piece in pieces)


def _inode(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _look_at_bytes(path: Path) -> None:
    where = str(path)
    try:
        size = path.stat().st_size
        with raw_bytes(path) as file:
            head = file.read(4096)
    except OSError as error:
        raise _unreadable(where, error) from error
    if not head:
        raise OpenError("empty", "The file is empty", where=where,
                        do=error_advice.FILE_IS_EMPTY)
    if not head.startswith(MAGIC):
        raise _not_sqlite(head, where)
    page = int.from_bytes(head[16:18], "big")
    page = 65536 if page == 1 else page
    pages = int.from_bytes(head[28:32], "big")
    # The page count in the header counts only if the change counters agree (SQLite file format).
    if head[24:28] == head[92:96] and pages * page > size and not _wal_bytes(path):
        raise OpenError(
            "truncated", "The file is incomplete", where=where,
            do=error_advice.INCOMPLETE,
            detail=f"{size} bytes of {pages * page}")


def _unreadable(where: str, error: Exception) -> OpenError:
    return OpenError("unreadable", "The file can't be read", where=where,
                     do="Check the path and its permissions", detail=str(error))


def _wal_bytes(path: Path) -> int:
    """The size of the write-ahead log: pages may be there instead of in the file."""
    log = Path(f"{path}-wal")
    return log.stat().st_size if log.exists() else 0


def _not_sqlite(head: bytes, where: str) -> OpenError:
    other = other_file(head, where)
    if other is not None:
        return other
    counts = Counter(head)
    entropy = -sum(n / len(head) * math.log2(n / len(head)) for n in counts.values())
    if len(head) >= 1024 and entropy > 7.5:
        return OpenError("encrypted", "The file is encrypted or compressed",
                         where=where, do=error_advice.ENCRYPTED)
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if text[:1] in (b"{", b"["):
        return OpenError("foreign", "This is a JSON file, not a database", where=where,
                         do=error_advice.IS_JSON)
    return OpenError("foreign", "This is not a database", where=where,
                     do=CHOOSE)


def other_file(head: bytes, where: str) -> OpenError | None:
    """An error if the file is compressed, a picture or similar; else None.

    Args:
        head: the first bytes of the file, 16 at least.
    """
    for start, (name, command) in _PACKED.items():
        if head.startswith(start):
            return OpenError("foreign", f"The file is compressed with {name}", where=where,
                             do=error_advice.unpack(command))
    for start, what in _OTHERS.items():
        if head.startswith(start):
            return OpenError("foreign", f"This is {what}", where=where,
                             do=CHOOSE)
    return None


class _Inside(NamedTuple):
    """What a database says about itself; see `DetectedFile`."""

    kind: str
    identity: str
    schema: int


def _look_inside(path: Path, immutable: bool) -> _Inside:
    where = str(path)
    try:
        connection = connect(path, immutable=immutable)
        try:
            schema = version_of(connection)
            kind = _kind(connection, schema, where)
            return _Inside(kind, identity_in(connection, kind), schema)
        finally:
            connection.close()
    except (sqlite3.DatabaseError, UnicodeDecodeError, MemoryError) as error:
        raise _failed(error, where) from error


def _kind(connection: sqlite3.Connection, schema: int, where: str) -> str:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    tables = {r[0] for r in connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table'")}
    if application == APPLICATION_ID:
        if schema > newest():
            raise OpenError("newer", "This graph was written by a newer version of Constellation",
                            where=where, do="Update Constellation; the file was left as it is",
                            detail=f"schema {schema}, this program knows up to {newest()}")
        return "native"
    if {"entities", "memories"} <= tables:
        return "signet"
    if not tables:
        return "empty"
    raise OpenError("foreign", "This database has no knowledge graph", where=where,
                    do=CHOOSE,
                    detail=f"tables: {', '.join(sorted(tables)[:12])}")


def _failed(error: SqliteError, where: str) -> OpenError:
    text = str(error)
    if "locked" in text:
        kind = "locked"
    elif is_damage(error):
        kind = "damaged"
    else:
        kind = "unreadable"
    words = worded(error, where)
    return OpenError(kind, words.what, where=where, do=words.do, detail=text)
