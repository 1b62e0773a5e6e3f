"""Recall of the demo graph says so where nothing fits, and seldom where something does."""

from pathlib import Path

from core.embedding.choose_embedder import offline
from core.model.recall import NOTHING_FITS
from core.recall.config import RecallSettings
from core.recall.hybrid import recall
from core.store.handles import Reader
from tests.demo_questions import ANSWERED, NOW, UNANSWERED
from tests.explorer.conftest import graph_fixture

LONG = RecallSettings(deadline_ms=60_000)


def fitting(reader: Reader, question: str) -> bool:
    return recall(reader, question, LONG, offline(), now=NOW).fits


def test_hardly_any_question_with_an_answer_is_told_that_nothing_fits(reader: Reader) -> None:
    refused = [question for question in ANSWERED if not fitting(reader, question)]
    assert len(refused) <= 0.03 * len(ANSWERED), refused


def test_most_questions_about_other_things_are_told_that_nothing_fits(reader: Reader) -> None:
    refused = [question for question in UNANSWERED if not fitting(reader, question)]
    assert len(refused) >= 0.5 * len(UNANSWERED), set(UNANSWERED) - set(refused)


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
