"""Ratings move the aspects, links and value of the path that brought a memory."""

import json
import math

import pytest

from core.learning import path_feedback
from core.learning.cooccurrence import npmi
from core.learning.link_ratings import LinkState
from core.model.session_start_and_end import PathFeedback
from core.model.walk import Path, path_hash, path_json, read_path
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.core.sessions import opened, recorded, usual, value, vega

FEEDBACK = usual().feedback
WAY = Path(("e1", "e2"), ("a2",), ("d1",))


def rated(workspace: Workspace, key: str, ratings: dict[str, object], **told) -> PathFeedback:
    return workspace.write(
        "rate", lambda w: path_feedback.rate(w, key, ratings, FEEDBACK, **told)).result


def link(workspace: Workspace, id: str = "d1") -> tuple:
    with workspace.read() as reader:
        row = reader.row("SELECT reason, strength, confidence FROM entity_dependencies"
                         " WHERE id = :id", id=id)
    return row["reason"], pytest.approx(row["strength"]), pytest.approx(row["confidence"])


# -- paths as they are stored ----------------------------------------------------------------


def test_a_path_is_stored_compact_and_known_again_by_its_hash():
    told = '{"entity_ids":["e1","e2"],"aspect_ids":["a2"],"dependency_ids":["d1"]}'
    assert path_json(WAY) == told
    assert read_path(told) == WAY
    assert read_path({"entityIds": ["e1", "e2"], "aspectIds": ["a2"],
                      "dependencyIds": ["d1"]}) == WAY
    assert path_hash(WAY) == "a28c7de6dc6aa6155923b8856f0f0754ab27c4cb"
    assert path_hash(Path(("e1", "e1", "e2"), ("a2",), ("d1",))) == path_hash(WAY)


@pytest.mark.parametrize("odd", [None, "", "{", "[]", 3, {}, {"entity_ids": "e1"},
                                 '{"entity_ids": [null, 3, ""]}'])
def test_what_is_no_path_is_none(odd):
    assert read_path(odd) is None


# -- one rating ------------------------------------------------------------------------------


def test_a_good_rating_moves_aspect_link_and_value(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        report = rated(workspace, "s1", {"m2": 1}, rewards={"m2": {"forward_citation": True}})
        assert (report.accepted, report.propagated, report.dependencies_updated) == (1, 1, 1)
        assert value(workspace, "SELECT weight FROM entity_aspects WHERE id = 'a2'") == 0.52
        assert link(workspace) == ("single-memory", 0.84, 0.95)
        assert value(workspace, "SELECT q_value FROM path_feedback_stats") == 1.0
        assert value(workspace, "SELECT reward_forward FROM path_feedback_events") == 1.0


def test_a_rated_path_leaves_its_event_and_stats_and_climbs_from_one_memory_to_a_pattern(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        graph.writer.update("entity_dependencies", "d1", reason="single-memory", strength=0.5,
                                confidence=0.7)

    with opened(tmp_path, fill) as workspace:
        recorded(workspace, "s1")
        rated(workspace, "s1", {"m2": 1})
        assert link(workspace) == ("pattern-matched", 0.54, 0.75)
        for table in ("path_feedback_events", "path_feedback_stats"):
            assert value(workspace, f"SELECT path_hash FROM {table}") == path_hash(WAY)
        assert value(workspace, "SELECT rating FROM path_feedback_events") == 1.0
        assert value(workspace, "SELECT sample_count FROM path_feedback_stats") == 1
        assert value(workspace, "SELECT weight FROM entity_aspects WHERE id = 'a2'") > 0.5


def test_a_bad_rating_moves_them_down(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        graph.writer.update("entity_dependencies", "d1", reason="single-memory")

    with opened(tmp_path, fill) as workspace:
        recorded(workspace, "s1")
        rated(workspace, "s1", {"m2": -1})
        assert value(workspace, "SELECT weight FROM entity_aspects WHERE id = 'a2'") == 0.48
        assert link(workspace) == ("llm-uncertain", 0.76, 0.3)
        assert value(workspace, "SELECT negative_count FROM path_feedback_stats") == 1


def test_a_rating_of_nothing_moves_nothing(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        assert rated(workspace, "s1", {"m2": 0}).dependencies_updated == 0
        assert value(workspace, "SELECT weight FROM entity_aspects WHERE id = 'a2'") == 0.5
        assert value(workspace, "SELECT neutral_count FROM path_feedback_stats") == 1


def test_unknown_memories_and_other_agents_sessions_are_ignored(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        assert rated(workspace, "s1", {"nobody": 1}) == PathFeedback()
        assert rated(workspace, "s2", {"m1": 1}) == PathFeedback()
        workspace.with_agent("other")
        assert rated(workspace, "s1", {"m1": 1}) == PathFeedback()


def test_the_agents_rating_of_a_memory_is_a_running_mean(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        for rating, mean in ((5, 1.0), (0, 0.5), (-1, 0.0)):
            rated(workspace, "s1", {"m1": rating})
            assert value(workspace, "SELECT agent_relevance_score FROM session_memories"
                                    " WHERE memory_id = 'm1'") == pytest.approx(mean)
        assert value(workspace, "SELECT agent_feedback_count FROM session_memories"
                                " WHERE memory_id = 'm1'") == 3


def test_the_value_of_a_path_follows_its_rewards(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        every = {"forward": 1, "update": 1, "downstream": 1, "deadEnd": 1}
        rated(workspace, "s1", {"m2": 1}, rewards={"m2": every})
        first = 1 + 0.5 + 0.6 - 0.15
        assert value(workspace, "SELECT q_value FROM path_feedback_stats") == pytest.approx(first)
        rated(workspace, "s1", {"m2": 1})
        assert value(workspace, "SELECT q_value FROM path_feedback_stats") == pytest.approx(
            first - 0.1 * first)


def test_a_path_that_was_not_kept_is_taken_from_the_values(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        workspace.write("forget", lambda w: w.update_where(
            "session_memories", "memory_id = 'm2'", {"path_json": None}))
        assert rated(workspace, "s1", {"m2": 1}).propagated == 1
        assert value(workspace, "SELECT weight FROM entity_aspects WHERE id = 'a2'") == 0.52
        assert link(workspace)[0] is None


def test_a_path_that_is_given_goes_before_the_record(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        rated(workspace, "s1", {"m2": 1}, paths={"m2": {"aspect_ids": ["a1"]}})
        assert value(workspace, "SELECT weight FROM entity_aspects WHERE id = 'a1'") == 0.52
        assert link(workspace)[0] is None


def test_another_agents_rows_are_not_moved_by_a_given_path(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        for table, id in (("entity_aspects", "a1"), ("entity_dependencies", "d1")):
            graph.writer.update(table, id, agent_id="other")

    with opened(tmp_path, fill) as workspace:
        recorded(workspace, "s1")
        rated(workspace, "s1", {"m1": 1},
              paths={"m1": {"aspect_ids": ["a1"], "dependency_ids": ["d1"]}})
        assert value(workspace, "SELECT weight FROM entity_aspects WHERE id = 'a1'") == 0.5
        assert link(workspace) == (None, 0.8, 0.9)


@pytest.mark.parametrize("odd", [None, "x", float("nan"), float("inf"), [], {}])
def test_a_rating_that_is_no_number_moves_nothing(tmp_path, odd):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        rated(workspace, "s1", {"m2": odd}, rewards={"m2": {"forward": odd}})
        assert value(workspace, "SELECT weight FROM entity_aspects WHERE id = 'a2'") == 0.5
        assert value(workspace, "SELECT q_value FROM path_feedback_stats") == 0


# -- links -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("reason", "up", "down"), [
    ("", "single-memory", ""), ("llm-uncertain", "single-memory", "llm-uncertain"),
    ("single-memory", "pattern-matched", "llm-uncertain"),
    ("pattern-matched", "multi-memory", "single-memory"),
    ("multi-memory", "multi-memory", "pattern-matched"),
    ("said by Ines", "said by Ines", "said by Ines"),
    ("user-asserted", "user-asserted", "user-asserted")])
def test_reasons_climb_and_descend_a_ladder(reason, up, down):
    here = LinkState(reason, 0.5, 0.5)
    assert here.moved(0.1, FEEDBACK).reason == up
    assert here.moved(-0.1, FEEDBACK).reason == down


def test_a_link_is_at_least_and_at_most_as_sure_as_its_reason():
    assert LinkState("", 0.5, 0.1).moved(1, FEEDBACK).confidence == 0.7
    assert LinkState("user-asserted", 0.5, 0.5).moved(0.5, FEEDBACK).confidence == 1.0
    assert LinkState("multi-memory", 0.5, 0.99).moved(-0.5, FEEDBACK).confidence == 0.5


def test_links_stay_within_their_bounds():
    high, low = LinkState("x", 0.99, 0.99), LinkState("x", 0.11, 0.21)
    assert (high.moved(1, FEEDBACK).strength, high.moved(1, FEEDBACK).confidence) == (1.0, 1.0)
    assert (low.moved(-1, FEEDBACK).strength, low.moved(-1, FEEDBACK).confidence) == (0.1, 0.2)


def test_each_moved_link_leaves_an_applied_proposal_and_a_history_row(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        rated(workspace, "s1", {"m2": 1})
        with workspace.read() as reader:
            row = reader.row("SELECT * FROM ontology_proposals WHERE operation = 'update_link'")
            history = reader.value("SELECT count(*) FROM entity_dependency_history"
                                   " WHERE dependency_id = 'd1' AND event = 'updated'")
    assert (row["status"], row["created_by"]) == ("applied", "path-feedback")
    assert json.loads(row["evidence"]) == [{"memory_id": "m2", "session_key": "s1"}]
    assert json.loads(row["payload"])["reason"] == "single-memory"
    assert history == 1


def test_an_archived_link_is_left_alone(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        graph.writer.update("entity_dependencies", "d1", status="archived")

    with opened(tmp_path, fill) as workspace:
        recorded(workspace, "s1")
        report = rated(workspace, "s1", {"m1": 1}, paths={"m1": {"dependency_ids": ["d1"]}})
        assert report.dependencies_updated == 0


# -- what is used together -------------------------------------------------------------------


def related(workspace: Workspace) -> list[tuple]:
    with workspace.read() as reader:
        return [tuple(row) for row in reader.rows(
            "SELECT source_entity_id, target_entity_id, strength, confidence, reason, status"
            " FROM entity_dependencies WHERE dependency_type = 'related_to' ORDER BY 1, 2")]


def sessions_with_both(workspace: Workspace, count: int) -> None:
    for number in range(count):
        recorded(workspace, f"s{number}")
        rated(workspace, f"s{number}", {"m1": 1, "m2": 1})


def test_three_sessions_with_both_entities_link_them_in_both_directions(tmp_path):
    with opened(tmp_path, vega) as workspace:
        sessions_with_both(workspace, 2)
        assert related(workspace) == []
        sessions_with_both(workspace, 3)
        assert related(workspace) == [
            ("e1", "e2", 0.8, 0.5, "pattern-matched", "active"),
            ("e2", "e1", 0.8, 0.5, "pattern-matched", "active")]
        assert value(workspace, "SELECT count(*) FROM ontology_proposals"
                                " WHERE operation = 'create_link' AND status = 'applied'") == 2


def test_a_session_counts_its_entities_and_pairs_once(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        for ratings in ({"m1": 1}, {"m2": 1}, {"m1": 1, "m2": 1}):
            rated(workspace, "s1", ratings)
        assert value(workspace, "SELECT max(session_count) FROM entity_retrieval_stats") == 1
        with workspace.read() as reader:
            pairs = [tuple(row) for row in reader.rows(
                "SELECT source_entity_id, target_entity_id, session_count"
                " FROM entity_cooccurrence")]
        assert pairs == [("e1", "e2", 1)]
        assert value(workspace, "SELECT count(*) FROM path_feedback_sessions") == 1


def test_bad_ratings_put_nothing_together(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        assert rated(workspace, "s1", {"m1": -1, "m2": -1}).cooccurrence_updated == 0


def test_a_link_that_is_there_is_only_made_stronger(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        graph.link("e1", "e2", "related_to", id="r1", strength=0.95, confidence=0.4,
                   reason="said by Ines")

    with opened(tmp_path, fill) as workspace:
        sessions_with_both(workspace, 3)
        assert related(workspace)[0] == ("e1", "e2", 0.95, 0.5, "said by Ines", "active")


def test_a_link_that_a_person_has_archived_stays_so(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        graph.link("e1", "e2", "related_to", strength=0.2, reason="x", status="archived")

    with opened(tmp_path, fill) as workspace:
        sessions_with_both(workspace, 3)
        assert related(workspace)[0][2:] == (0.2, 0.7, "x", "archived")


def test_an_entity_gets_only_so_many_such_links(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        for number in range(20):
            graph.link("e1", graph.entity(f"Other {number}"), "related_to",
                       reason="pattern-matched")

    with opened(tmp_path, fill) as workspace:
        sessions_with_both(workspace, 3)
        pairs = {row[:2] for row in related(workspace)}
        assert ("e1", "e2") not in pairs
        assert ("e2", "e1") in pairs


def test_npmi_is_one_for_always_and_zero_for_chance():
    assert npmi(5, 5, 5, 5) == 1.0
    assert npmi(25, 50, 50, 100) == pytest.approx(0.0)
    assert npmi(10, 10, 10, 100) == pytest.approx(1.0)
    assert npmi(5, 50, 50, 100) < 0
    assert npmi(20, 30, 40, 100) == pytest.approx(
        math.log(0.2 / 0.12) / -math.log(0.2))


def test_what_comes_together_by_chance_is_not_linked(tmp_path):
    with opened(tmp_path, vega) as workspace:
        for number in range(9):
            recorded(workspace, f"s{number}")
            rated(workspace, f"s{number}", {"m2": 1})
        workspace.write("as by chance", lambda w: w.update_where(
            "entity_retrieval_stats", "1", {"session_count": 9}))
        workspace.write("rarely", lambda w: w.update_where(
            "entity_cooccurrence", "1", {"session_count": 2}))
        before = len(related(workspace))
        workspace.write("clear", lambda w: w.delete_where(
            "entity_dependencies", "dependency_type = 'related_to'"))
        recorded(workspace, "s9")
        rated(workspace, "s9", {"m2": 1})
        assert before == 2
        assert related(workspace) == []
