"""The published test cases of the reference memory server, re-told with data of our own.

Each asks the same and expects the same answer. One thing differs on purpose: names that differ only
in case are one entity here.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from core.model.asked import MCP
from core.queries.find_by_name_or_id import find_entity
from core.settings import Settings
from core.transfer.export_file import EXPORT_FORMATS, export_graph
from core.workspace import Workspace
from explorer.cli.mcp_command import take_over
from explorer.graph_for_caller import Door, Engine
from explorer.mcp.reference_server_tools import MEMORY_TOOLS

Call = Callable[..., Any]
TOOLS = {tool.name: tool for tool in MEMORY_TOOLS}
LAMP = {"name": "Lamp", "entityType": "device", "observations": ["turns at dusk"]}
KEEPER = {"name": "Keeper", "entityType": "person", "observations": ["sleeps by day"]}
ROCK = {"name": "Rock", "entityType": "place", "observations": []}
TENDS = {"from": "Keeper", "to": "Lamp", "relationType": "tends"}
STANDS = {"from": "Lamp", "to": "Rock", "relationType": "stands on"}


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Workspace]:
    with closing(Workspace.open(tmp_path / "graph.db", data_dir=tmp_path / "data",
                                create=True)) as workspace:
        yield workspace


@pytest.fixture
def call(graph: Workspace) -> Call:
    """A tool of the nine by its name: the object that it answers."""
    door = Door(graph, Engine(Settings()), "client via MCP", MCP)
    return lambda tool, **given: TOOLS[tool].call(door, given).structured


def names(answer: Any) -> list[str]:
    return [entity["name"] for entity in answer["entities"]]


def test_creating_answers_what_is_new_once(call: Call) -> None:
    assert call("create_entities", entities=[LAMP, KEEPER]) == {"entities": [LAMP, KEEPER]}
    assert call("read_graph") == {"entities": [LAMP, KEEPER], "relations": []}
    assert call("create_entities", entities=[LAMP]) == {"entities": []}
    assert call("create_entities", entities=[{**LAMP, "observations": ["is new"]}, ROCK]) == {
        "entities": [ROCK]}
    assert call("create_entities", entities=[]) == {"entities": []}
    assert names(call("read_graph")) == ["Lamp", "Keeper", "Rock"]
    assert call("open_nodes", names=["Lamp"])["entities"] == [LAMP]


def test_a_repeat_within_one_call_is_created_once(call: Call) -> None:
    made = call("create_entities", entities=[ROCK, {**ROCK, "observations": ["again"]}])
    assert made == {"entities": [ROCK]}
    assert names(call("read_graph")) == ["Rock"]


def test_relating_answers_what_is_new_once(call: Call) -> None:
    call("create_entities", entities=[LAMP, KEEPER])
    assert call("create_relations", relations=[TENDS]) == {"relations": [TENDS]}
    assert call("create_relations", relations=[TENDS]) == {"relations": []}
    assert call("create_relations", relations=[]) == {"relations": []}
    assert call("read_graph")["relations"] == [TENDS]


def test_observations_are_added_once_and_only_to_what_is_there(call: Call) -> None:
    call("create_entities", entities=[LAMP])
    added = call("add_observations", observations=[
        {"entityName": "Lamp", "contents": ["is white", "was oiled"]}])
    assert added == {"results": [
        {"entityName": "Lamp", "addedObservations": ["is white", "was oiled"]}]}
    again = call("add_observations", observations=[
        {"entityName": "Lamp", "contents": ["is white", "hums"]}])
    assert again["results"][0]["addedObservations"] == ["hums"]
    assert call("read_graph")["entities"][0]["observations"] == [
        "turns at dusk", "is white", "was oiled", "hums"]
    with pytest.raises(Exception, match="Entity with name Buoy not found"):
        call("add_observations", observations=[{"entityName": "Buoy", "contents": ["floats"]}])


def test_deleting_entities_takes_their_relations_along(call: Call) -> None:
    call("create_entities", entities=[LAMP, KEEPER, ROCK])
    call("create_relations", relations=[TENDS, STANDS])
    assert call("delete_entities", entityNames=["Lamp"])["success"]
    assert call("read_graph") == {"entities": [KEEPER, ROCK], "relations": []}
    assert not call("delete_entities", entityNames=["Buoy"])["success"]
    assert names(call("read_graph")) == ["Keeper", "Rock"]


def test_deleting_observations_leaves_the_others(call: Call) -> None:
    both = {**LAMP, "observations": ["turns at dusk", "is white"]}
    call("create_entities", entities=[both])
    assert call("delete_observations", deletions=[
        {"entityName": "Lamp", "observations": ["is white", "was never said"]}])["success"]
    assert call("read_graph")["entities"] == [LAMP]
    assert not call("delete_observations", deletions=[
        {"entityName": "Buoy", "observations": ["floats"]}])["success"]
    assert call("read_graph")["entities"] == [LAMP]


def test_deleting_relations_takes_only_the_one_that_is_meant(call: Call) -> None:
    call("create_entities", entities=[LAMP, KEEPER])
    fears = {**TENDS, "relationType": "fears"}
    call("create_relations", relations=[TENDS, fears])
    assert call("delete_relations", relations=[TENDS, {**TENDS, "relationType": "sells"}])[
        "success"]
    assert call("read_graph")["relations"] == [fears]


def test_an_empty_graph_is_read_and_a_relation_to_itself_is_one(call: Call) -> None:
    assert call("read_graph") == {"entities": [], "relations": []}
    itself = {"from": "Lamp", "to": "Lamp", "relationType": "is"}
    call("create_entities", entities=[LAMP])
    call("create_relations", relations=[itself])
    assert call("read_graph") == {"entities": [LAMP], "relations": [itself]}


@pytest.fixture
def filled(call: Call) -> Call:
    call("create_entities", entities=[LAMP, KEEPER, ROCK])
    call("create_relations", relations=[TENDS, STANDS])
    return call


@pytest.mark.parametrize(("query", "found", "relations"), [
    ("Keeper", ["Keeper"], [TENDS]),
    ("place", ["Rock"], [STANDS]),
    ("sleeps", ["Keeper"], [TENDS]),
    ("KEEPER", ["Keeper"], [TENDS]),
    ("Lamp", ["Lamp"], [TENDS, STANDS]),
    ("e", ["Lamp", "Keeper", "Rock"], [TENDS, STANDS]),
    ("Buoy", [], []),
])
def test_a_search_looks_in_names_types_and_observations_in_any_case(
    filled: Call, query: str, found: list[str], relations: list[Any]
) -> None:
    answer = filled("search_nodes", query=query)
    assert (names(answer), answer["relations"]) == (found, relations)


@pytest.mark.parametrize(("asked", "found", "relations"), [
    (["Keeper", "Lamp"], ["Lamp", "Keeper"], [TENDS, STANDS]),
    (["Lamp"], ["Lamp"], [TENDS, STANDS]),
    (["Keeper"], ["Keeper"], [TENDS]),
    (["Rock"], ["Rock"], [STANDS]),
    (["Buoy"], [], []),
    ([], [], []),
])
def test_opening_tells_the_entities_with_every_relation_of_theirs(
    filled: Call, asked: list[str], found: list[str], relations: list[Any]
) -> None:
    answer = filled("open_nodes", names=asked)
    assert (names(answer), answer["relations"]) == (found, relations)


def test_what_was_stored_is_there_for_the_next_server(filled: Call, graph: Workspace) -> None:
    with closing(Workspace.open(graph.path, data_dir=graph.path.parent / "data")) as other:
        door = Door(other, Engine(Settings()), "client via MCP", MCP)
        for tool, given in (("read_graph", {}), ("search_nodes", {"query": "Lamp"}),
                            ("open_nodes", {"names": ["Lamp", "Rock"]})):
            answer = TOOLS[tool].call(door, given).structured
            assert answer == filled(tool, **given)
            assert all("type" not in part for part in (*answer["entities"], *answer["relations"]))


def test_names_that_differ_only_in_case_are_one_here(call: Call, graph: Workspace) -> None:
    call("create_entities", entities=[LAMP])
    assert call("create_entities", entities=[{**LAMP, "name": "LAMP"}]) == {"entities": []}
    assert names(call("open_nodes", names=["lamp"])) == ["Lamp"]
    with graph.read() as reader:
        assert find_entity(reader, "LAMP", "active")["name"] == "Lamp"


LINES = (
    {"type": "entity", **LAMP},
    {"type": "entity", **KEEPER},
    {"type": "entity", "name": "Großer Fels 岩", "entityType": "Place", "observations": ["“wet”"]},
    {"type": "relation", **TENDS},
    {"type": "relation", "from": "Lamp", "to": "Großer Fels 岩", "relationType": "stands on"},
)


def given_back(graph: Workspace, file: Path) -> list[Any]:
    """The graph as the reference server's file, exported as the command and the menu do.

    The time that each entity gets beside is a field that the server does not read.
    """
    file.unlink(missing_ok=True)
    with graph.read() as reader:
        export_graph(reader, EXPORT_FORMATS["mcp"], file)
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [{name: part for name, part in line.items() if name != "createdAt"} for line in lines]


def test_its_file_is_taken_over_and_given_back_with_the_same_content(
    call: Call, graph: Workspace, tmp_path: Path
) -> None:
    file, back = tmp_path / "memory.jsonl", tmp_path / "back.jsonl"
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
                   for line in LINES)
    file.write_text(text, encoding="utf-8")
    take_over(graph, file)
    assert len(call("read_graph")["entities"]) == 3
    assert given_back(graph, back) == [*LINES]
    assert file.read_text(encoding="utf-8") == text
    call("add_observations", observations=[{"entityName": "Lamp", "contents": ["hums"]}])
    assert given_back(graph, back)[0] == {**LINES[0], "observations": ["turns at dusk", "hums"]}


def test_a_key_in_its_file_and_a_file_that_is_not_there_are_told(
    graph: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "memory.jsonl"
    take_over(graph, file)
    assert f"There is no {file} yet" in capsys.readouterr().err
    key = {**LAMP, "observations": ["The password for staging is Kx7!qpzz2"]}
    file.write_text(json.dumps({"type": "entity", **key}), encoding="utf-8")
    take_over(graph, file)
    told = capsys.readouterr().err
    assert all(words in told for words in ("“Lamp”", "password"))
    assert "Kx7" not in told


def test_lines_of_its_file_that_cannot_be_read_do_not_keep_the_others_out(
    call: Call, graph: Workspace, tmp_path: Path
) -> None:
    file = tmp_path / "memory.jsonl"
    file.write_text("\n".join((
        json.dumps(LINES[0]), '{"type":"entity","name":"Cut', "42", "null", "", "   ",
        '{"type":"entity","name":"Keeper","entityType":"person","observations":["sleeps by day"],'
        '"extra":1}', '{"type":"note","text":"?"}', json.dumps(LINES[3]))) + "\n",
        encoding="utf-8")
    take_over(graph, file)
    assert call("read_graph") == {"entities": [LAMP, KEEPER], "relations": [TENDS]}
