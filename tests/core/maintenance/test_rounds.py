"""Maintenance: each chore is a change of its own, seen and undone; what was taken back stays so."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.embedding import backfill
from core.errors import Cancelled, ConstellationError
from core.learning.config import FeedbackSettings, SupersessionSettings
from core.maintenance import duplicate_values
from core.maintenance.config import MaintenanceSettings
from core.maintenance.rounds import Round, TaskResult, carry_out, due, last_round, maintain, usual
from core.model.names import canonical
from core.ontology import control
from core.store.reader_and_writer import Writer, stamp
from core.workspace import Workspace
from tests.contracts.files import KINDS, dump, make
from tests.core.graphs import (
    Graph,
    empty_graph,  # noqa: F401 - the fixture `graph`
)

NOW = datetime.now(UTC)
STILL = FeedbackSettings(decay_enabled=False)
"""The rows of these tests are old: decay is tested by itself."""
USUAL = usual(MaintenanceSettings(), SupersessionSettings(), STILL)
EARLY, LATE = "2026-03-01T08:00:00.000Z", "2026-03-15 08:00:00"
RECORDS = (
    "memory_history", "automatic_changes", "ontology_proposals", "entity_dependency_history")


def fill(graph: Workspace, change: Callable[[Graph], Any]) -> Any:
    return graph.write("fill", lambda w: change(Graph(w, EARLY))).result


def rows(graph: Workspace, sql: str) -> list[tuple[Any, ...]]:
    with graph.read() as reader:
        return [tuple(row) for row in reader.rows(sql)]


def ago(**time: float) -> str:
    return stamp(NOW - timedelta(**time))


def facts(graph: Workspace) -> dict[str, list[tuple]]:
    """Every row but the records that undo leaves in place."""
    return {table: found for table, found in dump(graph).items() if table not in RECORDS}


def done(round: Round) -> dict[str, int]:
    return {one.chore: one.changed for one in round.done}


def round_of(told: Round, chore: str) -> TaskResult:
    return next(one for one in told.done if one.chore == chore)


# -- when --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("last", "expected"), [
    (None, True), (timedelta(minutes=29), False), (timedelta(minutes=30), True),
    (timedelta(minutes=-5), True)])
def test_a_round_is_due_after_its_time(last: timedelta | None, expected: bool) -> None:
    before = None if last is None else NOW - last
    assert due(NOW, before, MaintenanceSettings(enabled=True)) is expected
    assert not due(NOW, before, MaintenanceSettings())  # off until the person switches it on


def test_a_round_is_remembered_with_the_file_and_a_rehearsal_is_not(graph: Workspace) -> None:
    maintain(graph, USUAL, rehearse=True)
    assert last_round(graph) is None
    maintain(graph, USUAL, now=NOW)
    began = last_round(graph)
    assert began is not None
    assert abs(began - NOW) < timedelta(seconds=1)
    assert not due(NOW, began, MaintenanceSettings(enabled=True))


def test_tasks_that_are_switched_off_are_left_out() -> None:
    assert list(USUAL) == ["propagation", "duplicates", "supersession", "decay", "expiry",
                           "release", "task weight"]
    quiet = MaintenanceSettings(duplicates=False, supersession=False, tasks=False)
    assert not {"duplicates", "supersession", "expiry"} & usual(
        quiet, SupersessionSettings(), STILL).keys()


def test_a_round_that_finds_nothing_leaves_no_trace(graph: Workspace) -> None:
    fill(graph, lambda g: g.value(g.aspect(g.entity("Harbor"), "facts"), "lies by the sea"))
    before = dump(graph)
    assert maintain(graph, USUAL).changed == 0
    assert dump(graph) == before
    assert len(graph.history()) == 1


def test_a_chore_that_fails_does_not_stop_the_others(graph: Workspace) -> None:
    def fail(workspace: Workspace, rehearse: bool) -> TaskResult:
        raise ConstellationError("The disk is full", do="Make room")

    result = maintain(graph, {"first": fail, **USUAL})
    assert result.done[0] == TaskResult("first", 0, error="The disk is full. Make room")
    assert len(result.done) == 1 + len(USUAL)


def test_only_the_tasks_that_were_named_are_done(graph: Workspace) -> None:
    assert list(done(maintain(graph, USUAL, only=["expiry"]))) == ["expiry"]


# -- supersession ------------------------------------------------------------------------------


def contradiction(g: Graph) -> list[str]:
    aspect = g.aspect(g.entity("Nora", "person"), "home")
    return [g.value(aspect, "lives in denver"),
            g.value(aspect, "lives in boulder", created_at=LATE)]


def test_the_sweep_is_an_entry_of_the_history_that_can_be_undone(graph: Workspace) -> None:
    fill(graph, contradiction)
    before = facts(graph)
    result = maintain(graph, USUAL)
    assert done(result)["supersession"] == 1
    assert "lives in denver → lives in boulder" in round_of(result, "supersession").details[0]
    entry = graph.history()[0]
    assert (entry.label, entry.who) == ("Retire values that newer ones contradict", "maintenance")
    graph.undo()
    assert facts(graph) == before
    assert maintain(graph, USUAL).changed == 0


def test_a_rehearsal_says_what_would_be_done_and_does_nothing(graph: Workspace) -> None:
    fill(graph, contradiction)
    before = dump(graph)
    result = maintain(graph, USUAL, rehearse=True)
    assert result.rehearsed
    assert done(result)["supersession"] == 1
    assert dump(graph) == before


def test_shadow_mode_is_an_entry_of_the_history(graph: Workspace) -> None:
    fill(graph, contradiction)
    shadow = usual(MaintenanceSettings(), SupersessionSettings(shadow=True), STILL)
    assert done(maintain(graph, shadow))["supersession"] == 1
    assert graph.history()[0].label == "Record values that newer ones contradict"
    assert rows(graph, "SELECT status FROM entity_attributes") == [("active",), ("active",)]


# -- decay, deleted memories, vectors ---------------------------------------------------------


def test_stale_aspects_lose_weight_once_and_it_can_be_undone(graph: Workspace) -> None:
    fill(graph, lambda g: g.aspect(g.entity("Harbor"), "facts", weight=0.8))
    before = facts(graph)
    wanted = usual(MaintenanceSettings(), SupersessionSettings(), FeedbackSettings())
    assert done(maintain(graph, wanted))["decay"] == 1
    assert rows(graph, "SELECT weight FROM entity_aspects") == [(0.795,)]
    assert done(maintain(graph, wanted))["decay"] == 0
    assert graph.undo() == "Lower the weight of unconfirmed aspects"
    assert facts(graph) == before
    assert done(maintain(graph, wanted))["decay"] == 0  # what was taken back is not done again


def test_values_of_a_deleted_memory_are_retired(graph: Workspace) -> None:
    def change(g: Graph) -> None:
        memory = g.memory("gone", is_deleted=1)
        g.value(g.aspect(g.entity("Harbor"), "facts"), "by the sea", memory_id=memory)

    fill(graph, change)
    assert done(maintain(graph, USUAL))["propagation"] == 1
    assert rows(graph, "SELECT status FROM entity_attributes") == [("superseded",)]
    graph.undo()
    assert maintain(graph, USUAL).changed == 0


class Letters:
    """An embedder that needs no words."""

    name, dimensions = "letters", 2

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([[1.0, 0.0] for _ in texts], dtype=np.float32)


def test_missing_vectors_are_made_as_a_change_of_its_own(graph: Workspace) -> None:
    fill(graph, lambda g: [g.memory("One"), g.memory("Two")])
    wanted = usual(MaintenanceSettings(), SupersessionSettings(), STILL, embedder=Letters())
    assert done(maintain(graph, wanted, rehearse=True))["embeddings"] == 2
    assert done(maintain(graph, wanted))["embeddings"] == 2
    assert rows(graph, "SELECT count(*) FROM embeddings WHERE model = 'letters'") == [(2,)]
    assert maintain(graph, wanted).changed == 0
    assert graph.undo() == "Compute missing vectors"
    assert rows(graph, "SELECT count(*) FROM embeddings") == [(0,)]


def test_the_making_of_vectors_says_how_far_it_is_and_can_be_stopped(
    graph: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backfill, "AT_ONCE", 2)
    fill(graph, lambda g: [g.memory(f"Note {n}") for n in range(6)])
    told: list[float] = []

    def report(share: float) -> None:
        told.append(share)
        if len(told) == 2:
            raise Cancelled("stopped")

    wanted = usual(MaintenanceSettings(), SupersessionSettings(), STILL, embedder=Letters(),
                   report=report)
    with pytest.raises(Cancelled):
        maintain(graph, wanted)
    assert rows(graph, "SELECT count(*) FROM embeddings") == [(4,)]
    assert maintain(graph, wanted, only=["embeddings"]).changed == 2
    assert told == [pytest.approx(1 / 3), pytest.approx(2 / 3), 1.0, 1.0]


def test_a_file_without_room_for_vectors_is_left_alone(tmp_path: Path) -> None:
    graph = make("signet-071", tmp_path / "g.db", tmp_path / "side")
    wanted = usual(MaintenanceSettings(), SupersessionSettings(), STILL, embedder=Letters())
    result = round_of(maintain(graph, wanted, only=["embeddings"]), "embeddings")
    assert (result.changed, result.error) == (0, "")
    assert "has no vectors" in result.details[0]
    graph.close()


# -- duplicates --------------------------------------------------------------------------------


def test_values_that_say_the_same_become_one(graph: Workspace) -> None:
    def change(g: Graph) -> list[str]:
        memory = g.memory("the source")
        aspect = g.aspect(g.entity("Harbor"), "facts")
        return [g.value(aspect, "Lies by the  sea", importance=0.9),
                g.value(aspect, "lies by the sea", memory_id=memory, confidence=0.6),
                g.value(aspect, "LIES BY THE SEA", status="superseded"),
                g.value(aspect, "lies by the sea", kind="constraint")]

    plain, founded, *_ = fill(graph, change)
    assert done(maintain(graph, USUAL))["duplicates"] == 1
    assert rows(graph, "SELECT id, status, superseded_by, confidence, importance"
                       " FROM entity_attributes WHERE kind = 'attribute' ORDER BY seq")[:2] == [
        (plain, "superseded", founded, 0.8, 0.9), (founded, "active", None, 0.8, 0.9)]
    assert rows(graph, "SELECT status FROM entity_attributes WHERE kind = 'constraint'") == [
        ("active",)]


def test_one_without_a_claim_yields_to_one_with_a_claim(graph: Workspace) -> None:
    def change(g: Graph) -> list[str]:
        aspect = g.aspect(g.entity("Harbor"), "facts")
        return [g.value(aspect, "by the sea", confidence=1.0),
                g.value(aspect, "by the sea", "place")]

    fill(graph, change)
    maintain(graph, USUAL)
    assert rows(graph, "SELECT claim_key, status FROM entity_attributes ORDER BY seq") == [
        (None, "superseded"), ("place", "active")]


def test_the_same_words_under_two_claims_or_aspects_stay_two(graph: Workspace) -> None:
    def change(g: Graph) -> None:
        entity = g.entity("Harbor")
        aspect, other = g.aspect(entity, "facts"), g.aspect(entity, "more")
        for place, claim in ((aspect, "one"), (aspect, "two"), (other, "one")):
            g.value(place, "linux", claim)

    fill(graph, change)
    assert done(maintain(graph, USUAL))["duplicates"] == 0


def test_what_was_taken_apart_again_stays_apart(graph: Workspace) -> None:
    def change(g: Graph) -> None:
        aspect = g.aspect(g.entity("Harbor"), "facts")
        for _ in range(2):
            g.value(aspect, "by the sea")

    fill(graph, change)
    before = facts(graph)
    maintain(graph, USUAL)
    graph.undo()
    assert facts(graph) == before
    assert maintain(graph, USUAL).changed == 0


def test_values_that_changed_since_they_were_found_are_left_alone(graph: Workspace) -> None:
    def change(g: Graph) -> list[str]:
        aspect = g.aspect(g.entity("Harbor"), "facts")
        return [g.value(aspect, "by the sea") for _ in range(2)]

    ids = fill(graph, change)
    with graph.read() as reader:
        duplicates = duplicate_values.find(reader)
    graph.write("Archive", lambda w: control.apply(
        w, "archive_claim_value", {"attribute_id": ids[1]}))
    assert graph.write("Late", lambda w: duplicate_values.collapse(w, duplicates)).result == ()


# -- tasks (seed 002) --------------------------------------------------------------------------


def task(g: Graph, name: str, status: str = "open", **columns: object) -> str:
    id = g.entity(name, "task", updated_at=ago(days=1))
    g.task(id, status)
    g.writer.update("task_meta", id, **{"updated_at": ago(days=1), **columns})
    return id


def statuses(graph: Workspace) -> dict[str, tuple[str, str]]:
    return {name: (state, row) for name, state, row in rows(
        graph, "SELECT e.name, t.status, e.status FROM task_meta t"
               " JOIN entities e ON e.id = t.entity_id")}


def test_a_task_opens_moves_on_and_closes(graph: Workspace) -> None:
    def do(operation: str, **payload: object) -> None:
        graph.write(operation, lambda w: control.apply(w, operation, payload))

    def state() -> list[tuple[Any, ...]]:
        return rows(graph, "SELECT status, expires_at, completed_at IS NOT NULL FROM task_meta")

    do("open_task", name="Ship the ferry", expires_at="2030-01-01")
    assert state() == [("open", "2030-01-01T00:00:00.000Z", 0)]
    do("update_task", entity="ship the ferry", status="In progress")
    assert state() == [("in_progress", "2030-01-01T00:00:00.000Z", 0)]
    do("update_task", entity="ship the ferry", status="done")
    assert state() == [("done", "2030-01-01T00:00:00.000Z", 1)]
    do("open_task", name="Ship the ferry")
    assert state() == [("open", None, 0)]
    graph.undo()
    assert state() == [("done", "2030-01-01T00:00:00.000Z", 1)]


def test_an_entity_of_another_type_is_no_task(graph: Workspace) -> None:
    fill(graph, lambda g: g.entity("Harbor"))
    for operation, payload in (("open_task", {"name": "Harbor"}),
                               ("update_task", {"entity": "Harbor", "status": "done"})):
        with pytest.raises(ConstellationError, match="Harbor"):
            graph.write("no", lambda w, o=operation, p=payload: control.apply(w, o, p))


def test_tasks_expire_by_their_date_or_by_age(graph: Workspace) -> None:
    def change(g: Graph) -> None:
        task(g, "over", expires_at=ago(hours=1))
        task(g, "not yet", expires_at=ago(hours=-1))
        task(g, "done", "done", expires_at=ago(days=1), completed_at=ago(days=1))
        task(g, "old")
        g.writer.update_where("entities", "name = 'old'", {"updated_at": ago(days=61)})
        g.writer.update_where("task_meta", "status = 'open' AND expires_at IS NULL",
                              {"updated_at": ago(days=61)})
        task(g, "touched lately", updated_at=ago(days=61))

    fill(graph, change)
    result = maintain(graph, USUAL)
    assert set(round_of(result, "expiry").details) == {"over", "old"}
    assert {name: state for name, (state, _) in statuses(graph).items()} == {
        "over": "cancelled", "not yet": "open", "done": "done", "old": "cancelled",
        "touched lately": "open"}
    assert all(at is not None for (at,) in rows(
        graph, "SELECT completed_at FROM task_meta WHERE status = 'cancelled'"))


def test_a_finished_task_is_kept_for_a_while_and_then_released(graph: Workspace) -> None:
    def change(g: Graph) -> None:
        task(g, "fresh", "done", completed_at=ago(days=6))
        task(g, "stale", "done", completed_at=ago(days=8))
        task(g, "kept longer", "cancelled", completed_at=ago(days=8), retention_until=ago(days=-1))
        task(g, "open", updated_at=ago(days=8))
        g.writer.update("entities", task(g, "pinned", "done", completed_at=ago(days=8)), pinned=1)

    fill(graph, change)
    assert round_of(maintain(graph, USUAL), "release").details == ("stale",)
    assert {name for name, (_, row) in statuses(graph).items() if row == "archived"} == {"stale"}
    assert rows(graph, "SELECT archived_by, archive_reason FROM entities"
                       " WHERE status = 'archived'") == [("pipeline:lifecycle", "Task done")]


def test_entities_grow_and_never_expire(graph: Workspace) -> None:
    def change(g: Graph) -> None:
        id = g.entity("Harbor", mentions=0, updated_at=ago(days=3650), created_at=ago(days=3650))
        g.value(g.aspect(id, "facts"), "by the sea", updated_at=ago(days=3650))

    fill(graph, change)
    before = facts(graph)
    assert maintain(graph, USUAL).changed == 0
    assert facts(graph) == before


def test_what_a_person_took_back_is_not_done_again(graph: Workspace) -> None:
    def change(g: Graph) -> None:
        task(g, "over", expires_at=ago(hours=1))
        task(g, "stale", "done", completed_at=ago(days=8))

    fill(graph, change)
    before = facts(graph)
    assert maintain(graph, USUAL).changed == 2
    graph.undo()
    graph.undo()
    assert facts(graph) == before
    assert maintain(graph, USUAL).changed == 0
    graph.write("Later", lambda w: control.apply(
        w, "update_task", {"entity": "over", "expires_at": ago(minutes=1)}))
    assert done(maintain(graph, USUAL))["expiry"] == 1


def test_tasks_do_not_gain_weight(graph: Workspace) -> None:
    def change(g: Graph) -> None:
        g.aspect(task(g, "Deploy"), "steps", weight=0.9)
        g.aspect(g.entity("Plain task", "task"), "steps", weight=0.7)
        g.aspect(g.entity("Harbor"), "facts", weight=0.9)

    fill(graph, change)
    assert done(maintain(graph, USUAL))["task weight"] == 2
    assert rows(graph, "SELECT e.name, s.weight FROM entity_aspects s"
                       " JOIN entities e ON e.id = s.entity_id ORDER BY 1") == [
        ("Deploy", 0.5), ("Harbor", 0.9), ("Plain task", 0.5)]
    graph.undo()
    assert done(maintain(graph, USUAL))["task weight"] == 0  # a person has put it back


def test_another_agents_rows_are_left_alone(graph: Workspace) -> None:
    def change(g: Graph) -> None:
        contradiction(g)
        task(g, "over", expires_at=ago(hours=1))

    fill(graph, change)
    before = dump(graph)
    graph.with_agent("rival")
    assert maintain(graph, USUAL).changed == 0
    assert dump(graph) == before


# -- every generation, and any order -----------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_every_generation_of_file_can_be_kept_in_order(kind: str, tmp_path: Path) -> None:
    graph = make(kind, tmp_path / "g.db", tmp_path / "side")
    before = facts(graph)
    maintain(graph, USUAL)
    after = facts(graph)
    assert rows(graph, "SELECT COUNT(*) FROM memory_history h WHERE NOT EXISTS"
                       " (SELECT 1 FROM memories m WHERE m.id = h.memory_id)") == [(0,)]
    assert maintain(graph, USUAL).changed == 0
    assert facts(graph) == after
    while graph.undo_step():
        graph.undo()
    assert facts(graph) == before
    graph.close()


CONTENTS = st.sampled_from((
    "lives in denver", "lives in boulder", "Lives in  Denver", "likes spicy food",
    "doesn't like spicy food", "now likes mild food daily", "the door is open", "x"))
VALUES = st.tuples(
    CONTENTS, st.sampled_from((None, "home", "Home", "food")),
    st.sampled_from(("attribute", "attribute", "constraint")),
    st.sampled_from(("active", "active", "superseded", "deleted")),
    st.sampled_from((EARLY, LATE, "2026-05-01", "not a time")))


def in_force(graph: Workspace) -> set[str]:
    """What binds the agent: a constraint that is said twice may become one, none may go."""
    return {canonical(content) for (content,) in rows(
        graph, "SELECT content FROM entity_attributes"
               " WHERE kind = 'constraint' AND status = 'active'")}


@settings(max_examples=30)
@given(st.lists(VALUES, max_size=8), st.booleans())
def test_a_second_round_finds_nothing_and_undo_gives_back_the_start(
    tmp_path_factory: pytest.TempPathFactory, values: list[tuple], shadow: bool
) -> None:
    folder = tmp_path_factory.mktemp("round")
    graph = Workspace.open(folder / "g.db", data_dir=folder / "side", create=True)
    wanted = usual(MaintenanceSettings(), SupersessionSettings(shadow=shadow), STILL)

    def change(g: Graph) -> None:
        aspect = g.aspect(g.entity("Nora"), "life")
        for content, claim, kind, status, at in values:
            g.value(aspect, content, claim, kind=kind, status=status, created_at=at)

    try:
        fill(graph, change)
        before = facts(graph)
        binding = in_force(graph)
        maintain(graph, wanted)
        assert in_force(graph) == binding
        after = facts(graph)
        assert maintain(graph, wanted).changed == 0
        assert facts(graph) == after
        while (step := graph.undo_step()) and step.label != "fill":
            graph.undo()
        assert facts(graph) == before
    finally:
        graph.close()


def test_the_writer_says_who_did_it(graph: Workspace) -> None:
    def who(writer: Writer) -> str:
        return writer.actor

    assert carry_out(graph, "Look", who, rehearse=False) == "maintenance"
    assert carry_out(graph, "Look", who, rehearse=True) == "maintenance"
