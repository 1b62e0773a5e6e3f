"""The tree under an entity, a claim's versions and who made them, links, memories, voices."""

import sqlite3

import pytest

from core.errors import OperationError
from core.model.claims_and_assertions import Slot
from core.queries import claims, entities, knowledge, links, memories
from core.queries.authors import kind_of
from core.review.proposal_queue import pending_of, pending_slots
from core.workspace import Workspace
from tests.core.graphs import Asked, build


class World:
    """An open graph with the ids of what it was filled with."""

    def __init__(self, reader, ids):
        self.reader, self.ids = reader, ids

    def __getitem__(self, name):
        return self.ids[name]

    def tree(self, **options):
        return knowledge.aspects_of(self.reader, self.ids["hub"], **options)

    def claims(self, aspect=0, **options):
        return [claim for group in self.tree(**options)[aspect].groups for claim in group.claims]


@pytest.fixture
def world(tmp_path):
    opened = []

    def run(fill):
        ids = {}
        workspace = build(tmp_path / f"g{len(opened)}.db", lambda graph: fill(graph, ids))
        context = workspace.read()
        opened.append((workspace, context))
        return World(context.__enter__(), ids)

    yield run
    for workspace, context in opened:
        context.__exit__(None, None, None)
        workspace.close()


def schedule(graph, ids):
    ids["hub"] = graph.entity("Hub")
    ids["schedule"] = graph.aspect(ids["hub"], "Schedule", 0.9)
    ids["other"] = graph.aspect(ids["hub"], "other", 0.2)
    ids["start"] = graph.history(ids["schedule"], "start_time", "one", "two", "three")


def test_tree_is_aspects_groups_claims_values_heaviest_first(world):
    def fill(graph, ids):
        schedule(graph, ids)
        graph.value(ids["schedule"], "every day", "Interval", group="Cadence", importance=0.9)
        graph.value(ids["schedule"], "never on friday", kind="constraint", group=None)
        graph.aspect(ids["hub"], "gone", 1.0, status="archived")

    aspects = world(fill).tree()
    assert [(aspect.name, aspect.attributes, aspect.constraints) for aspect in aspects] == [
        ("Schedule", 2, 1), ("other", 0, 0)]
    groups = {group.key: group for group in aspects[0].groups}
    assert list(groups) == ["general", "cadence"]
    start = next(claim for claim in groups["general"].claims if claim.claim_key)
    assert [value.content for value in start.values] == ["three"]
    assert start.versions == 3
    rule = next(claim for claim in groups["general"].claims if not claim.claim_key)
    assert (rule.kind, rule.versions) == ("constraint", 1)


def test_values_of_one_slot_under_two_spellings_are_one_claim(world):
    def fill(graph, ids):
        schedule(graph, ids)
        graph.value(ids["schedule"], "four", "Start Time", group=" General ", version=4)

    world = world(fill)
    [claim] = world.claims()
    assert [value.content for value in claim.values] == ["four", "three"]
    assert claim.versions == 4
    found = claims.versions(world.reader, claim.values[0].slot)
    assert [version.value.content for version in found] == ["four", "three", "two", "one"]
    assert len(claims.versions(world.reader, claim.values[1].slot)) == 4


def test_the_tree_is_read_in_a_fixed_number_of_statements(world):
    def fill(graph, ids):
        ids["hub"] = graph.entity("Hub")
        for number in range(30):
            aspect = graph.aspect(ids["hub"], f"aspect {number}")
            for place in range(10):
                graph.value(aspect, f"value {place}", f"claim {place}")

    world = world(fill)
    asked = Asked(world.reader)
    assert len(world.tree()) == 30
    assert len(asked.statements) < 10


def test_archived_shows_archived_aspects_and_deleted_values_but_no_superseded_ones(world):
    def fill(graph, ids):
        schedule(graph, ids)
        gone = graph.aspect(ids["hub"], "gone", 1.0, status="archived")
        graph.value(gone, "deleted", "k", status="deleted")

    world = world(fill)
    assert [aspect.name for aspect in world.tree()] == ["Schedule", "other"]
    shown = world.tree(archived=True)
    assert [aspect.name for aspect in shown] == ["gone", "Schedule", "other"]
    assert [value.content for value in shown[0].groups[0].claims[0].values] == ["deleted"]
    assert (shown[0].attributes, shown[0].constraints) == (0, 0)
    assert [value.content for value in world.claims(1, archived=True)[0].values] == ["three"]


def test_pending_proposals_are_counted_at_the_claim_that_they_touch(world):
    def fill(graph, ids):
        schedule(graph, ids)
        graph.proposal("set_claim_value", {"entity": "HUB", "aspect": "schedule",
                                           "claim": "start time", "value": "four"})
        graph.proposal("archive_claim_value", {"attribute_id": ids["start"][2]})
        graph.proposal("set_claim_value", {"entity": "hub", "aspect": "schedule",
                                           "claim": "end time", "value": "x"})
        graph.proposal("set_claim_value", {"entity": "elsewhere", "aspect": "schedule",
                                           "claim": "start time", "value": "four"})

    filled = world(fill)
    pending = pending_of(filled.reader, filled["hub"])
    [claim] = filled.claims(pending=pending_slots(pending, filled["hub"]))
    assert claim.pending == 2


def test_constraints_come_with_their_weight_and_only_active_ones(world):
    def fill(graph, ids):
        schedule(graph, ids)
        graph.value(ids["other"], "weak", kind="constraint", importance=0.1)
        graph.value(ids["schedule"], "strong", kind="constraint", importance=0.9)
        graph.value(ids["other"], "gone", kind="constraint", status="deleted")
        hidden = graph.aspect(ids["hub"], "hidden", status="archived")
        graph.value(hidden, "unseen", kind="constraint")

    world = world(fill)
    found = knowledge.constraints_of(world.reader, world["hub"])
    assert [value.content for value in found] == ["strong", "weak"]


def test_versions_are_newest_first_whatever_their_status(world):
    def fill(graph, ids):
        schedule(graph, ids)
        graph.value(ids["schedule"], "rule", "start_time", kind="constraint")
        graph.value(ids["other"], "elsewhere", "start_time")

    world = world(fill)
    slot = claims.slot_of(world.reader, world["start"][0])
    assert slot == Slot(world["hub"], world["schedule"], "attribute", "general", "start_time")
    found = claims.versions(world.reader, slot)
    assert [(v.value.version, v.value.status) for v in found] == [
        (3, "active"), (2, "superseded"), (1, "superseded")]
    with pytest.raises(OperationError) as missing:
        claims.slot_of(world.reader, "nothing")
    assert missing.value.status == 404


def test_rows_without_a_claim_key_have_the_versions_that_they_are_chained_to(world):
    def fill(graph, ids):
        schedule(graph, ids)
        new = graph.value(ids["schedule"], "lives in Los Angeles")
        graph.value(ids["schedule"], "lives in New York", status="superseded", superseded_by=new)
        graph.value(ids["schedule"], "corrected", version_root_id=new, version=2)
        graph.value(ids["schedule"], "stands alone")
        graph.value(ids["other"], "in another aspect", status="superseded", superseded_by=new)

    world = world(fill)
    chains = {claim.values[0].content: claim for claim in world.claims() if not claim.claim_key}
    assert set(chains) == {"lives in Los Angeles", "corrected", "stands alone"}
    for content, claim in chains.items():
        found = claims.versions(world.reader, claim.values[0].slot)
        assert len(found) == claim.versions == (1 if content == "stands alone" else 3), content
        assert content in [version.value.content for version in found]
    whole_group = Slot(world["hub"], world["schedule"], "attribute", "general", None)
    assert len(claims.versions(world.reader, whole_group)) == 4


def test_each_version_tells_who_made_it_and_what_kind_of_author(world):
    def fill(graph, ids):
        schedule(graph, ids)
        agent = graph.proposal("x", {}, created_by="claude-code", applied_by="you",
                               status="applied")
        person = graph.proposal("x", {}, created_by="operator", status="applied")
        memory = graph.memory("seen", who="codex", source_type="manual")
        extracted = graph.memory("extracted", source_type="extraction")
        for version, (content, more) in enumerate({
            "by agent": {"proposal_id": agent, "proposal_evidence": '["q","r"]'},
            "by person": {"proposal_id": person},
            "from memory": {"memory_id": memory},
            "from pipeline": {"memory_id": extracted},
            "from file": {"source_kind": "mcp", "memory_id": memory},
            "from nowhere": {},
        }.items()):
            graph.value(ids["other"], content, "k", version=version + 1, **more)

    world = world(fill)
    slot = Slot(world["hub"], world["other"], "attribute", "general", "k")
    found = {v.value.content: (v.who, v.by, v.evidence)
             for v in claims.versions(world.reader, slot)}
    assert found == {
        "by agent": ("claude-code", "agent", 2), "by person": ("operator", "person", 0),
        "from memory": ("codex", "agent", 1), "from pipeline": ("extraction", "pipeline", 1),
        "from file": ("codex", "import", 1), "from nowhere": ("unknown", "pipeline", 0)}


@pytest.mark.parametrize(("name", "kind"), [
    ("you", "person"), ("Ines", "person"), ("claude-code", "agent"), ("atlas", "agent"),
    ("release-bot", "pipeline"), ("ontology-extraction", "pipeline"), ("dreaming", "pipeline"),
    ("", "pipeline"), ("opencode", "agent"), ("maintenance", "pipeline")])
def test_authors_are_known_by_their_names(name, kind):
    assert kind_of(name, "atlas") == kind


def test_evidence_of_a_value_is_its_proposal_its_quotes_and_its_memory(world):
    def fill(graph, ids):
        schedule(graph, ids)
        memory = graph.memory("It starts at four since May", who="ines")
        proposal = graph.proposal("x", {}, rationale="It was said in May", created_by="codex",
                                  status="applied")
        ids["value"] = graph.value(
            ids["schedule"], "four", "k", proposal_id=proposal, memory_id=memory,
            proposal_evidence='[{"source_kind":"file","source_path":"notes.md","quote":"at 4"}]')

    world = world(fill)
    found = claims.evidence_of(world.reader, world["value"])
    assert [(item.kind, item.quote, item.text) for item in found] == [
        ("ontology_proposal", "It was said in May", ""),
        ("provided_quote", "at 4", ""),
        ("memory", "", "It starts at four since May")]
    assert claims.evidence_of(world.reader, "nothing") == ()


def test_voices_are_the_assertions_about_any_version_newest_first(world):
    def fill(graph, ids):
        schedule(graph, ids)
        graph.assertion(ids["hub"], "said early", asserted_at="2026-01-01T10:00:00.000Z",
                        claim_attribute_id=ids["start"][0])
        graph.assertion(ids["hub"], "said later that day", "denies",
                        asserted_at="2026-01-01 11:00:00", claim_attribute_id=ids["start"][2])
        graph.assertion(ids["hub"], "about something else")

    world = world(fill)
    slot = claims.slot_of(world.reader, world["start"][2])
    assert [voice.content for voice in claims.voices(world.reader, slot)] == [
        "said later that day", "said early"]


def test_links_are_read_from_both_ends_and_hide_archived_ends(world, monkeypatch):
    def fill(graph, ids):
        ids["hub"] = hub = graph.entity("Hub")
        other, gone = graph.entity("Other", "tool"), graph.entity("Gone", status="archived")
        graph.link(hub, other, "uses", strength=0.9)
        graph.link(hub, gone, "informs")
        graph.link(other, hub, "blocks", strength=0.1)
        graph.link(hub, hub, "triggers", strength=0.5)
        graph.link(hub, other, "owns", status="archived")
        graph.link(hub, graph.entity("Alike"), "uses", strength=0.5)
        theirs = graph.entity("Secret", agent_id="atlas")
        graph.link(hub, theirs, "knows", strength=0.2)
        graph.link(hub, other, "teaches", agent_id="atlas")

    world = world(fill)
    found = links.links_of(world.reader, world["hub"])
    assert [(link.direction, link.dependency_type, link.other_name) for link in found] == [
        ("out", "uses", "Other"), ("out", "uses", "Alike"), ("out", "triggers", "Hub"),
        ("out", "knows", ""), ("in", "blocks", "Other")]
    every = links.links_of(world.reader, world["hub"], archived=True)
    assert {link.dependency_type for link in every} - {link.dependency_type for link in found} == {
        "informs", "owns"}
    for limit in range(len(every) + 2):
        assert links.links_of(world.reader, world["hub"], limit=limit) == found[:limit]
        assert links.links_of(world.reader, world["hub"], archived=True,
                              limit=limit) == every[:limit]
    for many in (0, links.MANY):
        monkeypatch.setattr(links, "MANY", many)
        assert links.count_links_of(world.reader, world["hub"]) == len(found)
        assert links.count_links_of(world.reader, world["hub"], archived=True) == len(every)
        entity = entities.get_entity(world.reader, world["hub"])
        assert entity.links_out == sum(link.direction == "out" for link in found)
    assert links.count_loops_of(world.reader, world["hub"]) == 1
    assert links.get_link(world.reader, found[-1].id).other_name == "Hub"
    assert links.get_link(world.reader, "nothing") is None


def test_a_link_whose_end_is_gone_from_the_file_is_kept_without_a_name(tmp_path):
    file = tmp_path / "memories.db"
    connection = sqlite3.connect(file)
    connection.executescript("""
        CREATE TABLE memories (id TEXT PRIMARY KEY, content TEXT);
        CREATE TABLE entities (id TEXT PRIMARY KEY, name TEXT, agent_id TEXT);
        CREATE TABLE entity_dependencies (id TEXT PRIMARY KEY, source_entity_id TEXT,
            target_entity_id TEXT, agent_id TEXT, dependency_type TEXT);
        INSERT INTO entities VALUES ('e1', 'Hub', 'default');
        INSERT INTO entity_dependencies VALUES ('d1', 'e1', 'nobody', 'default', 'befriends');""")
    connection.close()
    workspace = Workspace.open(file, data_dir=tmp_path / "data")
    with workspace.read() as reader:
        [link] = links.links_of(reader, "e1")
    workspace.close()
    assert (link.other_id, link.other_name, link.other_type) == ("nobody", "", "unknown")


def test_memories_are_those_mentioned_and_those_under_values_newest_first(world):
    def fill(graph, ids):
        schedule(graph, ids)
        graph.memory("early", ids["hub"], created_at="2026-01-01T10:00:00.000Z", tags="a, b ,")
        late = graph.memory("late that day", created_at="2026-01-01 11:00:00", tags='["x"]')
        graph.value(ids["schedule"], "rests on it", memory_id=late)
        graph.memory("deleted", ids["hub"], is_deleted=1)
        graph.memory("private", ids["hub"], agent_id="atlas", visibility="private")
        graph.memory("shared", ids["hub"], agent_id="atlas", created_at="2025-01-01")
        graph.memory("of another entity")

    world = world(fill)
    found = memories.memories_of(world.reader, world["hub"])
    assert [memory.content for memory in found] == ["late that day", "early", "shared"]
    assert [memory.tags for memory in found[:2]] == [("x",), ("a", "b")]
    page = memories.memories_of(world.reader, world["hub"], limit=1, offset=1)
    assert [memory.content for memory in page] == ["early"]
    assert memories.get_memory(world.reader, found[1].id) == found[1]
    private = world.reader.value("SELECT id FROM memories WHERE content = 'private'")
    assert memories.get_memory(world.reader, private) is None
