"""Remembering as a whole: one transaction, idempotent, mention-only links, forgetting, undo."""

import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import OperationError
from core.ingest.config import IngestSettings
from core.ingest.payload import Remembered
from core.ingest.remember import content_hash, remember
from core.model.ingest_results import ForgetReport, RememberReport
from core.ontology.forget_and_link_memories import forget, take_mentions
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from tests.contracts.files import KINDS, dump, make
from tests.core.graphs import (
    Graph,
    empty_graph,  # noqa: F401 - the fixture `graph`
)

Say = Callable[..., RememberReport]
PLAN = {"content": "Nicholai decided on Bun for ooIDE.", "structured": {
    "entities": [{"source": "Nicholai", "sourceType": "person", "relationship": "works on",
                  "target": "ooIDE", "targetType": "project"}],
    "aspects": [{"entityName": "ooIDE", "aspect": "build", "attributes": [
        {"content": "bun is the package manager", "claimKey": "package manager"}]}]}}


@pytest.fixture
def say(graph: Workspace) -> Say:
    def run(content: str, **payload: Any) -> RememberReport:
        return keep(graph, {"content": content, **payload})

    return run


def keep(
    graph: Workspace, payload: object, settings: IngestSettings | None = None
) -> RememberReport:
    read = Remembered.read(payload)
    return graph.write("Remember", lambda w: remember(w, read, settings)).result


def drop(graph: Workspace, memory: str, *, force: bool = True, **more: Any) -> ForgetReport:
    return graph.write("Forget", lambda w: forget(w, memory, force=force, **more)).result


def rows(graph: Workspace, sql: str, **params: object) -> list[tuple[Any, ...]]:
    with graph.read() as reader:
        return [tuple(row) for row in reader.rows(sql, **params)]


# -- the memory itself -------------------------------------------------------------------------


def test_a_memory_keeps_what_was_said_of_it(graph: Workspace, say: Say) -> None:
    report = say("It rains", type="episodic", importance=0.9, tags="weather, harbor", who="nora",
                 project="/src/harbor", pinned=True, scope="work", visibility="private",
                 sourceType="chat", sourceId="s-1", createdAt="2026-03-14 21:40:46",
                 hints=["what is the weather?"])
    assert rows(graph, "SELECT type, importance, tags, who, project, pinned, scope, visibility,"
                       " source_type, source_id, created_at, updated_by, content_hash"
                       " FROM memories") == [
        ("episodic", 0.9, "weather,harbor", "nora", "/src/harbor", 1, "work", "private", "chat",
         "s-1", "2026-03-14T21:40:46.000Z", "you", content_hash("it rains."))]
    assert rows(graph, "SELECT memory_id, hint FROM memory_hints") == [
        (report.memory_id, "what is the weather?")]


def test_the_same_words_are_the_same_memory(graph: Workspace, say: Say) -> None:
    first = say("The run starts at seven.")
    again = say("  the run  STARTS at seven ")
    assert (again.memory_id, again.duplicate) == (first.memory_id, "content")
    assert say("The run starts at seven.", scope="work").duplicate == ""
    assert rows(graph, "SELECT count(*) FROM memories") == [(2,)]


def test_known_words_still_add_the_structure_that_is_missing(graph: Workspace, say: Say) -> None:
    first = say(PLAN["content"])
    report = keep(graph, PLAN)
    assert (report.memory_id, report.duplicate) == (first.memory_id, "content")
    assert (report.entities_inserted, report.attributes_inserted) == (2, 1)


def test_an_idempotency_key_is_remembered_once_even_after_forgetting(
    graph: Workspace, say: Say
) -> None:
    first = say("One", idempotencyKey="k-1")
    before = dump(graph)
    again = say("Something else", idempotencyKey="k-1", entities=["Harbor"])
    assert (again.memory_id, again.duplicate) == (first.memory_id, "idempotency_key")
    assert dump(graph) == before
    drop(graph, first.memory_id)
    assert say("One", idempotencyKey="k-1").duplicate == "idempotency_key"
    assert rows(graph, "SELECT is_deleted FROM memories") == [(1,)]


def test_a_key_of_another_agent_is_refused(graph: Workspace, say: Say) -> None:
    say("One", idempotencyKey="k-1")
    graph.with_agent("rival")
    with pytest.raises(OperationError, match="already used"):
        say("Two", idempotencyKey="k-1")


def test_what_was_forgotten_may_be_remembered_anew(graph: Workspace, say: Say) -> None:
    first = say("One")
    drop(graph, first.memory_id)
    second = say("One")
    assert second.duplicate == ""
    assert second.memory_id != first.memory_id


def test_it_joins_a_larger_transaction_and_fails_alone(graph: Workspace) -> None:
    def both(writer: Writer) -> None:
        remember(writer, Remembered.read({"content": "One", "entities": ["Harbor"]}))
        with pytest.raises(OperationError):
            remember(writer, Remembered.read({"content": "x" * 2000, "entities": ["Tide"]}),
                     IngestSettings(max_characters=1000))
        remember(writer, Remembered.read({"content": "Two"}))

    graph.write("Both", both)
    assert rows(graph, "SELECT content FROM memories ORDER BY 1") == [("One",), ("Two",)]
    assert len(graph.history()) == 1
    graph.undo()
    assert rows(graph, "SELECT count(*) FROM memories") == [(0,)]


def test_an_error_in_the_larger_transaction_takes_it_along(graph: Workspace) -> None:
    def fail(writer: Writer) -> None:
        remember(writer, Remembered.read(PLAN))
        raise OperationError(400, "no")

    before = dump(graph)
    with pytest.raises(OperationError):
        graph.write("Fail", fail)
    assert dump(graph) == before


# -- mention-only links ------------------------------------------------------------------------


def world(graph: Workspace, *names: str) -> None:
    graph.write("fill", lambda w: [Graph(w).entity(name) for name in names])


def named(graph: Workspace, content: str) -> set[str]:
    report = keep(graph, {"content": content})
    return {name for (name,) in rows(
        graph, "SELECT e.name FROM memory_entity_mentions n JOIN entities e ON e.id = n.entity_id"
               " WHERE n.memory_id = :id", id=report.memory_id)}


def test_plain_words_link_known_entities_and_make_none(graph: Workspace) -> None:
    world(graph, "Harbor Ledger", "AWS")
    assert named(graph, "Harbor Ledger moved to AWS. Tide API did not.") == {"Harbor Ledger", "AWS"}
    assert rows(graph, "SELECT name, mentions FROM entities ORDER BY name") == [
        ("AWS", 1), ("Harbor Ledger", 1)]
    assert rows(graph, "SELECT DISTINCT confidence FROM memory_entity_mentions") == [(0.8,)]
    assert rows(graph, "SELECT count(*) FROM entity_aspects") == [(0,)]


@pytest.mark.parametrize(("names", "content", "expected"), [
    (("Alice",), "Yesterday Alice came.", {"Alice"}),
    (("Alice",), "It was Alice's idea", {"Alice"}),
    (("New York", "York"), "She lives in New York", {"New York"}),
    (("New York", "York"), "New York is not York", {"New York", "York"}),
    (("nicholai",), "then nicholai said so", {"nicholai"}),
    (("Rose",), "the rose is red", set()),
    (("will",), "we will see", set()),
    (("Élodie", "Мария"), "Élodie met Мария", {"Élodie", "Мария"}),
    (("東京",), "東京 is far", {"東京"}),
    (("ooIDE",), "open ooIDE now", {"ooIDE"}),
    (("Node.js", "C++"), "Node.js and C++ here", {"Node.js", "C++"}),
    (("Harbor",), "Not here. Ledger of Harbor", {"Harbor"}),
    (("Monday",), "On Monday we ship", set()),
])
def test_a_name_is_found_where_it_is_meant(
    graph: Workspace, names: tuple[str, ...], content: str, expected: set[str]
) -> None:
    world(graph, *names)
    assert named(graph, content) == expected


def test_archived_entities_and_those_of_others_are_not_linked(graph: Workspace) -> None:
    def fill(writer: Writer) -> None:
        Graph(writer).entity("Spike", status="archived")
        Graph(writer).entity("Rival", agent_id="rival")

    graph.write("fill", fill)
    assert named(graph, "Spike and Rival") == set()


def test_a_task_gains_no_weight_by_being_mentioned(graph: Workspace) -> None:
    graph.write("fill", lambda w: Graph(w).entity("Deploy Harbor", "task"))
    assert named(graph, "We talked of Deploy Harbor") == {"Deploy Harbor"}
    assert rows(graph, "SELECT mentions FROM entities") == [(0,)]


def test_a_long_text_is_linked_in_bounded_work(graph: Workspace) -> None:
    world(graph, "Harbor")
    long = "Harbor " + " ".join(f"Word{n} And Other{n}" for n in range(20_000))
    assert named(graph, long) == {"Harbor"}


# -- forgetting (reference f.7, n.5) -----------------------------------------------------------


def test_forgetting_takes_its_mention_back_and_its_values(graph: Workspace, say: Say) -> None:
    kept = keep(graph, PLAN)
    say("Nicholai sails", entities=[{"name": "Nicholai", "type": "person"}])
    report = drop(graph, kept.memory_id, reason="wrong")
    assert (report.mentions_removed, report.attributes_retired, report.orphans) == (2, 1, ())
    assert rows(graph, "SELECT name, mentions FROM entities ORDER BY name") == [
        ("Nicholai", 1), ("ooIDE", 0)]
    assert rows(graph, "SELECT status, superseded_by FROM entity_attributes") == [
        ("superseded", None)]
    assert rows(graph, "SELECT count(*) FROM entity_dependencies") == [(0,)]
    assert rows(graph, "SELECT event, reason, old_content FROM memory_history"
                       " WHERE event = 'deleted'") == [
        ("deleted", "wrong", PLAN["content"])]


def test_an_entity_that_only_it_told_of_goes_with_it(graph: Workspace, say: Say) -> None:
    report = drop(graph, say("One", entities=[
        {"source": "Alice", "relationship": "knows", "target": "Bobby"}]).memory_id)
    assert (report.entities_orphaned, report.orphans) == (2, ("Alice", "Bobby"))
    assert rows(graph, "SELECT count(*) FROM entities") == [(0,)]


def test_the_other_end_of_a_dangling_link_stays(graph: Workspace, say: Say) -> None:
    say("Zero", entities=["Bobby"])
    drop(graph, say("One", entities=[
        {"source": "Alice", "relationship": "knows", "target": "Bobby"}]).memory_id)
    assert rows(graph, "SELECT name, mentions FROM entities") == [("Bobby", 1)]
    assert rows(graph, "SELECT count(*) FROM entity_dependencies") == [(0,)]


def test_a_link_that_another_memory_bears_out_stays(graph: Workspace, say: Say) -> None:
    entities = [{"source": "Alice", "relationship": "knows", "target": "Bobby"}]
    first = say("One", entities=entities)
    say("Two", entities=entities)
    drop(graph, first.memory_id)
    assert rows(graph, "SELECT count(*) FROM entity_dependencies") == [(1,)]


def test_three_mentions_become_two(graph: Workspace) -> None:
    ids = graph.write("fill", lambda w: [
        Graph(w).entity("Three", mentions=3), Graph(w).entity("Zero", mentions=0),
        Graph(w).entity("Other", mentions=0, agent_id="rival")]).result
    assert [fate["why"] != "" for fate in graph.write(
        "Less", lambda w: take_mentions(w, [ids[0]])).result] == [True]
    assert graph.write("Nothing", lambda w: take_mentions(w, [])).result == []
    assert rows(graph, "SELECT name, mentions FROM entities ORDER BY name") == [
        ("Other", 0), ("Three", 2), ("Zero", 0)]


@pytest.mark.parametrize("keep_it", [
    lambda g, id: g.aspect(id, "facts", status="archived"),
    lambda g, id: g.alias(id, "the one"),
    lambda g, id: g.assertion(id, "It exists"),
    lambda g, id: g.task(id),
    lambda g, id: g.writer.update("entities", id, pinned=1),
    lambda g, id: g.writer.mute(id, "2026-03-14T00:00:00.000Z"),
    lambda g, id: g.writer.update("entities", id, proposal_id="p-1"),
    lambda g, id: g.link(id, g.entity("Far"), proposal_id="p-1"),
], ids=["aspect", "alias", "assertion", "task", "pinned", "muted", "made by an operation",
        "stated link"])
def test_an_entity_that_is_more_than_a_name_stays(
    graph: Workspace, keep_it: Callable[[Graph, str], object]
) -> None:
    def fill(writer: Writer) -> str:
        g = Graph(writer)
        id = g.entity("Kept", mentions=1)
        keep_it(g, id)
        return id

    id = graph.write("fill", fill).result
    fates = graph.write("Less", lambda w: take_mentions(w, [id])).result
    assert [fate["why"] != "" for fate in fates] == [True]
    assert rows(graph, "SELECT name FROM entities WHERE name = 'Kept'") == [("Kept",)]


def test_forgetting_takes_a_constraint_in_force_only_with_force(graph: Workspace) -> None:
    memory = keep(graph, {"content": "We decided to deploy only on Mondays", "aspects": [
        {"entityName": "Harbor", "aspect": "deploys",
         "attributes": [{"content": "Deploy only on Mondays"}]}]}).memory_id
    with pytest.raises(OperationError, match="constraint in force"):
        drop(graph, memory, force=False)
    assert drop(graph, memory, force=True).attributes_retired == 1
    assert rows(graph, "SELECT status FROM entity_attributes") == [("superseded",)]


def test_forgetting_refuses_what_is_not_there_or_pinned(graph: Workspace, say: Say) -> None:
    memory = say("One", pinned=True).memory_id
    with pytest.raises(OperationError) as pinned:
        drop(graph, memory, force=False)
    assert pinned.value.status == 409
    graph.with_agent("rival")
    with pytest.raises(OperationError) as foreign:
        drop(graph, memory, force=False)
    assert foreign.value.status == 404
    graph.with_agent("default")
    assert drop(graph, memory, force=True).memory_id == memory
    with pytest.raises(OperationError, match="not found"):
        drop(graph, memory, force=False)


# -- every generation, and any order -----------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_every_generation_of_file_takes_it_and_gives_it_back(kind: str, tmp_path: Path) -> None:
    graph = make(kind, tmp_path / "g.db", tmp_path / "side")
    before = dump(graph)
    first = keep(graph, {**PLAN, "hints": ["what builds ooIDE?"], "idempotencyKey": "k"})
    after = dump(graph)
    assert keep(graph, {**PLAN, "hints": ["what builds ooIDE?"]}).memory_id == first.memory_id
    assert dump(graph) == after
    drop(graph, first.memory_id)
    graph.undo()
    assert without_history(dump(graph)) == without_history(after)
    while graph.undo_step():
        graph.undo()
    assert without_history(dump(graph)) == without_history(before)
    graph.close()


def without_history(found: dict[str, list[tuple]]) -> dict[str, list[tuple]]:
    """Without the records that undo leaves in place by design."""
    records = (
        "memory_history", "automatic_changes", "ontology_proposals", "entity_dependency_history")
    return {table: rows for table, rows in found.items() if table not in records}


NAMES = st.sampled_from(("Alice", "bobby", "Harbor Ledger", "Status", "東京", "Tide <b>", "Anna"))
TEXTS = st.sampled_from((
    "Alice met Bobby", "We decided to use Qt", "the run starts at 7", "the run starts at 8",
    "Harbor Ledger likes spicy food", "Harbor Ledger doesn't like spicy food", "x 🚢", "a\x00b"))
VALUES = st.fixed_dictionaries({"content": TEXTS}, optional={
    "claimKey": st.sampled_from(("start", "food")), "kind": st.sampled_from(
        ("attribute", "constraint")), "confidence": st.floats(0, 1)})
PAYLOADS = st.fixed_dictionaries({"content": TEXTS}, optional={
    "entities": st.lists(NAMES | st.fixed_dictionaries(
        {"source": NAMES, "relationship": st.sampled_from(("knows", "uses", "related to")),
         "target": NAMES}), max_size=3),
    "aspects": st.lists(st.fixed_dictionaries(
        {"entityName": NAMES, "aspect": st.sampled_from(("facts", "times")),
         "attributes": st.lists(VALUES, min_size=1, max_size=3)}), max_size=3),
    "createdAt": st.sampled_from(("2026-01-01", "2026-03-01")),
    "scope": st.sampled_from(("work", "home")),
})


@settings(max_examples=25)
@given(st.lists(PAYLOADS, min_size=1, max_size=5))
def test_twice_is_once_and_undo_gives_back_the_start(payloads: list[dict[str, Any]]) -> None:
    folder = Path(tempfile.mkdtemp())
    graph = make("native", folder / "g.db", folder / "side")
    try:
        states = [dump(graph)]
        for payload in payloads:
            report = keep(graph, payload)
            once = dump(graph)
            again = keep(graph, payload)
            assert (again.memory_id, again.duplicate) == (report.memory_id, "content")
            assert dump(graph) == once
            states.append(once)
        drop(graph, report.memory_id)
        graph.undo()
        assert without_history(dump(graph)) == without_history(states[-1])
        while graph.undo_step():
            graph.undo()
        assert without_history(dump(graph)) == without_history(states[0])
    finally:
        graph.close()
        shutil.rmtree(folder, ignore_errors=True)


@settings(max_examples=25)
@given(st.lists(PAYLOADS, min_size=1, max_size=4))
def test_mentions_count_the_memories_that_are_linked(payloads: list[dict[str, Any]]) -> None:
    folder = Path(tempfile.mkdtemp())
    graph = Workspace.open(folder / "g.db", data_dir=folder / "side", create=True)
    try:
        ids = {keep(graph, payload).memory_id for payload in payloads}
        count = ("SELECT name, mentions, (SELECT count(*) FROM memory_entity_mentions n"
                 " WHERE n.entity_id = e.id AND n.memory_id NOT IN"
                 " (SELECT v.id FROM entity_attributes v)) FROM entities e WHERE agent_id = :agent")
        assert all(stated == linked for _, stated, linked in rows(graph, count))
        for id in sorted(ids):
            drop(graph, id)
        assert all(stated == linked == 0 for _, stated, linked in rows(graph, count))
        assert rows(graph, "SELECT count(*) FROM entity_attributes WHERE status = 'active'") == [
            (0,)]
    finally:
        graph.close()
        shutil.rmtree(folder, ignore_errors=True)


# -- why, and what a file has no room for ------------------------------------------------------


def test_remembering_explains_what_it_did_where_that_is_asked(graph: Workspace) -> None:
    keep(graph, {"content": "One", "aspects": [
        {"entity": "ooIDE", "aspect": "build", "attributes": [
            {"content": "the build runs on bun 1", "claim": "tool"}]}]})
    read = Remembered.read({"content": "Two", "aspects": [
        {"entity": "ooIDE", "aspect": "build", "attributes": [
            {"content": "the build runs on bun 2", "claim": "tool"}]}]})
    result = graph.write("Remember", lambda w: remember(w, read, explain=True)).result.notes
    assert [(note.path, note.why) for note in result] == [
        ("$.aspects[0].entityName", "linked to the memory, which mentions “ooIDE”"),
        ("$.aspects[0].attributes[0]", "a new attribute of build · general · tool"),
        ("$.aspects[0].attributes[0]",
         "replaces “the build runs on bun 1”: it is the same claim")]
    decided = Remembered.read(PLAN)
    result = graph.write("Remember", lambda w: remember(w, decided, explain=True)).result.notes
    assert (result[0].name, result[0].why) == (
        "decided on", "reads like a decision: its values become constraints")
    assert keep(graph, PLAN).notes == ()


def test_forgetting_explains_what_goes_and_what_stays(graph: Workspace) -> None:
    memory = keep(graph, PLAN).memory_id
    told = drop(graph, memory, explain=True).notes
    assert [(note.path, note.name, note.why) for note in told] == [
        ("value", "bun is the package manager", "it is based on this memory"),
        ("link", "Nicholai works_on ooIDE", "no other memory supports it"),
        ("entity", "Nicholai", "removed: no other memory mentions it"),
        ("entity", "ooIDE", "stays: it has aspects")]


def test_a_file_without_slots_says_that_it_keeps_none(tmp_path: Path) -> None:
    told = {**PLAN, "visibility": "private", "scope": "work", "hints": ["which manager?"]}
    for kind, lost in (("signet-071", set()), ("signet-030", {
            ("$.aspects[0].attributes[0].claimKey", "package_manager"), ("$.scope", "work"),
            ("$.visibility", "private"), ("$.hints", "which manager?")})):
        graph = make(kind, tmp_path / f"{kind}.db", tmp_path / "side")
        report = keep(graph, told)
        assert {(item.path, item.name) for item in report.skipped
                if item.reason == "not_kept"} >= lost
        assert all(item.do for item in report.skipped)
        if not lost:
            assert not [item for item in report.skipped if "claimKey" in item.path]
        graph.close()


def test_in_a_file_without_owners_a_memory_is_everybodys(tmp_path: Path) -> None:
    graph = make("signet-030", tmp_path / "g.db", tmp_path / "side")
    first = keep(graph, {"content": "Zoë sails", "entities": [{"name": "Zoë", "type": "person"}]})
    graph.with_agent("rival")
    again = keep(graph, {"content": "Zoë sails"})
    assert (again.memory_id, again.duplicate) == (first.memory_id, "content")
    with pytest.raises(OperationError) as refused:
        drop(graph, first.memory_id, force=False)
    assert (refused.value.status, "Another agent" in refused.value.what) == (409, True)
    assert drop(graph, first.memory_id, force=True).mentions_removed == 0
    assert rows(graph, "SELECT name, mentions FROM entities WHERE name = 'Zoë'") == [("Zoë", 1)]
    graph.close()


def test_agents_may_say_the_same_where_hashes_are_unique_across_them(tmp_path: Path) -> None:
    graph = make("signet-071", tmp_path / "g.db", tmp_path / "side")
    graph.close()
    file = sqlite3.connect(tmp_path / "g.db")
    file.executescript(
        "ALTER TABLE memories ADD COLUMN content_hash TEXT;"
        "ALTER TABLE memories ADD COLUMN agent_id TEXT DEFAULT 'default';"
        "CREATE UNIQUE INDEX idx_memories_content_hash_unique ON memories(content_hash)"
        " WHERE is_deleted = 0 AND content_hash IS NOT NULL;")
    file.close()
    graph = Workspace.open(tmp_path / "g.db", data_dir=tmp_path / "side")
    mine = keep(graph, {"content": "Zoë sails"})
    graph.with_agent("rival")
    theirs = keep(graph, {"content": "Zoë sails"})
    assert (theirs.duplicate, theirs.memory_id == mine.memory_id) == ("", False)
    assert keep(graph, {"content": "Zoë sails"}).memory_id == theirs.memory_id
    graph.close()


@pytest.mark.parametrize(("agent", "said", "seen"), [
    ("default", None, "global"), ("atlas", None, "private"),
    ("atlas", "global", "global"), ("default", "private", "private")])
def test_what_another_agent_remembers_is_its_own_where_nothing_is_said(graph, agent, said, seen):
    graph.with_agent(agent)
    graph.write("remember", lambda w: remember(
        w, Remembered(content="The sea is calm", visibility=said)))
    with graph.read() as reader:
        assert reader.value("SELECT visibility FROM memories") == seen
