"""A command loads what it needs and nothing else: that is what its start takes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.cli import COMMANDS, LazyCommands, listed_help
from tests.conftest import ROOT
from tests.templates import copy_graph, nothing

_SHOW = """
import sys
from contextlib import suppress
from explorer.main import main
with suppress(SystemExit):
    main(sys.argv[1:])
print("modules", *sys.modules, file=sys.stderr)
"""
HEAVY = {"numpy", "networkx", "numba", "umap", "PySide6", "mcp", "fastapi", "uvicorn", "usearch"}


def loaded(*words: str) -> set[str]:
    run = subprocess.run(
        [sys.executable, "-c", _SHOW, *words], cwd=ROOT, capture_output=True, text=True, check=True,
        env={name: value for name, value in os.environ.items() if name != "COLUMNS"})
    assert run.stderr.startswith("modules "), "the command was refused"
    return set(run.stderr.split())


def test_the_version_is_said_without_a_library() -> None:
    assert not loaded("--version") & {*HEAVY, "typer", "rich", "pydantic", "core.workspace"}


def test_help_lists_the_commands_without_loading_one() -> None:
    modules = loaded("--help")
    assert not modules & {*HEAVY, "typer", "rich", "pydantic", "core.workspace"}
    assert not {f"explorer.cli.{value.partition(':')[0]}" for value in COMMANDS.values()} & modules


def test_help_is_the_page_that_the_commands_make() -> None:
    page = (ROOT / "explorer" / "cli" / "help.txt").read_text("utf-8")
    made = subprocess.run([sys.executable, "-m", "explorer", "--help", "--help"], cwd=ROOT,
                          capture_output=True, text=True, check=True,
                          env={**os.environ, "COLUMNS": "80"})
    assert page == made.stdout, "run: python -m explorer --help --help > explorer/cli/help.txt"


def test_help_is_folded_for_a_narrow_terminal() -> None:
    shown = subprocess.run([sys.executable, "-m", "explorer", "--help"], cwd=ROOT,
                           capture_output=True, text=True, check=True,
                           env={**os.environ, "COLUMNS": "60"})
    assert max(map(len, shown.stdout.splitlines())) <= 60


UNNEEDED = {*HEAVY, "pydantic", "rich.table", "rich.progress", "rapidfuzz", "snowballstemmer",
            "core.model.walk", "core.ontology.operation_catalog"}


@pytest.mark.parametrize("words", [
    "info GRAPH", "history --store GRAPH", "knowledge entities --store GRAPH"])
def test_a_command_that_lists_rows_loads_no_checks_and_no_tables(
        words: str, tmp_path: Path) -> None:
    graph = copy_graph(nothing, tmp_path / "graph.db")
    assert not loaded(*words.replace("GRAPH", str(graph)).split()) & UNNEEDED


@pytest.mark.parametrize("words", [
    "info GRAPH", "history --store GRAPH", "knowledge entities --store GRAPH",
    "ontology proposals --store GRAPH", "export --store GRAPH"])
def test_a_command_that_compares_no_meanings_loads_no_arrays(words: str, tmp_path: Path) -> None:
    graph = copy_graph(nothing, tmp_path / "graph.db")
    assert not loaded(*words.replace("GRAPH", str(graph)).split()) & HEAVY


def test_a_walk_from_entities_loads_no_arrays_and_no_operations(tmp_path: Path) -> None:
    graph = copy_graph(nothing, tmp_path / "graph.db")
    modules = loaded("traverse", "--pinned", "--json", "--store", str(graph))
    assert not modules & {*HEAVY, "core.ontology.operation_catalog", "http.client"}


def test_what_help_lists_is_what_each_command_says_itself() -> None:
    for name, command in LazyCommands().items():
        first = (command.help or "").split("\n\n")[0].replace("\n", " ")
        assert listed_help(name).split("\n\n")[0].replace("\n", " ") == first
