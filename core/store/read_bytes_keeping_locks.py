"""Reads the bytes of a database file past SQLite, without giving up SQLite's locks on it.

Where locks belong to a process (POSIX), it loses every lock on a file as soon as it closes any
descriptor of that file (sqlite.org/howtocorrupt.html, 2.2). Another program then takes itself for
the only one: when it closes the file it throws the write-ahead log away, and what is written here
afterwards is lost. So while this process has connections to a file, the descriptor that its bytes
are read by stays open; the last of them to go closes it.
"""

import io
import os
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, BinaryIO

from msgspec import Struct

Inode = tuple[int, int]
_lock = RLock()  # A connection may be collected, and so closed, while it is held.
_connections: Counter[Inode] = Counter()


class _Kept(Struct):
    """A file that is open for reading, and how many read it now."""

    descriptor: int
    users: int = 0


_kept: dict[Inode, _Kept] = {}


class CountedConnection(sqlite3.Connection):
    """A connection that is counted until it has let go of its locks."""

    def __init__(self, *given: Any, counted: Path, **options: Any) -> None:
        super().__init__(*given, **options)
        status = counted.stat()
        self._inode: Inode | None = (status.st_dev, status.st_ino)
        with _lock:
            _connections[self._inode] += 1

    def close(self) -> None:
        super().close()
        self._let_go()

    def __del__(self) -> None:
        self._let_go()

    def _let_go(self) -> None:
        inode = getattr(self, "_inode", None)
        if inode is not None:
            self._inode = None
            with _lock:
                _connections[inode] -= 1
                _close_idle(inode)


@contextmanager
def raw_bytes(path: Path) -> Iterator[BinaryIO]:
    """The file, open for reading its bytes."""
    if os.name != "posix":  # There a lock belongs to the descriptor that took it.
        with path.open("rb") as file:
            yield file
        return
    inode, kept = _take(path)
    try:
        yield io.BufferedReader(_Positioned(kept.descriptor))
    finally:
        with _lock:
            kept.users -= 1
            _close_idle(inode)


def _take(path: Path) -> tuple[Inode, _Kept]:
    """The descriptor of the file that is at the path now."""
    with _lock:
        status = path.stat()
        inode = status.st_dev, status.st_ino
        kept = _kept.get(inode)
        if kept is None:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            status = os.fstat(descriptor)  # It may have been replaced just now.
            inode = status.st_dev, status.st_ino
            kept = _kept.setdefault(inode, _Kept(descriptor))
        kept.users += 1
        return inode, kept


def _close_idle(inode: Inode) -> None:
    """Close the file if neither a connection nor a reader needs it; the lock is held."""
    if _connections[inode] <= 0:
        del _connections[inode]
        kept = _kept.get(inode)
        if kept is not None and not kept.users:
            os.close(_kept.pop(inode).descriptor)


class _Positioned(io.RawIOBase):
    """A reader with a place of its own in a file that others read by the same descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._at = descriptor, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at,
                 os.SEEK_END: os.fstat(self._descriptor).st_size}[whence]
        self._at = start + offset
        return self._at

    def readinto(self, buffer: Any) -> int:
        count = os.preadv(self._descriptor, [buffer], self._at)
        self._at += count
        return count
