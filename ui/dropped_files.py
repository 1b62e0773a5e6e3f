"""What was dropped onto the window: one file, or why it can't be opened."""

from pathlib import Path

from PySide6.QtCore import QMimeData

from core.errors import ConstellationError

ONE = "Drop one graph, Signet database or MCP memory file"


def dropped_file(data: QMimeData) -> Path:
    """The one local file; raises ConstellationError in words for everything else."""
    urls = data.urls()
    if len(urls) > 1:
        raise ConstellationError(f"{len(urls):,} files were dropped, nothing was opened", do=ONE)
    if not urls or not urls[0].isLocalFile():
        where = urls[0].toDisplayString() if urls else ""
        raise ConstellationError("Only a file on this computer can be opened", where=where,
                                 do="Save it first, then drop the file")
    return Path(urls[0].toLocalFile())
