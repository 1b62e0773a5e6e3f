"""Words that are in more names than are looked at: what they set apart, and at what cost."""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.model.search_words import words
from core.traversal import question_entities
from core.traversal.word_rarity import SURE, count_names
from core.workspace import Workspace
from tests.core.graphs import Asked, Graph, build
from tests.core.traversal.test_focal import focal

OFTEN = ("harbor", "ledger", "copper", "meadow")
RARE = tuple(f"rare{n}" for n in range(40))
NAMES = 400


def fill(graph: Graph) -> None:
    chance = random.Random(3)
    for n in range(NAMES):
        first, second = chance.choices(OFTEN, k=2)
        graph.entity(f"{first} {second} {chance.choice(RARE)} {n}", id=f"e{n}", mentions=n)


@pytest.fixture(scope="module")
def often(tmp_path_factory) -> Iterator[Workspace]:
    """A graph in which four words are each in well over a hundred names."""
    workspace = build(tmp_path_factory.mktemp("often") / "graph.db", fill)
    yield workspace
    workspace.close()


@pytest.fixture(autouse=True)
def few_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question_entities, "LOOKED", SURE)


def set_apart_by(workspace: Workspace, question: str) -> set[str]:
    """What the rule says, by looking at every name: few share these words with the question."""
    with workspace.read() as reader:
        names = {row["id"]: set(words(row["name"])) for row in reader.rows(
            "SELECT id, name FROM entities")}
    asked = set(words(question))
    shared = {id: frozenset(asked & name) for id, name in names.items() if asked & name}
    counts = Counter(shared.values())
    holders = {some: sum(count for more, count in counts.items() if some <= more)
               for some in counts}
    return {id for id, some in shared.items() if len(some) > 1 and holders[some] <= NAMES // 100}


@pytest.mark.parametrize("question", [
    "harbor rare7", "rare1 rare2", "copper", "harbor copper rare3", "harbor ledger rare5",
    "copper meadow"])
def test_words_of_many_names_set_apart_what_they_would_if_every_name_were_looked_at(
    often: Workspace, question: str
) -> None:
    found = focal(often, query=question, pinned=False)
    several = {each.id for each in found.entities if "," in each.detail}
    assert several == set_apart_by(often, question)
    assert not any(each.detail in OFTEN for each in found.entities)


def test_two_such_words_are_looked_for_together_shorter_names_first(tmp_path: Path) -> None:
    def more(graph: Graph) -> None:
        for n in range(2 * SURE):
            graph.entity(f"{OFTEN[n % 2]} thing {n}")
        graph.entity("the old harbor ledger", id="long", mentions=9)
        graph.entity("harbor ledger too", id="short")

    workspace = build(tmp_path / "graph.db", more)
    assert focal(workspace, query="harbor ledger", pinned=False).ids == ("short", "long")
    workspace.close()


def test_an_agent_with_few_names_finds_them_beside_another_with_many(tmp_path: Path) -> None:
    """That a word is in very many names of the file says nothing of the agent's own."""
    def more(graph: Graph) -> None:
        graph.entity("harbor wall", id="mine")
        for n in range(SURE + 20):
            graph.entity(f"harbor {n}", agent_id="other")

    workspace = build(tmp_path / "graph.db", more)
    assert "mine" in focal(workspace, query="harbor", pinned=False).ids
    workspace.close()


def test_a_word_is_counted_once_after_each_change(often: Workspace) -> None:
    with often.read() as reader:
        statements = Asked(reader)
        first = count_names(reader, ["harbor", "ledger"], 50)
        asked = len(statements.statements)
        assert count_names(reader, ["ledger", "harbor"], 50) == first == {
            "harbor": 50, "ledger": 50}
        assert len(statements.statements) == asked
        assert count_names(reader, ["harbor"], 60) == {"harbor": 60}
