"""Graph files that are made once in a run and copied for each test that begins with one."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from core.store.sidecar_file import data_folder, make_room, sidecar_path
from core.workspace import Workspace

Fill = Callable[[Workspace], object]


def nothing(workspace: Workspace) -> None:
    """Fills an empty graph."""


def copy_graph(fill: Fill, path: Path, data_dir: Path | None = None) -> Path:
    """A native graph at `path` as `fill` leaves a new one, with its sidecar and undo steps.

    `fill` must be a function of a module, so that each test has the same one; it runs once, and
    all copies have the same ids and times.
    """
    folder = data_dir or data_folder()
    make_room(folder)
    graph, side, log = _made(fill)
    side_path = sidecar_path(path, folder)
    side_path.write_bytes(side)
    side_path.with_name(f"{side_path.stem}-undo.db").write_bytes(log)
    path.write_bytes(graph)
    return path


@cache
def _made(fill: Fill) -> tuple[bytes, bytes, bytes]:
    """The graph, its sidecar and its undo log."""
    with TemporaryDirectory() as name:
        path, data = Path(name, "graph.db"), Path(name, "data")
        workspace = Workspace.open(path, data_dir=data, create=True)
        fill(workspace)
        workspace.close()
        log = next((data / "beside").glob("*-undo.db"))
        side = log.with_name(log.name.removesuffix("-undo.db") + ".db")
        return path.read_bytes(), side.read_bytes(), log.read_bytes()
