"""What is known of somebody is found by what a link calls them: "my sister"."""

from collections.abc import Callable

import pytest

from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.core.recalling import answer, texts

LENA, TOM, MIA = "Lives in Leipzig", "Lives in Lisbon", "Lives in Hamburg"


@pytest.fixture(name="family")
def related(graph: Callable[..., Workspace]) -> Workspace:
    """Lena is Mia's sister by the words of one link, Tom her brother by those of the other."""
    def fill(made: Graph) -> None:
        people = {name: made.entity(name, "person") for name in ("Mia", "Lena", "Tom")}
        for name, text in (("Mia", MIA), ("Lena", LENA), ("Tom", TOM)):
            memory = made.memory(text, people[name])
            made.value(made.aspect(people[name], "observations"), text, memory_id=memory)
        for source, target, words in (("Lena", "Mia", "sister of"), ("Mia", "Tom", "brother")):
            made.link(people[source], people[target], "related_to", reason=words,
                      source_kind="mcp")
        made.memory("The salary of the clerk comes in May")
        for number in range(20):
            made.memory(f"lamp number {number} was painted")

    return graph(fill)


@pytest.mark.parametrize(("question", "told"), [
    ("Where does my sister live?", LENA), ("Where does my brother live?", TOM),
    ("Where does Mia's sister live?", LENA), ("Where does the brother of Mia live?", TOM)])
def test_a_fact_of_the_one_who_is_called_so_is_first(
    family: Workspace, question: str, told: str
) -> None:
    result = answer(family, question)
    assert texts(result)[0] == told
    assert result.fits


def test_what_is_not_known_of_the_one_who_is_called_so_does_not_fit(family: Workspace) -> None:
    assert not answer(family, "What is my sister's salary?").fits


def test_the_sister_of_another_is_not_meant(family: Workspace) -> None:
    hits = {hit.memory.content: hit for hit in answer(family, "Where does Tom's sister live?").hits}
    assert "sister" not in hits[LENA].why
