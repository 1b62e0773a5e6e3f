"""Standard output that is full or closed: the command is carried out once, and one line says so."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import cycle
from pathlib import Path

import pytest

from core.store.sidecar_file import data_folder
from explorer.cli.dispatch import NOT_PRINTED
from explorer.http import tokens
from explorer.streams import Output
from tests.contracts.files import make
from tests.explorer.cli.command_lines import LEAVES, OPERATIONS, OTHERS, SILENT, line
from tests.explorer.conftest import Answer, Run, graph_fixture
from tests.templates import Template

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
ANSWERING = sorted(LEAVES.keys() - SILENT - {"render"})
"""Without pictures, whose first one takes twenty seconds."""


@graph_fixture
def world(run: Run, graph: Path) -> Path:
    """The world of the contracts with a step that was undone, a session and a backup."""
    graph.unlink()
    make("native", graph, data_folder()).close()
    run("session", "start", "--session", "morning")
    run("expect", "add", "How is the weather?", "--must-not", "m-2")
    for name in ("Gull", "Tern"):
        run("ontology", "entity", "create", name)
    run("undo")
    return graph


@pytest.fixture(params=["full", "pipe"])
def nowhere(request: pytest.FixtureRequest) -> Iterator[int]:
    """A descriptor that takes nothing: a full disk, or a pipe that nobody reads."""
    if request.param == "full":
        descriptor = os.open("/dev/full", os.O_WRONLY)
    else:
        reading, descriptor = os.pipe()
        os.close(reading)
    yield descriptor
    os.close(descriptor)


def rows(graph: Path) -> dict[str, int]:
    """How many rows each table of the graph and of what is kept beside it has."""
    counts = {}
    for file in (graph, *data_folder().rglob("graph-*.db")):
        with closing(sqlite3.connect(file)) as connection:
            tables = [name for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%\\_fts%' "
                "ESCAPE '\\'")]
            counts |= {f"{file.name} {name}": connection.execute(
                f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables}
    return counts


def own_token(world: Path) -> None:
    """The only token there is."""
    (world.parent / "tokens.json").unlink(missing_ok=True)
    tokens.create("recall", "default")


def unread(run: Run, monkeypatch: pytest.MonkeyPatch, words: list[str], stdin: str,
           descriptor: int) -> Answer:
    with monkeypatch.context() as patch:
        patch.setattr("sys.stdout", Output(descriptor))
        return run(*words, stdin=stdin)


def test_every_command_has_a_line() -> None:
    assert {*OPERATIONS, *OTHERS, *SILENT} == LEAVES.keys()


@pytest.mark.parametrize(("command", "nowhere"), [*zip(ANSWERING, cycle(("full", "pipe")))],
                         indirect=["nowhere"])
def test_a_command_whose_answer_is_lost_is_done_once_and_says_so(
    run: Run, world: Path, monkeypatch: pytest.MonkeyPatch, command: str, nowhere: int
) -> None:
    monkeypatch.setattr(tokens, "tokens_file", lambda: world.parent / "tokens.json")
    own_token(world)
    template = Template.of(world, data_folder())
    words, stdin = line(command, world)
    answer = run(*words, stdin=stdin)
    assert (answer.code, bool(answer.out)) == (0, True), answer
    wanted = rows(world)
    (world.parent / "new.db").unlink(missing_ok=True)
    template.copy_to(world, data_folder())
    own_token(world)
    words, stdin = line(command, world)
    lost = unread(run, monkeypatch, words, stdin, nowhere)
    assert lost.code == NOT_PRINTED
    assert rows(world) == wanted
    assert len(lost.err.splitlines()) == len(answer.err.splitlines()) + 1
    assert lost.err.splitlines()[-1].startswith("constellation: The answer could not be written")


@pytest.mark.parametrize("nowhere", ["full"], indirect=True)
def test_a_refusal_stays_a_refusal_where_nothing_can_be_printed(
    run: Run, world: Path, monkeypatch: pytest.MonkeyPatch, nowhere: int
) -> None:
    refused = unread(run, monkeypatch, ["ontology", "entity", "pin", "Nobody"], "", nowhere)
    assert (refused.code, len(refused.err.splitlines())) == (2, 1)
