"""Graph files that are made once in a run and copied for each test that begins with one."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from core.store.sidecar_file import data_folder, make_room, sidecar_path
from core.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Template:
    """A closed graph and what is kept beside it, as bytes."""

    graph: bytes
    sidecar: bytes
    undo_log: bytes

    @classmethod
    def of(cls, path: Path, data_dir: Path) -> Self:
        """What lies at `path`; no connection may be open."""
        sidecar, undo_log = _beside(path, data_dir)
        return cls(path.read_bytes(), sidecar.read_bytes(), undo_log.read_bytes())

    def copy_to(self, path: Path, data_dir: Path) -> None:
        """Write the graph at `path`, where none is open, and the rest below `data_dir`."""
        make_room(data_dir)
        sidecar, undo_log = _beside(path, data_dir)
        sidecar.write_bytes(self.sidecar)
        undo_log.write_bytes(self.undo_log)
        path.write_bytes(self.graph)


def _beside(path: Path, data_dir: Path) -> tuple[Path, Path]:
    sidecar = sidecar_path(path, data_dir)
    return sidecar, sidecar.with_name(f"{sidecar.stem}-undo.db")


def nothing(workspace: Workspace) -> None:
    """Fills an empty graph."""


def copy_graph(
    fill: Callable[[Workspace], object], path: Path, data_dir: Path | None = None
) -> Path:
    """A native graph at `path` as `fill` leaves a new one, with its sidecar and undo steps.

    `fill` must be a function of a module, so that each test has the same one; it runs once, and
    all copies have the same ids and times.
    """
    _filled(fill).copy_to(path, data_dir or data_folder())
    return path


@cache
def _filled(fill: Callable[[Workspace], object]) -> Template:
    with TemporaryDirectory() as name:
        path, data = Path(name, "graph.db"), Path(name, "data")
        workspace = Workspace.open(path, data_dir=data, create=True)
        fill(workspace)
        workspace.close()
        return Template.of(path, data)
