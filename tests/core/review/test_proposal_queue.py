"""The queue: targets, summaries, evidence as text, conflicts, warnings."""

import json

import pytest

from core.queries.evidence_as_text import around
from core.review import proposal_queue
from core.review.warnings import warnings
from tests.core.graphs import Asked, build

T0, T1, T2 = "2026-03-14T10:00:00.000Z", "2026-03-14 11:00:00", "2026-03-14T12:00:00.000Z"


@pytest.fixture
def world(tmp_path):
    """`world(fill)` gives a Reader and the queue by rationale; `fill` gets the graph."""
    opened = []

    def run(fill):
        workspace = build(tmp_path / f"g{len(opened)}.db", fill)
        context = workspace.read()
        opened.append((workspace, context))
        reader = context.__enter__()
        found = proposal_queue.list_proposals(reader, status="all", limit=100)
        return reader, {item.rationale: item for item in found}

    yield run
    for workspace, context in opened:
        context.__exit__(None, None, None)
        workspace.close()


def test_queue_is_last_changed_first_by_status_and_operation_and_agent(world):
    def fill(graph):
        graph.proposal("create_entity", {"name": "a"}, rationale="1", updated_at=T0)
        graph.proposal("pin_entity", {"entity": "a"}, rationale="2", updated_at=T2)
        graph.proposal("create_entity", {"name": "b"}, rationale="3", status="rejected")
        graph.proposal("create_entity", {"name": "c"}, rationale="4", agent_id="atlas")

    reader, _ = world(fill)
    assert [item.rationale for item in proposal_queue.list_proposals(reader)] == ["2", "1"]
    second = proposal_queue.list_proposals(reader, limit=1, offset=1)
    assert [item.rationale for item in second] == ["1"]
    found = proposal_queue.list_proposals(reader, status="all", operation="create_entity")
    assert {item.rationale for item in found} == {"1", "3"}
    assert proposal_queue.count_proposals(reader) == 2
    assert proposal_queue.count_proposals(reader, "all") == 3
    assert proposal_queue.count_proposals(reader, "all", "create_entity") == 2
    theirs = reader.value("SELECT id FROM ontology_proposals WHERE agent_id = 'atlas'")
    assert proposal_queue.get_proposal(reader, theirs) is None
    assert proposal_queue.evidence(reader, theirs) == ()
    assert proposal_queue.get_proposal(reader, found[0].id) == found[0]


@pytest.mark.parametrize("payload", ["{nope", "", "[]", "null", "17", '"text"', "[" * 100_000])
def test_a_broken_payload_or_evidence_is_read_as_empty(world, payload):
    reader, queue = world(lambda graph: graph.proposal(
        "set_claim_value", payload, evidence=payload, rationale="x"))
    assert (queue["x"].payload, queue["x"].evidence) == ({}, ())
    assert queue["x"].target_id is None
    assert proposal_queue.evidence(reader, queue["x"].id) == ()
    assert warnings(reader, queue["x"]) == ("Its payload can't be read",)


@pytest.mark.parametrize(("operation", "payload", "target", "summary"), [
    ("set_claim_value", {"entity": "hub", "aspect": "schedule", "claim": "start time",
                         "value": "x"}, "Hub", "Set schedule · start time"),
    ("add_claim_value", {"entity_id": "@hub", "aspect": "Schedule", "claim_key": "start_time"},
     "Hub", "Add to Schedule · start time"),
    ("archive_claim_value", {"attribute_id": "@value"}, "Hub", "Archive Schedule · start time"),
    ("restore_claim_version", {"attribute_id": "@unkeyed"}, "Hub",
     "Restore Schedule · Just a fact"),
    ("create_entity", {"name": "Night Run", "entity_type": "object_type"}, "Night Run",
     "Create object type"),
    ("rename_entity", {"selector": "@hub", "new_name": "Core"}, "Hub", "Rename to Core"),
    ("archive_entity", {"name": " HUB "}, "Hub", "Archive"),
    ("pin_entity", {"id": "@hub"}, "Hub", "Pin"),
    ("rename_aspect", {"entity": "Hub", "selector": "@aspect", "new_name": "plan"}, "Hub",
     "Rename Schedule to plan"),
    ("create_aspect", {"entity": "Hub", "name": "people"}, "Hub", "Add aspect people"),
    ("create_link", {"source_entity": "hub", "target_entity": "Nowhere", "link_type": "part_of"},
     "Hub", "Link: part of Nowhere"),
    ("archive_link", {"link_id": "@link"}, "Hub", "Archive link: uses Bun"),
    ("merge_entities", {"target_entity": "Hub", "source_entities": ["bun"]}, "Hub",
     "Merge with Bun"),
    ("teleport_entity", {"entity": "nobody"}, "nobody", "Teleport entity"),
    ("rename_entity", {"entity": "KG", "new_name": "x"}, "KG", "Rename to x"),
])
def test_target_and_summary_of_every_operation(world, operation, payload, target, summary):
    def fill(graph):
        ids = {"@hub": graph.entity("Hub"), "@bun": graph.entity("Bun")}
        ids["@aspect"] = graph.aspect(ids["@hub"], "Schedule")
        ids["@value"] = graph.value(ids["@aspect"], "one", "start_time")
        ids["@unkeyed"] = graph.value(ids["@aspect"], "Just a fact")
        ids["@link"] = graph.link(ids["@hub"], ids["@bun"])
        told = {key: ids.get(value, value) if isinstance(value, str) else value
                for key, value in payload.items()}
        graph.proposal(operation, told, rationale="x")

    _, queue = world(fill)
    assert (queue["x"].target_name, queue["x"].summary) == (target, summary)
    assert (queue["x"].target_id is not None) == (target == "Hub")


def test_another_agents_entity_is_no_target(world):
    def fill(graph):
        theirs = graph.entity("Secret", agent_id="atlas")
        graph.proposal("archive_entity", {"entity_id": theirs}, rationale="x")

    _, queue = world(fill)
    assert queue["x"].target_id is None
    assert queue["x"].target_name != "Secret"


def test_evidence_is_resolved_to_its_text_with_the_quote(world):
    def fill(graph):
        memory = graph.memory("Ines said it starts at four", who="codex")
        private = graph.memory("hidden", agent_id="atlas", visibility="private")
        graph.writer.insert("session_transcripts", session_key="s1", content="Long talk",
                            harness="claude-code", agent_id="default", created_at=T0)
        graph.proposal("x", {"entity": "a"}, rationale="x", evidence=[
            {"memory_id": memory, "quote": "at four"},
            {"source_kind": "session", "source_id": "s1", "quote": "talk"},
            {"source_kind": "file", "source_path": "gone.md", "quote": "kept words"},
            {"memory_id": private, "quote": "not shown"},
            "plain words", f"memory:{memory}", 17, None, {}, {"quote": " "},
            {"memory_id": memory, "quote": "at four"},
        ], source_kind="memory", source_id=memory)

    reader, queue = world(fill)
    found = proposal_queue.evidence(reader, queue["x"].id)
    assert [(item.kind, item.quote, item.text) for item in found] == [
        ("memory", "at four", "Ines said it starts at four"),
        ("session_transcript", "talk", "Long talk"),
        ("provided_quote", "kept words", ""),
        ("provided_quote", "not shown", ""),
        ("provided_quote", "plain words", ""),
        ("memory", "", "Ines said it starts at four"),
    ]
    assert found[0].label == "codex"
    assert found[2].label == "gone.md"


def test_the_proposals_own_source_is_evidence_too(world):
    def fill(graph):
        memory = graph.memory("The ground")
        graph.proposal("x", {"entity": "a"}, rationale="x", source_kind="memory", source_id=memory)

    reader, queue = world(fill)
    [found] = proposal_queue.evidence(reader, queue["x"].id)
    assert (found.kind, found.text) == ("memory", "The ground")


def test_a_long_source_is_shown_around_its_quote():
    content = "a" * 50_000 + "the quote" + "b" * 50_000
    found = around(content, "the quote")
    assert "the quote" in found
    assert len(found) < 5000
    assert found.startswith("…")
    assert found.endswith("…")
    assert around(content, "absent").startswith("aaa")


def claim(value, **more):
    return {"entity": "Hub", "aspect": "schedule", "claim": "start time", "value": value, **more}


def test_conflicts_are_pending_proposals_that_want_different_values_for_one_slot(world):
    def fill(graph):
        graph.entity("Hub")
        graph.proposal("set_claim_value", claim("four"), rationale="1", confidence=0.9)
        graph.proposal("add_claim_value", claim("Five", entity=" HUB", aspect="Schedule",
                                                claim="start_time", group="general"))
        graph.proposal("set_claim_value", claim("six", group="other"))
        graph.proposal("set_claim_value", claim("same", claim="k"))
        graph.proposal("set_claim_value", claim(" SAME ", claim="k"))
        graph.proposal("set_claim_value", claim("seven"), status="rejected")
        graph.proposal("set_claim_value", claim("eight"), agent_id="atlas")

    reader, queue = world(fill)
    [found] = proposal_queue.conflicts(reader)
    assert (found.entity, found.aspect.lower(), found.group_key, found.claim_key) == (
        "Hub", "schedule", "general", "start_time")
    assert {value["value"] for value in found.values} == {"four", "Five"}
    assert queue["1"].id in found.proposal_ids


def warned(world, fill):
    reader, queue = world(fill)
    return warnings(reader, queue["x"])


def test_no_warning_when_all_is_as_it_was_proposed(world):
    def fill(graph):
        graph.at = T0
        aspect = graph.aspect(graph.entity("Hub", pinned=1), "schedule")
        graph.value(aspect, "three", "start_time")
        graph.at = T1
        graph.proposal("set_claim_value", claim("four", entity_type="project"), rationale="x")
        graph.proposal("set_claim_value", claim("four", claim="another"))

    assert warned(world, fill) == ()


@pytest.mark.parametrize(("operation", "payload", "words"), [
    ("archive_entity", {"entity": "Hub"}, "“Hub” is pinned"),
    ("rename_entity", {"entity": "nobody", "new_name": "x"}, "no entity “nobody”"),
    ("pin_entity", {"entity": "Gone"}, "“Gone” is archived"),
    ("create_link", {"source_entity": "Hub", "target_entity": "Gone", "link_type": "uses"},
     "“Gone” is archived"),
    ("archive_claim_value", {"attribute_id": "no such id"}, "value it refers to"),
    ("archive_link", {"id": "no such id"}, "link it refers to"),
    ("set_claim_value", claim("x", entity_type="Person"), "as a person, but it is a project"),
    ("merge_entities", {"target_entity": "Other", "source_entities": ["Hub"]}, "“Hub” is pinned"),
    ("merge_entities", {"target_entity": "Hub", "source": "Tool"}, "is a tool"),
])
def test_warnings_say_what_is_wrong_with_the_target(world, operation, payload, words):
    def fill(graph):
        graph.at = T0
        graph.entity("Hub", pinned=1)
        graph.entity("Other")
        graph.entity("Tool", "tool")
        graph.entity("Gone", status="archived")
        graph.at = T2
        graph.proposal(operation, payload, rationale="x")

    assert any(words in warning for warning in warned(world, fill))


@pytest.mark.parametrize(("changed", "stale"), [(T0, False), (T1, False), (T2, True)])
def test_a_slot_that_changed_after_it_was_proposed_is_stale(world, changed, stale):
    def fill(graph):
        aspect = graph.aspect(graph.entity("Hub", updated_at=T2), "schedule", updated_at=T2)
        graph.value(aspect, "three", "Start Time", group=None, updated_at=changed)
        # An hour after T1 as text, the same moment as T1 in truth.
        graph.proposal("set_claim_value", claim("four"), rationale="x",
                       created_at="2026-03-14T11:00:00.000Z")

    assert any("changed after" in warning for warning in warned(world, fill)) is stale


def test_what_changed_since_is_said_with_the_value_before_and_the_one_now(world):
    def fill(graph):
        aspect = graph.aspect(graph.entity("Hub"), "schedule")
        graph.value(aspect, "two", "start_time", status="superseded", version=1, created_at=T0,
                    updated_at=T2)
        graph.value(aspect, "three", "start_time", version=2, created_at=T2, updated_at=T2)
        graph.proposal("set_claim_value", claim("four"), rationale="x", created_at=T1)

    assert "It changed after this was proposed: “two” became “three”" in warned(world, fill)


def test_nothing_is_said_to_have_become_itself(world):
    def fill(graph):
        hub = graph.entity("Hub", updated_at=T2)
        aspect = graph.aspect(hub, "schedule")
        graph.value(aspect, "three", "start_time", status="superseded", version=1, created_at=T0,
                    updated_at=T2)
        graph.value(aspect, "Three", "start_time", version=2, created_at=T2, updated_at=T2)
        graph.proposal("set_claim_value", claim("four"), rationale="x", created_at=T1)
        graph.proposal("rename_entity", {"entity_id": hub, "new_name": "Core"}, rationale="y",
                       created_at=T1)

    reader, queue = world(fill)
    for rationale in ("x", "y"):
        assert "It changed after this was proposed" in warnings(reader, queue[rationale])


def test_a_value_that_was_set_meanwhile_is_said_to_be_there_already(world):
    def fill(graph):
        aspect = graph.aspect(graph.entity("Hub"), "schedule")
        graph.value(aspect, "Four", "start_time", updated_at=T2)
        graph.proposal("set_claim_value", claim("four"), rationale="x", created_at=T0)

    assert any("already has this value" in warning for warning in warned(world, fill))


@pytest.mark.parametrize(("operation", "payload"), [
    ("rename_entity", {"entity": "Hub", "new_name": "x"}),
    ("archive_aspect", {"entity": "Hub", "aspect": "schedule"}),
    ("archive_claim_value", {"attribute_id": "@value"}),
    ("update_link", {"link_id": "@link", "strength": 1}),
])
def test_entities_aspects_values_and_links_go_stale_too(world, operation, payload):
    def fill(graph):
        graph.at = T2
        hub = graph.entity("Hub")
        aspect = graph.aspect(hub, "schedule")
        ids = {"@value": graph.value(aspect, "v", "k"), "@link": graph.link(hub, hub)}
        told = {key: ids.get(value, value) for key, value in payload.items()}
        graph.proposal(operation, told, rationale="x", created_at=T0)

    assert any("changed after" in warning for warning in warned(world, fill))


def test_other_pending_proposals_for_the_same_slot_or_entity_are_counted(world):
    def fill(graph):
        graph.at = T0
        graph.entity("Hub")
        graph.proposal("set_claim_value", claim("four"), rationale="x")
        graph.proposal("add_claim_value", claim("five"))
        graph.proposal("set_claim_value", claim("six"), status="applied")
        graph.proposal("archive_entity", {"entity": "hub"}, rationale="archive")

    reader, queue = world(fill)
    assert warnings(reader, queue["x"]) == (
        "Another pending proposal touches this claim",)
    assert "2 other pending proposals touch “Hub”" in warnings(reader, queue["archive"])


def test_only_a_pending_proposal_has_warnings(world):
    def fill(graph):
        graph.proposal("archive_entity", {"entity": "nobody"}, rationale="x", status="applied")

    assert warned(world, fill) == ()


def test_a_page_of_the_queue_is_read_in_a_fixed_number_of_statements(world):
    def fill(graph):
        for number in range(60):
            graph.proposal("set_claim_value", claim("x", entity=f"entity {number}"),
                           evidence=json.loads('[{"memory_id":"m"}]'))

    reader, _ = world(fill)
    asked = Asked(reader)
    assert len(proposal_queue.list_proposals(reader, limit=60)) == 60
    assert len(asked.statements) < 8
