"""An open file beside a graph, which is put back where it was deleted meanwhile."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from threading import RLock

from core.store.database import connect, in_words
from core.store.sidecar_file import make_room, no_place


class KeptFile:
    """A writing connection to a file that this program keeps beside a graph; for any thread.

    A file that is deleted while it is open goes on being read and written by whoever has it open,
    and nobody finds any of it afterwards.
    """

    def __init__(self, path: Path, settings: Sequence[str]) -> None:
        self._path, self._settings = path, tuple(settings)
        self._lock = RLock()
        self._open()

    def __del__(self) -> None:
        if connection := getattr(self, "_connection", None):
            connection.close()

    def _open(self) -> None:
        with in_words(self._path):
            self._connection = connect(self._path, mode="rw")
            for setting in self._settings:
                self._connection.execute(f"PRAGMA {setting}")
        self._inode = _inode(self._path)

    @property
    def is_current(self) -> bool:
        """False once the file was deleted, or another one put in its place."""
        return self._inode == _inode(self._path)

    @contextmanager
    def turn(self) -> Iterator[sqlite3.Connection]:
        """The connection, while nobody else uses it; its errors in words."""
        with self._lock, in_words(self._path):
            yield self._connection

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def follow(self) -> None:
        """Put a deleted file back, or go on with another one that is in its place.

        Every other connection of this process that may write it must be closed before: closing one
        later would delete the log at the path. Raises OpenError where the folder takes no file.
        """
        with self._lock:
            try:
                if not self._path.exists():
                    self._put_back()
            except (sqlite3.DatabaseError, OSError) as error:
                raise no_place(self._path, error) from error
            self._connection.close()
            self._open()

    def _put_back(self) -> None:
        make_room(self._path.parent.parent)
        half = self._path.with_name(f"{self._path.name}.part")
        try:
            self._copy_to(half)
            for end in ("-wal", "-shm"):
                self._path.with_name(self._path.name + end).unlink(missing_ok=True)
            half.replace(self._path)
        finally:
            half.unlink(missing_ok=True)

    def _copy_to(self, half: Path) -> None:
        half.unlink(missing_ok=True)
        with closing(sqlite3.connect(half)) as copy:
            self._connection.backup(copy)
            copy.execute("PRAGMA journal_mode = WAL")


def _inode(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
