"""What every operation of the catalogue keeps, on a native file and on two Signet generations."""

import re
from inspect import isabstract
from pathlib import Path

import pytest

from core.errors import OperationError
from core.ontology import control, proposals
from core.ontology.operation_catalog import CATALOG
from core.ontology.request_descriptions import describe
from core.workspace import Workspace
from tests.contracts.files import KINDS, Dump, dump, make, without_records
from tests.contracts.samples import SAMPLES

EVERY = pytest.mark.parametrize("name", sorted(CATALOG))
POSSIBLE = [(kind, name) for name in sorted(SAMPLES.keys() & CATALOG) for kind in KINDS
            if kind not in SAMPLES[name].refused_on]
EVERY_POSSIBLE = pytest.mark.parametrize(("kind", "name"), POSSIBLE)
PROPOSABLE = pytest.mark.parametrize(
    ("kind", "name"), [pair for pair in POSSIBLE if pair[0] != "signet-030"])
NEW = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIME = re.compile(r"20\d\d-\d\d-\d\dT[0-9:.]+Z")
FOUND = {"confidence": 0.9, "reason": "seen", "evidence": [{"quote": "they said so"}]}


def prepare(graph: Workspace, name: str) -> dict[str, object]:
    """The sample's payload, with the world made ready for it."""
    if name == "unmute_entity":
        graph.write("Mute", lambda w: w.mute("e-tide", "2026-03-14T21:40:46.123Z"))
    return SAMPLES[name].payload


@EVERY
def test_every_operation_has_a_sample(name: str) -> None:
    assert SAMPLES[name]


def test_a_missing_sample_says_what_to_add_and_where() -> None:
    assert not SAMPLES.keys() - CATALOG.keys()
    with pytest.raises(AssertionError, match=r"no sample: add .* in tests/contracts/samples.py"):
        SAMPLES["teleport_entity"]


@EVERY
def test_a_schema_and_a_help_text_exist(name: str) -> None:
    operation = CATALOG[name]
    schema = operation.schema()
    assert schema["type"] == "object"
    assert schema["properties"]
    assert all("description" in field for field in schema["properties"].values())
    assert operation.summary.endswith(".")
    assert operation.name == name
    assert operation.label
    assert not isabstract(operation.fields)


@EVERY
def test_it_can_be_said_in_words(graph: Workspace, name: str) -> None:
    payload = prepare(graph, name)
    with graph.read() as reader:
        said = describe(reader, name, payload)
    assert said.sentence.endswith(".")
    assert said.title
    assert len(said.title) <= 120
    assert "\n" not in said.title + said.sentence
    assert said.destructive == CATALOG[name].destructive


@EVERY_POSSIBLE
def test_a_dry_run_leaves_no_trace(graph: Workspace, name: str) -> None:
    payload = prepare(graph, name)
    before, undo = dump(graph), graph.undo_step()
    rehearsal = graph.rehearse(lambda w: control.apply(w, name, payload))
    assert rehearsal.result.status == "applied"
    assert rehearsal.changes
    assert dump(graph) == before
    assert graph.undo_step() == undo


@PROPOSABLE
def test_apply_does_what_propose_and_apply_do(tmp_path: Path, kind: str, name: str) -> None:
    direct = make(kind, tmp_path / "direct.db", tmp_path / "side")
    proposed = make(kind, tmp_path / "proposed.db", tmp_path / "side")
    payload = prepare(direct, name)
    prepare(proposed, name)
    direct.write("Do", lambda w: control.apply(w, name, payload, **FOUND))
    waiting = proposed.write("Ask", lambda w: control.propose(w, name, payload, **FOUND)).result
    proposed.write("Decide", lambda w: proposals.apply_proposal(w, waiting)).result.or_raise()
    assert in_general(dump(direct)) == in_general(dump(proposed))
    direct.close()
    proposed.close()


def in_general(rows: Dump) -> dict[str, list[str]]:
    """Rows without fresh ids and times, which differ between two runs."""
    return {
        table: sorted(TIME.sub("<now>", NEW.sub("<new>", repr(row))) for row in found)
        for table, found in rows.items() if table != "entity_dependency_history"
    }


@EVERY_POSSIBLE
def test_undo_restores_every_row_and_redo_does_it_again(graph: Workspace, name: str) -> None:
    payload = prepare(graph, name)
    before = dump(graph)
    graph.write("Do", lambda w: control.apply(w, name, payload))
    after = dump(graph)
    assert without_records(after, before) != before
    graph.undo()
    assert without_records(dump(graph), before) == before
    graph.redo()
    assert without_records(dump(graph), after) == after
    graph.undo()
    assert without_records(dump(graph), before) == before


@EVERY_POSSIBLE
def test_the_audit_stays_when_the_change_is_undone(
    graph: Workspace, kind: str, name: str
) -> None:
    payload = prepare(graph, name)
    outcome = graph.write(
        "Do", lambda w: control.apply(w, name, payload, **FOUND), actor="nora").result
    graph.undo()
    with graph.read() as reader:
        row = reader.row("SELECT * FROM ontology_proposals WHERE id = :id AND agent_id = :agent",
                         id=outcome.proposal_id)
    if kind == "signet-030":
        assert row is None
        return
    assert row is not None
    assert (row["status"], row["operation"], row["applied_by"]) == ("applied", name, "nora")
    assert (row["confidence"], row["rationale"]) == (0.9, "seen")


@EVERY
@pytest.mark.parametrize("payload", [{"nonsense": 1}, {"entity": 5, "name": [], "id": {}}])
def test_a_payload_that_makes_no_sense_changes_nothing(
    graph: Workspace, name: str, payload: dict[str, object]
) -> None:
    before = dump(graph)
    with pytest.raises(OperationError) as refused:
        graph.write("Do", lambda w: control.apply(w, name, payload))
    assert refused.value.status == 400
    assert dump(graph) == before


@EVERY
def test_a_failure_changes_nothing(graph: Workspace, name: str) -> None:
    payload = prepare(graph, name)
    before, undo = dump(graph), graph.undo_step()

    def fail_at_the_end(writer):  # type: ignore[no-untyped-def]
        control.apply(writer, name, payload)
        raise OperationError(409, "Something else went wrong")

    with pytest.raises(OperationError):
        graph.write("Do", fail_at_the_end)
    assert dump(graph) == before
    assert graph.undo_step() == undo


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for name in SAMPLES for kind in SAMPLES[name].refused_on])
def test_a_generation_without_room_refuses_in_words(graph: Workspace, name: str) -> None:
    before = dump(graph)
    with pytest.raises(OperationError) as refused:
        graph.write("Do", lambda w: control.apply(w, name, SAMPLES[name].payload))
    assert refused.value.status in (404, 409)
    assert dump(graph) == before


@EVERY_POSSIBLE
def test_rows_of_another_agent_stay_untouched(graph: Workspace, name: str) -> None:
    payload = prepare(graph, name)
    before = rivals(graph)
    assert any(before.values())
    graph.write("Do", lambda w: control.apply(w, name, payload))
    assert rivals(graph) == before


def rivals(graph: Workspace) -> dict[str, list[tuple]]:
    return {table: [row for row in rows if "rival" in row] for table, rows in dump(graph).items()}


@pytest.mark.parametrize("name", [name for name in sorted(CATALOG) if not CATALOG[name].info.makes])
def test_another_agent_cannot_do_it_to_these_rows(graph: Workspace, name: str) -> None:
    payload = prepare(graph, name)
    before = dump(graph)
    graph.with_agent("rival")
    with pytest.raises(OperationError):
        graph.write("Do", lambda w: control.apply(w, name, payload))
    assert dump(graph) == before


@PROPOSABLE
def test_changed_rows_carry_the_proposal(graph: Workspace, kind: str, name: str) -> None:
    payload = prepare(graph, name)
    rehearsal = graph.rehearse(lambda w: control.apply(w, name, payload, **FOUND))
    changed = [
        change for change in rehearsal.changes
        if change.after and "proposal_evidence" in change.after
        # How often an entity is mentioned is counted, not stated.
        and set(change.columns) - {"mentions", "updated_at"}
    ]
    # A merge moves rows that keep the proposals they came from, and so does a value that is
    # replaced, archived or restored: its history names who wrote it.
    kept = [c for c in changed if c.table == "entity_attributes" and c.before is not None]
    assert all(c.before["proposal_id"] == c.after["proposal_id"] for c in kept)
    own = [c.after for c in changed if c.after["proposal_id"] == rehearsal.result.proposal_id]
    assert len(own) == len(changed) - len(kept) or name.startswith("merge_")
    assert all(row["proposal_evidence"] == '[{"quote":"they said so"}]' for row in own)
    # In a Signet file a mute is kept beside it; memories, assertions and dates of review have no
    # such columns.
    assert own or kept or name in ("forget_memory", "set_review_date") or name.endswith(
        "_assertion") or (
        name.endswith("mute_entity") and kind != "native")
