"""Which value holds where entities that become one say different things of one claim."""

import pytest

from core.errors import OperationError
from core.ontology import control
from core.ontology.request_descriptions import describe
from core.queries.claims import slot_of, versions
from core.review.merge_conflicts import merge_plan
from tests.contracts.files import dump, without_records
from tests.core.graphs import build

EARLY, LATE = "2026-03-01T10:00:00.000Z", "2026-03-02 10:00:00"


def _fill(graph):
    for name, extra in (("Harbor", 1), ("Harbour", 2), ("Hafen", 3)):
        plan = graph.aspect(graph.entity(name), "Plan", id=f"a-{name}")
        graph.value(plan, f"Starts at {extra}", "start time", id=f"start-{name}",
                    created_at=EARLY if extra == 1 else LATE,
                    updated_at=EARLY if extra == 1 else LATE)
        graph.value(plan, "Ana", "owner", id=f"owner-{name}")
        graph.value(plan, f"A note of {name}", id=f"note-{name}")
        if extra == 2:
            graph.value(plan, "Only here", "room", id="room")
            graph.value(plan, "Never on Friday", "freeze", kind="constraint", id="rule")
        if extra == 1:
            graph.value(plan, "Fridays are fine", "Freeze ", id="freeze")


@pytest.fixture(name="graph")
def _graph(tmp_path):
    workspace = build(tmp_path / "g.db", _fill)
    yield workspace
    workspace.close()


def _merge(graph, sources=("Harbour",), **choices):
    return graph.write("Merge", lambda writer: control.apply(writer, "merge_entities", {
        "target_entity": "Harbor", "source_entities": list(sources), **choices})).result.result


def _rows(graph, *ids):
    with graph.read() as reader:
        return {row["id"]: row for row in reader.rows(
            "SELECT * FROM entity_attributes WHERE id IN (SELECT value FROM json_each(:ids))"
            " AND agent_id = :agent", ids=list(ids))}


def test_the_plan_lists_what_differs_and_counts_what_is_the_same(graph):
    with graph.read() as reader:
        plan = merge_plan(reader, "Harbor", ["Harbour", "Hafen"])
    assert [claim.claim_key for claim in plan.claims] == ["freeze", "start_time"]
    start = plan.claims[1]
    assert [side.entity_name for side in start.values] == ["Harbor", "Harbour", "Hafen"]
    assert start.newest.id == "start-Harbour"
    assert {side.kind for side in plan.claims[0].values} == {"attribute", "constraint"}
    assert (plan.same, plan.warnings) == (2, ())


def test_without_a_choice_both_stay_in_force_and_what_is_the_same_is_one(graph):
    _merge(graph)
    rows = _rows(graph, "start-Harbor", "start-Harbour", "owner-Harbor", "owner-Harbour")
    assert rows["start-Harbor"]["status"] == rows["start-Harbour"]["status"] == "active"
    assert (rows["owner-Harbor"]["status"], rows["owner-Harbour"]["status"]) == (
        "active", "superseded")
    assert rows["owner-Harbour"]["superseded_by"] == "owner-Harbor"


def _facts(graph):
    """Two entities with the same facts without a claim key; some are older in the second."""
    for name, first, second in (("Mia", EARLY, LATE), ("Mia K.", LATE, EARLY)):
        about = graph.aspect(graph.entity(name), "About", id=f"a-{name}")
        graph.value(about, "Lives in Leipzig", None, id=f"lives-{name}", created_at=first)
        graph.value(about, "lives  in leipzig", None, id=f"again-{name}", created_at=LATE)
        graph.value(about, "Plays chess", "", id=f"chess-{name}", created_at=second)
        graph.value(about, f"Called {name}", None, id=f"called-{name}")
        graph.value(about, "Speaks Czech", "language" if name == "Mia K." else None,
                    id=f"speaks-{name}")


def test_a_fact_without_a_claim_key_is_there_once_after_a_merge_and_twice_after_undo(tmp_path):
    graph = build(tmp_path / "g.db", _facts)
    before = dump(graph)
    said = []

    def merge(writer):
        payload = {"target_entity": "Mia", "source_entities": ["Mia K."]}
        said.append(describe(writer, "merge_entities", payload).sentence)
        return control.apply(writer, "merge_entities", payload)

    graph.write("Merge", merge)
    with graph.read() as reader:
        rows = reader.rows("SELECT id, status, superseded_by FROM entity_attributes"
                           " WHERE agent_id = :agent AND status <> 'active'")
    assert {row["id"]: row["superseded_by"] for row in rows} == {
        "lives-Mia K.": "lives-Mia", "again-Mia K.": "lives-Mia", "chess-Mia": "chess-Mia K.",
        "speaks-Mia": "speaks-Mia K."}
    assert "4 values said twice will be there once." in said[0]
    graph.undo()
    assert without_records(dump(graph), before) == before
    graph.close()


def test_the_value_that_is_kept_holds_and_the_others_are_archived(graph):
    result = _merge(graph, ("Harbour", "Hafen"), keep_values=["start-Hafen", "rule"])
    rows = _rows(graph, "start-Harbor", "start-Harbour", "start-Hafen", "rule", "freeze", "room")
    assert {id: row["status"] for id, row in rows.items()} == {
        "start-Harbor": "deleted", "start-Harbour": "deleted", "start-Hafen": "active",
        "rule": "active", "freeze": "deleted", "room": "active"}
    assert {row["aspect_id"] for row in rows.values()} == {"a-Harbor"}
    assert sorted(result["retiredAttributeIds"]) == ["freeze", "start-Harbor", "start-Harbour"]
    assert rows["freeze"]["archive_reason"]


def test_the_newer_value_holds_and_the_others_are_its_earlier_versions(graph):
    _merge(graph, newer_values=["start-Harbour"])
    rows = _rows(graph, "start-Harbor", "start-Harbour")
    assert [rows["start-Harbor"][key] for key in ("status", "superseded_by")] == [
        "superseded", "start-Harbour"]
    assert rows["start-Harbour"]["previous_attribute_id"] == "start-Harbor"
    with graph.read() as reader:
        history = versions(reader, slot_of(reader, "start-Harbour"))
    assert [(one.value.id, one.value.version) for one in history] == [("start-Harbour", 2),
                                                          ("start-Harbor", 1)]


def test_own_words_hold_and_both_stay_as_earlier_versions(graph):
    _merge(graph, own_values=["start-Harbor=Starts at = 1 or 2"])
    with graph.read() as reader:
        history = versions(reader, slot_of(reader, "start-Harbor"))
    assert [(one.value.content, one.value.status) for one in history] == [
        ("Starts at = 1 or 2", "active"), ("Starts at 2", "superseded"),
        ("Starts at 1", "superseded")]


@pytest.mark.parametrize("choices", [
    {}, {"keep_values": ["start-Harbor", "rule"]}, {"newer_values": ["start-Harbour"]},
    {"own_values": ["start-Harbor=Other"]},
])
def test_one_undo_gives_every_row_back(graph, choices):
    before = dump(graph)
    entry = graph.write("Merge", lambda writer: control.apply(writer, "merge_entities", {
        "target_entity": "Harbor", "source_entities": ["Harbour"], **choices})).entry
    assert without_records(dump(graph), before) != before
    graph.undo(entry)
    assert without_records(dump(graph), before) == before


@pytest.mark.parametrize(("choices", "words"), [
    ({"keep_values": ["room"]}, "collides with no other"),
    ({"keep_values": ["owner-Harbor"]}, "collides with no other"),
    ({"keep_values": ["start-Harbor"], "newer_values": ["start-Harbour"]}, "Two choices"),
    ({"own_values": ["start-Harbor"]}, "words"),
    ({"own_values": ["=x"]}, "words"),
])
def test_a_choice_that_makes_no_sense_is_refused_and_nothing_changes(graph, choices, words):
    before = dump(graph)
    with pytest.raises(OperationError, match=words) as refused:
        _merge(graph, **choices)
    assert refused.value.status == 400
    assert dump(graph) == before
