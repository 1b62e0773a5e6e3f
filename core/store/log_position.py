"""Tells how far the write-ahead log of a graph is, for those who begin to read now.

The index that SQLite keeps of the log says it. The log itself may hold a commit that nobody sees
yet: it is written to the end before it is entered there.
"""

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from core.store.read_bytes_keeping_locks import raw_bytes

_HEAD, _IS_READY, _FRAMES, _SALTS = 48, 12, slice(16, 20), slice(32, 40)
"""The head of the index, which stands there twice (sqlite.org/walformat.html, 2.1)."""


_begun_anew: dict[Path, "tuple[LogPosition, LogPosition]"] = {}
"""By graph the end of its last log, and the place in the next one that is the same."""


class LogPosition(Struct, frozen=True):
    """A place in a log: `salts` tell it from every other, `frames` are the pages committed."""

    salts: str
    frames: int


def log_position(graph: Path) -> LogPosition | None:
    """How far the log of an open graph is; None where nothing tells.

    Args:
        graph: the graph's own file, not a link to it.
    """
    try:
        with raw_bytes(Path(f"{graph}-shm"), beside=graph) as index:
            read = index.read(2 * _HEAD)
    except OSError:
        return None
    head, again = read[:_HEAD], read[_HEAD:]
    if head != again or len(head) < _HEAD or not head[_IS_READY]:
        return None  # Somebody is writing it.
    return LogPosition(head[_SALTS].hex(), int.from_bytes(head[_FRAMES], sys.byteorder))


@contextmanager
def beginning_log_anew(connection: sqlite3.Connection, graph: Path) -> Iterator[None]:
    """The block brings all of the log over into the file, without writing anything else."""
    seen, end = _version(connection), log_position(graph)
    yield
    begun = log_position(graph)
    # What another program has written meanwhile may lie behind that end, or before the beginning.
    if end is not None and begun is not None and _version(connection) == seen:
        _begun_anew[graph] = end, begun


def as_now_called(graph: Path, position: LogPosition) -> LogPosition:
    """The same place, in the next log if that one was begun by this process."""
    end, begun = _begun_anew.get(graph, (None, position))
    return begun if position == end else position


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA main.data_version").fetchone()[0])
