"""The guards of `tests/conftest.py` catch what they are there for."""

import socket
import sqlite3
import tempfile
from pathlib import Path

import pytest

from tests.conftest import Escapes


def test_a_file_opened_for_writing_outside_of_temporary_folders_is_noted() -> None:
    # Not in the working tree: a clone may itself lie in the folder for temporary files.
    outside = Path(Path.cwd().anchor) / "somewhere else"
    escapes = Escapes()
    escapes.watch("open", (str(outside / "escaped.txt"), "w", 0))
    escapes.watch("sqlite3.connect", (str(outside / "escaped.db"),))
    assert escapes.paths == [str(outside / "escaped.txt"), str(outside / "escaped.db")]


def test_reading_and_temporary_files_are_not_noted(root: Path, tmp_path: Path) -> None:
    escapes = Escapes()
    escapes.watch("open", (str(root / "README.md"), "r", 0))
    escapes.watch("open", (str(tmp_path / "fine.txt"), "w", 0))
    escapes.watch("sqlite3.connect", (":memory:",))
    escapes.watch("sqlite3.connect", (f"file:{root}/some.db?mode=ro",))
    assert escapes.paths == []


def test_the_watch_is_on(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "a.db") as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    connection.close()
    assert Path.home().is_relative_to(tempfile.gettempdir())


def test_the_network_is_out_of_reach() -> None:
    with socket.socket() as plug, pytest.raises(pytest.fail.Exception):
        plug.connect(("192.0.2.1", 80))
