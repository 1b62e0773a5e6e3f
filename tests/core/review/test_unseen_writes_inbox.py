"""The inbox on files of every generation: what is new, what is done with it, and each undone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.model.inbox import KINDS as KINDS_OF_ITEM
from core.model.inbox import InboxItem
from core.ontology.control import apply
from core.review import inbox_acts
from core.review.unseen_writes_inbox import MOST, find_item, inbox
from core.workspace import Workspace
from tests.contracts.files import KINDS, dump, make, without_records
from tests.core.graphs import Asked, Graph

BOT = "claude via MCP"


@pytest.fixture(params=KINDS)
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    workspace = make(request.param, tmp_path / "graph.db", tmp_path / "side")
    workspace.write("look", inbox_acts.keep_all)
    yield workspace
    workspace.close()


def written(graph: Workspace, actor: str = BOT) -> None:
    """An agent, or a person, notes a memory about an entity, and its value."""
    def change(writer: Any) -> None:
        made = Graph(writer, "2099-01-01 10:00:00")
        made.memory("The rate is 200 a minute now", "e-tide", id="m-new", updated_by=actor)
        made.value("a-tide", "200 a minute", "burst", id="v-new", memory_id="m-new")

    graph.write("remember", change, actor=actor)


def items(graph: Workspace) -> list[InboxItem]:
    with graph.read() as reader:
        return list(inbox(reader).items)


def keys(graph: Workspace) -> set[str]:
    return {one.key for one in items(graph)}


def test_what_an_agent_writes_is_new_and_what_a_person_writes_is_not(graph: Workspace) -> None:
    assert keys(graph) == set()
    written(graph, "operator")
    assert keys(graph) == set()
    graph.undo()
    written(graph)
    assert keys(graph) == {"memory m-new", "value v-new"}
    assert {(one.by, one.entity_name, one.source_id) for one in items(graph)} == {
        (BOT, "Tide API", "m-new")}


def test_kept_is_seen_and_undo_brings_it_back(graph: Workspace) -> None:
    written(graph)
    before = dump(graph)
    with graph.read() as reader:
        item = find_item(reader, "memory m-n")
    graph.write("keep", lambda writer: inbox_acts.keep(writer, [item]))
    assert keys(graph) == {"value v-new"}
    assert without_records(dump(graph), before) == before  # nothing of the file was touched
    graph.undo()
    assert keys(graph) == {"memory m-new", "value v-new"}


def test_forget_and_pin_are_one_step_each_and_undone(graph: Workspace) -> None:
    written(graph)
    before = dump(graph)
    for act in (inbox_acts.forget, inbox_acts.pin):
        for item in items(graph):
            graph.write(act.__name__, lambda writer, act=act, item=item: act(writer, item))
            assert item.key not in keys(graph)
            graph.undo()
            assert item.key in keys(graph)
            assert without_records(dump(graph), before) == before


def test_a_value_is_corrected_by_its_next_version(graph: Workspace) -> None:
    with graph.read() as reader:
        if not reader.has_column("entity_attributes", "claim_key"):
            pytest.skip("this generation has no claims")
    written(graph)
    with graph.read() as reader:
        item = find_item(reader, "v-new")
    graph.write("correct", lambda writer: inbox_acts.correct(writer, item, "20 a minute"))
    with graph.read() as reader:
        assert reader.value("SELECT content FROM entity_attributes WHERE agent_id = :agent AND"
                            " claim_key = 'burst' AND status = 'active'") == "20 a minute"
    assert "value v-new" not in keys(graph)


def test_an_inbox_is_an_agents_own(graph: Workspace) -> None:
    written(graph)
    graph.with_agent("rival")
    assert "memory m-new" not in keys(graph)
    assert "value v-new" not in keys(graph)


def test_what_a_person_applied_is_not_new(graph: Workspace) -> None:
    with graph.read() as reader:
        if not reader.has_table("ontology_proposals"):
            pytest.skip("this generation does not say who wrote an entity")
    graph.write("pin", lambda writer: apply(writer, "create_entity", {
        "name": "Quay", "entity_type": "tool"}))
    assert keys(graph) == set()


def test_no_table_is_read_as_a_whole(graph: Workspace) -> None:
    with graph.read() as reader:
        asked = Asked(reader)
        inbox(reader)
        assert all(params["most"] == MOST for sql, params in asked.statements if "place" in sql)
        assert sum("place" in sql for sql, _ in asked.statements) == len(KINDS_OF_ITEM)
