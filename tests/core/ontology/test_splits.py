"""A wrong merge of any age is undone: chosen parts go to a new entity."""

import io
import json
from typing import Any

import pytest

from core.errors import OperationError
from core.ontology.control import apply
from core.queries.entities import find_entity, get_entities
from core.queries.knowledge import aspects_of
from core.queries.links import links_of
from core.queries.memories import memories_of
from core.transfer.mcp_import import import_mcp
from core.transfer.read_mcp_file import read_mcp
from core.workspace import Workspace
from tests.core.graphs import empty_graph  # noqa: F401 - the fixture `graph`

FILE: tuple[dict[str, Any], ...] = (
    {"type": "entity", "name": "Mercury", "entityType": "planet", "observations": ["Has no moon"]},
    {"type": "entity", "name": "mercury mails", "entityType": "service",
     "observations": ["Sends the mails"]},
    {"type": "entity", "name": "Sun", "entityType": "star", "observations": []},
    {"type": "relation", "from": "Mercury", "to": "Sun", "relationType": "circles"},
    {"type": "relation", "from": "mercury mails", "to": "Sun", "relationType": "uses"})


@pytest.fixture
def merged(graph: Workspace) -> Workspace:
    """Two things that have nothing in common but a name, merged."""
    file = read_mcp(io.BytesIO("\n".join(map(json.dumps, FILE)).encode()))
    graph.write("import", lambda w: import_mcp(w, file))
    do(graph, "merge_entities", target="Mercury", sources=["mercury mails"], force=True)
    return graph


def do(graph: Workspace, operation: str, **payload: Any) -> Any:
    return graph.write(operation, lambda w: apply(w, operation, payload)).result


def told(graph: Workspace, name: str) -> tuple[list[str], list[str], list[str]]:
    """An entity's values, memories and links."""
    with graph.read() as reader:
        id = find_entity(reader, name).id
        values = [value.content for aspect in aspects_of(reader, id) for group in aspect.groups
                  for claim in group.claims for value in claim.values]
        return (values, [memory.content for memory in memories_of(reader, id)],
                [link.words for link in links_of(reader, id)])


def parts(graph: Workspace) -> dict[str, list[str]]:
    """What belongs to the mail service, by ids."""
    with graph.read() as reader:
        value = reader.value("SELECT id FROM entity_attributes WHERE content = 'Sends the mails'")
        link = reader.value("SELECT id FROM entity_dependencies WHERE dependency_type = 'uses'")
    return {"values": [value], "links": [link]}


def test_chosen_values_and_links_go_with_the_mentions_of_their_memories(merged: Workspace) -> None:
    do(merged, "split_entity", entity="Mercury", new_name="mercury mails", entity_type="service",
       **parts(merged))
    assert told(merged, "Mercury") == (["Has no moon"], ["Has no moon"], ["circles"])
    assert told(merged, "mercury mails") == (["Sends the mails"], ["Sends the mails"], ["uses"])
    with merged.read() as reader:
        [old, new] = get_entities(reader, [find_entity(reader, "Mercury").id,
                                           find_entity(reader, "mercury mails").id])
    assert (old.mentions, new.mentions, new.entity_type) == (1, 1, "service")


def test_an_import_of_the_file_brings_nothing_back_after_a_split(merged: Workspace) -> None:
    do(merged, "split_entity", entity="Mercury", new_name="mercury mails", **parts(merged))
    file = read_mcp(io.BytesIO("\n".join(map(json.dumps, FILE)).encode()))
    report = merged.write("import", lambda w: import_mcp(w, file)).result
    assert (report.entities_new, report.values_new, report.links_new) == (0, 0, 0)


def test_undo_puts_all_of_it_back(merged: Workspace) -> None:
    before = told(merged, "Mercury")
    do(merged, "split_entity", entity="Mercury", new_name="mercury mails", **parts(merged))
    merged.undo()
    assert told(merged, "Mercury") == before
    assert told(merged, "mercury mails") == before, "the name leads to it again"


def test_a_whole_aspect_goes_and_a_second_part_to_the_same_entity(merged: Workspace) -> None:
    wanted = parts(merged)
    do(merged, "split_entity", entity="Mercury", new_name="Mail", values=wanted["values"])
    do(merged, "split_entity", entity="Mercury", new_name="Mail", aspects=["observations"])
    assert sorted(told(merged, "Mail")[0]) == ["Has no moon", "Sends the mails"]
    assert told(merged, "Mercury")[0] == []


@pytest.mark.parametrize("payload", [
    {"new_name": "Mercury", "aspects": ["observations"]}, {"new_name": "Mail"},
    {"new_name": "Mail", "values": ["no such value"]}, {"new_name": "Mail", "aspects": ["none"]}])
def test_what_cannot_be_split_is_refused(merged: Workspace, payload: dict[str, Any]) -> None:
    with pytest.raises(OperationError):
        do(merged, "split_entity", entity="Mercury", **payload)
