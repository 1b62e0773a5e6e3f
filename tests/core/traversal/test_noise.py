"""No noise: a question makes focal what its words set apart, by full text and without it."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.traversal.config import TraversalSettings
from core.traversal.focal import Signals, resolve
from core.workspace import Workspace
from tests.core.graphs import Asked, Graph, build, many
from tests.core.traversal.test_focal import focal

ROADMAP = (
    "Workspace checkout sync - managed source checkout, clean updates, and what must run before",
    "Skills over substrate - keep the graph small and let repeated work use loadable skills",
    "Graph console before the cutover - run it beside the old one and use what both report",
    "Ferry connector hardening - retries, ferry runtime limits, and request normalization",
    "Proving ground loop - use one source, run it end to end, before the next one begins",
)
CONNECTORS = ("ferry", "codex", "harbor", "tide", "claude", "pilot", "anchor", "base")


def product(graph: Graph) -> None:
    """A product's packages, its people, and a roadmap whose items are whole sentences."""
    for place, name in enumerate(ROADMAP):
        graph.entity(name, "task", id=f"task{place}")
    for name in CONNECTORS:
        graph.entity(f"@mole/connector-{name}", "tool", id=name)
    for name in ("core", "cli", "sdk", "tray"):
        graph.entity(f"@mole/{name}", "tool", id=name)
    graph.entity("@mole/daemon", "system", id="daemon")
    graph.entity("Daemon rewrite", "task", id="rewrite")
    graph.entity("Daemon refactor", "task", id="refactor")
    graph.alias(graph.entity("ferry connector", "tool", id="whole"), "the ferry plugin")
    graph.entity("knowledge graph", "system", id="kg")
    graph.entity("force graph", "tool", id="force")
    graph.entity("Ines Duarte", "person", id="ines")
    graph.entity("Harbor Ledger", id="ledger")
    graph.entity("ledger schema", "system", id="schema")
    graph.entity("Harbor Ledger archive", "system", id="archive")


@pytest.fixture(params=["full text", "no full text"])
def asked(request, tmp_path: Path) -> Iterator[Callable[[str], list[str]]]:
    """The focal entities of a question; for both kinds of file."""
    path = tmp_path / "graph.db"
    build(path, product).close()
    if request.param == "no full text":
        connection = sqlite3.connect(path)
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'"
                                          " AND sql LIKE '%entities_fts%'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DROP TABLE entities_fts")
        connection.commit()
        connection.close()
    workspace = Workspace.open(path, data_dir=tmp_path / "data")
    yield lambda question: list(focal(workspace, query=question).ids)
    workspace.close()


@pytest.mark.parametrize("word", ["before", "use", "work", "run", "graph", "connector", "mole"])
def test_a_plain_word_alone_makes_nothing_focal(asked, word: str) -> None:
    assert asked(word) == []
    assert asked(f"What about the {word}, please?") == []


def test_a_whole_name_keeps_its_words_to_itself(asked) -> None:
    assert asked("What was changed in the ferry connector recently?")[0] == "whole"
    assert asked("Which database does Harbor Ledger use?") == ["ledger", "archive"]
    assert asked("Who wrote the ledger schema of Harbor Ledger?") == [
        "ledger", "schema", "archive"]


def test_a_question_about_one_thing_brings_that_and_not_its_kind(asked) -> None:
    told = asked("What was changed in the ferry connector recently?")
    assert told[:2] == ["whole", "ferry"]
    assert set(told) <= {"whole", "ferry", "task3"}
    assert asked("Does the codex connector retry?") == ["codex"]


def test_a_long_name_needs_more_than_one_word_in_common(asked) -> None:
    assert asked("Is the substrate stable?") == []
    assert asked("What are skills over substrate?") == ["task1"]
    assert asked("When does the checkout sync happen?") == ["task0"]


def test_the_rare_word_of_a_name_stands_for_it_where_its_other_words_are_everywhere(asked) -> None:
    """@mole/daemon is "the daemon": every package begins with @mole."""
    assert asked("Who maintains the daemon?") == ["daemon"]


@pytest.mark.parametrize(("question", "id"), [
    ("Where does Ines live?", "ines"), ("the ferry plugin again", "whole"),
    ("who broke the rewrite", "rewrite"), ("What does the tray show?", "tray")])
def test_a_word_that_sets_a_name_apart_is_enough(asked, question: str, id: str) -> None:
    assert asked(question)[0] == id


def test_a_word_may_be_in_more_names_where_there_are_more(tmp_path: Path) -> None:
    """Of six hundred names six may share a word, of a few only two."""
    def fill(graph: Graph) -> None:
        many(graph, 600, values=0, aspects=0)
        for name in ("Ines Duarte", "Ines Hale", "Ines Solvang", "Ines Moreau"):
            graph.entity(name, "person")

    workspace = build(tmp_path / "graph.db", fill)
    assert len(focal(workspace, query="Where does Ines live?", pinned=False).ids) == 4
    workspace.close()


def test_a_question_takes_the_same_few_statements_in_any_graph(tmp_path: Path) -> None:
    counts = set()
    for size in (50, 3000):
        workspace = build(tmp_path / f"{size}.db", lambda graph, size=size: many(
            graph, size, values=0, aspects=0))
        with workspace.read() as reader:
            statements = Asked(reader)
            resolve(reader, Signals(query="Entity 7 of tool project", pinned=False),
                    TraversalSettings())
            counts.add(len(statements.statements))
        workspace.close()
    assert max(counts) <= 7


def test_what_shares_only_a_plain_word_is_a_near_miss_with_the_number_of_its_names(graph) -> None:
    workspace = graph(product)
    question = "Which connector is used for the Harbor Ledger source?"
    with workspace.read() as reader:
        found = resolve(reader, Signals(query=question), TraversalSettings(), explain=True)
        plain = resolve(reader, Signals(query=question), TraversalSettings())
    noise = {miss.id: miss for miss in found.misses or () if miss.rule == "common word"}
    assert noise.keys() >= {"codex", "tide", "anchor"}
    assert not noise.keys() & set(found.ids)
    assert noise["codex"].label == "@mole/connector-codex (connector)"
    assert (noise["codex"].value or 0) >= len(CONNECTORS)
    assert found.ids == plain.ids
    assert plain.misses is None
