"""Ten questions that a person asks of the demo graph, with their known answers.

Each is asked as a person reads it: recall names the answer first, a walk and a session start that
know what is asked about tell it, and nowhere is told as true what no longer is.
"""

from dataclasses import dataclass

import pytest

from core.embedding.choose_embedder import offline
from core.model.session_start_and_end import SessionStart
from core.model.walk import Walk
from core.recall.hybrid import recall
from core.session.start import NOTHING_FITS, start
from core.settings import Settings, changed
from core.store.reader_and_writer import Reader
from core.traversal.focal import resolve
from core.traversal.focal_signals import Signals
from core.traversal.walk import walk
from tests.demo_questions import NOW


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, words of its answer, and words that would tell what no longer is.

    Attributes:
        names: it names an entity, from which a walk comes to the answer.
    """

    question: str
    answer: str
    never: tuple[str, ...] = ()
    names: bool = True


TEN = (
    Asked("Which database and version does Harbor Ledger use?", "Postgres 16.9",
          ("Postgres 15.4",)),
    Asked("Who approves releases now?", "Marek is back",
          ("While Marek is on leave",), names=False),
    Asked("Can I deploy on Friday afternoon?", "o deploys on Fridays after 14:00"),
    Asked("What caused the March outage?", "absence of data and data that says zero",
          ("The bank did not send a file",)),
    Asked("How often is the signing key rotated?", "monthly"),
    Asked("Why was the message broker rejected?", "one more thing to restore at night",
          names=False),
    Asked("When is the team dinner?", "4 December"),
    Asked("Who owns the retry queue?", "Lena has taken over the retry queue"),
    Asked("How many operators does the ledger serve?", "twelve ferry operators",
          ("nine ferry operators", "eleven ferry operators"), names=False),
    Asked("What may an agent not do with commits?", "never pushes", names=False),
)
ASKED = pytest.mark.parametrize("asked", TEN, ids=[asked.question for asked in TEN])


@pytest.fixture(scope="module")
def settings() -> Settings:
    """The usual ones, with time enough on a busy machine."""
    slow = changed(Settings(), "recall", deadline_ms=60_000)
    return changed(slow, "traversal", timeout_ms=60_000)


def walked(reader: Reader, question: str, settings: Settings) -> Walk:
    return walk(reader, resolve(reader, Signals(query=question), settings.traversal),
                settings.traversal)


def started(reader: Reader, question: str, settings: Settings) -> SessionStart:
    return start(reader, Signals(query=question), settings, offline(), now=NOW)


@ASKED
def test_recall_names_the_answer_first(reader: Reader, settings: Settings, asked: Asked) -> None:
    result = recall(reader, asked.question, settings.recall, offline(), now=NOW)
    assert result.fits
    assert asked.answer in result.hits[0].memory.content
    current = [hit.memory.content for hit in result.hits if not (hit.outdated or hit.past)]
    assert not [text for text in current for old in asked.never if old in text]


@pytest.mark.parametrize("asked", [asked for asked in TEN if asked.names],
                         ids=[asked.question for asked in TEN if asked.names])
def test_a_walk_comes_to_the_answer(reader: Reader, settings: Settings, asked: Asked) -> None:
    result = walked(reader, asked.question, settings)
    texts = [memory.content for memory in result.memories]
    texts += [constraint.content for constraint in result.constraints]
    assert [text for text in texts if asked.answer in text]
    assert not [text for text in texts for old in asked.never if old in text]


@ASKED
def test_a_session_start_tells_the_answer(
    reader: Reader, settings: Settings, asked: Asked
) -> None:
    told = started(reader, asked.question, settings).text
    assert asked.answer in told or OTHER_WORDS.get(asked.question, asked.answer) in told
    assert not [old for old in asked.never if old in told]


OTHER_WORDS = {"Who approves releases now?": "Marek approves releases again since his return"}
"""How a session start says the same from the graph."""


def test_a_session_start_says_so_where_nothing_fits_the_question(
    reader: Reader, settings: Settings
) -> None:
    assert NOTHING_FITS in started(reader, "Which whale lives in the Arctic?", settings).notes
    assert NOTHING_FITS not in started(reader, TEN[0].question, settings).notes


def test_what_was_asked_of_a_month_is_what_held_in_it(reader: Reader, settings: Settings) -> None:
    question = "When did the settlement job start in July?"
    first = recall(reader, question, settings.recall, offline(), now=NOW).hits[0].marked_text
    assert "“Starts every night at 01:00 UTC” from 2026-06-11 to 2026-09-02" in first
    assert "now “Starts every night at 02:00 UTC”" in first


def test_what_a_rule_said_in_a_month_is_told_though_its_memory_has_other_words(
    reader: Reader, settings: Settings
) -> None:
    question = "What did the deploy rule say in February?"
    first = recall(reader, question, settings.recall, offline(), now=NOW).hits[0].marked_text
    assert "“No deploys on Fridays” from 2026-01-16 to 2026-03-24" in first


def test_what_happened_on_a_day_is_told_first(reader: Reader, settings: Settings) -> None:
    told = started(reader, "What happened on 2 June?", settings).text
    first = [line for line in told.splitlines() if line.startswith("- ")][:3]
    assert any("flooded the balcony" in line for line in first)


def test_who_someone_is_is_told_first(reader: Reader, settings: Settings) -> None:
    answer = recall(reader, "Who is Petra?", settings.recall, offline(), now=NOW)
    assert answer.about == ("Petra (person): Bass teacher, plays in the theatre orchestra.",)
    assert answer.about[0] in started(reader, "Who is Petra?", settings).text
