"""Every field and time of a file is kept; what is folded is said with its line."""

import io
import json
from typing import Any

import pytest

from core.model.times import parse_time
from core.ontology.control import apply
from core.store import disk_backed_collections
from core.transfer.import_report import ImportReport
from core.transfer.mcp_export import mcp_records
from core.transfer.mcp_import import import_mcp
from core.transfer.read_mcp_file import read_mcp
from core.workspace import Workspace
from tests.core.graphs import empty_graph  # noqa: F401 - the fixture `graph`

FILE: list[dict[str, Any]] = [
    {"type": "entity", "name": "redis", "entityType": "folder", "observations": ["Holds files"],
     "createdAt": 1768402102, "createdBy": "importer", "tags": ["a", {"b": 1}]},
    {"type": "entity", "name": "Vega", "entityType": "project", "observations": [
        "Sails fast", {"text": "Sold", "createdAt": "2025-01-02T03:04:05Z", "by": "Ada"}]},
    {"type": "relation", "from": "Vega", "to": "redis", "relationType": "reads from",
     "attributes": {"protected": True}, "context": "dev", "createdAt": "2025-05-08T08:58:19.324Z"},
    {"type": "relation", "from": "Vega", "to": "redis", "relationType": "writes to", "weight": 2},
]


def take(graph: Workspace, *records: dict[str, Any]) -> ImportReport:
    file = read_mcp(io.BytesIO("\n".join(map(json.dumps, records)).encode()))
    return graph.write("import", lambda w: import_mcp(w, file)).result


def export(graph: Workspace) -> list[dict[str, Any]]:
    with graph.read() as reader:
        return list(mcp_records(reader))


def test_an_export_gives_back_every_field(graph: Workspace) -> None:
    take(graph, *FILE)
    redis, vega, reads, writes = export(graph)
    assert redis == FILE[0]
    assert vega["observations"] == FILE[1]["observations"]
    assert reads == FILE[2]
    assert writes == FILE[3]


def test_what_an_export_gives_imports_to_the_same(graph: Workspace) -> None:
    take(graph, *FILE)
    first = export(graph)
    again = take(graph, *first)
    assert (again.entities_new, again.values_new, again.links_new) == (0, 0, 0)
    assert export(graph) == first


def test_kept_fields_are_named_once_with_their_first_line(graph: Workspace) -> None:
    notes = list(take(graph, *FILE, {**FILE[0], "name": "Altair"}).notes())
    assert ("line 1: its field “createdBy” is kept, and only an MCP export has it again (2 records)"
            in notes)
    assert "line 3: its field “context” is kept, and only an MCP export has it again" in notes


@pytest.mark.parametrize("when", [
    1746694699, 1746694699.5, 1746694699324, "1746694699", 1746694699324000,
    "2025-05-08T08:58:19Z", "2025-05-08 08:58:19"])
def test_a_relation_keeps_its_time_in_every_form(graph: Workspace, when: object) -> None:
    take(graph, {**FILE[2], "createdAt": when})
    with graph.read() as reader:
        made = parse_time(reader.value("SELECT created_at FROM entity_dependencies"))
    assert made is not None
    assert made.isoformat().startswith("2025-05-08T08:58:19")


def test_what_is_no_time_is_said_and_kept(graph: Workspace) -> None:
    notes = list(take(graph, {**FILE[0], "createdAt": "last spring"}).notes())
    assert "line 1: its field “createdAt” is no time" in notes
    assert export(graph)[0]["createdAt"] == "last spring"


FOLDS = {
    "the same fact": ({"type": "entity", "name": "Vega", "observations": ["sails  FAST"]},
                      "line 5: an observation is there already: sails FAST"),
    "the same relation": (FILE[2], "line 5: is there already: “Vega” reads from “redis” (line 3)"),
    "a loop": ({"type": "relation", "from": "Vega", "to": "Vega", "relationType": "tests"},
               "line 5: relates “Vega” to itself: tests"),
    "one link for two": (
        {"type": "relation", "from": "Vega", "to": "redis", "relationType": "keeps"},
        "line 5: “Vega” keeps “redis” shares the link of line 3 (reads from)"),
}


@pytest.mark.parametrize(("record", "note"), FOLDS.values(), ids=FOLDS)
def test_what_is_folded_is_said_with_its_line(
    graph: Workspace, record: dict[str, Any], note: str
) -> None:
    assert note in list(take(graph, *FILE, record).notes())


def test_what_names_that_became_one_gave_up_is_kept(graph: Workspace) -> None:
    take(graph, FILE[0], {"type": "entity", "name": "Redis", "entityType": "tool"},
         {"type": "relation", "from": "redis", "to": "Redis", "relationType": "serves", "x": 1})
    with graph.read() as reader:
        kept = [json.loads(row["fields"]) for row in reader.rows(
            "SELECT fields FROM source_fields")]
    assert {"name": "Redis", "entityType": "tool"} in kept
    assert export(graph)[-1] == {"type": "relation", "from": "redis", "to": "Redis",
                                 "relationType": "serves", "x": 1}


def test_fields_follow_a_merge_and_an_undo(graph: Workspace) -> None:
    take(graph, *FILE)
    graph.write("merge", lambda w: apply(
        w, "merge_entities", {"target": "Vega", "source": "redis", "force": True}))
    assert export(graph)[0]["createdBy"] == "importer"
    graph.undo()
    graph.undo()
    with graph.read() as reader:
        assert reader.value("SELECT COUNT(*) FROM source_fields") == 0


def test_a_type_may_be_called_just_that(graph: Workspace) -> None:
    """Some tools write the type of an entity or a relation as `type`."""
    document = {"entities": [{"name": "Ada", "type": "person", "observations": ["Sails"]}],
                "relations": [{"from": "Ada", "to": "Vega", "type": "owns"}]}
    report = take(graph, document)
    assert not report.problems
    ada, _, owns = export(graph)
    assert (ada["entityType"], ada["observations"]) == ("person", ["Sails"])
    assert owns["relationType"] == "owns"


def test_a_fact_said_twice_is_told_however_short_it_is(graph: Workspace) -> None:
    notes = list(take(graph, {**FILE[0], "observations": ["0", "0"]}).notes())
    assert "line 1: an observation is there already: 0" in notes


def test_white_space_of_a_fact_is_kept(graph: Workspace) -> None:
    take(graph, {**FILE[0], "observations": ["  one\n\ttwo "]})
    assert export(graph)[0]["observations"] == ["  one\n\ttwo "]


def test_facts_are_told_apart_by_their_words_not_by_a_hash(
    graph: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.transfer.observation_buffer.hash", lambda _: 0, raising=False)
    monkeypatch.setattr(disk_backed_collections, "IN_MEMORY", 1)
    texts = ["one", "two", "One", "three", "two"]
    take(graph, {**FILE[0], "observations": texts})
    assert export(graph)[0]["observations"] == ["one", "two", "three"]
