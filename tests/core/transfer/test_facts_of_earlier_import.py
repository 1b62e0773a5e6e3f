"""A note that was changed and is imported again: what it no longer says is told, or archived."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.model.claims_and_assertions import Value
from core.ontology import control
from core.queries.entities import find_entity, get_entity
from core.queries.knowledge import aspects_of
from core.recall.hybrid import recall
from core.transfer.import_file import read_import, write_import
from core.transfer.import_report import ImportReport
from core.workspace import Workspace
from tests.contracts.files import KINDS, dump, make

OLDEST = "signet-030"
FIRST = "The boat is moored at pier A.\n\n- Length: 9 m\n- Colour: white\n"
CHANGED = "The boat is moored at pier B.\n\n- Length: 9 m\n- Colour: blue\n"
GONE = ("Boat: Colour: white", "Boat: The boat is moored at pier A.")


@pytest.fixture(params=[kind for kind in KINDS if kind != OLDEST])
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    one = make(request.param, tmp_path / "graph.db", tmp_path / "data")
    yield one
    one.close()


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    return folder


def take(workspace: Workspace, folder: Path, text: str = "", *, archive: bool = False
         ) -> ImportReport:
    """Import the folder, with this as its note."""
    if text:
        (folder / "Boat.md").write_text(text)
    content = read_import(folder)
    return workspace.write("import", lambda writer: write_import(
        writer, content, archive_gone=archive)).result


def values(workspace: Workspace) -> dict[str, Value]:
    """What holds of the boat, by its words."""
    with workspace.read() as reader:
        boat = find_entity(reader, "Boat")
        return {value.content: value for aspect in aspects_of(reader, boat.id)
                for group in aspect.groups for claim in group.claims for value in claim.values}


def told(workspace: Workspace) -> set[str]:
    return {*values(workspace)}


def test_what_is_no_longer_in_a_note_is_told_and_stays(workspace: Workspace, notes: Path) -> None:
    assert take(workspace, notes, FIRST).no_longer is None
    assert take(workspace, notes).no_longer is None, "nothing has changed"
    report = take(workspace, notes, CHANGED)
    assert report.no_longer is not None
    assert (report.no_longer.count, report.no_longer.archived) == (2, False)
    assert tuple(sorted(report.no_longer.first)) == GONE
    assert told(workspace) == {"The boat is moored at pier A.", "The boat is moored at pier B.",
                               "Length: 9 m", "Colour: white", "Colour: blue"}


def test_it_is_archived_where_that_is_wanted_and_no_agent_is_told(
    workspace: Workspace, notes: Path
) -> None:
    take(workspace, notes, FIRST)
    before = dump(workspace)
    report = take(workspace, notes, CHANGED, archive=True)
    assert report.no_longer is not None
    assert report.no_longer.archived
    assert told(workspace) == {"The boat is moored at pier B.", "Length: 9 m", "Colour: blue"}
    with workspace.read() as reader:
        boat = get_entity(reader, find_entity(reader, "Boat").id)
        assert boat is not None
        assert boat.description == "The boat is moored at pier B.", "as the note describes it now"
        hits = [hit for hit in recall(reader, "Where is the boat moored?").hits
                if not hit.outdated]
        assert [hit.memory.content for hit in hits[:1]] == ["The boat is moored at pier B."]
        assert not [hit for hit in hits if "pier A" in hit.memory.content]
    workspace.undo()
    after = dump(workspace)
    assert after["entity_attributes"] == before["entity_attributes"]
    assert after["entities"] == before["entities"]


def test_what_is_said_again_comes_back(workspace: Workspace, notes: Path) -> None:
    take(workspace, notes, FIRST)
    take(workspace, notes, CHANGED, archive=True)
    report = take(workspace, notes, FIRST, archive=True)
    assert (report.values_new, report.values_unchanged) == (2, 1)
    assert told(workspace) == {"The boat is moored at pier A.", "Length: 9 m", "Colour: white"}


def test_what_a_person_archived_does_not_come_back(workspace: Workspace, notes: Path) -> None:
    take(workspace, notes, FIRST)
    white = values(workspace)["Colour: white"]
    workspace.write("archive", lambda w: control.apply(w, "archive_claim_value", {
        "attribute_id": white.id, "force": True, "reason": "painted"}))
    assert take(workspace, notes).no_longer is None
    assert "Colour: white" not in told(workspace)


def test_only_what_came_from_there_is_looked_at(workspace: Workspace, notes: Path,
                                                tmp_path: Path) -> None:
    other = tmp_path / "memory.jsonl"
    other.write_text(json.dumps({"type": "entity", "name": "Boat", "entityType": "note",
                                 "observations": ["Has two masts"]}))
    take(workspace, notes, FIRST)
    assert take(workspace, other).no_longer is None, "another file, which says nothing of the rest"
    workspace.write("set", lambda w: control.apply(w, "set_claim_value", {
        "entity": "Boat", "aspect": "crew", "claim_key": "skipper", "value": "Mia"}))
    report = take(workspace, notes, "The boat is moored at pier A.\n", archive=True)
    assert report.no_longer is not None
    assert report.no_longer.count == 2
    assert told(workspace) == {"The boat is moored at pier A.", "Has two masts", "Mia"}


def test_what_somebody_else_says_too_stays(workspace: Workspace, notes: Path) -> None:
    take(workspace, notes, FIRST)
    white = values(workspace)["Colour: white"]
    workspace.write("say", lambda w: control.apply(w, "create_assertion", {
        "entity": "Boat", "predicate": "observed", "content": "It is white", "speaker": "Nora",
        "attribute_id": white.id, "evidence": ["seen in the harbour"]}))
    report = take(workspace, notes, CHANGED, archive=True)
    assert report.no_longer is not None
    assert report.no_longer.first == GONE[1:]
    assert "Colour: white" in told(workspace)


def test_nothing_is_archived_where_lines_were_left_out(workspace: Workspace, tmp_path: Path
                                                       ) -> None:
    memory = tmp_path / "memory.jsonl"
    vega = {"type": "entity", "name": "Boat", "entityType": "tool", "observations": ["a", "b"]}
    memory.write_text(json.dumps(vega))
    take(workspace, memory)
    memory.write_text(json.dumps({**vega, "observations": ["a"]}) + '\n{"type": "entity", "na')
    report = take(workspace, memory, archive=True)
    assert report.no_longer is not None
    assert (report.no_longer.count, report.no_longer.archived) == (1, False)
    assert told(workspace) == {"a", "b"}


def test_a_file_that_keeps_no_sources_tells_nothing(tmp_path: Path, notes: Path) -> None:
    workspace = make(OLDEST, tmp_path / "graph.db", tmp_path / "data")
    take(workspace, notes, FIRST)
    assert take(workspace, notes, CHANGED, archive=True).no_longer is None
    assert "Colour: white" in told(workspace)
    workspace.close()
