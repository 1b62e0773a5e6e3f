"""The demo graph: one developer's year, written into a graph file of its own."""

import os
import tempfile
from pathlib import Path

from core.errors import OpenError
from core.store.file_identity import clear_logs
from core.store.handles import Writer
from core.workspace import Workspace
from explorer.demo.rows import insert_demo
from explorer.demo.story import read_story
from explorer.paths import demo_store


def build_demo(path: Path) -> Path:
    """Make a new graph file that holds the demo; the same one each time.

    It is made beside `path` and moved there when it is whole, so that a half-made demo is never
    opened. Raises OpenError where there is a file already or the folder can't be written.
    """
    if path.exists():
        raise OpenError("foreign", "There is a file here already", where=str(path),
                        do="Choose another name; nothing was changed")
    making = path.with_name(f".{path.name}.{os.getpid()}.making")
    try:
        with tempfile.TemporaryDirectory(prefix="constellation-demo-") as beside:
            workspace = Workspace.open(making, data_dir=Path(beside), create=True)
            try:
                workspace.write("Make the demo graph", fill_with_demo)
            finally:
                workspace.close()
        clear_logs(path)
        os.replace(making, path)
    finally:
        for leftover in path.parent.glob(f"{making.name}*"):
            leftover.unlink()
    return path


def fill_with_demo(writer: Writer) -> None:
    """Write the demo's rows into an empty graph, as where its history begins."""
    insert_demo(writer, read_story())
    # The demo is the ground that a person starts from: undo must not take it away.
    writer.journal.clear()


def ready_demo() -> Path:
    """The person's own demo graph, made at the first call."""
    path = demo_store()
    return path if path.is_file() else build_demo(path)
