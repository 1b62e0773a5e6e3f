"""What is asked is recorded beside the graph, bounded, for each agent, and never in the way."""

import json
from pathlib import Path

import pytest

from core.model.asked import BROWSE, MCP, RECALL, Asked
from core.recall.config import RecallSettings
from core.recall.hybrid import recall
from core.session import servers_and_clients
from core.session.question_log import LONGEST, MOST_IDS, forget, last_asked, note, recalled
from core.session.servers_and_clients import OpenDoor
from core.store import asked_log_and_visits
from core.store.sidecar import Sidecar
from core.store.sidecar_file import prepare
from core.traversal.config import TraversalSettings
from core.workspace import Workspace
from tests.core.graphs import Graph


@pytest.fixture
def sidecar(tmp_path: Path):
    path = tmp_path / "beside" / "graph.db"
    prepare(path)
    made = Sidecar(path)
    yield made
    made.close()


def test_a_recall_is_recorded_with_what_it_started_from_walked_and_told(graph) -> None:
    ids: list[str] = []

    def fill(graph: Graph) -> None:
        ids.append(graph.entity("Alice", "person"))
        ids.append(graph.memory("Alice uses Helix as her editor.", ids[0]))

    words = "Which editor does Alice use?"
    with graph(fill).read() as reader:
        asked = recalled(words, recall(reader, words, RecallSettings(), None,
                                       traversal=TraversalSettings()))
    assert asked.kind == RECALL
    assert asked.focal_ids == (ids[0],)
    assert ids[0] in asked.entity_ids
    assert asked.memory_ids == (ids[1],)


def test_the_record_comes_back_as_it_was_written(sidecar: Sidecar) -> None:
    asked = Asked(BROWSE, "Bob \ud83d", "/projects", "s1", ("a",), ("a", "b"), ("l",), ("m",),
                  "claude via MCP", MCP)
    note(sidecar, "default", asked, kept=10)
    [back] = last_asked(sidecar, "default", 10)
    assert back.at
    assert back.number == 1
    assert (back.kind, back.project, back.session, back.focal_ids, back.entity_ids, back.link_ids,
            back.memory_ids, back.who, back.door) == (
        BROWSE, "/projects", "s1", ("a",), ("a", "b"), ("l",), ("m",), "claude via MCP", MCP)


def test_ids_that_are_no_texts_are_left_out_of_the_record(sidecar: Sidecar) -> None:
    asked = Asked(RECALL, "Bob", link_ids=(b"\x00\xff", "l", 7, None))  # type: ignore[arg-type]
    note(sidecar, "default", asked, kept=10)
    assert last_asked(sidecar, "default", 10)[0].link_ids == ("l",)


def test_another_agents_questions_are_not_told_or_forgotten(sidecar: Sidecar) -> None:
    note(sidecar, "mine", Asked(RECALL, "mine"), kept=10)
    note(sidecar, "other", Asked(RECALL, "other"), kept=10)
    assert [each.question for each in last_asked(sidecar, "mine", 10)] == ["mine"]
    assert forget(sidecar, "mine") == 1
    assert [each.question for each in last_asked(sidecar, "other", 10)] == ["other"]


def test_the_record_is_bounded_in_rows_and_in_each_row(
    sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asked_log_and_visits, "THINNED_EVERY", 5)
    many = tuple(str(number) for number in range(1000))
    for number in range(30):
        note(sidecar, "default", Asked(RECALL, f"{number} " + "x" * 9000, entity_ids=many), kept=7)
    every = last_asked(sidecar, "default", 1000)
    assert 7 <= len(every) < 7 + 5
    assert every[0].question.startswith("29 ")
    assert max(len(each.question) for each in every) <= LONGEST
    assert max(len(each.entity_ids) for each in every) == MOST_IDS


def test_only_later_questions_are_told_on_wish(sidecar: Sidecar) -> None:
    for word in "abc":
        note(sidecar, "default", Asked(RECALL, word), kept=10)
    assert [each.question for each in last_asked(sidecar, "default", 10, after=1)] == ["c", "b"]


def test_none_is_recorded_where_none_is_wanted(sidecar: Sidecar) -> None:
    note(sidecar, "default", Asked(RECALL, "secret"), kept=0)
    assert not last_asked(sidecar, "default", 10)


def test_a_record_that_cannot_be_written_or_read_is_no_fault(sidecar: Sidecar) -> None:
    fields = json.dumps({"focal_ids": 5, "kind": []})
    asked_log_and_visits.append(sidecar, "default", "2026-01-01", fields, 9)
    [odd] = last_asked(sidecar, "default", 10)
    assert odd.focal_ids == ()
    with sidecar.turn() as run:
        run.execute("DROP TABLE asked")
        run.execute("DROP TABLE visits")
    note(sidecar, "default", Asked(RECALL, "lost"), kept=10)
    with OpenDoor(sidecar, "default", MCP) as door:
        door.heard("claude via MCP")


def test_a_question_does_not_count_as_a_change_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "graph.db"
    with_window = Workspace.open(path, data_dir=tmp_path / "data", create=True)
    door = Workspace.open(path, data_dir=tmp_path / "data")
    before = path.read_bytes()
    with_window.poll()
    note(door.sidecar, "default", Asked(RECALL, "quiet"), kept=10)
    assert [each.question for each in last_asked(with_window.sidecar, "default", 9)] == ["quiet"]
    assert not with_window.poll()
    assert path.read_bytes() == before
    door.close()
    with_window.close()


def test_open_doors_and_their_clients_are_listed_until_the_door_closes(sidecar: Sidecar) -> None:
    with OpenDoor(sidecar, "default", MCP, "http://127.0.0.1:1/mcp") as door:
        door.heard("claude via MCP")
        doors, clients = servers_and_clients.visits(sidecar)
        assert [(each.door, each.address) for each in doors] == [(MCP, "http://127.0.0.1:1/mcp")]
        assert [each.who for each in clients] == ["claude via MCP"]
    assert servers_and_clients.visits(sidecar) == ((), ())


def test_a_door_whose_process_ended_without_a_word_is_not_listed(
    sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenDoor(sidecar, "default", MCP) as door:
        door.heard("claude via MCP")
        monkeypatch.setattr(servers_and_clients, "GONE_S", -60)
        assert servers_and_clients.visits(sidecar) == ((), ())
