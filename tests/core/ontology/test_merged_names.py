"""What was merged or archived does not come back: its names lead to what it became."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from core.ingest.payload import Remembered
from core.ingest.remember import remember
from core.ontology.control import apply
from core.queries.entities import find_entity, get_entity
from core.transfer.mcp_import import ImportReport, import_mcp
from core.transfer.read_mcp_file import read_mcp
from core.workspace import Workspace
from tests.contracts.files import KINDS, Dump, dump, make

FILE: list[dict[str, Any]] = [
    {"type": "entity", "name": "Payment Service", "entityType": "service",
     "observations": ["Handles card payments"]},
    {"type": "entity", "name": "Payment-Service", "entityType": "service",
     "observations": ["Handles card payments quickly"]},
    {"type": "entity", "name": "PaymentService", "entityType": "service",
     "observations": ["Written in Go"]},
    {"type": "relation", "from": "Payment Service", "to": "Payment-Service",
     "relationType": "same_as"},
]
MERGE = {"target_entity": "Payment Service",
         "source_entities": ["Payment-Service", "PaymentService"]}


@pytest.fixture(params=KINDS)
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    workspace = make(request.param, tmp_path / "g.db", tmp_path / "side")
    yield workspace
    workspace.close()


def take(graph: Workspace, records: list[dict[str, Any]]) -> ImportReport:
    file = read_mcp(io.BytesIO("\n".join(map(json.dumps, records)).encode()))
    return graph.write("import", lambda w: import_mcp(w, file)).result


def merged(graph: Workspace) -> None:
    take(graph, FILE)
    graph.write("merge", lambda w: apply(w, "merge_entities", MERGE))


def names(graph: Workspace) -> set[str]:
    with graph.read() as reader:
        return {row["name"] for row in reader.rows(
            "SELECT name FROM entities WHERE agent_id = :agent AND name LIKE 'pay%'")}


def values(graph: Workspace) -> set[str]:
    with graph.read() as reader:
        return {row["content"] for row in reader.rows(
            "SELECT v.content FROM entity_attributes v JOIN entity_aspects s"
            " ON s.id = v.aspect_id WHERE s.entity_id = :id AND v.status = 'active'",
            id=find_entity(reader, "Payment Service").id)}


def all_rows(graph: Workspace) -> Dump:
    """Every row, without the records that undo leaves and what an import keeps of its lines."""
    return {table: rows for table, rows in dump(graph).items()
            if table not in ("ontology_proposals", "entity_dependency_history", "source_fields")}


def test_what_was_merged_does_not_grow_back_by_an_import(graph: Workspace) -> None:
    merged(graph)
    before = all_rows(graph)
    done = take(graph, FILE)
    assert (done.entities_new, done.values_new, done.links_new) == (0, 0, 0)
    assert names(graph) == {"Payment Service"}
    assert all_rows(graph) == before
    kept = dump(graph)
    take(graph, FILE)
    assert dump(graph) == kept


def test_what_is_new_in_the_file_goes_to_what_it_became(graph: Workspace) -> None:
    merged(graph)
    newer = [{**FILE[1], "observations": [*FILE[1]["observations"], "Moved to Rust"]},
             {**FILE[2], "observations": ["Moved to Rust", "Owned by Ines"]}]
    done = take(graph, newer)
    assert (done.entities_new, done.values_new) == (0, 2)
    assert names(graph) == {"Payment Service"}
    assert values(graph) == {"Handles card payments", "Handles card payments quickly",
                             "Written in Go", "Moved to Rust", "Owned by Ines"}


@pytest.mark.parametrize("payload", [
    {"content": "PaymentService is slow"},
    {"content": "It is slow", "structured": {"entities": [
        {"name": "PaymentService", "entityType": "project"}]}},
    {"content": "It needs Go", "structured": {"entities": [
        {"source": "Payment-Service", "sourceType": "project", "relationship": "uses",
         "target": "Golang", "targetType": "tool"}]}},
    {"content": "It is slow", "structured": {"aspects": [
        {"entityName": "payment-service", "entityType": "project", "aspect": "speed",
         "attributes": [{"content": "It is slow"}]}]}},
], ids=["text", "named", "triple", "structured"])
def test_what_was_merged_does_not_grow_back_by_remembering(
    graph: Workspace, payload: dict[str, Any]
) -> None:
    merged(graph)
    with graph.read() as reader:
        id = find_entity(reader, "Payment Service").id
    report = graph.write("remember", lambda w: remember(w, Remembered.read(payload))).result
    assert id in report.entity_ids
    assert names(graph) == {"Payment Service"}


def test_a_name_in_small_letters_is_noticed_in_text_where_it_was_written_so(
    graph: Workspace
) -> None:
    take(graph, [{"type": "entity", "name": name, "entityType": "tool"}
                 for name in ("Pay Cache", "pay-cache")])
    graph.write("merge", lambda w: apply(w, "merge_entities", {
        "target_entity": "Pay Cache", "source_entities": ["pay-cache"]}))
    report = graph.write("remember", lambda w: remember(
        w, Remembered.read({"content": "then pay-cache was slow"}))).result
    with graph.read() as reader:
        assert report.entity_ids == (find_entity(reader, "Pay Cache").id,)


def test_operations_and_lookups_find_what_it_became(graph: Workspace) -> None:
    merged(graph)
    graph.write("create", lambda w: apply(w, "create_entity", {"name": "payment-service"}))
    graph.write("aspect", lambda w: apply(
        w, "create_aspect", {"entity": "PaymentService", "aspect": "speed"}))
    assert names(graph) == {"Payment Service"}
    with graph.read() as reader:
        one = find_entity(reader, "paymentservice")
        entity = get_entity(reader, one.id)
        assert entity is not None
        assert set(entity.aliases) == {"Payment-Service", "PaymentService"}


def test_undo_brings_all_of_them_back_and_the_names_with_them(graph: Workspace) -> None:
    take(graph, FILE)
    before = all_rows(graph)
    graph.write("merge", lambda w: apply(w, "merge_entities", MERGE))
    after = all_rows(graph)
    graph.undo()
    assert all_rows(graph) == before
    assert names(graph) == {"Payment Service", "Payment-Service", "PaymentService"}
    graph.redo()
    assert all_rows(graph) == after


def test_names_go_on_when_what_it_became_is_merged_itself(graph: Workspace) -> None:
    merged(graph)
    graph.write("again", lambda w: apply(w, "merge_entities", {
        "target_entity": "Harbor Ledger", "source_entities": ["Payment Service"],
        "force": True}))
    with graph.read() as reader:
        for name in ("Payment Service", "payment-service", "PaymentService"):
            assert find_entity(reader, name).name == "Harbor Ledger"
    assert take(graph, FILE).entities_new == 0


def test_the_name_it_was_imported_under_leads_on_too(graph: Workspace) -> None:
    take(graph, FILE)
    if graph.kind == "signet":
        with graph.read() as reader:
            if not reader.has_column("entities", "source_id"):
                pytest.skip("this file does not keep where an entity came from")
    graph.write("rename", lambda w: apply(w, "rename_entity", {
        "entity": "PaymentService", "new_name": "Paysvc"}))
    graph.write("merge", lambda w: apply(w, "merge_entities", {
        "target_entity": "Payment Service", "source_entities": ["Paysvc"]}))
    assert take(graph, FILE[2:3]).entities_new == 0
    with graph.read() as reader:
        assert find_entity(reader, "Paysvc").name == "Payment Service"


def test_another_agent_may_use_the_name_for_its_own(graph: Workspace) -> None:
    merged(graph)
    with graph.read() as reader:
        reader.agent = "rival"
        assert reader.rows("SELECT 1 FROM entity_aliases WHERE agent_id = :agent") == []
