"""`recall`: what a person and a program get to see of it."""

import re
from pathlib import Path

import pytest

from core.model.recall import Recall
from core.model.walk import Focal, FocalEntity, Miss, Walk
from tests.explorer.conftest import graph_fixture


@graph_fixture
def remembered(run, graph: Path) -> Path:
    for payload in (
        '{"content": "The harbor was painted red.", "who": "Jo", "tags": ["boat"],'
        ' "createdAt": "2026-03-14T10:00:00Z"}',
        '{"content": "Tea is at noon.", "who": "Mel", "type": "preference",'
        ' "project": "/src/vega"}',
    ):
        assert run("remember", "-", stdin=payload).code == 0
    return graph


def test_a_question_brings_memories_with_their_scores(run, remembered: Path) -> None:
    shown = run("recall", "painting of the harbor")
    assert shown.code == 0
    assert shown.cells.splitlines()[0] == "score\twhen\tmemory id\tmemory"
    assert re.search(r"2026-03-14\t[0-9a-f]{8}\tThe harbor was painted red\.", shown.cells)


def test_json_tells_channels_path_times_and_notes(run, remembered: Path) -> None:
    told = run("recall", "what was painted last March, in March 2026", "--json").json
    assert {"hits", "queryDates", "timedOut", "notes", "milliseconds", "walk"} <= told.keys()
    hit = told["hits"][0]
    assert hit["memory"]["content"] == "The harbor was painted red."
    assert {"keyword", "date"} <= hit["channels"].keys()
    assert 0 < hit["score"] <= 1
    assert told["queryDates"][-1]["start"].startswith("2026-03-01")


def test_signs_in_the_question_filter(run, remembered: Path) -> None:
    def found(words: str) -> list[str]:
        return [hit["memory"]["content"] for hit in run("recall", words, "--json").json["hits"]]

    assert found("harbor [boat]") == found('"painted red"') == ["The harbor was painted red."]
    assert found("tea type:preference") == ["Tea is at noon."]
    assert found("harbor since:2999") == found('"red painted"') == []
    refused = run("recall", 'the "painted')
    assert (refused.code, "The quotation mark before “painted” is not closed" in refused.err) == (
        2, True)


def test_explain_says_why_in_words(run, remembered: Path) -> None:
    shown = run("recall", "painting of the harbor", "--explain")
    assert "contains painting, harbor" in shown.out
    assert "memories scored: " in shown.err


def test_explain_tells_some_of_what_the_walk_nearly_brought(
    run, remembered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    misses = (*(Miss("value", f"v{n}", f"note {n}", "budget") for n in range(7)),
              Miss("value", "v9", "plain value", "no memory"))
    found = Recall(walk=Walk(Focal((FocalEntity("e", "Vega", "project", "query"),)),
                             misses=misses))
    monkeypatch.setattr("explorer.cli.recall.find", lambda *given, **named: found)
    told = run("recall", "Vega", "--explain").err
    assert "Focal entities: Vega" in told
    assert told.count("near miss: note ") == 5
    assert "2 more near misses not shown" in told
    assert "plain value" not in told


@pytest.mark.parametrize(("options", "content"), [
    (("--who", "mel"), "Tea"), (("--type", "preference"), "Tea"), (("--tag", "boat"), "harbor"),
    (("--project", "vega"), "Tea"), (("--until", "2026-03-14"), "harbor"),
    (("--since", "2026-03-15"), "Tea"),
])
def test_filters_narrow_it_down_with_and_without_a_question(
    run, remembered: Path, options: tuple[str, ...], content: str
) -> None:
    for question in ((), ("the harbor and tea",)):
        told = run("recall", *question, *options, "--json").json
        assert [content in hit["memory"]["content"] for hit in told["hits"]] == [True]


def test_a_question_may_come_from_standard_input(run, remembered: Path) -> None:
    assert "Tea is at noon." in run("recall", "-", "-l", "1", stdin="when is tea").out


def test_a_setting_can_be_another_for_one_call(run, remembered: Path) -> None:
    told = run("recall", "painting", "--set", "stemming=false", "--set", "semanticWeight=0",
               "--json").json
    assert told["hits"] == []


@pytest.mark.parametrize("arguments", [
    (), ("?!",), ("tea", "--since", "soon"), ("tea", "--set", "limit=0"),
    ("tea", "--set", "nothing=1"), ("tea", "--session", " "),
])
def test_what_can_t_be_asked_is_refused_in_words(run, remembered: Path, arguments) -> None:
    refused = run("recall", *arguments)
    assert refused.code == 2
    assert "constellation: " in refused.err


def test_a_session_that_asks_has_its_hits_noted_and_one_undo_takes_them_back(
    run, remembered: Path
) -> None:
    told = run("recall", "harbor", "--session", "s1")
    assert "Recorded 1 for the session s1, which starts now" in told.err
    assert "begins" not in run("recall", "harbor", "--session", "s1").err
    run("undo")
    assert run("session", "list", "--json").json["items"][0]["sessionKey"] == "s1"
    assert run("undo").out == "Undone: Record results for the session s1\n"
    assert run("session", "list", "--json").json["items"] == []


def test_without_a_session_nothing_is_written(run, remembered: Path) -> None:
    run("recall", "harbor")
    assert run("session", "list", "--json").json["items"] == []


def test_a_deadline_that_was_given_holds_and_nothing_found_in_time_is_no_plain_nothing(
    run, remembered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def late(reader, query, settings, *given, **named) -> Recall:
        asked.append(settings.deadline_ms)
        return Recall(timed_out=True, notes=("Time ran out",))

    monkeypatch.setattr("explorer.cli.recall.find", late)
    shown = run("recall", "tea", "--set", "deadlineMs=500")
    run("recall", "tea")
    assert asked == [500, 10_000]
    assert shown.out == "Nothing found within the time limit.\n"
    assert "Time ran out" in shown.err


def test_an_unknown_setting_is_refused_with_those_that_are_like_it(run, remembered: Path) -> None:
    refused = run("recall", "tea", "--set", "semanticWieght=1").err
    assert "recall has no setting “semanticWieght”" in refused
    assert "semanticWeight" in refused.partition("Choose one of ")[2]
    assert "“constellation settings recall” lists" in run("recall", "tea", "--set", "zzz=1").err


def test_nothing_found_is_said(run, remembered: Path) -> None:
    shown = run("recall", "xyzzyplugh", "--set", "semanticWeight=0")
    assert (shown.code, shown.out) == (0, "No memory found.\n")
