"""What the README tells is so: its commands run, its files and targets are there."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from explorer.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def session() -> list[tuple[str, list[str]]]:
    """The commands of the console block, each with what it is said to print."""
    block = re.search(r"```console\n(.*?)```", README, re.DOTALL)
    assert block is not None
    parts = re.split(r"^\$ ", block[1], flags=re.MULTILINE)[1:]
    return [(part.splitlines()[0], part.splitlines()[1:]) for part in parts]


def test_its_commands_print_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("PySide6")
    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    assert len(session()) >= 4
    for command, told in session():
        program, *arguments = shlex.split(command)
        assert program == "constellation"
        done = subprocess.run([sys.executable, "-m", "explorer", *arguments], cwd=tmp_path,
                              capture_output=True, text=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr
        if "render" in arguments:  # as many stars as the demo has today
            assert re.fullmatch(r"\d+ entities, \d+ links: sky.png\n", done.stdout)
            assert (tmp_path / "sky.png").read_bytes().startswith(b"\x89PNG")
        else:
            assert done.stdout.splitlines() == told


def test_its_configurations_of_clients_start_the_server() -> None:
    configured = [read(block) for language, read in (("json", json.loads), ("toml", tomllib.loads))
                  for block in re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)]
    servers = [server for each in configured for kinds in each.values()
               for server in kinds.values()]
    assert [(server["command"], server["args"][0]) for server in servers] == [
        ("constellation", "mcp")] * 3
    assert "mcp" in COMMANDS


def test_its_make_targets_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"`?make (\w+)`?", README))
    assert targets >= {"run", "test", "lint", "bench"}
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_files_that_it_names_are_there() -> None:
    named = re.findall(r"`((?:core|ui|explorer|tests|assets)/[\w/.-]+)`", README)
    named += re.findall(r'(?:src|srcset)="([^"]+)"', README)
    assert len(named) > 5
    assert [name for name in named if not (ROOT / name).exists()] == []
