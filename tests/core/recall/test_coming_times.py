"""A question in the present asks for the time to come, one in the past for the last, in facts."""

from datetime import UTC, datetime

import pytest

from core.model.recall import Recall
from core.recall.hybrid import recall
from core.recall.question import read_question
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.core.recalling import LONG, WordAxes, texts

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)  # a Monday
MADE = "2026-11-30T10:00:00Z"
DENTIST = "Dentist, appointments: Next appointment is on {} December 2026"
CONCERT = "School, events: Christmas concert on 18 December 2026"
BOOKS = "Library, loans: Books are returned by 10 December 2026"
CAR = "Car, service: Inspection on 12 January 2027"
TAX = "Tax return 2026, deadline: Due on 31 July 2027"
BOILER = "Boiler, service: Serviced on 8 December 2025"
KONZERT = "Schule, Termine: Konzert am 18. Dezember 2026"


def facts(g: Graph) -> None:
    """What a family's agent was told today."""
    dentist = g.entity("Dentist")
    ids = g.history(g.aspect(dentist, "appointments"), "next", "on 14 December", "on 16 December")
    for id, day, deleted in zip(ids, (14, 16), (1, 0), strict=True):
        g.memory(DENTIST.format(day), dentist, id=id, created_at=MADE, is_deleted=deleted)
    for text in (TAX, CONCERT, BOOKS, CAR, BOILER, KONZERT, "Flat, rent: 1,200 euros a month"):
        g.memory(text, g.entity(text.split(",", maxsplit=1)[0]), created_at=MADE)


def answered(workspace: Workspace, question: str) -> Recall:
    with workspace.read() as reader:
        return recall(reader, question, LONG, WordAxes(), now=NOW)


def dates(question: str) -> list[str]:
    return [str(span) for span in read_question(question, now=NOW).dates]


@pytest.mark.parametrize(("question", "spans"), [
    ("Which appointments are in December?", ["2026-12-01 to 2027-01-01"]),
    ("What happens in November?", ["2026-11-01 to 2026-12-01"]),
    ("What is due in January?", ["2027-01-01 to 2027-02-01"]),
    ("What is due on 20 January?", ["2027-01-20"]),
    ("What is planned in winter?", ["2026-12-01 to 2027-03-01"]),
    ("When is the dentist next Friday?", ["2026-12-04"]),
    ("What is due before 11 December?", ["2026-11-30 to 2026-12-11"]),
    ("Do we have anything in December?", ["2026-12-01 to 2027-01-01"]),
    ("Will anything happen in December?", ["2026-12-01 to 2027-01-01"]),
    ("What is due after 15 December?", ["from 2026-12-16"]),
    ("Gibt es im Dezember Termine?", ["2026-12-01 to 2027-01-01"]),
    ("What did we plan for December?", ["2025-12-01 to 2026-01-01", "2026-12-01 to 2027-01-01"]),
    ("What was due in December?", ["2025-12-01 to 2026-01-01", "2026-12-01 to 2027-01-01"]),
    ("What happened in December?", ["2025-12-01 to 2026-01-01"]),
    ("Dentist in December", ["2025-12-01 to 2026-01-01", "2026-12-01 to 2027-01-01"]),
    ("Was ist im Dezember?", ["2026-12-01 to 2027-01-01"]),
    ("Was ist im Dezember passiert?", ["2025-12-01 to 2026-01-01"]),
    ("Was passiert nächsten Monat?", ["2026-12-01 to 2027-01-01"]),
    ("Was ist am 20. Januar?", ["2027-01-20"]),
    ("Was ist vor dem 11. Dezember fällig?", ["2026-11-30 to 2026-12-11"]),
    ("Was war vor zwei Wochen?", ["2026-11-15 to 2026-11-18"]),
    ("Was ist seit letzter Woche neu?", ["2026-11-23 to 2026-12-01"]),
    ("Was ist morgen?", ["2026-12-01"]),
])
def test_the_tense_says_which_time_is_meant(question: str, spans: list[str]) -> None:
    assert dates(question) == spans


@pytest.mark.parametrize("question", [
    "When is the dentist appointment in December?", "Which appointments are in December?",
    "When is the dentist appointment next month?", "Dentist appointment in December"])
def test_of_a_time_to_come_only_what_holds_is_told(graph, question: str) -> None:
    answer = answered(graph(facts), question)
    assert texts(answer)[0] == DENTIST.format(16)
    assert not any(hit.past for hit in answer.hits)


def test_the_former_is_still_told_where_the_past_is_asked_for(graph) -> None:
    answer = answered(graph(facts), "What was the dentist appointment before?")
    assert [hit.past for hit in answer.hits[:2]] == [True, False]


@pytest.mark.parametrize("question", [
    "What happens in December?", "What happens in December 2026?", "What happens next month?",
    "What is planned for next month?", "Do we have anything in December?",
    "Was ist im Dezember?", "Was passiert nächsten Monat?"])
def test_facts_that_name_the_time_come_first(graph, question: str) -> None:
    answer = answered(graph(facts), question)
    assert answer.fits
    assert set(texts(answer)[:4]) == {DENTIST.format(16), CONCERT, BOOKS, KONZERT}


@pytest.mark.parametrize(("question", "first"), [
    ("What should I do before 11 December?", BOOKS), ("What is due in January?", CAR),
    ("What happened in December?", BOILER)])
def test_what_is_of_another_time_is_not_first(graph, question: str, first: str) -> None:
    assert texts(answered(graph(facts), question))[0] == first
