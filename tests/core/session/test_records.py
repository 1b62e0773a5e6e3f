"""The numbers of sessions, as they can be read again."""

import pytest

from core.model.session_start_and_end import Budget
from core.queries.sessions import (
    STARTED,
    list_sessions,
    session_memories,
    session_record,
    session_records,
    subject,
    telemetry,
)
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.core.sessions import ended, hit, opened, recorded, usual, vega


def test_the_numbers_of_the_start_can_be_read(tmp_path):
    with opened(tmp_path, vega) as workspace:
        began = recorded(workspace, "s1")
        with workspace.read() as reader:
            numbers = telemetry(reader)
    assert numbers.last_start == began.telemetry
    assert (numbers.starts, numbers.last_start.traversal_entities,
            numbers.last_start.traversal_memories, numbers.last_start.traversal_constraints,
            numbers.last_start.traversal_timed_out, numbers.last_start.memory_count,
            numbers.last_start.inject_chars) == (1, 1, 2, 1, False, 2, len(began.text))


def test_each_session_tells_its_own_start_and_how_far_both_rooms_were_filled(tmp_path):
    with opened(tmp_path, vega) as workspace:
        first = recorded(workspace, "s1")
        second = recorded(workspace, "s2", settings=usual(session={"memory_budget_chars": 20}))
        with workspace.read() as reader:
            found = {one.session_key: one for one in session_records(reader)}
    for key, began in (("s1", first), ("s2", second)):
        assert found[key].start.telemetry == began.telemetry
    assert found["s1"].start.telemetry.memory_budget == Budget(40, 2000)
    assert found["s2"].start.telemetry.memory_budget == Budget(19, 20)
    assert 0 < found["s1"].start.telemetry.constraint_budget.used <= 1000
    assert (found["s1"].start.focal, found["s1"].start.ranked_by) == (("Vega",), "heuristic")
    assert found["s1"].end is None


def test_what_came_of_a_session_is_told_with_it_however_often_it_ended(tmp_path):
    with opened(tmp_path, vega) as workspace:
        for key in ("s1", "s2"):
            recorded(workspace, key)
            for memory in ("m1", "m2"):
                hit(workspace, key, memory)
                ended(workspace, key)
        with workspace.read() as reader:
            session = session_record(reader, "s1")
            numbers = telemetry(reader)
            assert session_record(reader, "nobody") is None
    assert (session.confirmed, session.end.confirmations, session.end.aspects_updated) == (2, 2, 2)
    assert (numbers.ends, numbers.feedback_aspects_updated, numbers.feedback_fts_confirmations,
            numbers.feedback_decayed_aspects,
            numbers.feedback_propagated_attributes) == (4, 4, 4, 0, 0)
    assert numbers.last_run_at


def test_a_session_that_began_with_constraints_alone_is_on_record(tmp_path):
    def fill(graph: Graph) -> None:
        graph.entity("Vega", id="e1")
        graph.value(graph.aspect("e1", "build"), "never push to main", kind="constraint")

    with opened(tmp_path, fill) as workspace:
        recorded(workspace, "s1")
        with workspace.read() as reader:
            assert [(one.session_key, one.memories) for one in list_sessions(reader)] == [
                ("s1", 0)]
            session = session_record(reader, "s1")
    assert session.start.telemetry.traversal_constraints == 1


def test_a_session_that_began_again_is_listed_once_with_its_memories(tmp_path):
    with opened(tmp_path, vega) as workspace:
        for key in ("s1", "s2", "s1"):
            recorded(workspace, key)
        with workspace.read() as reader:
            for limit in (1, 2, 50):
                listed = list_sessions(reader, limit=limit)
                assert len(listed) == min(limit, 2)
                assert {one.memories for one in listed} == {2}


def test_memories_that_were_only_looked_up_come_after_those_that_the_session_began_with(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        graph.memory("found later", id="m3", importance=0.1)

    with opened(tmp_path, fill) as workspace:
        recorded(workspace, "s1")
        hit(workspace, "s1", "m3", "m2")
        with workspace.read() as reader:
            memories = session_memories(reader, "s1")
    assert [(one.memory_id, one.hits) for one in memories] == [("m1", 0), ("m2", 1), ("m3", 1)]


def test_another_agents_sessions_are_not_told(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        workspace.with_agent("other")
        with workspace.read() as reader:
            assert session_records(reader) == ()
            assert session_record(reader, "s1") is None
            assert telemetry(reader).starts == 0


@pytest.mark.parametrize("odd", ["{", "[]", '{"session_key": 3}', None, (
    '{"session_key": "s1", "memory_budget": 5, "focal_entity_names": 7, "duration_ms": "x"}')])
def test_an_odd_record_is_read_as_far_as_it_goes(tmp_path, odd):
    def spoil(workspace: Workspace) -> None:
        workspace.write("spoil", lambda w: w.update_where(
            "automatic_changes", "event = :event AND subject_id = :subject", {"metadata": odd},
            event=STARTED, subject=subject("default")))

    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        spoil(workspace)
        with workspace.read() as reader:
            assert session_records(reader)[0].session_key == "s1"
            assert telemetry(reader).starts == 1
