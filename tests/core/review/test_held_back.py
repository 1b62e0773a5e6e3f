"""What a held hand wrote is told to nobody until a person has seen it, on every generation."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import OperationError
from core.model.inbox import OTHER, InboxItem
from core.ontology.control import apply
from core.queries.assertions import assertions_of
from core.queries.entities import get_entities, list_entities
from core.queries.hide_writes_of_held_agents import held_rows, leaving_out_held
from core.queries.knowledge import aspects_of
from core.recall.hybrid import recall
from core.review import inbox_acts
from core.review.unseen_writes_inbox import find_item, inbox
from core.session.start import start
from core.settings import Settings
from core.store.reader_and_writer import Reader, Writer
from core.transfer import reference_server_tool_calls as tools
from core.transfer.reference_server_nodes import Edge, Node
from core.traversal.focal import resolve
from core.traversal.focal_signals import Signals
from core.traversal.walk import walk
from core.workspace import Workspace
from tests.contracts.files import KINDS, dump, make, without_records
from tests.core.graphs import Asked, Graph

BOT = "claude via MCP"
QUESTION = "What is the rate of the Tide API?"


@pytest.fixture(params=KINDS)
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    workspace = make(request.param, tmp_path / "graph.db", tmp_path / "side")
    workspace.write("look", inbox_acts.keep_all)
    workspace.write("remember", _written, actor=BOT)
    yield workspace
    workspace.close()


def _written(writer: Any) -> None:
    made = Graph(writer, "2099-01-01 10:00:00")
    made.memory("The rate is 200 a minute now", "e-tide", id="m-new", updated_by=BOT)
    made.value("a-tide", "rate 200 a minute", "burst", id="v-new", memory_id="m-new")
    made.entity("Quay Lamp", "tool", id="e-new")
    made.link("e-tide", "e-new", id="d-new")
    made.memory("Quay Lamp is green", "e-new", id="m-lamp", updated_by=BOT)


def told(reader: Reader) -> str:
    """All that a walk, recall and the start of a session say about the question."""
    settings = Settings()
    focal = resolve(reader, Signals(QUESTION), settings.traversal)
    walked = walk(reader, focal, settings.traversal)
    answer = recall(reader, QUESTION, settings.recall)
    started = start(reader, Signals(QUESTION), settings)
    lines = [*(m.content for m in walked.memories), *walked.shortfalls,
             *(c.content for c in walked.constraints), *walked.entity_ids,
             *(hit.memory.content for hit in answer.hits), *answer.notes, started.text]
    return "\n".join(lines)


def tell(graph: Workspace) -> str:
    with graph.read() as reader:
        return told(reader)


def held(graph: Workspace) -> None:
    """Both hands: of a link whose memory is not on record nobody knows who wrote it."""
    graph.write("hold", lambda writer: [inbox_acts.hold(writer, by) for by in ("Claude", OTHER)])


def item(graph: Workspace, id: str) -> InboxItem:
    with graph.read() as reader:
        return find_item(reader, id)


def keep(graph: Workspace, *ids: str) -> None:
    items = [item(graph, id) for id in ids]
    graph.write("keep", lambda writer: inbox_acts.keep(writer, items))


def test_what_is_held_is_in_no_answer_and_each_says_so(graph: Workspace) -> None:
    before = tell(graph)
    assert "200 a minute" in before
    assert "e-new" in before
    rows = dump(graph)
    held(graph)
    silent = tell(graph)
    assert "200 a minute" not in silent
    assert "e-new" not in silent
    assert silent.count("facts wait until a person has seen them") >= 3
    assert without_records(dump(graph), rows) == rows  # nothing of the file was touched
    assert all(one.waits for one in inbox_items(graph))
    graph.undo()
    assert tell(graph) == before


def test_lists_and_pages_show_what_is_held_with_a_mark(graph: Workspace) -> None:
    def marked() -> tuple[list[str], list[bool], list[str]]:
        with graph.read() as reader:
            listed = [row.id for row in list_entities(reader, text="Quay Lamp") if row.held]
            pages = [entity.held for entity in get_entities(reader, ["e-new", "e-tide"])]
            values = [value.id for aspect in aspects_of(reader, "e-tide")
                      for group in aspect.groups for claim in group.claims
                      for value in claim.values if value.held]
            return listed, pages, values

    assert marked() == ([], [False, False], [])
    held(graph)
    assert marked() == (["e-new"], [True, False], ["v-new"])
    with graph.read() as reader:
        assert all(row.held for row in list_entities(reader, text="burst 200") if row.fact)
    keep(graph, *(one.key for one in inbox_items(graph)))
    assert marked() == ([], [False, False], [])


def inbox_items(graph: Workspace) -> tuple[InboxItem, ...]:
    with graph.read() as reader:
        return inbox(reader).items


def test_kept_is_told_and_undo_holds_it_again(graph: Workspace) -> None:
    held(graph)
    keep(graph, "value v-new")
    assert "rate 200 a minute" in tell(graph)
    assert "The rate is 200" not in tell(graph)
    graph.undo()
    assert "200 a minute" not in tell(graph)
    keep(graph, *(one.key for one in inbox_items(graph)))
    assert "200 a minute" in tell(graph)
    assert "until a person" not in tell(graph)


def test_an_entity_is_told_with_the_first_thing_of_it_that_is_kept(graph: Workspace) -> None:
    held(graph)
    keep(graph, "link d-new")
    assert "e-new" in tell(graph)


def test_released_is_told_at_once(graph: Workspace) -> None:
    before = tell(graph)
    held(graph)
    graph.write("release", lambda writer: [inbox_acts.release(writer, by) for by in (BOT, OTHER)])
    assert tell(graph) == before


def test_what_a_held_value_replaced_is_told_until_it_is_kept(graph: Workspace) -> None:
    with graph.read() as reader:
        if not reader.has_column("entity_attributes", "claim_key"):
            pytest.skip("this generation has no claims")
    claim = {"entity": "e-tide", "aspect": "a-tide", "claim_key": "colour", "force": True}
    graph.write("say", lambda writer: apply(
        writer, "set_claim_value", {**claim, "value": "hull is red"}), actor="cursor")
    for value in ("hull is green", "hull is blue"):
        graph.write("say", lambda writer, value=value: apply(
            writer, "set_claim_value", {**claim, "value": value}, force=True), actor=BOT)
    question = "Tide API hull"
    settings = Settings()

    def hulls() -> set[str]:
        with graph.read() as reader:
            texts = [hit.memory.content for hit in recall(reader, question).hits]
            texts.append(start(reader, Signals(question), settings).text)
            return {colour for colour in ("red", "green", "blue")
                    if any(f"hull is {colour}" in text for text in texts)}

    assert hulls() == {"blue"}
    held(graph)
    assert hulls() == {"red"}
    [newest] = [one for one in inbox_items(graph) if "blue" in one.text]
    keep(graph, newest.key)
    assert hulls() == {"blue"}


def test_an_assertion_of_a_held_hand_is_told_once_it_is_kept(graph: Workspace) -> None:
    with graph.read() as reader:
        if not reader.has_column("epistemic_assertions", "predicate"):
            pytest.skip("this generation has no assertions")
    said = {"entity": "e-tide", "predicate": "claims", "speaker": "Ines"}
    first = graph.write("note", lambda writer: apply(
        writer, "create_assertion", {**said, "content": "the hull is red"})).result

    def say(writer: Writer) -> None:
        id = first.result["assertionId"]
        for content in ("the hull is green", "the hull is blue"):
            made = apply(writer, "supersede_assertion", {
                "id": id, "content": content, "evidence": [{"quote": content}]})
            id = made.result["assertionId"]

    graph.write("say", say, actor=BOT)

    def saying() -> list[str]:
        with graph.read() as reader, leaving_out_held(reader):
            return [one.content for one in assertions_of(reader, "e-tide")
                    if "hull" in one.content]

    assert saying() == ["the hull is blue"]
    held(graph)
    assert saying() == ["the hull is red"]
    [newest] = [one for one in inbox_items(graph) if "blue" in one.text]
    assert (newest.kind, newest.text) == ("assertion", "Ines claims: the hull is blue")
    keep(graph, newest.key)
    assert saying() == ["the hull is blue"]
    graph.undo()
    graph.write("forget", lambda writer: inbox_acts.forget(writer, newest))
    assert newest.key not in {one.key for one in inbox_items(graph)}
    graph.undo()
    assert newest.key in {one.key for one in inbox_items(graph)}


def test_an_aspect_with_nothing_but_what_is_held_is_not_told(graph: Workspace) -> None:
    def change(writer: Any) -> None:
        made = Graph(writer, "2099-01-01 10:00:00")
        made.aspect("e-tide", "Hull", id="a-hull")
        made.memory("The hull is green", "e-tide", id="m-hull", updated_by=BOT)
        made.value("a-hull", "hull is green", id="v-hull", memory_id="m-hull")

    graph.write("remember", change, actor=BOT)

    def names() -> set[str]:
        with graph.read() as reader, leaving_out_held(reader):
            return {aspect.name for aspect in aspects_of(reader, "e-tide")}

    shown = names()
    held(graph)
    assert shown - names() == {"Hull"}
    keep(graph, "value v-hull")
    assert names() == shown


def test_the_hand_alone_decides_nothing(graph: Workspace) -> None:
    held(graph)
    kept = item(graph, "value v-new")
    for act in (lambda writer: inbox_acts.keep(writer, [kept]), inbox_acts.keep_all,
                lambda writer: inbox_acts.release(writer, BOT)):
        with pytest.raises(OperationError, match="Only a person"):
            graph.write("free myself", act, actor=BOT)
    with pytest.raises(OperationError, match="is a person"):
        graph.write("hold", lambda writer: inbox_acts.hold(writer, "operator"))


def test_a_rehearsal_hides_it_as_well_and_the_writer_sees_all_again(graph: Workspace) -> None:
    held(graph)

    def change(writer: Writer) -> tuple[str, object]:
        return told(writer), writer.value("SELECT content FROM memories WHERE id = 'm-new'"
                                          " AND agent_id = :agent")

    silent, content = graph.rehearse(change).result
    assert "200 a minute" not in silent
    assert content == "The rate is 200 a minute now"
    keep(graph, "memory m-new")
    assert "The rate is 200" in tell(graph)


def test_what_the_tools_of_the_memory_server_write_is_new_once_and_held(graph: Workspace) -> None:
    def write(writer: Writer) -> None:
        tools.create_entities(writer, [Node("Quay Bell", "tool", ("Quay Bell is brass",))])
        tools.create_relations(writer, [Edge("Quay Bell", "Tide API", "rings for")])

    graph.write("tools", write, actor=BOT)
    new = [(one.kind, one.by) for one in inbox_items(graph) if "Quay Bell" in one.text]
    with graph.read() as reader:
        if not reader.has_column("memories", "source_type"):
            pytest.skip("this generation does not tell where a memory is from")
    assert sorted(new) == [("entity", BOT), ("link", BOT), ("value", BOT)]

    def brass() -> bool:
        with graph.read() as reader:
            hits = recall(reader, "Quay Bell brass", Settings().recall).hits
        return "Quay Bell is brass" in [hit.memory.content for hit in hits]

    assert brass()
    graph.write("hold", lambda writer: inbox_acts.hold(writer, BOT))
    assert not brass()
    [value] = [one for one in inbox_items(graph) if one.text == "Quay Bell is brass"]
    keep(graph, value.key)
    assert brass()


def test_another_agents_question_does_not_bring_it_either(graph: Workspace) -> None:
    held(graph)
    graph.with_agent("rival")
    assert "200 a minute" not in tell(graph)


def test_where_nobody_is_held_nothing_is_looked_for(graph: Workspace) -> None:
    with graph.read() as reader:
        assert not held_rows(reader)
        asked = Asked(reader)
        told(reader)
        assert not any("hidden_rows" in sql for sql, _ in asked.statements)
