"""Runs the command line inside the test's process."""

import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.store.reader_and_writer import Reader
from core.store.sidecar_file import data_folder
from core.workspace import Workspace
from explorer.demo import build_demo
from explorer.main import main
from tests.templates import Template, copy_graph, nothing


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def cells(self) -> str:
        """What it printed, with a tab between the columns of its tables."""
        return re.sub(" {2,}", "\t", self.out)

    @property
    def json(self) -> Any:
        """The answer to `--json`."""
        assert self.code == 0, self.err
        return json.loads(self.out)


Run = Callable[..., Answer]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run("info", "--json", stdin="…")` is `constellation info --json`."""

    def call(*arguments: object, stdin: str = "") -> Answer:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8"))
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Answer(int(ended.value.code or 0), printed.out, printed.err)

    return call


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new graph, which is also the usual one."""
    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path / "data"))
    path = copy_graph(nothing, tmp_path / "graph.db")
    monkeypatch.setenv("CONSTELLATION_STORE", str(path))
    return path


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """A reading of the demo graph."""
    folder = tmp_path_factory.mktemp("demo")
    workspace = Workspace.open(build_demo(folder / "demo.db"), data_dir=folder / "data")
    with workspace.read() as handle:
        yield handle
    workspace.close()


def graph_fixture(fill: Callable[[Run, Path], Any]) -> Any:
    """A fixture from commands that fill the graph: `fill(run, graph)`.

    They run once in a run of tests; each test gets a copy, and what `fill` returned.
    """
    made: list[tuple[Template, Any]] = []

    @pytest.fixture(name=fill.__name__)
    def filled(run: Run, graph: Path) -> Any:
        if not made:
            result = fill(run, graph)
            made.append((Template.of(graph, data_folder()), None if result == graph else result))
        template, result = made[0]
        template.copy_to(graph, data_folder())
        return graph if result is None else result

    return filled
