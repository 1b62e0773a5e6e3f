"""Runs the command line inside the test's process."""

import io
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from explorer.main import main


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
def graph(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new graph, which is also the usual one."""
    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path / "data"))
    path = tmp_path / "graph.db"
    assert run("new", path).code == 0
    monkeypatch.setenv("CONSTELLATION_STORE", str(path))
    return path
