"""A question for open tasks is answered by the tasks, on every generation of file."""

import pytest

from core.ontology.control import apply
from core.queries.open_tasks import open_tasks
from core.workspace import Workspace
from tests.contracts.files import KINDS, make

TASKS = (("pay the rent", "open", "2031-02-01T00:00:00.000Z"), ("file taxes", "in_progress", None),
         ("buy milk", "done", None))


@pytest.fixture(params=KINDS)
def graph(request, tmp_path):
    opened = make(request.param, tmp_path / "graph.db", tmp_path / "data")
    opened.sidecar.remember("allowed", "yes")
    for name, status, due in TASKS:
        opened.write(name, lambda w, name=name, due=due: apply(w, "open_task", {
            "name": name, **({"expires_at": due} if due else {})}))
        if status != "open":
            opened.write(status, lambda w, name=name, status=status: apply(
                w, "update_task", {"task": name, "status": status}))
    yield opened
    opened.close()


def asked(graph: Workspace, question: str) -> tuple[str, ...]:
    with graph.read() as reader:
        return tuple(line for line in open_tasks(reader, question)
                     if "rent" in line or "taxes" in line or "milk" in line)


@pytest.mark.parametrize("question", ["Which tasks are open?", "What task is due next?", "tasks",
                                      "Which todos are left?"])
def test_open_tasks_are_named_those_that_are_due_first(graph, question):
    assert asked(graph, question) == (
        "pay the rent (task): open, due 2031-02-01", "file taxes (task): in progress")


@pytest.mark.parametrize("question", ["Which todos are still in progress?",
                                      "What is in progress?", "What is under way on the roadmap?"])
def test_asked_what_is_in_progress_only_that_is_named(graph, question):
    assert asked(graph, question) == ("file taxes (task): in progress",)


@pytest.mark.parametrize("question", ["Which database does the settlement task use for its rows?",
                                      "What did we open yesterday?", ""])
def test_a_question_that_only_mentions_a_task_gets_no_list(graph, question):
    assert asked(graph, question) == ()


def test_a_muted_task_is_not_named(graph):
    graph.write("mute", lambda w: apply(w, "mute_entity", {"entity": "pay the rent"}))
    assert asked(graph, "open tasks") == ("file taxes (task): in progress",)
