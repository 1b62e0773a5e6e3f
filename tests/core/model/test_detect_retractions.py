"""A newer sentence that takes something back leaves the older one disputed, and nothing else."""

import pytest

from core.model.detect_retractions import Said, taken_back
from core.traversal.config import TraversalSettings
from core.traversal.focal import resolve
from core.traversal.focal_signals import Signals
from core.traversal.walk import walk
from tests.core.graphs import Graph, build
from tests.core.recalling import answer
from tests.core.sessions import begun, usual

TAKEN_BACK = {
    "The plan to move on Monday was dropped.": "We move the office on Monday.",
    "Lena's talk in Bergen was called off": "Lena gives the talk in Bergen in May.",
    "The dinner on the boat is cancelled.": "The team dinner is on the boat on 4 December.",
    "The second NAS is off, too expensive.": "We will buy a second NAS in spring.",
    "We dropped the migration to Kafka.": "Plan: migrate to Kafka this winter.",
    "The trip to Rome fell through because of the strike.": "In May we take the trip to Rome.",
}
LEFT_ALONE = {
    "The database move was dropped.": "Deploy the dashboard on Monday.",
    "The Monday meeting was cancelled.": "Petra teaches on Monday.",
    "The move to Kafka was not dropped.": "We move to Kafka in winter.",
    "Bay three of the NAS dropped out.": "Bay three of the NAS is new.",
    "The plan was dropped.": "The plan is to move on Monday.",
    "Was the move to Kafka dropped? Nobody knows.": "Where is the move to Kafka planned?",
}
OLD, NEW = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"


@pytest.mark.parametrize(("newer", "older"), TAKEN_BACK.items())
def test_what_a_newer_sentence_takes_back_is_disputed(newer: str, older: str) -> None:
    disputes = taken_back([Said("new", newer, NEW), Said("old", older, OLD)])
    assert set(disputes) == {"old"}
    assert disputes["old"].newer == newer
    assert not taken_back([Said("new", newer, OLD), Said("old", older, NEW)])


@pytest.mark.parametrize(("newer", "older"), LEFT_ALONE.items())
def test_what_is_about_something_else_is_left_alone(newer: str, older: str) -> None:
    assert not taken_back([Said("new", newer, NEW), Said("old", older, OLD)])


def test_of_a_longer_text_the_mark_says_which_part() -> None:
    text = "The office is nice. We move it on Monday the ninth. Coffee is free."
    dispute = taken_back([Said("old", text, OLD),
                          Said("new", "The Monday move was dropped.", NEW)])["old"]
    assert dispute.older == "We move it on Monday the ninth."


def test_recall_walk_and_session_start_mark_it(tmp_path) -> None:
    def fill(graph: Graph) -> None:
        office = graph.entity("Office")
        graph.memory("Office: we move on Monday.", office, id="old", created_at=OLD)
        graph.memory("Office: the plan to move on Monday was dropped.", office, id="new",
                     created_at=NEW)

    workspace = build(tmp_path / "g.db", fill)
    mark = "[disputed; newer: “Office: the plan to move on Monday was dropped.”]"
    try:
        hits = {hit.memory.id: hit for hit in answer(workspace, "When does the Office move?").hits}
        assert hits["old"].marked_text.startswith(mark)
        assert hits["new"].disputed is None
        with workspace.read() as reader:
            settings = TraversalSettings(timeout_ms=60_000)
            walked = walk(reader, resolve(reader, Signals(query="Office"), settings), settings)
        assert [m.id for m in walked.memories if m.disputed] == ["old"]
        assert f"- {mark} Office: we move on Monday." in begun(
            workspace, Signals(query="Office"), usual()).text
    finally:
        workspace.close()
