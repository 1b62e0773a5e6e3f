"""The navigation answers keep upstream's shapes and keys, in the one order of claims."""

import json

import pytest

from core.errors import OperationError
from core.queries.entities import list_entities
from core.queries.knowledge import aspects_of, constraints_of
from explorer import knowledge_json as nav
from tests.core.graphs import build


@pytest.fixture
def reader(tmp_path):
    def fill(graph):
        graph.at = "2026-01-01T00:00:00.000Z"
        hub = graph.entity("Hub", mentions=3)
        other, gone = graph.entity("Other", "tool"), graph.entity("Gone", status="archived")
        schedule = graph.aspect(hub, "Schedule", 0.9)
        graph.aspect(hub, "empty", 0.1)
        graph.history(schedule, "start_time", "one", "two")
        graph.value(schedule, "x" * 200, "Long Text", updated_at="2026-01-02 00:00:00")
        graph.value(schedule, "retired", "old", status="superseded")
        graph.value(schedule, "deleted", "none", status="deleted")
        graph.value(schedule, "weekly", "interval", group="Cadence")
        graph.value(schedule, "rule", kind="constraint", group=None)
        graph.link(hub, other)
        graph.link(other, hub, "informs")
        graph.link(hub, gone)
        old = graph.aspect(gone, "a")
        graph.value(old, "still readable", "k")

    workspace = build(tmp_path / "g.db", fill)
    with workspace.read() as found:
        yield found
    workspace.close()


def test_entities_carry_their_counts(reader):
    items = nav.entities(reader, [row.id for row in list_entities(reader)])
    assert [item["entity"]["name"] for item in items] == ["Hub", "Other"]
    first = items[0]
    assert set(first) == {"entity", "aspectCount", "attributeCount", "constraintCount",
                          "dependencyCount"}
    assert [first[key] for key in ("aspectCount", "attributeCount", "constraintCount",
                                   "dependencyCount")] == [2, 3, 1, 2]
    assert {"id", "name", "canonicalName", "entityType", "agentId", "description", "mentions",
            "pinned", "pinnedAt", "status", "createdAt", "updatedAt"} <= set(first["entity"])
    assert first["entity"]["pinned"] is False


def test_one_entity_tells_the_direction_of_its_links(reader):
    found = nav.entity(reader, "hub")
    assert (found["incomingDependencyCount"], found["outgoingDependencyCount"]) == (1, 1)
    assert found["structuralDensity"] == {"aspects": 2, "attributes": 3, "constraints": 1,
                                          "dependencies": 2}
    with pytest.raises(OperationError):
        nav.entity(reader, "gone")


def test_tree_has_aspects_groups_and_claims_in_force_to_the_depth_asked(reader):
    found = nav.tree(reader, "Hub")
    schedule, empty = found["items"]
    assert schedule["aspect"]["name"] == "Schedule"
    assert (schedule["groupCount"], schedule["claimCount"], empty["groupCount"]) == (2, 4, 0)
    general = next(group for group in schedule["groups"] if group["groupKey"] == "general")
    assert set(general) == {"groupKey", "attributeCount", "constraintCount", "claimCount",
                            "latestUpdatedAt", "claims"}
    assert general["latestUpdatedAt"] == "2026-01-02 00:00:00"
    assert "groups" not in nav.tree(reader, "Hub", depth=1)["items"][0]
    assert "claims" not in nav.tree(reader, "Hub", depth=2)["items"][0]["groups"][0]
    assert [(claim["claimKey"], [value["content"] for value in claim["values"]])
            for claim in general["claims"]] == [
        ("start_time", ["two"]), ("long_text", ["x" * 200]), (None, ["rule"])]
    small = nav.tree(reader, "Hub", max_aspects=1, max_groups=1, max_claims=1)
    assert len(small["items"]) == len(small["items"][0]["groups"]) == 1
    assert json.loads(json.dumps(found)) == found


def test_claims_in_force_come_first_as_they_were_written_with_a_short_preview(reader):
    found = nav.claims(reader, "Hub", "schedule", "general")["items"]
    assert [item["claimKey"] for item in found] == [
        "start_time", "long_text", None, "old"]
    assert (found[0]["activeCount"], found[0]["supersededCount"], found[0]["preview"]) == (
        1, 1, "two")
    assert found[1]["preview"] == "x" * 137 + "..."
    assert (found[2]["kind"], found[2]["preview"]) == ("constraint", "rule")
    page = nav.claims(reader, "Hub", "schedule", "general", limit=1, offset=1)["items"]
    assert [item["claimKey"] for item in page] == ["long_text"]


def test_attributes_are_found_under_any_spelling_of_their_keys(reader):
    found = nav.attributes(reader, "Hub", "SCHEDULE", "General", "Long  text")["items"]
    assert len(found) == 1
    assert {"id", "aspectId", "memoryId", "kind", "content", "normalizedContent", "groupKey",
            "claimKey", "version", "versionRootId", "supersededBy"} <= set(found[0])
    every = nav.attributes(reader, "Hub", "schedule", "general", "start time", status="all")
    assert {item["status"] for item in every["items"]} == {"active", "superseded"}
    assert nav.attributes(reader, "Hub", "schedule", "general", "start time",
                          kind="constraint")["items"] == []


def test_aspects_and_groups(reader):
    found = nav.aspects(reader, "hub")["items"]
    assert [(item["aspect"]["name"], item["attributeCount"], item["constraintCount"])
            for item in found] == [("Schedule", 3, 1), ("empty", 0, 0)]
    groups = nav.groups(reader, "hub", found[0]["aspect"]["id"])["items"]
    assert [group["groupKey"] for group in groups] == ["general", "cadence"]
    with pytest.raises(OperationError) as missing:
        nav.groups(reader, "hub", "nowhere")
    assert missing.value.status == 404


def test_counts_are_of_active_values_at_every_level(reader):
    [aspect, _] = nav.aspects(reader, "Hub")["items"]
    groups = nav.groups(reader, "Hub", "Schedule")["items"]
    claims = [claim for group in groups
              for claim in nav.claims(reader, "Hub", "Schedule", group["groupKey"])["items"]]
    [branch, _] = nav.tree(reader, "Hub")["items"]
    for kind, count in (("attributeCount", 3), ("constraintCount", 1)):
        assert [aspect[kind], branch[kind]] == [count, count]
        for part in (groups, branch["groups"], claims):
            assert sum(item[kind] for item in part) == count
    [start] = [claim for claim in claims if claim["claimKey"] == "start_time"]
    assert (start["attributeCount"], start["activeCount"], start["supersededCount"]) == (1, 1, 1)


def test_claims_have_one_order_in_every_reader(reader, tmp_path):
    def fill(graph):
        graph.at = "2026-01-01T00:00:00.000Z"
        hub = graph.entity("Hub")
        work = graph.aspect(hub, "work", 0.9)
        graph.value(work, "z", "zeta", group="other")
        graph.value(work, "c", "gamma")
        graph.history(work, "alpha", "a1", "a2")
        graph.value(work, "never", kind="constraint")
        graph.value(work, "b", "beta")

    workspace = build(tmp_path / "order.db", fill)
    written = ["c", "a2", "never", "b", "z"]
    with workspace.read() as found:
        [id] = [row.id for row in list_entities(found)]
        [aspect] = aspects_of(found, id)
        [branch] = nav.tree(found, "Hub")["items"]
        in_tree = [value["content"] for group in branch["groups"] for claim in group["claims"]
                   for value in claim["values"]]
        in_lists = [value["content"] for group in nav.groups(found, "Hub", "work")["items"]
                    for claim in nav.claims(found, "Hub", "work", group["groupKey"])["items"]
                    for value in claim["values"]]
    workspace.close()
    assert [value.content for group in aspect.groups for claim in group.claims
            for value in claim.in_force] == written
    assert in_tree == in_lists == written


def test_a_replaced_constraint_keeps_its_place(tmp_path):
    def fill(graph):
        work = graph.aspect(graph.entity("Hub"), "work", 0.9)
        graph.value(work, "one", "first", kind="constraint", id="one", version_root_id="one",
                    status="superseded", superseded_by="two")
        graph.value(work, "later", "second", kind="constraint")
        graph.value(work, "two", "first", kind="constraint", id="two", version_root_id="one",
                    version=2)

    workspace = build(tmp_path / "order.db", fill)
    with workspace.read() as found:
        [id] = [row.id for row in list_entities(found)]
        contents = [value.content for value in constraints_of(found, id)]
        [aspect] = aspects_of(found, id)
    workspace.close()
    assert contents == ["two", "later"]
    assert contents == [value.content for group in aspect.groups for claim in group.claims
                        for value in claim.in_force]


def test_versions_are_readable_after_the_entity_is_archived(reader):
    assert nav.versions(reader, "gone", "a", "general", "k")["count"] == 1
    found = nav.versions(reader, "hub", "schedule", "general", "Start Time")
    assert [item["version"] for item in found["items"]] == [2, 1]
    assert nav.versions(reader, "hub", "schedule", "general", "nothing") == {
        "items": [], "count": 0}
