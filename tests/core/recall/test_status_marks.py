"""Marks such as `[wip]` are words of status: asked what is in progress, those that are come."""

from collections.abc import Iterator

import pytest

from core.model.task_marks import DONE, IN_PROGRESS, OPEN, asked_states, state_of
from core.workspace import Workspace
from tests.core.graphs import build
from tests.core.recalling import answer, found

MARKED = {"wip": IN_PROGRESS, "doing": IN_PROGRESS, "in progress": IN_PROGRESS, "~": IN_PROGRESS,
          "x": DONE, "X": DONE, "✓": DONE, "done": DONE, " ": OPEN, "todo": OPEN,
          "next": OPEN, "WIP": IN_PROGRESS}
ASKED = {"What is in progress on the roadmap?": "[wip]", "What is done on the roadmap?": "[done]",
         "What on the roadmap is still open?": "[todo]",
         "Which roadmap items are finished?": "[done]",
         "What is not done on the roadmap?": "[todo]"}


@pytest.fixture(scope="module")
def roadmap(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    workspace = build(tmp_path_factory.mktemp("marks") / "marks.db", lambda graph: [
        graph.memory(f"roadmap [{mark}] {thing}") for thing in ("sync", "themes", "search")
        for mark in ("done", "wip", "todo")])
    yield workspace
    workspace.close()


@pytest.mark.parametrize(("mark", "state"), MARKED.items())
def test_a_mark_says_a_state(mark: str, state: str) -> None:
    assert state_of(f"- [{mark}] write the docs") == state


@pytest.mark.parametrize("text", ["see [here](https://example.org)", "an array[0] of [a, b]", ""])
def test_other_brackets_say_none(text: str) -> None:
    assert state_of(text) == ""


@pytest.mark.parametrize(("question", "states"), [
    ("What is in progress?", {IN_PROGRESS}), ("What is under way?", {IN_PROGRESS}),
    ("What was done?", {DONE}), ("What is to be done?", {OPEN}), ("Which todos are left?", {OPEN}),
    ("What made progress?", set()), ("Who opened the door?", set())])
def test_a_question_asks_for_states(question: str, states: set[str]) -> None:
    assert asked_states(question) == states


@pytest.mark.parametrize(("question", "mark"), ASKED.items())
def test_what_is_in_the_asked_state_comes_first(
    roadmap: Workspace, question: str, mark: str
) -> None:
    assert all(mark in text for text in found(roadmap, question)[:3])
    assert answer(roadmap, question).fits


def test_a_question_for_no_state_leaves_marks_alone(roadmap: Workspace) -> None:
    assert "sync" in found(roadmap, "What is the roadmap of sync?")[0]
    assert not any("state" in hit.steps for hit in answer(roadmap, "sync roadmap").hits)
