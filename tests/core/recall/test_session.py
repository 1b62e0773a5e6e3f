"""What a recall of a session leaves behind: hits that its end learns from, undone in one step."""

import pytest

from core.errors import OperationError
from core.learning.confirmed_by_recall import note_recall
from core.model.recall import Recall
from core.recall.config import RecallSettings
from core.recall.hybrid import recall
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.core.sessions import ended, opened, recorded


def harbor(graph: Graph) -> None:
    vega = graph.entity("Vega", id="e1", type="project")
    notes = graph.aspect(vega, "notes", id="a1")
    memory_id = graph.memory("Vega has a red lantern", id="m1")
    graph.value(notes, "a red lantern", memory_id=memory_id)
    graph.memory("Tea is at noon", id="m2")


def asked(workspace: Workspace, question: str) -> Recall:
    with workspace.read() as reader:
        return recall(reader, question, RecallSettings(deadline_ms=60_000))


def noted(workspace: Workspace) -> list[tuple[str, str, int, str]]:
    with workspace.read() as reader:
        return [tuple(row) for row in reader.rows(
            "SELECT s.session_key, s.memory_id, s.fts_hit_count, s.source FROM session_memories s"
            " ORDER BY s.memory_id")]


def test_every_hit_is_noted_in_one_step_that_undo_takes_back(tmp_path) -> None:
    with opened(tmp_path, harbor) as workspace:
        result = asked(workspace, "lantern or tea")
        assert workspace.write("note", lambda w: note_recall(w, "s1", result)).result == 2
        assert noted(workspace) == [("s1", "m1", 1, "fts_only"), ("s1", "m2", 1, "fts_only")]
        workspace.undo()
        assert noted(workspace) == []


def test_a_second_recall_counts_again_and_a_start_keeps_what_it_began_with(tmp_path) -> None:
    with opened(tmp_path, harbor) as workspace:
        recorded(workspace, "s1")
        before = {memory: source for _, memory, _, source in noted(workspace)}
        for _ in range(2):
            workspace.write("note", lambda w: note_recall(w, "s1", asked(workspace, "lantern")))
        assert [row[1:] for row in noted(workspace) if row[2]] == [("m1", 2, before["m1"])]


def test_a_hit_keeps_the_path_that_brought_it(tmp_path) -> None:
    with opened(tmp_path, harbor) as workspace:
        result = asked(workspace, "the lantern of Vega")
        assert result.hits[0].path is not None
        workspace.write("note", lambda w: note_recall(w, "s1", result))
        with workspace.read() as reader:
            value = reader.value("SELECT s.path_json FROM session_memories s"
                                " WHERE s.memory_id = 'm1'")
        assert '"entity_ids":["e1"]' in value


def test_the_end_of_the_session_knows_the_memory_as_used(tmp_path) -> None:
    with opened(tmp_path, harbor) as workspace:
        recorded(workspace, "s1")
        workspace.write("note", lambda w: note_recall(w, "s1", asked(workspace, "lantern")))
        ended(workspace, "s1")
        with workspace.read() as reader:
            assert reader.value("SELECT m.access_count FROM memories m WHERE m.id = 'm1'") == 1


def test_hits_without_a_key_or_of_memories_that_are_not_there_are_refused(tmp_path) -> None:
    with opened(tmp_path, harbor) as workspace:
        result = asked(workspace, "lantern")
        with pytest.raises(OperationError, match="key"):
            workspace.write("note", lambda w: note_recall(w, " ", result))
        workspace.write("gone", lambda w: w.delete_where("memories", "id = 'm1'"))
        with pytest.raises(OperationError, match="Memory not found"):
            workspace.write("note", lambda w: note_recall(w, "s1", result))
        assert noted(workspace) == []
