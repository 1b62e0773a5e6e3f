"""The learned scorer: what it learns from, how it is judged, where it is used, and win rates."""

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from core.learning import session_candidate_scorer
from core.learning.scorer_comparison import entity_health, ndcg
from core.learning.scorer_features import NAMES, UseCounts, slot
from core.model.session_start_and_end import Comparison
from core.model.walk import Path, path_json
from core.queries.sessions import TRAINED
from core.store.reader_and_writer import Writer, new_id, stamp
from core.traversal.focal_signals import Signals
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.core.sessions import begun, ended, hit, opened, recorded, usual, value, vega

SCORER = usual().scorer


# -- measures --------------------------------------------------------------------------------


def test_ndcg_is_one_for_the_best_order_and_less_for_others():
    assert ndcg([3, 2, 1], [1, 0.5, 0]) == 1.0
    assert ndcg([1, 2, 3], [1, 0, 0]) == pytest.approx(0.5)
    assert ndcg([1, 2, 3], [0, 0, 0]) == 1.0
    assert ndcg([], []) == 1.0
    assert ndcg(range(12, 0, -1), [0] * 10 + [1, 0]) == 0.0


def test_more_hits_are_more_use_and_a_rating_decides():
    assert [session_candidate_scorer.outcome(hits, None) for hits in (0, 1, 2)] == [0, 0.5, 0.75]
    assert session_candidate_scorer.outcome(9, -1.0) == 0.0
    assert session_candidate_scorer.outcome(0, 0.4) == 0.4


def test_slots_are_those_that_upstream_stores():
    assert slot("") == 2_166_136_261 % 256
    assert slot("a") == 0xE40C292C % 256
    assert slot(None) is None


def test_little_known_use_is_drawn_to_the_usual():
    uses = UseCounts()
    assert uses.rate("x") == pytest.approx(0.1)
    for _ in range(100):
        uses.add(["x"], True)
    assert uses.rate("x") > 0.95


# -- learning --------------------------------------------------------------------------------


def session(writer: Writer, number: int, *, useful: str, days: int = 0) -> None:
    """A session whose heuristic puts loud memories first; those of one kind were of use."""
    at = stamp(datetime.now(UTC) - timedelta(days=100 - number - days))
    for place in range(10):
        walked = place >= 7
        kind = "walked" if walked else "loud"
        writer.insert(
            "session_memories", id=new_id(), session_key=f"s{number:02d}",
            agent_id=writer.agent, memory_id=f"{kind}{number}-{place}", source="effective",
            effective_score=0.9 - place / 20, final_score=0.9 - place / 20, rank=place + 1,
            was_injected=1, fts_hit_count=2 if kind == useful else 0, is_constraint=0,
            agent_feedback_count=0, created_at=at, structural_density=5 if walked else None,
            path_json=path_json(Path(("e1",), ("a1",))) if walked else None)


def sessions(count: int, useful: str):
    def fill(graph: Graph) -> None:
        vega(graph)
        for number in range(count):
            session(graph.writer, number, useful=useful)
    return fill


def trained(workspace: Workspace, **changed: object) -> session_candidate_scorer.Model | None:
    with workspace.read() as reader:
        return session_candidate_scorer.train(reader, SCORER.model_copy(update=changed))


def test_a_few_sessions_are_too_few_to_learn_from(tmp_path):
    with opened(tmp_path, sessions(5, "walked")) as workspace:
        assert trained(workspace) is None
        assert trained(workspace, min_sessions=5) is not None


def test_it_learns_what_the_heuristic_cant_see_and_is_judged_by_sessions_held_back(tmp_path):
    with opened(tmp_path, sessions(12, "walked")) as workspace:
        model = trained(workspace)
    assert model is not None
    assert model.wins
    assert (model.ndcg, model.sessions) == (1.0, 12)
    assert model.heuristic < 0.6
    assert model.weights[NAMES.index("walked")] > 0
    assert model.report()["heuristic"] == round(model.heuristic, 4)


def test_it_does_not_win_where_the_heuristic_is_right_already(tmp_path):
    with opened(tmp_path, sessions(12, "loud")) as workspace:
        model = trained(workspace)
    assert model is not None
    assert model.heuristic == 1.0
    assert not model.wins


def test_the_same_sessions_teach_the_same(tmp_path):
    with opened(tmp_path, sessions(8, "walked")) as workspace:
        assert trained(workspace) == trained(workspace)


def test_pins_are_training_data(tmp_path):
    def fill(graph: Graph) -> None:
        sessions(8, "loud")(graph)
        graph.writer.update("entities", "e1", pinned=1, pinned_at=graph.at)

    with opened(tmp_path, fill) as workspace:
        with_pin, without = (trained(workspace, pin_label=label) for label in (1.0, 0.0))
    place = NAMES.index("walked")
    assert with_pin.weights[place] > without.weights[place]


def test_what_was_learned_is_kept_until_undone(tmp_path):
    with opened(tmp_path, sessions(8, "walked")) as workspace:
        model = trained(workspace)
        workspace.write("learn", lambda w: session_candidate_scorer.save(w, model))
        with workspace.read() as reader:
            assert session_candidate_scorer.load(reader) == model
        workspace.undo()
        with workspace.read() as reader:
            assert session_candidate_scorer.load(reader) is None


@pytest.mark.parametrize("odd", ["{}", '{"weights": 3}', "[", None])
def test_a_model_that_cant_be_read_is_none(tmp_path, odd):
    with opened(tmp_path, vega) as workspace:
        workspace.write("odd", lambda w: w.insert(
            "automatic_changes", id="h", subject_id="agent:default", event=TRAINED, metadata=odd,
            changed_by="x", created_at=w.now()))
        with workspace.read() as reader:
            assert session_candidate_scorer.load(reader) is None


# -- use -------------------------------------------------------------------------------------


def learned(workspace: Workspace, **changed: float) -> None:
    model = trained(workspace)
    assert model is not None
    workspace.write("learn", lambda w: session_candidate_scorer.save(w, replace(model, **changed)))


def far(graph: Graph) -> None:
    """A loud memory beside what the walk brings."""
    sessions(12, "walked")(graph)
    graph.memory("loud", id="loud", importance=1.0)


def test_it_ranks_a_session_where_it_wins(tmp_path):
    with opened(tmp_path, far) as workspace:
        assert begun(workspace).candidates[0].id == "loud"
        learned(workspace)
        start = begun(workspace)
    assert start.ranked_by == "scorer"
    assert start.candidates[-1].id == "loud"
    assert start.candidates[0].score == start.candidates[0].predicted


def test_it_only_watches_where_it_does_not_win(tmp_path):
    with opened(tmp_path, far) as workspace:
        learned(workspace, ndcg=0.1, heuristic=0.2)
        start = begun(workspace)
    assert (start.ranked_by, start.candidates[0].id) == ("heuristic", "loud")
    assert all(each.predicted is not None for each in start.candidates)


def test_it_is_not_used_about_an_entity_where_it_loses(tmp_path):
    def lost(graph: Graph) -> None:
        far(graph)
        for number in range(3):
            compared(graph, f"c{number}", won=False)

    with opened(tmp_path, lost) as workspace:
        learned(workspace)
        assert begun(workspace).ranked_by == "heuristic"
        assert begun(workspace, Signals(query="Kotlin")).ranked_by == "scorer"


def test_it_can_be_switched_off(tmp_path):
    with opened(tmp_path, far) as workspace:
        learned(workspace)
        start = begun(workspace, settings=usual(scorer={"enabled": False}))
    assert start.ranked_by == "heuristic"
    assert start.candidates[0].predicted is None


def test_a_pinned_memory_keeps_its_place(tmp_path):
    def fill(graph: Graph) -> None:
        far(graph)
        graph.writer.update("memories", "loud", pinned=1)

    with opened(tmp_path, fill) as workspace:
        learned(workspace)
        assert begun(workspace).candidates[0].id == "loud"


def test_the_end_compares_both_orders_and_learns_again(tmp_path):
    with opened(tmp_path, far) as workspace:
        learned(workspace)
        recorded(workspace, "now")
        hit(workspace, "now", "m2")
        end = ended(workspace, "now")
        assert end.comparison is not None
        assert end.comparison.won
        assert (end.comparison.focal_entity_id, end.comparison.focal_entity_name) == (
            "e1", "Vega")
        assert end.scorer["sessions"] == 13
        ended(workspace, "now")
        assert value(workspace, "SELECT count(*) FROM predictor_comparisons") == 1
        assert value(workspace, "SELECT alpha FROM predictor_comparisons") == 1.0
        assert value(workspace, "SELECT count(*) FROM session_memories"
                                " WHERE session_key = 'now' AND predictor_rank IS NULL") == 0


# -- win rates -------------------------------------------------------------------------------


def compared(graph: Graph, key: str, *, won: bool, entity: str = "e1", day: int = 1) -> None:
    graph.writer.insert(
        "predictor_comparisons", id=new_id(), session_key=key, agent_id=graph.writer.agent,
        predictor_ndcg=0.6, baseline_ndcg=0.5, predictor_won=int(won), margin=0.1 if won else -0.1,
        alpha=1.0, focal_entity_id=entity, focal_entity_name="Vega", candidate_count=5,
        created_at=f"2026-01-{day:02d}T10:00:00.000Z")


def health(workspace: Workspace, **asked: object):
    with workspace.read() as reader:
        return entity_health(reader, **asked)


def test_three_comparisons_lost_won_won_are_two_thirds_and_improving(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        for day, won in enumerate((False, True, True), 1):
            compared(graph, f"s{day}", won=won, day=day)

    with opened(tmp_path, fill) as workspace:
        by_entity = health(workspace)
    assert len(by_entity) == 1
    assert (by_entity[0].entity_name, by_entity[0].comparison_count, by_entity[0].trend) == (
        "Vega", 3, "improving")
    assert by_entity[0].win_rate == pytest.approx(2 / 3)
    assert by_entity[0].avg_margin == pytest.approx(0.1 / 3)


def test_fewer_comparisons_or_older_ones_tell_nothing(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        for day in (1, 2, 3):
            compared(graph, f"s{day}", won=True, day=day)

    with opened(tmp_path, fill) as workspace:
        assert health(workspace, min_comparisons=4) == ()
        assert health(workspace, since="2026-01-01T12:00:00Z") == ()
        assert health(workspace, since="2026-01-01T12:00:00Z", min_comparisons=2)
        workspace.with_agent("other")
        assert health(workspace) == ()


def test_the_best_understood_entity_comes_first(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        for day in (1, 2, 3, 4):
            compared(graph, f"s{day}", won=day > 2, day=day)
            compared(graph, f"k{day}", won=day < 3, day=day, entity="e2")
            compared(graph, f"x{day}", won=True, day=day, entity="gone")

    with opened(tmp_path, fill) as workspace:
        by_entity = health(workspace)
    assert [(one.entity_id, one.trend) for one in by_entity] == [
        ("gone", "stable"), ("e1", "improving"), ("e2", "declining")]


def test_a_comparison_is_won_by_a_margin():
    assert Comparison(0.6, 0.5).won
    assert not Comparison(0.5, 0.5).won
