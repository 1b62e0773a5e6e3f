"""An open file beside a graph, which is put back where it was deleted meanwhile."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from core.store.database import connect, in_words
from core.store.sidecar_file import make_room, no_place


class KeptFile:
    """A writing connection to a file that this program keeps beside a graph.

    A file that is deleted while it is open goes on being read and written by whoever has it open,
    and nobody finds any of it afterwards.

    Attributes:
        connection: the connection; `follow` replaces it.
    """

    def __init__(self, path: Path, settings: Sequence[str]) -> None:
        self._path, self._settings = path, tuple(settings)
        self._open()

    def __del__(self) -> None:
        if connection := getattr(self, "connection", None):
            connection.close()

    def _open(self) -> None:
        with in_words(self._path):
            self.connection = connect(self._path, mode="rw")
            for setting in self._settings:
                self.connection.execute(f"PRAGMA {setting}")
        self._inode = _inode(self._path)

    @property
    def is_current(self) -> bool:
        """True while the file that is open is the one at the path."""
        return self._inode == _inode(self._path)

    def follow(self) -> None:
        """Put a deleted file back, or go on with another one that is in its place.

        Every other connection of this process that may write it must be closed before: closing one
        later would delete the log at the path. Raises OpenError where the folder takes no file.
        """
        try:
            if not self._path.exists():
                self._put_back()
        except (sqlite3.DatabaseError, OSError) as error:
            raise no_place(self._path, error) from error
        self.connection.close()
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
            self.connection.backup(copy)
            copy.execute("PRAGMA journal_mode = WAL")


def _inode(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
