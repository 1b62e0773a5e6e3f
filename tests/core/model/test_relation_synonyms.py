"""A question for a relation is also looked for by the nouns that name it."""

import pytest

from core.recall.question import read_question


@pytest.mark.parametrize(("question", "word", "sought", "not_sought"), [
    ("Who covers for Ines?", "covers", "deputy", ""),
    ("Who stands in for Ines?", "stands", "stands in", "stands"),
    ("Who STANDS IN FOR Ines?", "stands", "deputy", "stands"),
    ("Who looks after the hosts?", "looks", "owner", "looks"),
    ("Who is in charge of releases?", "charge", "responsible", ""),
    ("How can I reach Henrik?", "reach", "phone", ""),
    ("How old is Signe?", "old", "birthday", "")])
def test_a_phrase_that_asks_for_a_relation_is_found_by_its_nouns(
    question: str, word: str, sought: str, not_sought: str
) -> None:
    forms = next(term.forms for term in read_question(question).terms if term.word == word)
    assert sought in forms
    assert not_sought not in forms


@pytest.mark.parametrize("question", [
    "What does the cover of the book show?", "Where does the offsite box stand?",
    "When do we reach the summit?", "Which old hosts are left?"])
def test_the_same_words_in_another_sense_stay_as_they_are(question: str) -> None:
    forms = {form for term in read_question(question).terms for form in term.forms}
    assert not forms & {"deputy", "owner", "phone", "birthday"}
