"""What sessions teach: hits raise, time lowers, deletion retires, contradiction eases."""

from datetime import UTC, datetime, timedelta

import pytest

from core.learning.aspect_weights import Step
from core.learning.automatic_change_log import entry
from core.learning.confirmed_by_recall import apply_overlap, note_hits
from core.learning.constraint_importance import ease
from core.learning.decay import decay_aspects, is_due
from core.learning.path_feedback import rate
from core.learning.retire_orphaned_values import propagate
from core.maintenance.task_expiry import hold_weight
from core.ontology import control
from core.queries import sessions
from core.store.reader_and_writer import stamp
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.core.sessions import ended, hit, opened, recorded, usual, value, vega

FEEDBACK = usual().feedback


def long_ago() -> str:
    return stamp(datetime.now(UTC) - timedelta(days=20))


def weight(workspace: Workspace, aspect: str) -> object:
    return value(workspace, "SELECT weight FROM entity_aspects WHERE id = :id", id=aspect)


def overlap(workspace: Workspace, key: str = "s1", **changed: object):
    settings = FEEDBACK.model_copy(update=changed)
    return workspace.write("feedback", lambda w: apply_overlap(w, key, settings)).result


# -- hits ------------------------------------------------------------------------------------


def test_two_hits_raise_an_aspect_from_a_half_to_054(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        hit(workspace, "s1", "m1")
        hit(workspace, "s1", "m1")
        confirmed = overlap(workspace)
        assert (confirmed.aspects_updated, confirmed.confirmations) == (1, 2)
        assert weight(workspace, "a1") == pytest.approx(0.54)
        assert weight(workspace, "a2") == 0.5


def test_feedback_counts_each_hit_once(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        hit(workspace, "s1", "m1")
        overlap(workspace)
        assert overlap(workspace).confirmations == 0
        hit(workspace, "s1", "m1")
        assert overlap(workspace).confirmations == 1
        assert weight(workspace, "a1") == pytest.approx(0.54)


def test_only_what_the_session_began_with_is_confirmed(tmp_path):
    with opened(tmp_path, vega) as workspace:
        hit(workspace, "s1", "m1")
        assert value(workspace, "SELECT source FROM session_memories") == "fts_only"
        assert overlap(workspace).confirmations == 0
        assert overlap(workspace, only_injected=False).confirmations == 1


def test_another_agents_session_of_the_same_key_is_not_mixed_in(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        graph.writer.insert("agents", id="other", read_policy="shared", created_at=graph.at,
                            updated_at=graph.at)

    with opened(tmp_path, fill) as workspace:
        recorded(workspace, "s1")
        workspace.with_agent("other")
        hit(workspace, "s1", "m1")
        assert overlap(workspace, only_injected=False).aspects_updated == 0
        workspace.with_agent("default")
        assert overlap(workspace).confirmations == 0


def test_weights_stay_within_their_bounds_and_a_persons_own_beyond_them(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        graph.writer.update("entity_aspects", "a1", weight=0.99)
        graph.writer.update("entity_aspects", "a2", weight=0.95)

    with opened(tmp_path, fill) as workspace:
        recorded(workspace, "s1")
        hit(workspace, "s1", "m1", "m2")
        hit(workspace, "s1", "m1", "m2")
        overlap(workspace, max_aspect_weight=0.97)
        assert (weight(workspace, "a1"), weight(workspace, "a2")) == (0.99, 0.97)


def test_tasks_gain_no_weight(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        graph.task("e1")

    with opened(tmp_path, fill) as workspace:
        recorded(workspace, "s1")
        hit(workspace, "s1", "m1")
        assert overlap(workspace).aspects_updated == 0
        assert weight(workspace, "a1") == 0.5


def test_a_memory_confirms_one_aspect_that_of_its_most_important_value(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        graph.value("a2", "also of m1", memory_id="m1", importance=0.95)

    with opened(tmp_path, fill) as workspace:
        recorded(workspace, "s1")
        hit(workspace, "s1", "m1")
        assert overlap(workspace).aspects_updated == 1
        assert (weight(workspace, "a1"), weight(workspace, "a2")) == (0.5, 0.52)


def test_an_aspect_with_more_confirmations_rises_more(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        for memories in (("m1", "m2"), ("m2",), ("m2",)):
            hit(workspace, "s1", *memories)
        confirmed = overlap(workspace)
        assert (confirmed.aspects_updated, confirmed.confirmations) == (2, 4)
        assert [weight(workspace, id) for id in ("a1", "a2")] == pytest.approx([0.52, 0.56])


def test_a_memory_without_a_value_in_force_confirms_nothing(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        hit(workspace, "s1", "m1")
        workspace.write("retire", lambda w: w.update("entity_attributes", "v-m1",
                                                     status="superseded"))
        assert overlap(workspace).aspects_updated == 0


def test_the_line_of_a_learned_weight_can_be_read(tmp_path):
    with opened(tmp_path, vega) as workspace:
        for key in ("s1", "s2"):
            recorded(workspace, key)
            hit(workspace, key, "m1")
            overlap(workspace, key)
        with workspace.read() as reader:
            line = sessions.weight_history(reader, "a1")
        assert [(step.before, step.after) for step in line] == [(0.5, 0.52), (0.52, 0.54)]
        workspace.with_agent("other")
        with workspace.read() as reader:
            assert sessions.weight_history(reader, "a1") == ()


def line_of(workspace: Workspace, aspect: str) -> list[tuple[float, float]]:
    with workspace.read() as reader:
        return [(step.before, step.after) for step in sessions.weight_history(reader, aspect)]


def test_every_cause_of_a_weight_is_in_its_line_and_goes_when_it_is_undone(tmp_path):
    def by_hand(writer):
        control.apply(writer, "weigh_aspect", {"entity": "e1", "aspect": "a1", "weight": 0.7})

    def decayed(writer):
        decay_aspects(writer, FEEDBACK.model_copy(update={"stale_days": 0.0}))

    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        hit(workspace, "s1", "m1")
        overlap(workspace)
        workspace.write("rate", lambda w: rate(w, "s1", {"m1": -1}, FEEDBACK))
        workspace.write("weigh", by_hand)
        workspace.write("age", lambda w: w.update("entity_aspects", "a1", updated_at=long_ago()))
        workspace.write("decay", decayed)
        workspace.write("hold", lambda w: hold_weight(w, [Step("a1", 0.695, 0.5)]))
        every = [(0.5, 0.52), (0.52, 0.5), (0.5, 0.7), (0.7, 0.695), (0.695, 0.5)]
        assert line_of(workspace, "a1") == every
        for _ in range(2):
            workspace.undo()
        assert line_of(workspace, "a1") == every[:3]
        workspace.redo()
        assert line_of(workspace, "a1") == every[:4]


def test_a_weight_that_stays_leaves_no_step_in_its_line(tmp_path):
    def same(writer):
        control.apply(writer, "weigh_aspect", {"entity": "e1", "aspect": "a1", "weight": 0.5})

    with opened(tmp_path, vega) as workspace:
        workspace.write("weigh", same)
        assert line_of(workspace, "a1") == []


def test_a_hit_is_noted_once_per_recall(tmp_path):
    with opened(tmp_path, vega) as workspace:
        assert workspace.write("hit", lambda w: note_hits(w, "s1", ["m1", "m1", "m2"])).result == 2
        assert value(workspace, "SELECT max(fts_hit_count) FROM session_memories") == 1


# -- decay -----------------------------------------------------------------------------------


def aged(days: float, **weights: float):
    """Aspects that were last changed so many days ago."""
    def fill(graph: Graph) -> None:
        graph.at = stamp(datetime.now(UTC) - timedelta(days=days))
        graph.entity("Vega", id="e1")
        for id, weight in weights.items():
            graph.aspect("e1", id, weight, id=id)
    return fill


def decay(workspace: Workspace, **changed: object) -> int:
    settings = FEEDBACK.model_copy(update=changed)
    return workspace.write("decay", lambda w: decay_aspects(w, settings)).result


def test_stale_aspects_decay_to_a_floor_and_no_further(tmp_path):
    with opened(tmp_path, aged(20, near=0.11, at=0.1, below=0.05, high=0.8)) as workspace:
        assert decay(workspace, decay_rate=0.05) == 2
        assert [weight(workspace, id) for id in ("near", "at", "below", "high")] == [
            0.1, 0.1, 0.05, 0.75]


def test_an_aspect_decays_at_most_once_in_stale_days(tmp_path):
    with opened(tmp_path, aged(14.1, a=0.5)) as workspace:
        assert (decay(workspace), decay(workspace)) == (1, 0)
        assert weight(workspace, "a") == 0.495


def test_a_fresh_aspect_does_not_decay(tmp_path):
    with opened(tmp_path, aged(13.9, a=0.5)) as workspace:
        assert decay(workspace) == 0


@pytest.mark.parametrize("form", ["%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S.000Z"])
def test_both_time_formats_are_compared_as_times(tmp_path, form):
    just = datetime.now(UTC) - timedelta(days=14, minutes=-30)
    with opened(tmp_path, aged(0, a=0.5)) as workspace:
        for moment, stale in ((just, 0), (just - timedelta(hours=1), 1)):
            told = moment.strftime(form)
            workspace.write("age", lambda w, at=told: w.update("entity_aspects", "a",
                                                               updated_at=at))
            assert decay(workspace) == stale


def test_decay_can_be_switched_off(tmp_path):
    with opened(tmp_path, aged(20, a=0.5)) as workspace:
        assert decay(workspace, decay_enabled=False) == 0


def test_decay_comes_every_so_many_sessions(tmp_path):
    settings = usual(feedback={"decay_interval_sessions": 3})

    def fill(graph: Graph) -> None:
        vega(graph)
        graph.entity("Old", id="e5")
        graph.aspect("e5", "old", id="old", updated_at=long_ago())

    with opened(tmp_path, fill) as workspace:
        told = []
        for number in range(4):
            recorded(workspace, f"s{number}")
            told.append(ended(workspace, f"s{number}", settings).decayed)
            ended(workspace, f"s{number}", settings)
        assert told == [0, 0, 1, 0]
        with workspace.read() as reader:
            assert not is_due(reader, "s4", settings.feedback)
            assert is_due(reader, "s4", FEEDBACK.model_copy(update={"decay_interval_sessions": 1}))


def test_decay_counts_the_sessions_of_its_own_agent(tmp_path):
    settings = usual(feedback={"decay_interval_sessions": 2})
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        ended(workspace, "s1", settings)
        for agent, due in (("other", False), ("default", True)):
            workspace.with_agent(agent)
            with workspace.read() as reader:
                assert is_due(reader, "s2", settings.feedback) == due


def test_decay_may_be_thousands_of_sessions_apart(tmp_path):
    settings = FEEDBACK.model_copy(update={"decay_interval_sessions": 1500})

    def sessions_before(writer, count):
        writer.insert_many("automatic_changes", (entry(
            writer, sessions.ENDED, sessions.subject("default"), by="test", reason="",
            metadata={"session_key": f"s{number}"}) for number in range(count)))

    with opened(tmp_path, vega) as workspace:
        for count, due in ((1498, False), (1499, True)):
            workspace.write("sessions", lambda w, many=count: sessions_before(w, many))
            with workspace.read() as reader:
                assert is_due(reader, "last", settings) == due


# -- deleted memories ------------------------------------------------------------------------


def status(workspace: Workspace, id: str) -> object:
    return value(workspace, "SELECT status FROM entity_attributes WHERE id = :id", id=id)


def test_values_of_a_deleted_memory_are_retired_constraints_too(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        graph.value("a1", "never", kind="constraint", id="c2", memory_id="m1")
        graph.writer.update("memories", "m1", is_deleted=1)

    with opened(tmp_path, fill) as workspace:
        assert workspace.write("propagate", propagate).result == 2
        assert [status(workspace, id) for id in ("v-m1", "c2", "v-m2", "c1")] == [
            "superseded", "superseded", "active", "active"]
        assert value(workspace, "SELECT superseded_by FROM entity_attributes"
                                " WHERE id = 'v-m1'") is None
        workspace.undo()
        assert status(workspace, "v-m1") == "active"


def test_what_a_person_has_put_back_is_not_retired_again(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        graph.writer.update("memories", "m1", is_deleted=1)

    with opened(tmp_path, fill) as workspace:
        assert workspace.write("propagate", propagate).result == 1
        workspace.undo()
        assert workspace.write("propagate", propagate).result == 0


# -- constraints -----------------------------------------------------------------------------


def lived_against(count: int):
    """A constraint with so many newer values that contradict it."""
    def fill(graph: Graph) -> None:
        vega(graph)
        for number in range(count):
            graph.value("a1", f"does push to main branch {number}", id=f"n{number}",
                        created_at=stamp(datetime.now(UTC) + timedelta(days=2)))
    return fill


def eased(workspace: Workspace, **changed: object) -> int:
    settings = usual(feedback=changed)
    return workspace.write(
        "ease", lambda w: ease(w, ["e1"], settings.feedback, settings.supersession)).result


def urgency(workspace: Workspace) -> object:
    return value(workspace, "SELECT importance FROM entity_attributes WHERE id = 'c1'")


def test_a_constraint_that_is_lived_against_loses_urgency_once_for_it(tmp_path):
    with opened(tmp_path, lived_against(3)) as workspace:
        assert eased(workspace) == 1
        assert urgency(workspace) == pytest.approx(0.85)
        assert eased(workspace) == 0
        assert status(workspace, "c1") == "active"


def test_a_constraint_with_few_doubts_stays_exactly_as_it_is(tmp_path):
    with opened(tmp_path, lived_against(2)) as workspace:
        assert eased(workspace) == 0
        assert urgency(workspace) == 0.9


def test_a_constraint_has_a_floor(tmp_path):
    with opened(tmp_path, lived_against(3)) as workspace:
        eased(workspace, constraint_rate=1.0)
        assert urgency(workspace) == 0.2


def test_ratings_speak_for_and_against_a_constraint(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        graph.writer.update("entity_attributes", "c1", memory_id="m1")

    with opened(tmp_path, fill) as workspace:
        for number, rating in enumerate((1, 1, 1, -1, -1, -1)):
            recorded(workspace, f"s{number}")
            end = ended(workspace, f"s{number}", ratings={"m1": rating})
            assert end.constraints_eased == 0
        recorded(workspace, "s9")
        assert ended(workspace, "s9", ratings={"m1": -1}).constraints_eased == 1
