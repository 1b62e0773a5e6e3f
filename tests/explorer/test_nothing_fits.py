"""Recall of the demo graph says so where nothing fits, and seldom where something does."""

from pathlib import Path

import pytest

from core.embedding.choose_embedder import offline
from core.model.recall import NOTHING_FITS, RULES_MAY_APPLY
from core.recall.config import RecallSettings
from core.recall.hybrid import recall
from core.store.reader_and_writer import Reader
from tests.absent_facts import ABSENT, KNOWN
from tests.demo_questions import ANSWERED, NOW, UNANSWERED
from tests.explorer.conftest import graph_fixture
from tests.fresh_facts import FRESH_ABSENT, FRESH_KNOWN, LATER_ABSENT, LATER_KNOWN, reported

LONG = RecallSettings(deadline_ms=60_000)


def fitting(reader: Reader, question: str) -> bool:
    return recall(reader, question, LONG, offline(), now=NOW).fits


def test_hardly_any_question_with_an_answer_is_told_that_nothing_fits(reader: Reader) -> None:
    refused = [question for question in ANSWERED if not fitting(reader, question)]
    assert len(refused) <= 0.03 * len(ANSWERED), refused


def test_most_questions_about_other_things_are_told_that_nothing_fits(reader: Reader) -> None:
    refused = [question for question in UNANSWERED if not fitting(reader, question)]
    assert len(refused) >= 0.8 * len(UNANSWERED), set(UNANSWERED) - set(refused)


def test_a_fact_that_is_unknown_of_somebody_known_is_told_not_to_fit(reader: Reader) -> None:
    """It is told of 52 of the 62, and wrongly of 4 of the 58 whose answer is there."""
    absent = (*ABSENT, *reported(FRESH_ABSENT))
    known = (*KNOWN, *reported(FRESH_KNOWN))
    refused = [question for question in absent if not fitting(reader, question)]
    assert len(refused) >= 0.75 * len(absent), set(absent) - set(refused)
    wrong = [question for question in known if not fitting(reader, question)]
    assert len(wrong) <= 0.08 * len(known), wrong


@pytest.mark.parametrize("question", [
    "When was Petra born?", "How many children has Henrik?", "Who sponsors the autumn recital?",
    "Which instrument does Tomas play?", "Where was the January outage?"])
def test_what_is_told_of_somebody_else_or_of_another_time_does_not_fit(
    reader: Reader, question: str
) -> None:
    """Hania was born, Yusuf has children, and the outage was in March."""
    assert not fitting(reader, question)


def test_of_questions_that_chose_nothing_most_are_told_rightly(reader: Reader) -> None:
    """It is told of 19 of the 20 without an answer, and of none of the 20 with one."""
    refused = [question for question in LATER_ABSENT if not fitting(reader, question)]
    assert len(refused) >= 17, set(LATER_ABSENT) - set(refused)
    wrong = [question for question in LATER_KNOWN if not fitting(reader, question)]
    assert len(wrong) <= 1, wrong


def test_the_day_of_releases_is_told_first(reader: Reader) -> None:
    """The rhythm before it is told only where the past is asked for."""
    hits = recall(reader, "When do we release?", LONG, offline(), now=NOW).hits
    assert hits[0].memory.content.startswith("Releases every Tuesday morning")
    assert not any("every second Tuesday" in hit.memory.content for hit in hits)


@pytest.mark.parametrize("question", [
    "What is the IBAN of the harbour co-operative?",  # No memory holds the name.
    "How old is Tomas?", "How far is Ostvik from Bergen?", "What is Lena's phone number?",
    "Which colour is the printer?", "What is Robin's shoe size?"])
def test_what_holds_nothing_of_the_kind_that_is_asked_for_does_not_fit(
    reader: Reader, question: str
) -> None:
    assert not fitting(reader, question)


@pytest.mark.parametrize("question", [
    "How does the watering system decide when to water?", "How long does the UPS run on battery?",
    "How much does a lesson cost?", "How many kilometres does Marek cycle?",
    "Where does the offsite backup box stand?"])
def test_what_holds_the_kind_that_is_asked_for_fits(reader: Reader, question: str) -> None:
    assert fitting(reader, question)


@pytest.mark.parametrize("question", ["Who is Petra?", "What is the name of Marek's daughter?",
                                      "Who owns the retry queue?", "Tell me about the NAS"])
def test_a_question_for_somebody_as_such_fits(reader: Reader, question: str) -> None:
    assert fitting(reader, question)


@graph_fixture
def remembered(run, graph: Path) -> Path:
    for text in ("The harbour was painted red in the spring.", "Mel drinks tea at noon."):
        assert run("remember", "-", stdin=f'{{"content": "{text}"}}').code == 0
    return graph


def test_the_command_tells_the_nearest_as_such_and_ends_well(run, remembered: Path) -> None:
    question = "Which whale swims around the red lighthouse island?"
    shown = run("recall", question)
    assert shown.code == 0
    assert shown.cells.splitlines()[0] == NOTHING_FITS
    assert "harbour was painted red" in shown.out
    told = run("recall", question, "--json")
    assert (told.code, told.json["fits"]) == (0, False)
    assert told.json["hits"]


def test_the_command_says_nothing_of_it_where_something_fits(run, remembered: Path) -> None:
    assert NOTHING_FITS not in run("recall", "Who painted the harbour red?").out
    assert run("recall", "Who painted the harbour red?", "--json").json["fits"] is True


def test_a_rule_is_told_apart_where_nothing_else_fits(run, remembered: Path) -> None:
    assert run("ontology", "claim", "set", "Emma", "food", "general", "nuts", "--kind",
               "constraint", "--value", "Never suggest a recipe with nuts").code == 0
    question = "Which whale swims around the red lighthouse for Emma?"
    lines = run("recall", question).cells.splitlines()
    assert lines[0] == RULES_MAY_APPLY
    rest = lines.index(NOTHING_FITS)
    assert "recipe with nuts" in "".join(lines[:rest])
    assert "recipe with nuts" not in "".join(lines[rest:])
