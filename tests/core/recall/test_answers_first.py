"""What answers stands before what only asks, and what is not so first where that is asked for."""

from collections.abc import Callable

import pytest

from core.model.search_words import terms
from core.recall.answers_first import ASKS, LIFT
from core.workspace import Workspace
from tests.core.recalling import LONG, WordAxes, answer, found

Graphs = Callable[..., Workspace]


def told(graph: Graphs, *said: str, who: str = "mcp") -> Workspace:
    """Facts of one list, as an import writes them, among others."""
    return graph(lambda g: [
        *(g.memory(text, source_kind="mcp", source_id="kranich", who=who) for text in said),
        *(g.memory(f"lamp number {n} was painted") for n in range(20))])


def test_a_question_is_no_answer_to_a_question(graph: Graphs) -> None:
    asks = "Is the launch of Kranich still on 1 March?"
    answers = "The launch of Kranich is in April"
    hits = answer(told(graph, answers, asks), "When does Kranich launch?").hits
    assert [hit.memory.content for hit in hits[:2]] == [answers, asks]
    assert hits[1].steps["asks"] == ASKS
    assert "only asks" in hits[1].why


def test_a_question_is_told_where_questions_are_asked_for(graph: Graphs) -> None:
    asks = "Is the launch of Kranich still on 1 March?"
    hits = answer(told(graph, asks), "Which questions about the Kranich launch are open?").hits
    assert "asks" not in hits[0].steps


@pytest.mark.parametrize("text", [
    "Mia wrote its title in every note of last week: Who Keeps the Book of Kranich?",
    "Is Kranich on? It is."])
def test_what_says_something_beside_a_question_does_not_only_ask(graph: Graphs, text: str) -> None:
    assert all("asks" not in hit.steps for hit in answer(told(graph, text), "Kranich").hits)


def test_nobody_answers_their_own_question(graph: Graphs) -> None:
    asks, rule = "Is the launch still on 1 March?", "Never deploy on Fridays"
    said = told(graph, asks, rule, "The launch party needs forty chairs")
    beside = {hit.memory.content: hit.why for hit in answer(said, "When is the launch?").hits}
    assert "answers a similar question" not in beside[rule]
    said = told(graph, asks, "Oh, in April", who="")
    beside = {hit.memory.content: hit.why for hit in answer(said, "When is the launch?").hits}
    assert "answers a similar question" in beside["Oh, in April"]


@pytest.mark.parametrize("question", [
    "What does Aylin not like?", "What doesn't Aylin like?", "What does Aylin never like?"])
@pytest.mark.parametrize("fact", [
    "Aylin does not like Kubernetes", "Aylin doesn't like Kubernetes", "Aylin dislikes Kubernetes",
    "Aylin doesn’t like Kubernetes"])
def test_what_is_not_so_comes_first_where_that_is_asked_for(
    graph: Graphs, question: str, fact: str
) -> None:
    said = told(graph, "Aylin likes green tea very much", "Aylin is not in Hamburg", fact)
    hit = answer(said, question).hits[0]
    assert hit.memory.content == fact
    assert hit.steps["negation"] == LIFT
    assert "says what is not so" in hit.why


def test_what_somebody_likes_is_looked_for(graph: Graphs) -> None:
    said = told(graph, "Found by Jonas", "Jonas likes espresso", "Mail of Jonas: j@example.org")
    assert found(said, "What does Jonas like?")[0] == "Jonas likes espresso"
    said = told(graph, "Found by Jonas", "Jonas prefers short calls", "Jonas has two cats")
    assert found(said, "What does Jonas like?")[0] == "Jonas prefers short calls"


@pytest.mark.parametrize(("question", "looks"), [
    ("What does Dr. Osei like?", True), ("Don't they like it?", True),
    ("What does it look like?", False), ("Do we have something like a rule?", False),
    ("A rule like that", False)])
def test_like_is_a_word_to_look_for_where_somebody_does(question: str, looks: bool) -> None:
    assert ("like" in [term.word for term in terms(question)]) is looks


@pytest.mark.parametrize("question", [
    "What doesn't Petra eat?", "What didn't Petra eat?", "What wouldn't Petra eat?"])
def test_what_is_left_of_a_short_not_is_no_search_word(question: str) -> None:
    assert [term.word for term in terms(question)] == ["petra", "eat"]


def test_a_fact_that_does_not_say_its_entity_is_compared_with_what_is_asked_beside_the_name(
    graph: Graphs
) -> None:
    def fill(g) -> None:
        kranich = g.entity("Kranich")
        general = g.aspect(kranich, "observations")
        for text in ("Kranich was founded in Hamburg", "Channel is #kranich", "Runs on a puppy",
                     "Budget of Kranich raised", "Kranich is built for the harbour"):
            g.value(general, text, memory_id=g.memory(text, kranich))
        for number in range(20):
            g.memory(f"lamp number {number} was painted")

    assert found(graph(fill), "Which dog does Kranich use?", LONG, WordAxes())[0] == (
        "Runs on a puppy")
