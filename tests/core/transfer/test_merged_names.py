"""What an import says of names that became one, of types that were lost, of archived entities."""

import io
import json
from typing import Any

import pytest

from core.ontology.control import apply
from core.transfer.import_report import ImportReport
from core.transfer.mcp_import import import_mcp
from core.transfer.read_mcp_file import read_mcp
from core.workspace import Workspace
from tests.core.graphs import empty_graph  # noqa: F401 - the fixture `graph`


def entity(name: str, kind: str, *facts: str) -> dict[str, Any]:
    return {"type": "entity", "name": name, "entityType": kind, "observations": list(facts)}


def relation(source: str, words: str, target: str) -> dict[str, Any]:
    return {"type": "relation", "from": source, "to": target, "relationType": words}


def take(graph: Workspace, *records: dict[str, Any]) -> ImportReport:
    file = read_mcp(io.BytesIO("\n".join(map(json.dumps, records)).encode()))
    return graph.write("import", lambda w: import_mcp(w, file)).result


CASES = {
    "names that differ in case": (
        (entity("redis", "Folder", "a"), entity("Redis", "Technology", "b")),
        ["line 2: “Redis” was merged into “redis”; its type “Technology” was not taken, it stays"
         " “Folder”"]),
    "names that differ in case, of one type": (
        (entity("redis", "tool", "a"), entity("Redis", "Tool", "b")),
        ["line 2: “Redis” was merged into “redis”"]),
    "one name of two types": (
        (entity("Mercury", "planet", "a"), entity("Mercury", "service", "b")),
        ["line 2: “Mercury”: its type “service” was not taken, it stays “planet”"]),
    "two spellings": (
        (entity("Café", "place", "a"), entity("Cafe\u0301", "place", "b")),
        ["line 2: “Cafe\u0301” was merged into “Café” (the same letters, stored in another way)"]),
    "the same again": (
        (entity("redis", "tool", "a"), entity("redis", "tool", "b"), entity("redis", "", "c")), []),
}


@pytest.mark.parametrize(("records", "notes"), CASES.values(), ids=CASES)
def test_names_of_a_file_that_become_one_are_told_with_their_line(
    graph: Workspace, records: tuple[dict[str, Any], ...], notes: list[str]
) -> None:
    report = take(graph, *records)
    assert report.entities_new == 1
    assert list(report.notes()) == notes


def test_a_relation_between_two_names_of_one_entity_is_told_and_is_no_loop(
    graph: Workspace
) -> None:
    report = take(graph, entity("redis", "tool"), entity("Redis", "tool"),
                  relation("redis", "describes", "Redis"))
    assert [item.what for item in report.problems] == [
        "relates “redis” to “Redis”, which are one name"]
    assert report.links_new == 0


def test_a_name_of_the_graph_under_another_spelling_and_type_is_told(graph: Workspace) -> None:
    take(graph, entity("Redis", "tool", "a"))
    report = take(graph, entity("REDIS", "service", "b"))
    assert list(report.notes()) == [
        "line 1: “REDIS” was merged into “Redis”; its type “service” was not taken, it stays"
        " “tool”"]


def test_names_that_a_person_merged_are_told_on_every_import(graph: Workspace) -> None:
    records = (entity("Pay Service", "tool", "a"), entity("PayService", "tool", "b"),
               relation("PayService", "same_as", "Pay Service"))
    take(graph, *records)
    graph.write("merge", lambda w: apply(w, "merge_entities", {
        "target_entity": "Pay Service", "source_entities": ["PayService"]}))
    report = take(graph, *records)
    assert list(report.notes()) == ["line 2: “PayService” was merged into “Pay Service”"]
    assert [item.what for item in report.problems] == [
        "relates “PayService” to “Pay Service”, which are one entity"]


@pytest.mark.parametrize("facts", [0, 1, 2])
def test_an_archived_entity_stays_archived_and_is_told_with_its_values(
    graph: Workspace, facts: int
) -> None:
    take(graph, entity("Spike", "tool", "a"))
    graph.write("archive", lambda w: apply(w, "archive_entity", {"entity": "Spike"}))
    report = take(graph, entity("Spike", "tool", *"xy"[:facts]))
    its = ("", "; its 1 value was left out", "; its 2 values were left out")[facts]
    assert list(report.notes()) == [f"line 1: “Spike” is archived and stays so{its}"]
    with graph.read() as reader:
        assert reader.rows("SELECT 1 FROM entities WHERE status = 'active'") == []


def test_names_that_lead_to_an_archived_entity_do_not_come_back(graph: Workspace) -> None:
    take(graph, entity("Spike", "tool", "a"), entity("Spike 2", "tool", "b"))
    graph.write("merge", lambda w: apply(w, "merge_entities", {
        "target_entity": "Spike", "source_entities": ["Spike 2"]}))
    graph.write("archive", lambda w: apply(w, "archive_entity", {"entity": "Spike"}))
    report = take(graph, entity("Spike 2", "tool", "b", "new"))
    assert (report.entities_new, report.values_new) == (0, 0)
    assert list(report.notes()) == [
        "line 1: “Spike” is archived and stays so; its 2 values were left out"]
