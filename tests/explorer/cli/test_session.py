"""`session` on the command line."""

import json
from pathlib import Path

import pytest

from tests.explorer.conftest import graph_fixture

PLAN = {"content": "Harbor Ledger starts its run at 7", "importance": 0.9, "structured": {
    "aspects": [{"entityName": "Harbor Ledger", "entityType": "project", "aspect": "schedule",
                 "attributes": [{"content": "the run starts at 7", "claimKey": "start"},
                                {"content": "never run on a Sunday", "kind": "constraint"}]}]}}
PROJECT = ("--project", "/projects/harbor-ledger/harbor")


@graph_fixture
def memory(run, graph: Path) -> str:
    return run("remember", "-", "--json", stdin=json.dumps(PLAN)).json["memoryId"]


def test_a_session_start_prints_the_injected_text(run, memory: str) -> None:
    shown = run("session", "start", *PROJECT)
    assert shown.out.startswith("[memory active")
    assert "- Harbor Ledger starts its run at 7" in shown.out
    assert "- [Harbor Ledger] never run on a Sunday" in shown.out
    assert "constraints:" in shown.err
    assert "Harbor Ledger › schedule" in run("session", "start", *PROJECT, "--explain").out


def test_a_start_without_a_key_records_nothing(run, memory: str) -> None:
    told = run("session", "start", *PROJECT, "--json").json
    assert [one["id"] for one in told["memories"]] == [memory]
    assert told["telemetry"]["traversalConstraints"] == 1
    run("session", "start", *PROJECT, "--session", "s1", "--dry-run")
    assert run("session", "list", "--json").json["items"] == []


def test_what_was_asked_is_listed_and_forgotten(run, memory: str) -> None:
    run("session", "start", *PROJECT, "--query", "When is the run?")
    run("recall", "When does Harbor Ledger start?")
    recalled, started = run("session", "asked", "--json").json["items"]
    assert (started["kind"], started["question"]) == ("session start", "When is the run?")
    assert (recalled["kind"], recalled["memoryIds"][0]) == ("recall", memory)
    shown = run("session", "asked", "--limit", "1").out
    assert "recall: When does Harbor Ledger start?" in shown
    assert "operator" in shown
    assert run("session", "asked", "--forget").out == "Deleted 2 questions\n"
    assert run("session", "asked").out == "Nothing was asked yet.\n"


def test_a_session_is_recorded_ended_and_undone(run, memory: str) -> None:
    run("session", "start", *PROJECT, "--session", "s1")
    run("session", "hits", "s1", memory)
    tried = run("session", "end", "s1", "--dry-run", "--json").json
    ended = run("session", "end", "s1", "--json").json
    assert tried["confirmations"] == ended["confirmations"] == 1
    assert run("session", "end", "s1", "--json").json["confirmations"] == 0
    listed = run("session", "list", "--json").json
    assert [(one["sessionKey"], one["confirmed"]) for one in listed["items"]] == [("s1", 1)]
    assert listed["telemetry"]["feedbackFtsConfirmations"] == 1
    assert listed["items"][0]["end"]["confirmations"] == 1
    for _ in range(3):
        assert run("undo").code == 0
    assert "Nothing to undo" in run("undo").err, "the start of a session is passed over"
    start = next(one for one in run("history", "--json").json["items"]
                 if one["label"] == "Start the session s1")
    assert run("undo", str(start["undoId"])).code == 0
    assert run("session", "list", "--json").json["items"] == []


def test_the_end_of_a_session_takes_other_numbers_for_once(run, memory: str) -> None:
    run("session", "start", *PROJECT, "--session", "s1")
    run("session", "hits", "s1", memory)
    off = run("session", "end", "s1", "--set", "enabled=false", "--dry-run", "--json").json
    on = run("session", "end", "s1", "--dry-run", "--json").json
    assert (off["confirmations"], on["confirmations"]) == (0, 1)
    assert run("session", "end", "s1", "--set", "ftsWeightDelta=much").code == 2


def test_a_recall_of_a_session_counts_as_its_hits(run, memory: str) -> None:
    run("session", "start", *PROJECT, "--session", "s1")
    run("recall", "when does the run start?")
    assert run("session", "show", "s1", "--json").json["session"]["confirmed"] == 0
    assert run("recall", "when does the run start?", "--session", "s1").code == 0
    told = run("session", "end", "s1")
    assert "aspects updated\t1 by 1 confirmation" in told.cells
    assert "paths rated\t1 of 1 memory" in told.cells


def test_an_empty_graph_has_nothing_to_tell(run, tmp_path: Path) -> None:
    empty = tmp_path / "empty.db"
    run("new", empty)
    told = run("session", "start", *PROJECT, "--session", "s1", "--store", empty)
    assert (told.out, told.code) == ("", 0)
    assert "Nothing to inject" in told.err
    assert run("session", "list", "--json", "--store", empty).json["items"] == []
    assert "is not recorded" in run("session", "end", "s1", "--store", empty).err


def test_the_numbers_of_a_session_can_be_read_again(run, memory: str) -> None:
    began = run("session", "start", *PROJECT, "--session", "s1", "--json").json
    shown = run("session", "show", "s1", "--json").json
    assert shown["session"]["start"]["telemetry"] == began["telemetry"]
    assert [(one["memoryId"], one["injected"]) for one in shown["memories"]] == [(memory, True)]
    told = run("session", "show", "s1").cells
    assert "focal entities\tHarbor Ledger" in told
    assert "of 1,000 characters" in told
    assert "Harbor Ledger starts its run at 7" in told
    assert "s1" in run("session", "list").out
    assert run("session", "show", "nobody").code != 0


def test_a_session_that_is_not_on_record_is_said_and_nothing_is_done(run, memory: str) -> None:
    steps = run("history", "--json").json["items"]
    told = run("session", "end", "nosuch")
    assert (told.out, "This session is not recorded" in told.err) == ("", True)
    refused = run("session", "hits", "nosuch", memory)
    assert (refused.code, "No session nosuch is recorded" in refused.err) == (2, True)
    assert run("history", "--json").json["items"] == steps
    run("session", "start", *PROJECT, "--session", "s1")
    run("session", "end", "s1")
    before = run("history", "--json").json["items"]
    assert "It has already ended" in run("session", "end", "s1").err
    assert run("history", "--json").json["items"] == before


def test_feedback_is_read_from_a_file(run, memory: str) -> None:
    run("session", "start", *PROJECT, "--session", "s1")
    told = run("session", "end", "s1", "--feedback", "-", "--json",
               stdin=json.dumps({"ratings": {memory: 1, "unknown": 1}})).json
    assert (told["feedback"]["accepted"], told["feedback"]["propagated"]) == (1, 1)
    again = run("session", "end", "s1", "--feedback", "-", "--json",
                stdin=json.dumps({"ratings": {memory: 1}})).json
    assert again["feedback"]["accepted"] == 0


@pytest.mark.parametrize(("bad", "said"), [
    ("{", "not valid JSON"), ("[]", "object of objects"), ('{"ratings": 3}', "object of objects"),
    ('{"rating": {"m": 1}}', "no part “rating”"), ('{"ratings": {"m": "good"}}', "rating of m"),
    ('{"ratings": {"m": true}}', "from -1 to 1"), ('{"ratings": {"m": 7}}', "from -1 to 1")])
def test_feedback_that_cant_be_read_is_refused_with_what_it_should_be(
    run, memory: str, bad: str, said: str
) -> None:
    run("session", "start", *PROJECT, "--session", "s1")
    told = run("session", "end", "s1", "--feedback", "-", stdin=bad)
    assert told.code != 0
    assert said in told.err
