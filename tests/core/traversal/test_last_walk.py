"""What the last walk for an agent came to is kept beside the file, for whoever looks."""

from pathlib import Path

from core.errors import ConstellationError
from core.model.walk import Focal, FocalEntity
from core.traversal.focal import Signals, resolve
from core.traversal.last_walk import RECALL, SESSION_START, keep, last
from core.traversal.walk import walk
from core.workspace import Workspace
from tests.core.walking import USUAL, three


def noted(workspace: Workspace, phase: str = RECALL, **signals: object) -> None:
    with workspace.read() as reader:
        focal = resolve(reader, Signals(**signals), USUAL)  # type: ignore[arg-type]
        result = walk(reader, focal, USUAL)
    keep(workspace.sidecar, workspace.agent, phase, result)


def test_the_last_walk_tells_phase_source_focal_names_and_counts(graph) -> None:
    workspace = graph(three)
    assert last(workspace.sidecar, "default") is None
    noted(workspace, SESSION_START, project="/x/beta")
    noted(workspace, RECALL, query="what of alpha")
    status = last(workspace.sidecar, "default")
    assert status is not None
    assert (status.phase, status.source, status.focal_names) == ("recall", "query", ("Alpha",))
    assert (status.focal_entities, status.traversed_entities, status.memories,
            status.constraints) == (
        1, 2, 3, 0)
    assert status.timed_out is False
    assert status.at.endswith("Z")


def test_each_agent_has_its_own_and_hidden_names_stay_hidden(graph) -> None:
    workspace = graph(three)
    noted(workspace, checkpoint_ids=("e1", "e3"))
    status = last(workspace.sidecar, "default")
    assert status is not None
    assert (status.focal_names, status.focal_entities) == (("Alpha",), 2)
    assert last(workspace.sidecar, "other") is None


def test_it_is_there_after_the_program_has_ended(graph, tmp_path: Path) -> None:
    workspace = graph(three)
    noted(workspace, query="alpha")
    workspace.close()
    again = Workspace.open(workspace.path, data_dir=tmp_path / "data")
    status = last(again.sidecar, "default")
    again.close()
    assert status is not None
    assert status.focal_names == ("Alpha",)


def test_a_note_that_can_t_be_kept_or_read_spoils_nothing(graph) -> None:
    workspace = graph(three)
    workspace.sidecar.put("last walk:default", b'\xff["not this"]')
    assert last(workspace.sidecar, "default") is None

    class Full:
        def put(self, key: str, value: bytes) -> None:
            raise ConstellationError("The disk is full")

    with workspace.read() as reader:
        result = walk(reader, Focal((FocalEntity("e1", "Alpha", "", "asked"),)), USUAL)
    keep(Full(), "default", RECALL, result)  # type: ignore[arg-type]
