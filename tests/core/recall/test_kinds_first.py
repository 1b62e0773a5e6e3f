"""What tells the kind of thing that is asked for comes before what only shares the words."""

import numpy as np
import pytest
from msgspec.structs import replace

from core.model.search_words import terms
from core.recall.asked_nouns import with_which
from core.recall.keyword import WordMatches
from core.recall.kinds_first import LIFT, LITTLE
from tests.core.recalling import answer


@pytest.mark.parametrize(("question", "told"), [
    ("When do we release?", "Releases go out every Tuesday, as a list of the small things in them"),
    ("When is the concert?", "The concert for the whole street begins on 4 December in the hall"),
    ("How many readers has the letter?", "The letter that goes to the harbour has 231 readers now"),
    ("Why did the run stop?", "The run had to stop because an empty file came from the bank"),
])
def test_the_kind_that_is_asked_for_comes_first(
    graph, question: str, told: str
) -> None:
    other = {"release": "We release with care", "concert": "The concert is loud",
             "readers": "The letter has readers", "run": "The run did stop"}
    workspace = graph(lambda g: [
        g.memory(told), *(g.memory(text) for text in other.values()),
        *(g.memory(f"lamp number {n} was painted") for n in range(20))])
    hit = answer(workspace, question).hits[0]
    assert hit.memory.content == told
    assert hit.steps["kind"] > 1
    assert "tells what kind of thing is asked for" in hit.why


@pytest.mark.parametrize("question", [
    "When was Jim Weaver born?", "When is Jim Weaver's birthday?", "How old is Jim Weaver?",
    "What is Jim Weaver's date of birth?", "Wann ist Jim Weaver geboren?"])
def test_a_date_of_birth_answers_however_it_is_asked_for(graph, question: str) -> None:
    def fill(g) -> None:
        for name, *told in (("Jim Weaver", "nickname: Jimbo", "birthdate: 1955-04-19"),
                            ("Levi Jones", "birthdate: 2019-07-05")):
            entity = g.entity(name, "person")
            aspect = g.aspect(entity, "observations")
            for text in told:
                g.value(aspect, text, memory_id=g.memory(text, entity))
    found = answer(graph(fill), question)
    assert found.fits
    assert found.hits[0].memory.content == "birthdate: 1955-04-19"


def test_a_weekday_in_a_text_that_shares_no_word_with_the_question_counts_little(graph) -> None:
    party, rule = "The launch party is planned for 20 June", "We never deploy on Fridays"
    said = (party, rule, "The launch party needs forty chairs", "The office is in Hamburg")
    workspace = graph(lambda g: [
        g.memory(text, source_kind="mcp", source_id="kranich") for text in said])
    hits = {hit.memory.content: hit for hit in answer(
        workspace, "When is the launch party?").hits}
    assert hits[party].steps["kind"] == LIFT
    assert hits[rule].steps.get("kind", 1.0) <= LITTLE
    assert "kind" not in {hit.memory.content: hit.steps for hit in answer(
        graph(lambda g: [g.memory(text, source_kind="mcp", source_id="kranich") for text in (
            rule, "The launch went well")]), "When is the launch party?").hits}.get(rule, {})


@pytest.mark.parametrize("said", [("When is the launch party?", "Oh, that one is on Friday"),
                                  ("We have cake", "A party, on Friday")])
def test_a_weekday_tells_it_in_the_answer_to_the_question_and_beside_a_word_of_it(
    graph, said: tuple[str, str]
) -> None:
    workspace = graph(lambda g: [
        g.memory(text, source_kind="mcp", source_id="kranich") for text in said])
    hit = next(hit for hit in answer(workspace, "When is the launch party?").hits
               if hit.memory.content == said[1])
    assert hit.steps["kind"] == LIFT


def test_what_stands_after_which_counts_most() -> None:
    held = np.array([1])
    matches = WordMatches(terms("Which licence is published?"), (held, held), (0.5, 0.5))
    weights = with_which(matches, "Which licence is published?").weights
    assert weights == pytest.approx((2 / 3, 1 / 3))
    assert with_which(matches, "What licence is published?") is matches
    unknown = replace(matches, rows=(held[:0], held))
    assert with_which(unknown, "Which licence is published?") is unknown
