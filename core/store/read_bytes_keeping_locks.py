"""Reads the bytes of a database file past SQLite, without giving up SQLite's locks on it.

Where locks belong to a process (POSIX), it loses every lock on a file as soon as it closes any
descriptor of that file (sqlite.org/howtocorrupt.html, 2.2). Another program then takes itself for
the only one: when it closes the file it throws the write-ahead log away, and what is written here
afterwards is lost. So while this process has connections to a file, the descriptors by which its
bytes, and those of the index of its log, are read stay open; the last of them to go closes them.
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
    """A file that is open for reading, for the connections to which one, and how many read it now.
    """

    descriptor: int
    graph: Inode
    users: int = 0


_kept: dict[Inode, _Kept] = {}


class CountedConnection(sqlite3.Connection):
    """A connection that is counted until it has let go of its locks."""

    def __init__(self, *given: Any, counted: Path, **options: Any) -> None:
        super().__init__(*given, **options)
        self._inode: Inode | None = _inode(counted.stat())
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
def raw_bytes(path: Path, *, beside: Path | None = None) -> Iterator[BinaryIO]:
    """The file, open for reading its bytes; one that SQLite keeps `beside` a graph, too."""
    if os.name != "posix":  # There a lock belongs to the descriptor that took it.
        with path.open("rb") as file:
            yield file
        return
    kept = _take(path, beside)
    try:
        yield io.BufferedReader(_Positioned(kept.descriptor))
    finally:
        with _lock:
            kept.users -= 1
            _close_idle(kept.graph)


def _take(path: Path, beside: Path | None) -> _Kept:
    """The descriptor of the file that is at the path now."""
    with _lock:
        kept = _kept.get(_inode(path.stat()))
        if kept is None:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            inode = _inode(os.fstat(descriptor))  # It may have been replaced just now.
            graph = inode if beside is None else _inode(beside.stat())
            kept = _kept.setdefault(inode, _Kept(descriptor, graph))
        kept.users += 1
        return kept


def _inode(status: os.stat_result) -> Inode:
    return status.st_dev, status.st_ino


def _close_idle(graph: Inode) -> None:
    """Close what is read of a graph if neither a connection nor a reader needs it; the lock is
    held."""
    if _connections[graph] <= 0:
        del _connections[graph]
        for inode, kept in list(_kept.items()):
            if kept.graph == graph and not kept.users:
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
