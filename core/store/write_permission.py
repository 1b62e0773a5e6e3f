"""Whether a graph may be written: by the file system, by the person, only in the present."""

import os
from pathlib import Path

from core.errors import NotWritable
from core.store.backup import back_up
from core.store.file_detection import DetectedFile
from core.store.graph_file import GraphFile
from core.store.past_file import Pasts
from core.store.sidecar import Sidecar


class WritePermission:
    """The permission to write one graph file.

    Args:
        file: the graph.
        log_path: its undo log, backed up with it.
        sidecar: keeps that the person has allowed writing.
        pasts: tells whether the past is shown.
    """

    def __init__(self, file: GraphFile, log_path: Path, sidecar: Sidecar, pasts: Pasts) -> None:
        self._file, self._log_path, self._sidecar, self._pasts = file, log_path, sidecar, pasts

    @property
    def _shown_sidecar(self) -> Sidecar:
        return self._pasts.sidecar or self._sidecar

    @property
    def given(self) -> bool:
        """True if the person has allowed writing this file (a native graph needs no asking)."""
        return self._file.kind == "native" or self._shown_sidecar.meta().get("allowed") == "yes"

    @property
    def usable(self) -> bool:
        """True if a write would be taken now."""
        return self._file.writable and self.given and self._pasts.shown is None

    def give(self) -> Path | None:
        """Allow writing, after a backup of a foreign file; returns the backup.

        Raises NotWritable where the file system does not allow it.
        """
        file, sidecar = self._file, self._shown_sidecar
        if not file.writable:
            raise NotWritable("The file or its folder can't be written", where=str(file.path),
                              do="Change its permissions, or work on a copy")
        if self.given:
            return None
        copy = back_up(file.path, file.backup_folder, self._log_path, file.sidecar_path)
        sidecar.remember("allowed", "yes")
        sidecar.remember("backup", os.fsencode(copy).decode("utf-8", "replace"))
        return copy

    def checked_file(self) -> DetectedFile:
        """The file, if it may be written. Raises NotWritable."""
        if self._pasts.shown is not None:
            raise NotWritable(f"This is {self._pasts.shown.words}; the past can't be changed",
                              where=str(self._file.path), do="Return to now first")
        file = self._file.current()
        if not file.writable:
            raise NotWritable("The file or its folder can't be written", where=str(self._file.path),
                              do="Change its permissions, or work on a copy")
        if not self.given:
            raise NotWritable("This file is read-only until you allow writing",
                              where=str(self._file.path), do="Allow it, and a backup is made first")
        return file
