"""What an import made up gives way to what a later one is given: a type, a name."""

import json
from functools import partial
from pathlib import Path

import pytest

from core.ontology.control import apply
from core.transfer.import_file import read_import, write_import
from core.workspace import Workspace
from tests.core.graphs import empty_graph  # noqa: F401 - the fixture `graph`

PERSON = "name,type\nJonas Petersen,person\n"


def take(graph: Workspace, path: Path) -> list[str]:
    """Import what is there; what the report says of names and types."""
    content = read_import(path)
    return list(graph.write("import", lambda w: write_import(w, content)).result.changed())


def write(place: Path, text: str) -> Path:
    place.parent.mkdir(exist_ok=True)
    place.write_text(text, "utf-8")
    return place


def known(graph: Workspace) -> dict[str, str]:
    with graph.read() as reader:
        return {row["name"]: row["entity_type"] for row in reader.rows(
            "SELECT name, entity_type FROM entities WHERE agent_id = :agent")}


@pytest.mark.parametrize("as_folder", [True, False])
def test_a_given_type_replaces_that_of_a_note_which_gives_none(
    graph: Workspace, tmp_path: Path, as_folder: bool
) -> None:
    note = write(tmp_path / "Notes" / "Jonas Petersen.md", "Jonas rows.\n")
    notes = note.parent if as_folder else note
    contacts = write(tmp_path / "contacts.csv", PERSON)
    take(graph, notes)
    assert known(graph) == {"Jonas Petersen": "note"}
    assert take(graph, contacts) == [
        "line 2: “Jonas Petersen” has the type “person” now: none was given before"]
    assert known(graph) == {"Jonas Petersen": "person"}
    assert take(graph, notes) == []
    assert known(graph) == {"Jonas Petersen": "person"}


def test_it_is_undone_with_the_import(graph: Workspace, tmp_path: Path) -> None:
    take(graph, write(tmp_path / "Notes" / "Jonas Petersen.md", "Jonas rows.\n").parent)
    take(graph, write(tmp_path / "contacts.csv", PERSON))
    graph.undo()
    assert known(graph) == {"Jonas Petersen": "note"}


@pytest.mark.parametrize("name", ["Notes/Jonas Petersen.md", "first.csv"])
def test_a_type_that_was_given_stays(graph: Workspace, tmp_path: Path, name: str) -> None:
    text = ("---\ntype: note\n---\nJonas rows.\n" if name.endswith("md")
            else PERSON.replace("person", "note"))
    take(graph, write(tmp_path / name, text))
    told = take(graph, write(tmp_path / "contacts.csv", PERSON))
    assert told == ["line 2: “Jonas Petersen”: its type “person” was not taken, it stays “note”"]
    assert known(graph) == {"Jonas Petersen": "note"}


def test_an_entity_without_a_type_gets_one(graph: Workspace, tmp_path: Path) -> None:
    take(graph, write(tmp_path / "a.jsonl", json.dumps(
        {"type": "entity", "name": "Jonas Petersen", "observations": ["rows"]})))
    take(graph, write(tmp_path / "contacts.csv", PERSON))
    assert known(graph) == {"Jonas Petersen": "person"}


def owned(tmp_path: Path) -> Path:
    return write(tmp_path / "mem0.json", json.dumps(
        {"results": [{"id": "1", "memory": "Likes tea", "user_id": "anna", "hash": "h"}]}))


def named(tmp_path: Path) -> Path:
    return write(tmp_path / "memory.jsonl", json.dumps(
        {"type": "entity", "name": "Anna", "entityType": "person", "observations": ["rows"]}))


def test_a_person_known_by_an_id_gets_the_name_with_capitals(
    graph: Workspace, tmp_path: Path
) -> None:
    take(graph, owned(tmp_path))
    assert take(graph, named(tmp_path)) == ["line 1: “anna” is called “Anna” now"]
    assert known(graph) == {"Anna": "person"}
    graph.undo()
    assert known(graph) == {"anna": "person"}


def test_a_name_that_somebody_has_set_stays(graph: Workspace, tmp_path: Path) -> None:
    take(graph, owned(tmp_path))
    for old, new in (("anna", "Anna V"), ("Anna V", "anna")):
        graph.write("rename", partial(
            apply, operation="rename_entity", payload={"entity": old, "new_name": new}))
    assert take(graph, named(tmp_path)) == ["line 1: “Anna” was merged into “anna”"]
    assert known(graph) == {"anna": "person"}
