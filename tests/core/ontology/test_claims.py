"""Claims: versions, slots, dedupe, constraints, restoring (seed 001, claim slots)."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import chain
from typing import Any
from unittest.mock import patch

import pytest

from core.errors import OperationError
from core.ontology import control
from core.ontology.claim_slots import SlotKey, slot_rows
from core.ontology.proposals import apply_proposal
from core.ontology.request_descriptions import describe
from core.store.reader_and_writer import Reader, Writer
from core.workspace import Workspace
from tests.core.graphs import Graph, empty_graph  # noqa: F401 - the fixture `graph`

Do = Callable[..., dict[str, Any]]


@pytest.fixture
def do(graph: Workspace) -> Do:
    def run(operation: str, **payload: object) -> dict[str, Any]:
        outcome = graph.write(operation, lambda w: control.apply(w, operation, payload)).result
        return dict(outcome.result)

    return run


@pytest.fixture
def say(do: Do) -> Do:
    """Give the claim of these tests a value."""
    def run(value: str, operation: str = "set_claim_value", **more: object) -> dict[str, Any]:
        return do(operation, **{"entity": "dreaming loop", "aspect": "schedule",
                                "group": "cadence", "claim": "interval", "value": value, **more})

    return run


def values(graph: Workspace) -> list[tuple[str, int, str]]:
    """Every stored value as (content, version, status), in the order of writing."""
    with graph.read() as reader:
        return [(r["content"], r["version"], r["status"]) for r in reader.rows(
            "SELECT * FROM entity_attributes WHERE agent_id = :agent ORDER BY seq")]


def refused(do: Do, status: int, operation: str, **payload: object) -> str:
    with pytest.raises(OperationError) as error:
        do(operation, **payload)
    assert error.value.status == status
    return str(error.value)


def test_each_new_value_is_a_version_and_the_old_one_is_superseded(
    graph: Workspace, say: Do
) -> None:
    one, two, three = say("hourly"), say("daily"), say("weekly")
    assert values(graph) == [("hourly", 1, "superseded"), ("daily", 2, "superseded"),
                             ("weekly", 3, "active")]
    assert three["versionRootId"] == two["versionRootId"] == one["attributeId"]
    assert three["previousAttributeId"] == two["attributeId"]
    assert three["supersededAttributeIds"] == [two["attributeId"]]


def test_restoring_a_version_makes_it_the_only_active_one(
    graph: Workspace, do: Do, say: Do
) -> None:
    say("hourly")
    two = say("daily")
    say("weekly")
    result = do("restore_claim_version", attribute_id=two["attributeId"])
    assert result["restored"] is True
    assert values(graph) == [("hourly", 1, "superseded"), ("daily", 2, "active"),
                             ("weekly", 3, "superseded")]


def test_the_same_value_again_is_no_new_version(graph: Workspace, say: Do) -> None:
    first = say("hourly")
    again = say("  HOURLY ")
    assert again["deduped"] is True
    assert again["attributeId"] == first["attributeId"]
    assert len(values(graph)) == 1


def test_a_chain_goes_on_after_an_archived_value(graph: Workspace, do: Do, say: Do) -> None:
    one = say("hourly")
    do("archive_claim_value", attribute_id=one["attributeId"], reason="wrong")
    two = say("daily")
    assert (two["version"], two["versionRootId"]) == (2, one["attributeId"])
    assert two["previousAttributeId"] == one["attributeId"]
    assert values(graph) == [("hourly", 1, "deleted"), ("daily", 2, "active")]


def test_added_values_stand_side_by_side_and_set_takes_them_all(
    graph: Workspace, say: Do
) -> None:
    say("hourly", "add_claim_value")
    say("daily", "add_claim_value")
    assert [status for _, _, status in values(graph)] == ["active", "active"]
    assert say("daily", "add_claim_value")["deduped"] is True
    assert len(say("weekly")["supersededAttributeIds"]) == 2


def test_a_slot_is_the_same_under_any_spelling_of_its_keys(graph: Workspace, say: Do) -> None:
    say("hourly", "add_claim_value", group="The Cadence", claim="Inter  Val")
    say("daily", group_key="the_cadence", claim_key="inter val", group=None, claim=None)
    assert values(graph) == [("hourly", 1, "superseded"), ("daily", 2, "active")]


def test_a_raw_key_in_the_file_is_still_the_same_slot(graph: Workspace, do: Do, say: Do) -> None:
    one = say("hourly")
    graph.write("As Signet stores it", lambda w: w.update(
        "entity_attributes", one["attributeId"], claim_key="Interval", group_key="Cadence"))
    assert say("daily")["supersededAttributeIds"] == [one["attributeId"]]


def test_a_claim_among_many_is_read_without_the_others_under_any_spelling(
    graph: Workspace
) -> None:
    ways = {"start_time": ("start time", " Start  Time ", "START\tTIME", "start_time"),
            "öl_stand": ("Öl Stand", "ÖL\u00a0STAND"), "plain": ("Plain ", "plain"),
            "100%_of_\\": ("100% of \\", "\t100%_OF\x1c\\"), "k" * 300 + "_k": ("K" * 300 + "  k",)}

    def fill(writer: Writer) -> None:
        made = Graph(writer)
        aspect = made.aspect(made.entity("Vega"), "schedule", id="wide")
        for key in chain.from_iterable(ways.values()):
            made.value(aspect, key, claim_key=key)
        for number in range(50):
            made.value(aspect, "another", claim_key=f"claim {number}")

    graph.write("fill", fill)
    with graph.read() as reader:
        for key, spellings in ways.items():
            slot = SlotKey("wide", "attribute", "general", key)
            assert {row["content"] for row in slot_rows(reader, slot)} == set(spellings)
        with patch.object(Reader, "rows", autospec=True, side_effect=Reader.rows) as rows:
            slot_rows(reader, SlotKey("wide", "attribute", "general", "claim_7"))
            ((asked, sql), given), = rows.call_args_list
        assert len(asked.rows(sql, **given)) < 10


def test_an_attribute_and_a_constraint_do_not_share_a_slot(graph: Workspace, say: Do) -> None:
    say("hourly")
    say("never by night", kind="constraint")
    assert [status for _, _, status in values(graph)] == ["active", "active"]


CONSTRAINT = {"entity": "dreaming loop", "aspect": "schedule", "group": "cadence",
              "claim": "interval", "kind": "constraint"}


def test_a_persons_constraint_takes_the_place_of_the_one_in_force(
    graph: Workspace, do: Do, say: Do
) -> None:
    say("never by night", kind="constraint")
    done = do("set_claim_value", **CONSTRAINT, value="never by day")
    assert done["replacedConstraints"] == ["never by night"]
    done = do("supersede_claim_value", **CONSTRAINT, old_value="never by day", new_value="never")
    assert done["replacedConstraints"] == ["never by day"]
    assert [status for _, _, status in values(graph)] == ["superseded", "superseded", "active"]


def test_a_constraint_goes_by_force_only(graph: Workspace, do: Do, say: Do) -> None:
    rule = say("never by night", kind="constraint")
    refused(do, 409, "archive_claim_value", attribute_id=rule["attributeId"])
    refused(do, 409, "supersede_claim_value", **CONSTRAINT, old_value="never by night")
    refused(do, 409, "set_claim_value", **{**CONSTRAINT, "kind": "attribute"}, value="by day")
    do("supersede_claim_value", **CONSTRAINT, old_value="never by night", force=True)
    assert [status for _, _, status in values(graph)] == ["superseded"]


def test_a_proposed_constraint_asks_before_it_replaces_one(
    graph: Workspace, say: Do
) -> None:
    say("never by night", kind="constraint")
    waiting = graph.write("Propose", lambda w: control.propose(
        w, "set_claim_value", {**CONSTRAINT, "value": "never by day"})).result
    with pytest.raises(OperationError, match="is active"):
        graph.write("Apply", lambda w: apply_proposal(w, waiting))
    graph.write("Apply", lambda w: apply_proposal(w, waiting, force=True))
    assert [status for _, _, status in values(graph)] == ["superseded", "active"]


def test_superseding_by_value_and_by_id(graph: Workspace, do: Do, say: Do) -> None:
    slot = {"entity": "dreaming loop", "aspect": "schedule", "group_key": "cadence",
            "claim_key": "interval"}
    say("hourly")
    done = do("supersede_claim_value", **slot, old_value="Hourly", new_value="daily",
              confidence=0.93)
    assert len(done["supersededAttributeIds"]) == 1
    with graph.read() as reader:
        new = reader.row("SELECT * FROM entity_attributes WHERE id = :id AND agent_id = :agent",
                         id=done["replacementAttributeId"])
        old = reader.row("SELECT * FROM entity_attributes WHERE id = :id AND agent_id = :agent",
                         id=done["supersededAttributeIds"][0])
    assert new is not None
    assert old is not None
    assert (new["confidence"], new["version"], old["superseded_by"]) == (0.93, 2, new["id"])
    gone = do("supersede_claim_value", **slot, attribute_id=new["id"])
    assert gone == {"supersededAttributeIds": [new["id"]], "replacementAttributeId": None}


@pytest.mark.parametrize("blank", ["", " \n"])
def test_a_blank_value_retires_nothing(graph: Workspace, do: Do, say: Do, blank: str) -> None:
    say("hourly")
    slot = {"entity": "dreaming loop", "aspect": "schedule", "group": "cadence",
            "claim": "interval"}
    for operation, more in (("supersede_claim_value", {"old_value": "hourly", "new_value": blank}),
                            ("set_claim_value", {"value": blank})):
        assert "archive_claim_value" in refused(do, 400, operation, **slot, **more)
    assert values(graph) == [("hourly", 1, "active")]


def test_superseding_makes_nothing_and_invents_no_ids(do: Do, say: Do) -> None:
    slot = {"entity": "dreaming loop", "aspect": "schedule", "group": "cadence",
            "claim": "interval"}
    say("hourly")
    refused(do, 400, "supersede_claim_value", **slot, new_value="daily")
    refused(do, 400, "supersede_claim_value", **slot, old_value="weekly", new_value="daily")
    refused(do, 400, "supersede_claim_value", **slot, old_value="hourly", new_value="HOURLY")
    refused(do, 400, "supersede_claim_value", **slot, old_value="hourly", superseded_by="phantom")
    refused(do, 400, "supersede_claim_value", **{**slot, "entity": "nobody"}, old_value="hourly")
    refused(do, 400, "supersede_claim_value", **{**slot, "aspect": "nothing"}, old_value="hourly")


def test_a_value_that_is_of_no_claim_yet_is_refused_with_the_way_to_give_it_one(
    graph: Workspace, do: Do, say: Do
) -> None:
    slot = {"entity": "dreaming loop", "aspect": "schedule", "group": "cadence",
            "claim": "interval"}
    id = say("hourly")["attributeId"]
    graph.write("Take the key", lambda w: w.update("entity_attributes", id, claim_key=None))
    for value in ({"old_value": "hourly"}, {"attribute_id": id}):
        told = refused(do, 400, "supersede_claim_value", **slot, **value, new_value="daily")
        assert f"The value {id} has no claim key yet: move it to one first" in told
    other = refused(do, 400, "supersede_claim_value", **slot, old_value="weekly")
    assert "claim key" not in other


def test_an_unkeyed_value_is_restored_along_its_chain(graph: Workspace, do: Do, say: Do) -> None:
    # Signet leaves both active, because NULL never equals NULL.
    one, two = say("slow", "add_claim_value"), say("fast", "add_claim_value")
    graph.write("As an old file has them", lambda w: [
        w.update("entity_attributes", one["attributeId"], claim_key=None, group_key=None,
                 status="superseded", superseded_by=two["attributeId"]),
        w.update("entity_attributes", two["attributeId"], claim_key=None, group_key=None)])
    do("restore_claim_version", attribute_id=one["attributeId"])
    assert [(c, s) for c, _, s in values(graph)] == [("slow", "active"), ("fast", "superseded")]


def test_a_version_chain_that_bites_its_tail_ends(graph: Workspace, do: Do, say: Do) -> None:
    one, two = say("slow", "add_claim_value"), say("fast", "add_claim_value")
    ids = (one["attributeId"], two["attributeId"])
    graph.write("A broken file", lambda w: [
        w.update("entity_attributes", a, claim_key=None, superseded_by=b)
        for a, b in (ids, ids[::-1])])
    do("restore_claim_version", attribute_id=ids[0])
    assert [(c, s) for c, _, s in values(graph)] == [("slow", "active"), ("fast", "superseded")]


def test_an_archived_aspect_comes_back_with_a_new_claim_only(
    graph: Workspace, do: Do, say: Do
) -> None:
    say("hourly")
    do("archive_aspect", entity="dreaming loop", aspect="schedule")
    say("daily")
    assert values(graph) == [("hourly", 1, "deleted"), ("daily", 2, "active")]
    with graph.read() as reader:
        assert reader.value("SELECT status FROM entity_aspects WHERE agent_id = :agent") == "active"


def test_a_restored_aspect_brings_back_what_went_with_it(
    graph: Workspace, do: Do, say: Do
) -> None:
    one = say("hourly", claim="first")
    say("daily", claim="second")
    do("archive_claim_value", attribute_id=one["attributeId"])
    do("archive_aspect", entity="dreaming loop", aspect="schedule")
    done = do("restore_aspect", entity="dreaming loop", aspect="schedule")
    assert len(done["restoredAttributeIds"]) == 1
    assert values(graph) == [("hourly", 1, "deleted"), ("daily", 1, "active")]


def test_an_aspect_with_constraints_needs_force(do: Do, say: Do) -> None:
    say("never by night", kind="constraint")
    refused(do, 409, "archive_aspect", entity="dreaming loop", aspect="schedule")
    do("archive_aspect", entity="dreaming loop", aspect="schedule", force=1)


def test_no_claim_comes_back_under_an_archived_entity(do: Do, say: Do) -> None:
    one = say("hourly")
    say("daily")
    do("archive_entity", entity="dreaming loop")
    assert "archived" in refused(do, 409, "restore_claim_version",
                                 attribute_id=one["attributeId"])


def test_an_id_finds_its_entity_and_a_wrong_one_makes_none(
    graph: Workspace, do: Do, say: Do
) -> None:
    made = say("hourly")
    assert say("daily", entity=made["entityId"], aspect=made["aspectId"])["version"] == 2
    phantom = "0b9ad1b8-0000-4000-8000-000000000000"
    refused(do, 404, "set_claim_value", entity=phantom, aspect="a", claim="c", value="v")
    with graph.read() as reader:
        assert reader.value("SELECT COUNT(*) FROM entities WHERE agent_id = :agent") == 1


@pytest.mark.parametrize(("given", "kept"), [
    (2, 1.0), (-1, 0.0), (0.4, 0.4), ("0.4", 1.0), (True, 1.0), (float("inf"), 0.0)])
def test_shares_are_clamped_and_text_is_no_number(
    graph: Workspace, do: Do, given: object, kept: float
) -> None:
    payload = {"entity": "e", "aspect": "a", "claim": "c", "value": "v", "confidence": given}
    outcome = graph.rehearse(lambda w: control.perform(
        w, "set_claim_value", payload,
        control.OperationRequest("set_claim_value", payload, confidence=1.0).provenance("p")))
    assert [c.after["confidence"] for c in outcome.changes
            if c.table == "entity_attributes" and c.after] == [kept]


@pytest.mark.parametrize("text", ["<b>bold</b>", "שלום عالم", "🚢" * 9, "x" * 100_000, "a\nb\tc"])
def test_any_text_is_kept_as_it_is(graph: Workspace, say: Do, text: str) -> None:
    say(text)
    assert values(graph)[-1][0] == text.strip()


@pytest.mark.parametrize("missing", ["entity", "aspect", "claim_key", "value"])
def test_a_missing_field_is_named(do: Do, missing: str) -> None:
    payload = {"entity": "e", "aspect": "a", "claim_key": "c", "value": "v", missing: "  "}
    said = "is empty" if missing == "value" else "is required"
    assert f"{missing} {said}" in refused(do, 400, "set_claim_value", **payload)


def test_a_value_may_be_called_as_the_other_operations_call_it(graph: Workspace, do: Do) -> None:
    slot = {"entity": "Ada", "aspect": "drink", "claim_key": "tea"}
    do("set_claim_value", **slot, new_value="green")
    do("supersede_claim_value", **slot, old_value="green", value="black")
    assert values(graph) == [("green", 1, "superseded"), ("black", 2, "active")]
    assert "new_value is empty" in refused(do, 400, "set_claim_value", **slot, new_value=" ")


@pytest.mark.parametrize("kind", ["attribute", "constraint"])
def test_a_claim_whose_words_are_gone_from_a_damaged_file_is_set_anew(
    graph: Workspace, say: Do, kind: str
) -> None:
    say("hourly", kind=kind)
    with closing(sqlite3.connect(graph.path)) as other, other:
        other.execute("PRAGMA writable_schema = ON")
        other.execute("UPDATE sqlite_schema SET sql = replace(sql, 'content TEXT NOT NULL',"
                      " 'content TEXT') WHERE name = 'entity_attributes'")
        other.execute("PRAGMA writable_schema = RESET")
        other.execute("UPDATE entity_attributes SET content = NULL, normalized_content = NULL")
    payload = {"entity": "dreaming loop", "aspect": "schedule", "group": "cadence",
               "claim": "interval", "value": "daily", "kind": kind}
    with graph.read() as reader:
        told = describe(reader, "set_claim_value", payload).sentence
    assert told.endswith(" · interval of “dreaming loop” from “” to “daily”.")
    say("daily", kind=kind)
    assert values(graph)[-1] == ("daily", 2, "active")
