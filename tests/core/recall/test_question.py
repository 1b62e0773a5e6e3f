"""What a question asks for: a date or a rule, the newest, the past."""

import re
from datetime import UTC, datetime

import pytest

from core.model import asks_for_all
from core.model.asks_for_all import words_for_all
from core.recall.question import read_question
from tests.core.graphs import Graph
from tests.core.recalling import NOW, answer, found, texts

WEDNESDAY = datetime(2026, 5, 13, 15, tzinfo=UTC)


def dates(text: str) -> list[str]:
    return [str(span) for span in read_question(text, now=WEDNESDAY).dates]


@pytest.mark.parametrize("question", [
    "Can I deploy on Friday afternoon?", "May we deploy this Friday?",
    "Should Lena merge on Friday?", "Is it allowed to deploy on Friday?", "deploy on Friday?",
    "Do we release on Friday?", "When does the bank close in March?", "What is on Friday?",
    "Is the dinner planned on Friday?", "Should I work next weekend?", "Can I deploy in July?",
    "Could you tell me if we deploy on Friday?",
])
def test_a_time_that_comes_again_is_no_date_in_a_question_about_a_rule(question: str) -> None:
    asked = read_question(question, now=WEDNESDAY)
    assert asked.dates == ()
    assert {"friday", "march", "weekend", "july"} & {term.word for term in asked.terms}


@pytest.mark.parametrize("question", [
    "What did Tomas do on Friday?", "Who deployed on Friday?", "Who broke the build on Friday?",
    "Could you tell me what happened on Friday?", "What did Ines say I can do on Friday?",
    "Was it allowed to deploy last Friday?", "What do we know of last Friday?",
])
def test_a_question_about_what_happened_on_a_weekday_asks_for_that_day(question: str) -> None:
    assert dates(question) == ["2026-05-08"]


@pytest.mark.parametrize(("question", "span"), [
    ("Can I deploy on 15 May 2026?", "2026-05-15"), ("Can I deploy tomorrow?", "2026-05-14"),
    ("What must be done in May 2023?", "2023-05-01 to 2023-06-01"),
    ("Notes of last March", "2026-03-01 to 2026-04-01"),
])
def test_a_date_stays_one_whatever_is_asked(question: str, span: str) -> None:
    assert dates(question) == [span]


@pytest.mark.parametrize("question", [
    "Who approves releases now?", "What changed recently?", "Which is the latest version?",
    "What is the current version?", "What does she currently read?", "Womit arbeitet er derzeit?",
    "最近の変更は何ですか", "地图现在用什么", "최근 변경은?",
])
def test_words_for_the_newest_order_by_time_and_are_no_date(question: str) -> None:
    asked = read_question(question, now=WEDNESDAY)
    assert asked.newest
    assert asked.dates == ()


@pytest.mark.parametrize("question", [
    "How strong is the current in the wire?", "Who knows Jo?", "What is new in 3.2?"])
def test_words_that_only_look_like_it_do_not(question: str) -> None:
    assert not read_question(question, now=WEDNESDAY).newest


def test_a_rule_comes_before_what_was_said_on_that_day(graph) -> None:
    def fill(g: Graph) -> None:
        g.memory("deploy policy: no deploys on Fridays after noon", created_at="2025-01-02")
        for n in range(4):
            g.memory(f"52 deploys this year, {n} rolled back", created_at="2026-05-08T10:00:00Z")

    assert found(graph(fill), "Can I deploy on Friday afternoon?")[0].startswith("deploy policy")


def test_a_weekday_alone_is_never_full_evidence_of_a_time(graph) -> None:
    workspace = graph(lambda g: g.memory("we sang", created_at="2026-05-08T10:00:00Z"))
    of_a_weekday = answer(workspace, "What did we sing on Friday?").hits[0].channels["date"]
    of_a_date = answer(workspace, "What did we sing on 8 May 2026?").hits[0].channels["date"]
    assert (of_a_weekday, of_a_date) == (0.6, 1.0)


def test_the_newest_comes_first_among_what_fits_as_well_and_never_before_what_fits(graph) -> None:
    def fill(g: Graph) -> None:
        g.memory("connector changed to v145", created_at="2026-05-01T00:00:00Z")
        g.memory("connector changed to v78", created_at="2025-05-01T00:00:00Z")
        g.memory("connector of the hose", created_at="2026-05-12T00:00:00Z")
        g.memory("tea", created_at=f"{NOW:%Y-%m-%dT%H:%M:%SZ}")

    workspace = graph(fill)
    recalled = found(workspace, "What was changed in the connector recently?")
    assert recalled[:2] == ["connector changed to v145", "connector changed to v78"]
    assert answer(workspace, "What was changed in the connector recently?").newest_first
    assert not answer(workspace, "What was changed in the connector?").newest_first


@pytest.mark.parametrize(("question", "past"), [
    ("What was changed recently?", False), ("What must I do before I commit?", False),
    ("What was it before, recently?", True), ("What was the schedule?", True),
    ("Which rule did we have?", True),
])
def test_the_past_is_asked_for_by_its_words_unless_the_newest_or_a_rule_is(
    question: str, past: bool
) -> None:
    assert read_question(question, now=WEDNESDAY).past is past


@pytest.mark.parametrize(("question", "rule"), [
    ("Can I deploy on Friday?", True), ("What must I do before I commit?", True),
    ("Is it allowed to push?", True), ("What is the policy for deploys?", True),
    ("How can I deploy?", False), ("Can you tell me who deploys?", False),
    ("Who said that I can deploy?", False), ("What happened in May?", False),
])
def test_a_question_for_a_rule_is_known(question: str, rule: bool) -> None:
    assert read_question(question, now=WEDNESDAY).rule is rule


def test_a_rule_in_force_comes_before_what_only_uses_its_words(graph) -> None:
    def fill(g: Graph) -> None:
        policy = g.aspect(g.entity("policy"), "release")
        g.value(policy, "No deploys on Fridays", kind="constraint",
                memory_id=g.memory("Ines says: no deploys after noon on Fridays, please, and tell "
                                   "everyone else about it as soon as they start here"))
        g.memory("A Friday deploy cost Tomas a weekend")

    workspace = graph(fill)
    assert found(workspace, "Can we deploy on Friday?")[0].startswith("Ines says")
    assert found(workspace, "Which Friday deploy was it?")[0].startswith("A Friday deploy")


@pytest.mark.parametrize("question", [
    "What do you know about Petra?", "What have you stored about Petra?", "Describe Petra",
    "Summarize what you know about Petra", "Give me an overview of Petra", "Everything about Petra",
    "What is known about Petra?", "Show me all facts about Petra", "What else do we know of Petra?",
    "Was weißt du über Petra?", "Was wissen wir über Petra?", "Erzähl mir von Petra",
    "Was ist über Petra bekannt?", "Alles über Petra",
])
def test_a_question_for_all_that_is_known_asks_for_the_name_alone(graph, question: str) -> None:
    assert [term.word for term in read_question(question, now=WEDNESDAY).terms] == ["petra"]

    def fill(made: Graph) -> None:
        made.entity("Petra", "person", id="petra")
        made.memory("Petra plays in the theatre orchestra", "petra")
        for number in range(8):
            made.memory(f"The printer knows an overview of all facts, number {number}")

    result = answer(graph(fill), question)
    assert (result.fits, texts(result)[0]) == (True, "Petra plays in the theatre orchestra")


@pytest.mark.parametrize(("question", "asked"), [
    ("What does Petra know about the moon?", "know"), ("Who keeps the list of boats?", "list"),
    ("Where is the information desk?", "information"),
    ("Did Petra describe the whole boat?", "whole"),
    ("What is the summary of the essay on tides?", "essay"),
])
def test_a_question_for_something_special_keeps_its_words(question: str, asked: str) -> None:
    assert asked in {term.word for term in read_question(question, now=WEDNESDAY).terms}


def test_what_asks_for_all_looks_only_so_far_in_a_long_text() -> None:
    """Else a text of 100,000 signs that somebody pastes takes its square."""
    assert re.search(r"[*+]", asks_for_all._FOR_ALL.pattern) is None
    assert words_for_all("what i know " * 8_000) == frozenset()
    assert words_for_all("What do you know, if I may ask you that, about Petra?")
