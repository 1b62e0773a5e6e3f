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


@pytest.mark.parametrize("question", [
    "Who is the skipper of the boat?", "Who is the boat's skipper?", "Who's skipper of the boat?"])
def test_where_only_the_one_is_asked_for_the_link_is_first(
    graph: Callable[..., Workspace], question: str
) -> None:
    def fill(made: Graph) -> None:
        boat, jonas = made.entity("Boat", "boat"), made.entity("Jonas", "note")
        for owner, texts_of in ((boat, ("Engine is a Yanmar", "Berth costs 1,240 euro a year")), (
                jonas, ("Works as a nurse", "Allergic to penicillin", "Prefers tea"))):
            for text in texts_of:
                memory = made.memory(text, owner)
                made.value(made.aspect(owner, text), text, memory_id=memory)
        made.link(boat, jonas, "related_to", reason="Skipper is", source_kind="mcp")

    result = answer(graph(fill), question)
    assert result.statements[0].text == "Boat Skipper is Jonas"
    assert result.statements[0].score > result.hits[0].score
    assert result.fits


def test_what_is_not_known_of_the_one_who_is_called_so_does_not_fit(family: Workspace) -> None:
    assert not answer(family, "What is my sister's salary?").fits


def test_the_sister_of_another_is_not_meant(family: Workspace) -> None:
    hits = {hit.memory.content: hit for hit in answer(family, "Where does Tom's sister live?").hits}
    assert "sister" not in hits[LENA].why
