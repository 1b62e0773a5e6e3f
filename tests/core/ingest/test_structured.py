"""Structured remember (seed 001): triples, aspects, values, what they replace, weak links."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from core.ingest.config import IngestSettings
from core.ingest.decision_wording import decision_words
from core.ingest.payload import Remembered
from core.ingest.remember import remember
from core.learning.config import SupersessionSettings
from core.model.ingest_results import RememberReport
from core.ontology.proposals import apply_proposal, reject_proposal
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from tests.contracts.files import make
from tests.core.graphs import (
    Graph,
    empty_graph,  # noqa: F401 - the fixture `graph`
)

Say = Callable[..., RememberReport]
QUIET = SupersessionSettings(enabled=False)


@pytest.fixture
def say(graph: Workspace) -> Say:
    """Remembers a payload; the retroactive pass is tested by itself."""
    def run(content: str = "A memory", settings: IngestSettings | None = None,
            **payload: Any) -> RememberReport:
        read = Remembered.read({"content": content, **payload})
        return graph.write("Remember", lambda w: remember(w, read, settings, QUIET)).result

    return run


def rows(graph: Workspace, sql: str, **params: object) -> list[tuple[Any, ...]]:
    with graph.read() as reader:
        return [tuple(row) for row in reader.rows(sql, **params)]


def triple(source: str, word: str, target: str, **more: object) -> dict[str, object]:
    return {"source": source, "relationship": word, "target": target, **more}


def block(entity: str, aspect: str, *values: object, **more: object) -> dict[str, object]:
    return {"entityName": entity, "aspect": aspect, **more, "attributes": [
        {"content": value} if isinstance(value, str) else value for value in values]}


# -- triples (reference n.5) -------------------------------------------------------------------


def test_one_triple_makes_two_entities_one_relation_and_two_mentions(
    graph: Workspace, say: Say
) -> None:
    report = say(entities=[triple("Alice", "works_with", "Bobby", confidence=0.9)])
    assert (report.entities_inserted, report.relations_inserted) == (2, 1)
    assert report.mentions_linked == 2
    assert rows(graph, "SELECT canonical_name, mentions, entity_type FROM entities"
                       " ORDER BY name") == [("alice", 1, "extracted"), ("bobby", 1, "extracted")]
    assert rows(graph, "SELECT dependency_type, strength, confidence, reason"
                       " FROM entity_dependencies") == [
        ("works_with", 1.0, 0.9, f"extracted from memory {report.memory_id}")]
    assert rows(graph, "SELECT mention_text, confidence FROM memory_entity_mentions"
                       " ORDER BY 1") == [("Alice", 0.9), ("Bobby", 0.9)]


def test_names_are_one_whatever_their_case(graph: Workspace, say: Say) -> None:
    say("One", entities=[triple("Alice", "knows", "Bobby", confidence=0.8)])
    report = say("Two", entities=[triple("ALICE", "knows", "  bobby ", confidence=0.6)])
    assert (report.entities_inserted, report.entities_updated) == (0, 2)
    assert (report.relations_inserted, report.relations_updated) == (0, 1)
    assert rows(graph, "SELECT name, mentions FROM entities ORDER BY name") == [
        ("Alice", 2), ("Bobby", 2)]
    assert rows(graph, "SELECT round(confidence, 3) FROM entity_dependencies") == [(0.7,)]


def test_a_signet_file_keeps_the_running_mean_in_its_relations(tmp_path: Path) -> None:
    graph = make("signet-071", tmp_path / "g.db", tmp_path / "side")
    for content, sure in (("One", 0.8), ("Two", 0.6), ("Three", 0.4)):
        read = Remembered.read({"content": content, "entities": [
            triple("Alice", "works with", "Bobby", confidence=sure)]})
        graph.write("Remember", lambda w, read=read: remember(w, read))
    assert rows(graph, "SELECT mentions, round(confidence, 3), strength FROM relations"
                       " WHERE relation_type = 'works with'") == [(3, 0.6, 1.0)]
    assert rows(graph, "SELECT count(*) FROM entity_dependencies"
                       " WHERE dependency_type = 'works_with'") == [(1,)]
    graph.close()


def test_the_same_memory_again_links_nothing_and_counts_nothing(
    graph: Workspace, say: Say
) -> None:
    entities = [triple("Alice", "knows", "Bobby")]
    say(entities=entities)
    again = say(entities=entities)
    assert (again.duplicate, again.mentions_linked, again.relations_updated) == ("content", 0, 0)
    assert rows(graph, "SELECT DISTINCT mentions FROM entities") == [(1,)]
    assert rows(graph, "SELECT count(*) FROM memory_entity_mentions") == [(2,)]


def test_told_of_again_an_entity_counts_up_and_says_when_it_was_last_seen(
    graph: Workspace, say: Say
) -> None:
    days = ("2026-03-01T10:00:00.000Z", "2026-03-05T10:00:00.000Z")
    for day in days:
        say(f"Said on {day}", entities=[triple("Alice", "knows", "Bobby")], createdAt=day)
    assert rows(graph, "SELECT mentions, confidence, source, last_seen_at FROM entities"
                       " WHERE name = 'Alice'") == [(2, 1.0, "extraction", days[1])]


def test_a_refused_end_leaves_no_mention_of_the_other(graph: Workspace, say: Say) -> None:
    report = say(entities=[triple("Sender", "said", "Signet", sourceType="person"), triple(
        "Signet Daily Digest — 2026-05-10", "summarized", "Signet Desktop", sourceType="event")])
    assert (report.entities_inserted, report.mentions_linked) == (2, 2)
    assert [(s.path, s.reason) for s in report.skipped] == [
        ("$.entities[0].source", "generic_or_scaffolding_name")]
    assert rows(graph, "SELECT name FROM entities ORDER BY name") == [
        ("Signet Daily Digest — 2026-05-10",), ("Signet Desktop",)]


def test_a_better_type_replaces_extracted_and_nothing_else(graph: Workspace, say: Say) -> None:
    say("One", entities=["Signet", {"name": "Harbor", "type": "project"}])
    say("Two", entities=[{"name": "Signet", "type": "system"}, {"name": "Harbor", "type": "tool"}])
    assert rows(graph, "SELECT name, entity_type FROM entities ORDER BY name") == [
        ("Harbor", "project"), ("Signet", "system")]


def test_an_alias_is_the_entity(graph: Workspace, say: Say) -> None:
    graph.write("fill", lambda w: (lambda g: g.alias(g.entity("Nicholai"), "nick v"))(Graph(w)))
    say(entities=[triple("Nick V", "built", "Signet")])
    assert rows(graph, "SELECT name FROM entities ORDER BY name") == [("Nicholai",), ("Signet",)]


def test_what_was_archived_does_not_come_back(graph: Workspace, say: Say) -> None:
    def fill(writer: Writer) -> None:
        g = Graph(writer)
        g.entity("Spike", status="archived")
        kept = g.entity("Harbor")
        g.aspect(kept, "Lost", status="archived")
        g.value(g.aspect(kept, "Rules"), "old rule", status="deleted")
        g.link(kept, g.entity("Tide"), "uses", status="archived")

    graph.write("fill", fill)
    report = say(
        entities=[triple("Spike", "uses", "Harbor"), triple("Harbor", "uses", "Tide")],
        aspects=[block("Spike", "x", "y"), block("Harbor", "lost", "y"),
                 block("Harbor", "Rules", "Old rule")])
    assert [s.reason for s in report.skipped] == [
        "archived", "link_archived", "archived", "aspect_archived", "deleted_before"]
    assert all(s.do for s in report.skipped)
    assert rows(graph, "SELECT mentions FROM entities WHERE name = 'Spike'") == [(0,)]
    assert rows(graph, "SELECT status FROM entity_dependencies") == [("archived",)]


def test_a_stated_link_replaces_a_guessed_one_and_a_decided_one_keeps_its_numbers(
    graph: Workspace, say: Say
) -> None:
    say("One", aspects=[block("Bravo", "a", "b"), block("Charlie", "a", "b")])
    report = say("Two", entities=[triple("Bravo", "related to", "Charlie", confidence=0.8)])
    assert rows(graph, "SELECT strength, confidence, reason FROM entity_dependencies") == [
        (1.0, 0.8, f"extracted from memory {report.memory_id}")]
    graph.write("decide", lambda w: w.update_where(
        "entity_dependencies", "1", {"reason": "a person said so", "confidence": 1.0}))
    say("Three", entities=[triple("Bravo", "related to", "Charlie", confidence=0.2)])
    assert rows(graph, "SELECT confidence FROM entity_dependencies") == [(1.0,)]


def test_another_agents_entity_is_neither_found_nor_touched(graph: Workspace, say: Say) -> None:
    graph.write("fill", lambda w: Graph(w).entity("Secret Plan", agent_id="rival", mentions=4))
    report = say(entities=[triple("Secret Plan", "uses", "Tide Works")])
    assert report.entities_inserted == 2
    assert rows(graph, "SELECT agent_id, mentions FROM entities WHERE name = 'Secret Plan'"
                       " ORDER BY agent_id") == [("default", 1), ("rival", 4)]


# -- values ------------------------------------------------------------------------------------


def test_a_value_lands_in_its_slot_with_its_memory(graph: Workspace, say: Say) -> None:
    report = say(aspects=[block("Harbor", "Schedule", {
        "content": "starts at seven", "groupKey": "Nightly Run", "claimKey": "Start Time"})])
    assert (report.entities_inserted, report.aspects_inserted, report.attributes_inserted) == (
        1, 1, 1)
    assert rows(graph, "SELECT kind, content, group_key, claim_key, confidence, importance,"
                       " version, version_root_id = id, memory_id FROM entity_attributes") == [
        ("attribute", "starts at seven", "nightly_run", "start_time", 0.7, 0.5, 1, 1,
         report.memory_id)]
    assert rows(graph, "SELECT confidence FROM memory_entity_mentions WHERE memory_id = :id",
                id=report.memory_id) == [(0.7,)]


def test_the_same_words_in_an_aspect_are_one_value(graph: Workspace, say: Say) -> None:
    say("One", aspects=[block("Harbor", "facts", "Ships on Friday")])
    report = say("Two", aspects=[block("Harbor", "facts", "ships  on friday", "Ships on Friday")])
    assert (report.attributes_inserted, report.attributes_known) == (0, 2)


def test_the_same_words_under_two_claims_are_two_values(graph: Workspace, say: Say) -> None:
    report = say(aspects=[block("Harbor", "hosts", {"content": "linux", "claimKey": "server"},
                                {"content": "linux", "claimKey": "laptop"})])
    assert report.attributes_inserted == 2


def test_a_new_value_of_a_claim_replaces_the_one_it_updates(graph: Workspace, say: Say) -> None:
    at = {"claimKey": "start"}
    say("One", aspects=[block("Harbor", "times", {"content": "the run starts at 7", **at})])
    report = say("Two", aspects=[block("Harbor", "times",
                                       {"content": "the run starts at 8", **at})])
    assert report.attributes_superseded == 1
    assert rows(graph, "SELECT content, status, version, superseded_by IS NOT NULL,"
                       " previous_attribute_id IS NOT NULL FROM entity_attributes"
                       " ORDER BY version") == [
        ("the run starts at 7", "superseded", 1, 1, 0), ("the run starts at 8", "active", 2, 0, 1)]
    assert len(rows(graph, "SELECT DISTINCT version_root_id FROM entity_attributes")) == 1


def test_a_value_replaces_nothing_outside_its_slot(graph: Workspace, say: Say) -> None:
    for number, (group, claim) in enumerate((("a", "start"), ("b", "start"), ("a", "end"))):
        say(f"Memory {number}", aspects=[block("Harbor", "times", {
            "content": f"the run is at {number} sharp", "groupKey": group, "claimKey": claim})])
    assert rows(graph, "SELECT DISTINCT status FROM entity_attributes") == [("active",)]


def test_an_older_memory_never_replaces_a_newer_value(graph: Workspace, say: Say) -> None:
    at = {"claimKey": "start"}
    say("New", created_at="2026-03-01", aspects=[block(
        "Harbor", "times", {"content": "the run starts at 8", **at})])
    say("Old", created_at="2025-03-01", aspects=[block(
        "Harbor", "times", {"content": "the run starts at 7", **at})])
    assert rows(graph, "SELECT content, status FROM entity_attributes ORDER BY created_at") == [
        ("the run starts at 7", "superseded"), ("the run starts at 8", "active")]


# -- decisions ---------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [
    "We chose Bun over npm", "decided to ship on Friday", "decided against Kafka",
    "switched from npm to Bun", "We migrated away from Heroku", "picked Qt over Electron",
    "went with SQLite", "sticking with WAL", "committed to weekly releases", "settled on Qt",
    "we will use umap", "let's go with plan B", "prefers tabs over spaces", "adopted ruff",
    "An architecture decision: one writer", "The design decision was easy",
])
def test_the_wording_of_a_decision_is_recognised(content: str) -> None:
    assert decision_words(content)


@pytest.mark.parametrize("content", [
    "The run starts at seven", "She prefers tea", "a chosen few", "users will often use it"])
def test_other_wording_is_no_decision(content: str) -> None:
    assert not decision_words(content)


def test_a_decision_makes_constraints(graph: Workspace, say: Say) -> None:
    report = say("We decided to deploy only on Mondays", aspects=[
        block("Harbor", "deploys", "deploy only on Mondays",
              {"content": "Mondays are quiet", "kind": "attribute"})])
    assert report.decision
    assert rows(graph, "SELECT kind, importance FROM entity_attributes ORDER BY kind") == [
        ("attribute", 0.5), ("constraint", 0.85)]
    assert rows(graph, "SELECT type, importance FROM memories WHERE source_type IS NOT 'claim'"
                ) == [("decision", 0.85)]


def test_a_persons_decision_replaces_the_one_of_its_claim(graph: Workspace, say: Say) -> None:
    for number in (7, 8):
        report = say(f"We decided to start at {number}", aspects=[block("Harbor", "times", {
            "content": f"the run starts at {number}", "claimKey": "start"})])
    assert rows(graph, "SELECT kind, status FROM entity_attributes ORDER BY seq") == [
        ("constraint", "superseded"), ("constraint", "active")]
    assert (report.attributes_superseded, report.disputes) == (1, ())


def test_a_fact_that_is_decided_becomes_a_constraint(graph: Workspace, say: Say) -> None:
    say("A fact", aspects=[block("Harbor", "deploys", "deploy on Mondays")])
    say("We decided to deploy on Mondays", aspects=[block("Harbor", "deploys",
                                                          "Deploy on Mondays")])
    assert rows(graph, "SELECT kind, status FROM entity_attributes ORDER BY seq") == [
        ("attribute", "superseded"), ("constraint", "active")]


# -- caps --------------------------------------------------------------------------------------


def test_the_eleventh_aspect_is_proposed_with_what_could_go(graph: Workspace, say: Say) -> None:
    report = say(aspects=[block("Harbor", f"aspect {n}", "a value") for n in range(11)])
    assert (report.aspects_inserted, report.skipped) == (10, ())
    (proposed,) = report.proposed
    assert (proposed.path, proposed.name) == ("$.aspects[10].attributes[0]", "a value")
    assert proposed.what == "“Harbor” has its 10 aspects"
    assert proposed.could_go == ("aspect 0", "aspect 1", "aspect 2")
    again = say("More", aspects=[block("Harbor", "aspect 3", "another value")])
    assert again.attributes_inserted == 1


def full(graph: Workspace, say: Say) -> RememberReport:
    """25 values in one aspect, the fourth of them the weakest, and one more."""
    values = [{"content": f"item {n} is here", "claimKey": f"c{n}",
               "importance": 0.1 if n == 3 else 0.6} for n in range(26)]
    return say(aspects=[block("Harbor", "list", *values)])


def test_the_26th_value_is_proposed_with_what_could_go(graph: Workspace, say: Say) -> None:
    report = full(graph, say)
    assert (report.attributes_inserted, report.skipped) == (25, ())
    (proposed,) = report.proposed
    assert (proposed.path, proposed.name) == ("$.aspects[0].attributes[25]", "item 25 is here")
    assert proposed.could_go[0] == "item 3 is here"
    ((rationale,),) = rows(graph, "SELECT rationale FROM ontology_proposals WHERE id = :id",
                           id=proposed.proposal_id)
    assert rationale.startswith("The aspect “list” has its 25 values. What could go for it: “item")
    assert rows(graph, "SELECT count(*) FROM memories WHERE source_type IS NOT 'claim'") == [(1,)]


def test_an_approved_26th_value_is_in_force_and_undo_takes_it_back(
    graph: Workspace, say: Say
) -> None:
    (proposed,) = full(graph, say).proposed
    there = "SELECT count(*) FROM entity_attributes WHERE content = 'item 25 is here'"
    graph.write("Apply", lambda w: apply_proposal(w, proposed.proposal_id))
    assert rows(graph, there) == [(1,)]
    graph.undo()
    assert rows(graph, there) == [(0,)]


def test_a_value_over_a_cap_that_was_turned_down_is_said_to_be_left_out(
    graph: Workspace, say: Say
) -> None:
    (proposed,) = full(graph, say).proposed
    assert full(graph, say).proposed == (proposed,)  # one proposal, however often it is said
    graph.write("Reject", lambda w: reject_proposal(w, proposed.proposal_id))
    again = full(graph, say)
    assert again.proposed == ()
    assert [item.reason for item in again.skipped] == ["attribute_over_cap"]


def test_a_file_without_proposals_says_what_it_has_no_room_for(tmp_path: Path) -> None:
    with closing(make("signet-030", tmp_path / "old.db", tmp_path / "data")) as old:
        values = [{"content": f"item {n} is here"} for n in range(26)]
        read = Remembered.read({"content": "A list", "aspects": [
            block("Ferry", "list", *values)]})
        report = old.write("Remember", lambda w: remember(w, read, None, QUIET)).result
    assert [item.reason for item in report.skipped] == ["attribute_over_cap"]


def test_a_value_that_replaces_another_fits_under_the_cap(graph: Workspace, say: Say) -> None:
    few = IngestSettings(max_attributes_per_aspect=1)
    say("One", few, aspects=[block("Harbor", "times", {
        "content": "the run starts at 7", "claimKey": "start"})])
    report = say("Two", few, aspects=[block("Harbor", "times", {
        "content": "the run starts at 8", "claimKey": "start"})])
    assert (report.attributes_inserted, report.skipped) == (1, ())


def test_a_memory_told_again_does_not_bring_back_what_was_replaced_since(
    graph: Workspace, say: Say
) -> None:
    def told(hour: int) -> dict[str, Any]:
        return {"aspects": [block("Harbor", "times", {
            "content": f"the run starts at {hour}", "claimKey": "start"})]}

    say("One", **told(7))
    say("Two", **told(8))
    before = rows(graph, "SELECT * FROM entity_attributes ORDER BY rowid")
    again = say("One", **told(7))
    assert (again.attributes_inserted, again.attributes_known) == (0, 1)
    assert rows(graph, "SELECT * FROM entity_attributes ORDER BY rowid") == before
    assert say("Three", **told(7)).attributes_superseded == 1  # who says it anew means it


# -- weak links --------------------------------------------------------------------------------


def test_entities_told_of_together_are_linked_weakly(graph: Workspace, say: Say) -> None:
    report = say(aspects=[block("Bravo", "a", "b"), block("Charlie", "a", "b"),
                          block("Bravo", "c", "d")],
                 entities=[triple("Delta", "uses", "Echo")])
    assert report.co_occurrences == 1
    assert rows(graph, "SELECT s.name, t.name, d.strength, d.confidence, d.reason"
                       " FROM entity_dependencies d JOIN entities s ON s.id = source_entity_id"
                       " JOIN entities t ON t.id = target_entity_id"
                       " WHERE dependency_type = 'related_to'") == [
        ("Bravo", "Charlie", 0.3, 0.5,
         f"co-occurred in extracted entities for memory {report.memory_id}")]


def test_a_weak_link_is_too_weak_to_be_walked() -> None:
    asked = IngestSettings()
    assert asked.co_occurrence_strength * asked.co_occurrence_confidence < 0.3


def test_the_history_of_links_names_the_trigger(graph: Workspace, say: Say) -> None:
    report = say(aspects=[block("Bravo", "a", "b"), block("Charlie", "a", "b")])
    graph.write("delete", lambda w: w.delete_where("entity_dependencies", "1"))
    stored = rows(graph, "SELECT event, changed_by, reason, metadata"
                        " FROM entity_dependency_history ORDER BY rowid")
    assert [(event, by) for event, by, *_ in stored] == [
        ("created", "db-trigger"), ("deleted", "db-trigger")]
    assert report.memory_id in stored[0][2]
    assert [json.loads(row[3])["source"] for row in stored] == [
        "trg_entity_dependencies_audit_insert", "trg_entity_dependencies_audit_delete"]


def test_a_link_that_exists_is_not_made_again(graph: Workspace, say: Say) -> None:
    for content in ("One", "Two"):
        say(content, aspects=[block("Bravo", content, "b"), block("Charlie", content, "b")])
    assert rows(graph, "SELECT count(*) FROM entity_dependencies") == [(1,)]


def test_a_name_that_becomes_another_and_a_lost_type_are_told(graph: Workspace, say: Say) -> None:
    say("One", entities=[{"name": "Redis", "type": "tool"}])
    report = say("Two", entities=[{"name": "redis", "type": "project"}],
                 aspects=[block("Redis", "use", "caches"), block("**REDIS:**", "use", "fast")])
    assert [(item.path, item.words) for item in report.merged] == [
        ("$.entities[0]", "“redis” was merged into “Redis”; its type “project” was not taken, it"
                          " stays “tool”"),
        ("$.aspects[1]", "“REDIS” was merged into “Redis”")]
