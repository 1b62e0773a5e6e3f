"""A session's end, and what the next session takes up from it."""

from datetime import UTC, datetime, timedelta

import pytest

from core.errors import OperationError
from core.session.end import OVER
from core.session.start import start
from core.traversal.focal_signals import Signals
from tests.core.graphs import Graph
from tests.core.sessions import PROJECT, begun, ended, hit, opened, recorded, usual, value, vega


def everything(workspace) -> dict[str, list]:
    """All rows of the tables that a session writes."""
    tables = ("entities", "entity_aspects", "entity_attributes", "entity_dependencies", "memories",
              "session_memories", "session_checkpoints", "automatic_changes",
              "path_feedback_events", "path_feedback_stats", "path_feedback_sessions",
              "entity_retrieval_stats", "entity_cooccurrence", "predictor_comparisons")
    with workspace.read() as reader:
        return {table: sorted(map(tuple, reader.rows(f"SELECT * FROM {table}")), key=str)
                for table in tables}


def test_the_end_raises_what_was_found_again_once(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        hit(workspace, "s1", "m1")
        hit(workspace, "s1", "m1")
        first, second = ended(workspace, "s1"), ended(workspace, "s1")
        assert (first.aspects_updated, first.confirmations) == (1, 2)
        assert (second.aspects_updated, second.confirmations) == (0, 0)
        assert value(workspace, "SELECT weight FROM entity_aspects WHERE id = 'a1'") == 0.54


def test_the_end_can_be_undone_exactly(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        hit(workspace, "s1", "m1", "m2")
        before = everything(workspace)
        ended(workspace, "s1", ratings={"m1": 1.0})
        assert everything(workspace) != before
        workspace.undo()
        assert everything(workspace) == before


def test_the_end_of_an_unknown_session_changes_nothing(tmp_path):
    with opened(tmp_path, vega) as workspace:
        before = everything(workspace)
        assert ended(workspace, "nobody").notes == ("This session is not recorded",)
        assert everything(workspace) == before
        with pytest.raises(OperationError):
            ended(workspace, "  ")


def test_an_end_to_which_nothing_has_happened_since_adds_nothing(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        hit(workspace, "s1", "m1")
        ended(workspace, "s1", ratings={"m1": 1})
        before = [everything(workspace), workspace.history()]
        again = ended(workspace, "s1", ratings={"m1": 1})
        assert (again.changed, again.notes) == (False, (OVER,))
        assert [everything(workspace), workspace.history()] == before
        assert ended(workspace, "s1", ratings={"m1": -1}).changed
        hit(workspace, "s1", "m2")
        assert ended(workspace, "s1").confirmations == 1
        assert not ended(workspace, "s1").changed
        recorded(workspace, "s1")
        assert ended(workspace, "s1").changed, "it was begun anew"


def test_what_was_not_learned_yet_is_learned_by_a_later_end(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        hit(workspace, "s1", "m1")
        ended(workspace, "s1", usual(feedback={"enabled": False}))
        assert ended(workspace, "s1").confirmations == 1


def test_ratings_of_memories_that_the_session_does_not_have_are_said(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        end = ended(workspace, "s1", ratings={"m1": 1, "bogus": 1, "other": 1})
    assert end.feedback.accepted == 1
    assert end.notes == (
        "Ratings of memories that are not part of this session are ignored: bogus and 1 more",)


def test_learning_that_is_switched_off_leaves_only_the_checkpoint(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        hit(workspace, "s1", "m1")
        end = ended(workspace, "s1", usual(feedback={"enabled": False}))
        assert end.confirmations == 0
        assert end.checkpoint_id
        assert value(workspace, "SELECT weight FROM entity_aspects WHERE id = 'a1'") == 0.5


def test_what_was_found_again_counts_as_used(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        hit(workspace, "s1", "m1")
        ended(workspace, "s1")
        ended(workspace, "s1")
        assert value(workspace, "SELECT access_count FROM memories WHERE id = 'm1'") == 1
        assert value(workspace, "SELECT last_accessed FROM memories WHERE id = 'm2'") is None


def test_the_same_rating_told_again_counts_once_and_another_one_anew(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        told = [ended(workspace, "s1", ratings={"m1": rating, "nobody": 1}).feedback.accepted
                for rating in (1, 1.0, -1, -1, 1)]
        assert told == [1, 0, 1, 0, 1]
        assert value(workspace, "SELECT agent_feedback_count FROM session_memories"
                                " WHERE memory_id = 'm1'") == 3
        assert value(workspace, "SELECT count(*) FROM path_feedback_events") == 3
        assert ended(workspace, "s1", ratings={"m1": 1},
                     rewards={"m1": {"update": 1}}).feedback.accepted == 1


def test_what_came_of_a_memory_that_nobody_rated_counts_with_its_hits(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        hit(workspace, "s1", "m1")
        ended(workspace, "s1", rewards={"m1": {"downstreamCreation": True}})
        assert value(workspace, "SELECT reward FROM path_feedback_events") == 1.6


def test_hits_speak_for_the_path_of_a_memory_that_nobody_rated(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        hit(workspace, "s1", "m2")
        end = ended(workspace, "s1")
        assert (end.feedback.accepted, end.feedback.dependencies_updated) == (1, 1)
        assert value(workspace, "SELECT strength FROM entity_dependencies") == 0.82
        assert value(workspace, "SELECT weight FROM entity_aspects WHERE id = 'a2'") == 0.52
        assert value(workspace, "SELECT agent_feedback_count FROM session_memories"
                                " WHERE memory_id = 'm2'") == 0


# -- checkpoints -----------------------------------------------------------------------------


def test_the_checkpoint_holds_where_the_session_stood(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        hit(workspace, "s1", "m1")
        id = ended(workspace, "s1").checkpoint_id
        with workspace.read() as reader:
            row = reader.row("SELECT * FROM session_checkpoints")
    assert (row["id"], row["session_key"], row["project_normalized"]) == (id, "s1", PROJECT)
    assert (row["focal_entity_ids"], row["focal_entity_names"]) == ('["e1"]', '["Vega"]')
    assert set(row["active_aspect_ids"][2:-2].split('","')) == {"a1", "a2"}
    assert (row["surfaced_constraint_count"], row["traversal_memory_count"]) == (1, 2)
    assert row["digest"].startswith("Focal entities: Vega\nActive aspects: 2")
    assert "Used: Vega: what m1 tells" in row["digest"]


def test_a_session_has_one_checkpoint_however_often_it_ends(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        first = ended(workspace, "s1").checkpoint_id
        hit(workspace, "s1", "m1")
        assert ended(workspace, "s1").checkpoint_id == first
        assert value(workspace, "SELECT count(*) FROM session_checkpoints") == 1


def ended_on_kotlin(workspace) -> None:
    """A session of the project that was about Kotlin."""
    recorded(workspace, "s1", Signals(query="Kotlin", project=PROJECT))
    ended(workspace, "s1")


def test_the_next_session_of_the_project_begins_where_the_last_one_stood(tmp_path):
    with opened(tmp_path, vega) as workspace:
        workspace.write("rename", lambda w: w.update(
            "entities", "e1", name="Deneb", canonical_name="deneb"))
        ended_on_kotlin(workspace)
        start = begun(workspace, Signals(project=PROJECT + "/"))
        assert (start.focal.source, start.focal.ids) == ("checkpoint", ("e2",))
        assert start.recovery is not None
        assert "## Session Recovery\n\nFocal entities: Kotlin" in start.text
        assert begun(workspace, Signals(project="/elsewhere")).recovery is None
        apart = usual(session={"carry_checkpoint": False})
        assert begun(workspace, settings=apart).focal.ids == ()


def test_a_session_that_was_about_nothing_is_not_told_of_to_the_next_one(tmp_path):
    with opened(tmp_path, lambda graph: graph.memory("alone", id="m1")) as workspace:
        recorded(workspace, "s1")
        ended(workspace, "s1")
        assert "Session Recovery" not in begun(workspace).text
        hit(workspace, "s1", "m1")
        ended(workspace, "s1")
        assert begun(workspace).text.endswith("## Session Recovery\n\nUsed: alone\n")


def test_a_question_goes_before_the_checkpoint(tmp_path):
    with opened(tmp_path, vega) as workspace:
        ended_on_kotlin(workspace)
        start = begun(workspace, Signals(project=PROJECT, query="Vega"))
    assert start.focal.source != "checkpoint"
    assert "e1" in start.focal.ids


def test_a_checkpoint_is_taken_up_for_four_hours(tmp_path):
    with opened(tmp_path, vega) as workspace:
        ended_on_kotlin(workspace)
        with workspace.read() as reader:
            for hours, there in ((3.9, True), (4.1, False)):
                now = datetime.now(UTC) + timedelta(hours=hours)
                started = start(reader, Signals(project=PROJECT), usual(), now=now)
                assert (started.recovery is not None) == there


def test_pinned_entities_are_not_carried_on(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        graph.entity("Momo", "person", id="e9", pinned=1, pinned_at=graph.at)

    with opened(tmp_path, fill) as workspace:
        began = recorded(workspace, "s1")
        assert began.focal.ids == ("e9", "e1")
        ended(workspace, "s1")
        assert value(workspace, "SELECT focal_entity_ids FROM session_checkpoints") == '["e1"]'


def test_another_agents_checkpoint_is_not_disclosed(tmp_path):
    with opened(tmp_path, vega) as workspace:
        ended_on_kotlin(workspace)
        workspace.with_agent("other")
        assert begun(workspace).recovery is None
