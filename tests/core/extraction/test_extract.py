"""Texts become proposals and assertions with their words as evidence; servers may fail."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from core.errors import OperationError
from core.extraction import fold_same_proposals as folding
from core.extraction.config import ExtractionSettings
from core.extraction.extract import Written, extract, kept_text, write
from core.extraction.extracted import Extracted, Text
from core.ingest.config import IngestSettings
from core.ontology import control
from core.ontology.change_provenance import Source
from core.ontology.proposals import reject_proposals
from core.queries.assertions import AssertionFilters, list_assertions
from core.review.proposal_queue import evidence, get_proposal, list_proposals
from core.workspace import Workspace
from tests.contracts.files import make

OFF = ExtractionSettings()
NOTE = """# Meeting
Harbor Ledger uses Tide API. [[Night Ferry|The ferry]] supports Harbor Ledger.
Tide API must never be called without a key. The weather was nice and Bergen was cold.
- Anna prefers that Harbor Ledger starts at nine.
"""


@pytest.fixture(params=("native", "signet-071"))
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    workspace = make(request.param, tmp_path / "graph.db", tmp_path / "side")
    yield workspace
    workspace.close()


def taken(world: Workspace, content: str, settings: ExtractionSettings = OFF,
          **more: Any) -> Extracted:
    with world.read() as reader:
        return extract(reader, Text(content, Source("file", None, "notes.md")), settings,
                       IngestSettings(), **more)


def asked(result: Extracted) -> list[tuple[str, ...]]:
    return [(each["operation"], *(str(value) for name, value in each["payload"].items()
                                  if name not in ("reason", "kind"))) for each in result.proposals]


def stored(world: Workspace, result: Extracted, **more: bool) -> Written:
    return world.write("Extract", lambda w: write(w, result, **more)).result


def test_plain_text_gives_what_it_says_without_doubt(world: Workspace) -> None:
    result = taken(world, NOTE)
    assert result.mode == "text"
    assert asked(result) == [
        ("create_link", "Harbor Ledger", "Tide API", "uses"),
        ("create_entity", "Night Ferry"),
        ("create_link", "Night Ferry", "Harbor Ledger", "supports_claim"),
        ("add_claim_value", "Tide API", "guidance", "be_called_without_a",
         "must never be called without a key"),
    ]
    [said] = result.assertions
    assert said["payload"] == {
        "entity": "Harbor Ledger", "predicate": "prefers", "speaker": "Anna",
        "content": "Harbor Ledger starts at nine"}
    assert result.mentions["Harbor Ledger"] == 3
    for request in (*result.proposals, *result.assertions):
        assert request["evidence"][0]["source_path"] == "notes.md"
        assert request["evidence"][0]["quote"] in NOTE.replace("[[Night Ferry|The ferry]]",
                                                               "The ferry")


def test_nothing_is_written_until_asked_and_then_undone_in_one_step(world: Workspace) -> None:
    result = taken(world, NOTE)
    with world.read() as reader:
        before = len(list_proposals(reader))
    written = stored(world, result)
    assert (len(written.proposals), len(written.assertions)) == (4, 1)
    with world.read() as reader:
        first = get_proposal(reader, written.proposals[0])
        assert first is not None
        assert (first.created_by, first.source_kind) == ("ontology-extraction", "file")
        assert evidence(reader, first.id)[0].quote == "Harbor Ledger uses Tide API."
        assert list_assertions(reader, AssertionFilters(speaker="Anna"))[1] == 2
    world.undo()
    with world.read() as reader:
        assert len(list_proposals(reader)) == before


def test_json_is_read_as_it_is_and_what_is_none_of_it_is_said(world: Workspace) -> None:
    data = {"entities": [{"name": "Night Ferry", "type": "project"}],
            "claim_values": [{"entity": "Harbor Ledger", "aspect": "Crew", "claim": "size",
                              "value": "five", "quote": "we are five"}],
            "links": [{"source": "Night Ferry", "target": "Harbor Ledger", "type": "loves"}],
            "assertions": [{"entity": "Harbor Ledger", "predicate": "claims", "content": "done"}],
            "questions": ["Which ferry?"]}
    result = taken(world, json.dumps(data))
    assert result.mode == "json"
    assert [each["operation"] for each in result.proposals] == ["create_entity", "add_claim_value"]
    assert result.proposals[1]["evidence"][0]["quote"] == "we are five"
    assert "links 1" in result.warnings[0]
    assert result.questions == ("Which ferry?",)
    assert len(stored(world, result).assertions) == 1


def test_one_assertion_that_is_none_takes_all_back(world: Workspace) -> None:
    data = {"entities": [{"name": "Night Ferry"}],
            "assertions": [{"entity": "Harbor Ledger", "predicate": "hopes", "content": "x"}]}
    result = taken(world, json.dumps(data))
    with pytest.raises(OperationError, match="predicate is invalid"):
        stored(world, result)
    with world.read() as reader:
        assert "Night Ferry" not in {one.target_name for one in list_proposals(reader)}


def test_what_was_rejected_is_not_proposed_again_and_said(world: Workspace) -> None:
    result = taken(world, NOTE)
    written = stored(world, result, assertions=False)
    world.write("Reject", lambda w: reject_proposals(w, written.proposals[:1]))
    again = stored(world, result, assertions=False)
    assert len(again.proposals) == 3
    assert "was rejected before" in again.refused[0]


def test_what_the_graph_keeps_is_read_with_its_own_source(world: Workspace) -> None:
    with world.read() as reader:
        text = kept_text(reader, "memory:m-1")
        assert text is not None
        assert text.quoting("x") == {"quote": "x", "memory_id": "m-1"}
        assert kept_text(reader, "notes.md") is None
        with pytest.raises(OperationError) as error:
            kept_text(reader, "transcript:nowhere")
    assert error.value.status == 404


class _Server(BaseHTTPRequestHandler):
    answer = b""
    prompts: list[Any] = []  # noqa: RUF012 - set anew by each test
    release = Event()

    def do_POST(self) -> None:
        self.prompts.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        if not self.answer:
            self.release.wait(10)
            return
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.answer)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[tuple[type[_Server], ExtractionSettings]]:
    handler = type("Handler", (_Server,), {"prompts": [], "release": Event()})
    http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=http.serve_forever)
    thread.start()
    yield handler, ExtractionSettings(provider="openai", model="tiny", timeout_s=0.4,
                                      url=f"http://127.0.0.1:{http.server_port}/v1")
    handler.release.set()
    http.shutdown()
    http.server_close()
    thread.join()


def completion(content: str) -> bytes:
    return json.dumps({"choices": [{"message": {"content": content}}]}).encode()


def test_a_server_is_asked_once_and_its_questions_are_told(world: Workspace, server: Any) -> None:
    handler, settings = server
    handler.answer = completion("```json\n" + json.dumps({
        "entities": [{"name": "Night Ferry", "quote": "the ferry"}],
        "questions": ["Whose?"]}) + "\n```")
    result = taken(world, NOTE, settings, use_provider=True)
    assert (result.mode, result.provider, result.questions) == ("provider", "tiny", ("Whose?",))
    assert asked(result) == [("create_entity", "Night Ferry")]
    assert len(handler.prompts) == 1
    assert NOTE in handler.prompts[0]["messages"][1]["content"]


@pytest.mark.parametrize("answer", [b"", b"<html>", b"[]", completion("I can't do that"),
                                    completion("3")])
def test_a_server_that_hangs_or_answers_nonsense_is_said_and_patterns_are_used(
    world: Workspace, server: Any, answer: bytes
) -> None:
    handler, settings = server
    handler.answer = answer
    result = taken(world, NOTE, settings, use_provider=True)
    assert result.mode == "text"
    assert len(result.proposals) == 4
    assert "patterns were used" in result.warnings[0]


def test_no_server_is_asked_unless_one_is_configured(world: Workspace) -> None:
    result = taken(world, NOTE, use_provider=True)
    assert result.mode == "text"
    assert "No server is configured" in result.warnings[0]


def test_proposals_that_mean_the_same_are_folded_into_one_that_is_surest(world: Workspace) -> None:
    claim = {"entity": "Harbor Ledger", "aspect": "Schedule", "group_key": "nightly",
             "claim_key": "start time"}
    for value, sure, quote in (("Eight", 0.5, "one"), ("eight ", 0.8, "two"), ("nine", 0.9, "x")):
        world.write("Propose", lambda w, value=value, sure=sure, quote=quote: control.propose(
            w, "set_claim_value", {**claim, "value": value}, confidence=sure, reason=quote,
            evidence=[{"quote": quote}]))
    with world.read() as reader:
        result = folding.consolidate(reader, OFF)
        values = reader.rows("SELECT id, status FROM entity_attributes")
    [one] = result.items
    assert (one.request["payload"]["value"], one.request["confidence"]) == ("eight ", 0.8)
    assert {piece["quote"] for piece in one.request["evidence"]} == {"one", "two"}
    [id] = world.write("Fold", lambda w: folding.write(w, result.items)).result
    with world.read() as reader:
        folded = get_proposal(reader, id)
        assert folded is not None
        assert folded.source_kind == "ontology_consolidation"
        assert {get_proposal(reader, each).status for each in one.replaces} == {"rejected"}  # type: ignore[union-attr]
        assert folding.consolidate(reader, OFF).items == ()
        assert reader.rows("SELECT id, status FROM entity_attributes") == values
