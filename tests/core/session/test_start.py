"""A session's start: the pool, the ranking, the record."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from core.errors import OperationError
from core.model.session_start_and_end import EMBEDDING, WALKED, WALKED_PINNED
from core.queries import sessions
from core.session.start_record import record
from core.store.reader_and_writer import stamp
from core.traversal import focal
from core.traversal.focal_signals import Signals
from tests.core.graphs import Graph
from tests.core.sessions import PROJECT, begun, hit, opened, recorded, usual, value, vega

NOW = datetime.now(UTC)


def days_ago(days: float) -> str:
    return stamp(NOW - timedelta(days=days))


class Meanings:
    """An embedder in which texts with `alike` mean the same and others nothing."""

    name, dimensions = "meanings", 2

    def embed(self, texts):
        return np.array([[1.0, 0.0] if "alike" in text else [0.0, 1.0] for text in texts],
                        np.float32)


def test_importance_fades_by_five_percent_a_day_and_pinned_memories_do_not(tmp_path):
    def fill(graph: Graph) -> None:
        for id, days, columns in (
            ("new", 0, {"importance": 0.5}), ("old", 10, {"importance": 0.8}),
            ("faded", 40, {"importance": 1.0}),
            ("pinned", 400, {"importance": 0.1, "pinned": 1})):
            graph.memory(id, id=id, created_at=days_ago(days), **columns)

    with opened(tmp_path, fill) as workspace:
        found = {each.id: each.score for each in begun(workspace).candidates}
    assert list(found) == ["pinned", "new", "old"]
    assert found["pinned"] == 1
    assert found["old"] == pytest.approx(0.8 * 0.95 ** 10, rel=1e-3)


def test_what_describes_a_pinned_entity_is_told_though_it_has_no_memory(tmp_path):
    def fill(graph: Graph) -> None:
        for name, pinned in (("Remdesivir", 1), ("Baricitinib", 0)):
            graph.entity(name, "drug", pinned=pinned, description=f"{name} is a\ndrug.")

    with opened(tmp_path, fill) as workspace:
        assert "## Background\n\n- Remdesivir (drug): Remdesivir is a drug.\n" in (
            told := begun(workspace).text)
        assert "Baricitinib" not in told
        assert begun(workspace, settings=usual(session={"background_chars": 40})).text == ""
        asked = begun(workspace, Signals(query="What is Remdesivir?")).text
    assert asked.count("Remdesivir is a drug.") == 1


def test_of_a_pinned_entity_that_only_links_know_of_these_are_told(tmp_path):
    def fill(graph: Graph) -> None:
        script, tool = graph.entity("provision.sh"), graph.entity("kubectl", pinned=1)
        graph.link(script, tool, "uses")
        graph.memory("runs every night", script)

    with opened(tmp_path, fill) as workspace:
        assert "## Background\n\n- provision.sh uses kubectl\n" in begun(workspace).text


def test_what_is_said_of_a_pinned_entity_comes_before_what_is_said_of_those_around_it(tmp_path):
    def fill(graph: Graph) -> None:
        pinned = graph.entity("Remdesivir", "drug", pinned=1)
        around = [graph.entity(f"Virus {number}") for number in range(3)]
        for entity in (pinned, *around):
            told = f"What {entity} does" if entity in around else "Given for five days"
            memory = graph.memory(told, entity, created_at=days_ago(1 if entity in around else 2))
            graph.value(graph.aspect(entity, "use"), told, memory_id=memory)
        for entity in around:
            graph.link(pinned, entity)

    with opened(tmp_path, fill) as workspace:
        assert begun(workspace).candidates[0].content == "Given for five days"


def test_a_pinned_memory_comes_along_however_many_are_newer(tmp_path):
    def fill(graph: Graph) -> None:
        graph.memory("pinned", id="pinned", pinned=1, created_at=days_ago(300))
        for number in range(20):
            graph.memory(f"new {number}", created_at=days_ago(number / 10))

    with opened(tmp_path, fill) as workspace:
        start = begun(workspace, settings=usual(session={"newest": 5}))
    assert start.candidates[0].id == "pinned"
    assert len(start.candidates) == 6


def test_memories_of_the_very_project_come_first(tmp_path):
    def fill(graph: Graph) -> None:
        graph.memory("elsewhere", importance=1.0)
        graph.memory("here", importance=0.4, project=PROJECT)
        graph.memory("beside", importance=0.9, project=PROJECT + "-old")

    with opened(tmp_path, fill) as workspace:
        start = begun(workspace, Signals(project=PROJECT + "/"))
    assert [each.content for each in start.candidates] == ["here", "elsewhere", "beside"]


def test_the_pool_is_the_walk_and_importance_and_meaning_together(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        old = {"importance": 0.1, "created_at": days_ago(100)}
        graph.memory("walked", id="walked", **old)
        graph.value("a1", "fact", memory_id="walked", importance=0.7)
        graph.memory("alike", id="alike", **old)
        graph.memory("neither", id="neither", **old)

    with opened(tmp_path, fill) as workspace:
        start = begun(workspace, Signals(query="alike Vega"), usual(session={
            "question_weight": 0}), Meanings())
    brought = {each.id: each for each in start.candidates}
    assert set(brought) == {"m1", "m2", "walked", "alike"}
    assert brought["m1"].source == "effective"
    assert brought["m1"].path is not None
    assert (brought["walked"].source, brought["walked"].score) == (WALKED, 0.7)
    assert (brought["alike"].source, brought["alike"].path) == (EMBEDDING, None)
    assert brought["alike"].score == pytest.approx(0.5 * brought["alike"].likeness)


def test_a_candidate_that_the_walk_brings_too_keeps_the_better_score(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        graph.memory("weak", id="weak", importance=0.3)
        graph.value("a1", "fact", memory_id="weak", importance=0.95)

    with opened(tmp_path, fill) as workspace:
        found = begun(workspace).candidates[0]
    assert (found.id, found.source, found.score) == ("weak", "effective", 0.95)
    assert found.effective == pytest.approx(0.3, rel=1e-3)


def test_what_answers_the_question_comes_before_what_only_weighs_much(tmp_path):
    def fill(graph: Graph) -> None:
        vega(graph)
        graph.memory("weighty", id="weighty", importance=1.0)
        graph.memory("held", id="held", importance=0.2, pinned=1)
        graph.memory("alike", id="alike", importance=0.3)

    with opened(tmp_path, fill) as workspace:
        asked = begun(workspace, Signals(query="alike Vega"), embedder=Meanings())
        plain = begun(workspace, embedder=Meanings())
    order = [each.id for each in asked.candidates]
    assert order.index("held") < order.index("alike") < order.index("weighty")
    order = [each.id for each in plain.candidates]
    assert order.index("weighty") < order.index("alike")


def test_a_question_is_turned_into_a_vector_once(tmp_path):
    class Counting(Meanings):
        asked = 0

        def embed_question(self, text, within=None):
            self.asked += 1
            return self.embed([text])[0]

    embedder = Counting()
    with opened(tmp_path, vega) as workspace:
        begun(workspace, Signals(query="alike Vega"), embedder=embedder)
    assert embedder.asked == 1


def test_the_entities_of_a_question_are_looked_for_once(tmp_path, monkeypatch):
    asked = []
    look = focal.entities_in_question
    monkeypatch.setattr(focal, "entities_in_question",
                        lambda *given, **named: asked.append(given[1]) or look(*given, **named))
    with opened(tmp_path, vega) as workspace:
        began = begun(workspace, Signals(query="alike Vega"), embedder=Meanings())
    assert len(asked) == 1
    assert began.focal.names == ("Vega",)


def test_of_memories_that_weigh_the_same_those_that_mean_what_is_asked_come_first(tmp_path):
    def fill(graph: Graph) -> None:
        aspect = graph.aspect(graph.entity("Vega", id="e1"), "build")
        for number, told in enumerate(("new", "alike", "newest")):
            graph.memory(told, id=told, importance=0.1, created_at=days_ago(40 - number))
            graph.value(aspect, told, memory_id=told, importance=0.7)

    with opened(tmp_path, fill) as workspace:
        start = begun(workspace, Signals(query="alike Vega"), usual(session={
            "question_weight": 0}), Meanings())
    assert [(each.id, each.score) for each in start.candidates] == [
        ("alike", 0.7), ("newest", 0.7), ("new", 0.7)]


def test_what_is_walked_from_a_pinned_entity_says_so(tmp_path):
    def fill(graph: Graph) -> None:
        graph.entity("Momo", "person", id="e9", pinned=1, pinned_at=graph.at)
        graph.aspect("e9", "habits", id="a9")
        graph.memory("sleeps", id="m9", importance=0.1, created_at=days_ago(50))
        graph.value("a9", "sleeps", memory_id="m9")

    with opened(tmp_path, fill) as workspace:
        assert begun(workspace).candidates[0].source == WALKED_PINNED
        assert begun(workspace, Signals(pinned=False)).candidates == ()


def test_the_pool_is_cut_to_its_limit(tmp_path):
    def fill(graph: Graph) -> None:
        for number in range(120):
            graph.memory(f"text {number}", importance=1 - number / 200)

    with opened(tmp_path, fill) as workspace:
        assert len(begun(workspace).candidates) == 50
        wide = begun(workspace, settings=usual(session={"recall_limit": 1000}))
        assert len(wide.candidates) == 100
        assert wide.candidates[0].content == "text 0"


def test_deleted_memories_and_those_of_others_stay_out(tmp_path):
    def fill(graph: Graph) -> None:
        graph.memory("mine", id="mine", visibility="private")
        graph.memory("deleted", is_deleted=1)
        graph.memory("theirs", agent_id="other", visibility="private")
        graph.memory("shared", id="shared", agent_id="other")

    with opened(tmp_path, fill) as workspace:
        assert {each.id for each in begun(workspace).candidates} == {"mine", "shared"}


def test_an_empty_graph_has_nothing_to_tell_and_leaves_no_trace(tmp_path):
    with opened(tmp_path, lambda graph: None) as workspace:
        start = begun(workspace, Signals(project=PROJECT, session_key="s1"), embedder=Meanings())
        assert (start.text, start.candidates, start.notes) == ("", (), ())
        assert workspace.write("begin", lambda writer: record(writer, start)).result == 0
        assert value(workspace, "SELECT count(*) FROM automatic_changes") == 0


def test_without_any_entity_the_walk_is_not_taken(tmp_path):
    with opened(tmp_path, lambda graph: graph.memory("alone")) as workspace:
        start = begun(workspace)
    assert (start.walk.entity_count, start.constraints) == (0, ())
    assert "- alone" in start.text


def test_a_walk_that_is_switched_off_brings_nothing(tmp_path):
    with opened(tmp_path, vega) as workspace:
        start = begun(workspace, settings=usual(traversal={"enabled": False}))
    assert start.constraints == ()
    assert {each.path for each in start.candidates} == {None}


def test_meanings_that_cant_be_compared_are_told_and_stop_nothing(tmp_path):
    class Broken(Meanings):
        def embed(self, texts):
            raise OperationError(400, "No model")

    with opened(tmp_path, vega) as workspace:
        start = begun(workspace, embedder=Broken())
    assert "no model" in start.notes[0].lower()
    assert start.candidates


def test_the_record_holds_every_candidate_with_source_path_and_place(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1", settings=usual(session={"memory_budget_chars": 20}))
        with workspace.read() as reader:
            rows = reader.rows("SELECT * FROM session_memories ORDER BY rank")
            memories = sessions.session_memories(reader, "s1")
    assert [(row["memory_id"], row["rank"], row["was_injected"]) for row in rows] == [
        ("m1", 1, 1), ("m2", 2, 0)]
    assert rows[1]["path_json"] == (
        '{"entity_ids":["e1","e2"],"aspect_ids":["a2"],"dependency_ids":["d1"]}')
    assert (rows[0]["structural_density"], rows[0]["agent_id"]) == (3, "default")
    assert 0 <= rows[0]["entity_slot"] < 256
    assert memories[1].path is not None
    assert memories[1].path.dependency_ids == ("d1",)


def test_a_session_that_begins_again_keeps_hits_and_what_was_injected(tmp_path):
    with opened(tmp_path, vega) as workspace:
        recorded(workspace, "s1")
        hit(workspace, "s1", "m1")
        recorded(workspace, "s1", settings=usual(session={"memory_budget_chars": 0}))
        with workspace.read() as reader:
            memories = sessions.session_memories(reader, "s1")
    assert [(each.memory_id, each.hits, each.injected) for each in memories] == [
        ("m1", 1, True), ("m2", 0, True)]


def test_a_record_needs_a_key(tmp_path):
    with opened(tmp_path, vega) as workspace:
        start = begun(workspace)
        with pytest.raises(OperationError):
            workspace.write("begin", lambda writer: record(writer, start))


def test_the_last_sessions_of_an_entity_are_found(tmp_path):
    with opened(tmp_path, vega) as workspace:
        for key in ("s1", "s2"):
            recorded(workspace, key)
        with workspace.read() as reader:
            assert {s.session_key for s in sessions.sessions_of(reader, "e2")} == {"s1", "s2"}
            assert sessions.sessions_of(reader, "nobody") == ()


def test_words_that_summaries_share_let_memories_be_expected(tmp_path):
    def fill(graph: Graph) -> None:
        graph.memory("The harbour crane", id="crane", importance=0.1, created_at=days_ago(90))
        graph.memory("The lighthouse", id="light", importance=0.1, created_at=days_ago(90))
        for number, told in enumerate(("the crane again", "crane and rope", "lighthouse once")):
            graph.writer.insert(
                "session_summaries", id=f"y{number}", kind="session", content=told, depth=0,
                agent_id="default", earliest_at=graph.at, latest_at=graph.at, created_at=graph.at)

    with opened(tmp_path, fill) as workspace:
        start = begun(workspace)
        assert [each.id for each in start.expected] == ["crane"]
        assert "- The harbour crane" in start.text
        small = begun(workspace, settings=usual(session={"expected_chars": 5}))
        assert small.expected == ()
        recorded(workspace, "s1")
        with workspace.read() as reader:
            told = sessions.session_memories(reader, "s1")
        assert [(each.memory_id, each.injected, each.source) for each in told] == [
            ("crane", True, "fts_only")]


@pytest.mark.parametrize("label", ["", "critical rule: ", "Rule: "])
def test_a_constraint_and_the_labelled_memory_that_says_it_are_told_once(tmp_path, label):
    def fill(graph: Graph) -> None:
        vega(graph)
        graph.memory(f"{label}Never push to main", "e1", id="said")
        graph.value("a1", "Never push to main", kind="constraint", memory_id="said")
        graph.memory(f"{label}Never push to main, it broke the harbour once", "e1", id="more")

    with opened(tmp_path, fill) as workspace:
        lines = begun(workspace).text.splitlines()
    assert sum(line.endswith("Never push to main") for line in lines) == 1
    assert any(line.endswith("it broke the harbour once") for line in lines)
