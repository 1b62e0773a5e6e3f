"""Recall as a whole: filters, what changes a score, deadlines, errors, foreign files."""

import contextlib
import sqlite3
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import ConstellationError, DeadlinePassed, OperationError
from core.model.walk import Walk
from core.recall import hybrid
from core.recall.config import RecallSettings
from core.recall.filters import Filters
from core.recall.hybrid import recall
from core.recall.question_state import AskedQuestion
from core.recall.semantic import similar
from core.traversal.config import TraversalSettings
from core.workspace import Workspace
from tests.contracts.files import KINDS
from tests.contracts.files import make as make_file
from tests.core.graphs import Graph
from tests.core.recalling import LONG, NOW, WordAxes, answer, texts

# -- what an answer tells ------------------------------------------------------------------------


def test_each_hit_says_which_channels_brought_it_and_what_its_score_is_made_of(graph) -> None:
    workspace = graph(lambda g: [g.memory("a red car"), g.memory("tea"), g.memory("rain")])
    hit = answer(workspace, "red automobile", embedder=WordAxes()).hits[0]
    assert hit.channels.keys() == {"keyword", "semantic"}
    keyword, semantic = hit.channels["keyword"], hit.channels["semantic"]
    assert 0 < keyword < 1
    assert hit.score == pytest.approx(1 - (1 - 0.8 * keyword) * (1 - 0.5 * semantic), abs=0.001)
    assert "contains red" in hit.why
    assert "similar in meaning" in hit.why


def test_nothing_found_is_an_empty_answer_without_a_note(graph) -> None:
    result = answer(graph(lambda g: g.memory("tea at noon")), "lantern", embedder=WordAxes())
    assert (result.hits, result.notes, result.timed_out) == ((), (), False)


def test_an_empty_graph_answers_with_nothing(graph) -> None:
    result = answer(graph(lambda g: None), "lantern last March", embedder=WordAxes())
    assert (result.hits, result.notes) == ((), ())


@pytest.mark.parametrize("question", ["", "  \n", "?!", "…"])
def test_a_question_without_anything_to_look_for_is_refused(graph, question: str) -> None:
    with pytest.raises(OperationError) as refused:
        answer(graph(lambda g: g.memory("tea")), question)
    assert refused.value.status == 400


def test_the_answer_is_the_same_each_time_and_ties_go_to_the_newer(graph) -> None:
    workspace = graph(lambda g: [g.memory(f"lantern {n}") for n in range(30)])
    first = texts(answer(workspace, "lantern"))
    assert first == texts(answer(workspace, "lantern"))
    assert first == [f"lantern {n}" for n in range(29, 19, -1)]


def test_the_limit_and_the_least_score_are_kept(graph) -> None:
    workspace = graph(lambda g: [g.memory(f"lantern {n}") for n in range(30)])
    assert len(answer(workspace, "lantern", LONG.model_copy(update={"limit": 3})).hits) == 3
    strict = LONG.model_copy(update={"min_score": 0.9})
    assert answer(workspace, "lantern", strict).hits == ()


# -- what changes a score --------------------------------------------------------------------------


def test_rehearsal_lifts_what_was_used_often_and_lately(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.memory("lantern of old", access_count=20, last_accessed="2024-05-12T00:00:00Z")
        graph.memory("lantern of use", access_count=20, last_accessed="2026-05-12 00:00:00")
        graph.memory("lantern of none")

    recalled = answer(graph(fill), "lantern of")
    assert texts(recalled)[0] == "lantern of use"
    assert recalled.hits[0].steps["rehearsal"] == pytest.approx(1 + 0.1 * 3.0445 * 0.5 ** (1 / 30),
                                                            abs=0.001)
    assert recalled.hits[0].score <= 1


def test_those_that_are_lifted_most_stay_in_order(graph) -> None:
    def fill(graph: Graph) -> None:
        for uses in (900, 90):
            graph.memory(f"red lantern {uses}", access_count=uses,
                         last_accessed="2026-05-12T00:00:00Z")

    recalled = answer(graph(fill), "red lantern")
    assert texts(recalled) == ["red lantern 900", "red lantern 90"]
    assert all(hit.score <= 1 for hit in recalled.hits)


def test_what_has_been_superseded_is_told_only_where_the_past_is_asked_for(graph) -> None:
    def fill(graph: Graph) -> None:
        now, before = graph.memory("deploy on Friday"), graph.memory("deploy on Tuesday")
        side = graph.aspect(graph.entity("Vega"), "schedule")
        graph.value(side, "Friday", memory_id=now)
        graph.value(side, "Tuesday", memory_id=before, status="superseded")

    workspace = graph(fill)
    assert texts(answer(workspace, "deploy")) == ["deploy on Friday"]
    recalled = answer(workspace, "when did we deploy before?")
    assert texts(recalled) == ["deploy on Tuesday", "deploy on Friday"]
    assert [hit.past for hit in recalled.hits] == [True, False]


def facts_without_a_claim_key(graph: Graph) -> None:
    """A budget that was replaced twice, and a deadline that was archived after that."""
    side = graph.aspect(graph.entity("Project Kranich"), "observations")
    newer = None
    for version, budget, ended in ((3, 420, None), (2, 400, "10"), (1, 380, "05")):
        said = f"Budget {budget},000 euro"
        gone = {"status": "superseded", "superseded_by": newer,
                "updated_at": f"2026-05-{ended}T00:00:00Z"} if newer else {}
        newer = graph.value(side, said, memory_id=graph.memory(said), version=version,
                            version_root_id="budget", **gone)
    graph.value(side, "Deadline 15 March", memory_id=graph.memory("Deadline 15 March"),
                status="deleted", updated_at="2026-05-12T00:00:00Z")


@pytest.mark.parametrize("question", ["What was the budget of Project Kranich before?",
                                      "What was the previous budget?"])
def test_a_former_fact_is_no_version_of_another_one_of_its_aspect(graph, question: str) -> None:
    recalled = answer(graph(facts_without_a_claim_key), question)
    assert texts(recalled)[:3] == [
        "Budget 400,000 euro", "Budget 380,000 euro", "Budget 420,000 euro"]


def test_scores_fall_also_where_the_past_or_the_newest_comes_first(graph) -> None:
    workspace = graph(facts_without_a_claim_key)
    for question in ("What was the budget of Project Kranich before?", "What is the newest budget?",
                     "What was the budget of Project Kranich at first?"):
        scores = [hit.score for hit in answer(workspace, question).hits]
        assert len(scores) > 1 or "newest" in question
        assert scores == sorted(scores, reverse=True)


# -- when something is wrong -------------------------------------------------------------------


def test_at_the_deadline_the_words_that_were_found_are_the_answer(graph, monkeypatch) -> None:
    workspace = graph(lambda g: [g.memory("a red lantern"), g.memory("tea")])

    def too_late(*arguments, **named):
        raise DeadlinePassed("The time limit was reached")

    monkeypatch.setattr("core.recall.ask_channels.of_question", too_late)
    monkeypatch.setattr("core.recall.semantic.bring_up_to_date", too_late)
    recalled = answer(workspace, "lantern", embedder=WordAxes())
    assert texts(recalled) == ["a red lantern"]
    assert recalled.timed_out
    assert len(recalled.notes) == 2


def test_a_deadline_that_is_over_at_once_says_so_instead_of_nothing_found(graph) -> None:
    workspace = graph(lambda g: [g.memory(f"a red lantern {n}") for n in range(2000)])
    with workspace.read() as reader:
        recalled = hybrid.answered(AskedQuestion(
            reader, "lantern", LONG, WordAxes(), Filters(), False, TraversalSettings(), NOW,
            began=time.monotonic() - 61))
    assert recalled.timed_out
    assert recalled.notes


def test_nothing_is_told_as_true_before_it_is_known_what_no_longer_holds(
    graph, monkeypatch
) -> None:
    workspace = graph(lambda g: [g.memory("a red lantern"), g.memory("tea")])

    def too_late(reader):
        raise DeadlinePassed("The time limit was reached")

    with monkeypatch.context() as patched:
        patched.setattr(hybrid, "read_outdated", too_late)
        recalled = answer(workspace, "lantern")
    assert (recalled.hits, recalled.timed_out) == ((), True)
    assert recalled.notes == (hybrid.NOT_LISTED,)
    assert texts(answer(workspace, "lantern")) == ["a red lantern"]


def test_a_walk_that_ran_out_of_time_is_told(graph, monkeypatch) -> None:
    workspace = graph(lambda g: g.entity("Vega") and g.memory("Vega has a red lantern"))

    def short(reader, focal, *given, **named):
        return Walk(focal, timed_out=True)

    monkeypatch.setattr("core.recall.graph_channels.walk", short)
    recalled = answer(workspace, "lantern of Vega")
    assert texts(recalled) == ["Vega has a red lantern"]
    assert recalled.timed_out
    assert "walk ran out of time" in recalled.notes[0]


def test_after_the_deadline_no_embedder_is_asked(graph) -> None:
    embedder = WordAxes()
    workspace = graph(lambda g: g.memory("a red lantern"))
    with workspace.read() as reader:
        late = similar(reader, "lantern", embedder, LONG, deadline=time.monotonic())
    assert (embedder.asked, late.timed_out) == ([], True)
    assert "ran out" in late.notes[0]


def test_a_locked_file_is_an_error_in_words(graph, monkeypatch) -> None:
    workspace = graph(lambda g: g.memory("a red lantern"))
    workspace.close()
    other = sqlite3.connect(workspace.path, isolation_level=None)
    other.execute("PRAGMA journal_mode = DELETE")  # where one who writes keeps all others out
    monkeypatch.setattr("core.store.database.BUSY_MS", 30)
    opened = Workspace.open(workspace.path, data_dir=workspace.path.parent / "data")
    try:
        other.execute("BEGIN EXCLUSIVE")
        with (pytest.raises(ConstellationError, match="locked by another program"),
              opened.read() as reader):
            recall(reader, "lantern", RecallSettings(deadline_ms=30), WordAxes())
        other.execute("ROLLBACK")
        with opened.read() as reader:
            assert recall(reader, "lantern", RecallSettings(), WordAxes()).hits
    finally:
        opened.close()
        other.close()


def test_a_graph_that_can_t_be_walked_leaves_words_and_meanings(graph, monkeypatch) -> None:
    workspace = graph(lambda g: [g.memory("a red lantern"), g.memory("tea")])

    def broken(*arguments, **named):
        raise ConstellationError("A part of the file is damaged")

    monkeypatch.setattr("core.recall.graph_channels.walk", broken)
    monkeypatch.setattr("core.recall.ask_channels.of_question", broken)
    recalled = answer(workspace, "lantern", embedder=WordAxes())
    assert texts(recalled) == ["a red lantern"]
    assert "could not be walked" in recalled.notes[0]


def test_hostile_text_is_found_and_comes_back_as_it_is(graph) -> None:
    hostile = "<b>lantern</b> \u202e\u0000 {{x}} '; DROP TABLE memories; -- " + "x" * 100_000
    workspace = graph(lambda g: g.memory(hostile))
    assert texts(answer(workspace, "lantern", embedder=WordAxes())) == [hostile]


@pytest.fixture
def lanterns(graph) -> Workspace:
    return graph(lambda g: [g.memory("a red lantern"), g.memory("東京タワー 🎉")])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(question=st.text(min_size=1, max_size=60))
def test_any_question_is_answered_or_refused_in_words(lanterns: Workspace, question: str) -> None:
    with contextlib.suppress(OperationError):
        answer(lanterns, question, embedder=WordAxes())


@pytest.mark.parametrize("kind", KINDS)
def test_files_of_every_generation_are_recalled_from(kind: str, tmp_path) -> None:
    workspace = make_file(kind, tmp_path / "graph.db", tmp_path / "data")
    try:
        with workspace.read() as reader:
            content = reader.value("SELECT content FROM memories WHERE agent_id = :agent"
                                   " AND is_deleted = 0 AND id <> 'm-1'"
                                   " ORDER BY length(content) DESC LIMIT 1")
        recalled = answer(workspace, content, embedder=WordAxes())
        assert texts(recalled)[0] == content
        assert recalled.hits[0].channels["keyword"] > 0.5
    finally:
        workspace.close()


# -- whether anything fits -------------------------------------------------------------------------

UNRELATED = "Which whale swims around the red lighthouse island?"


def test_what_only_shares_a_word_is_told_as_the_nearest(graph) -> None:
    workspace = graph(lambda g: [g.memory("the red car"), g.memory("tea at noon"),
                                g.memory("rain")])
    result = answer(workspace, UNRELATED)
    assert not result.fits
    assert texts(result) == ["the red car"]
    off = LONG.model_copy(update={"fits_from": 0.0, "support_from": 0.0})
    assert answer(workspace, UNRELATED, off).fits


@pytest.mark.parametrize("question", ["What did we do yesterday?", "What happened in May 2026?"])
def test_a_question_for_a_time_alone_is_answered_by_what_is_from_it(graph, question: str) -> None:
    workspace = graph(lambda g: [g.memory("the red car", created_at="2026-05-12T09:00:00Z"),
                                g.memory("rain", created_at="2020-05-12T09:00:00Z")])
    assert answer(workspace, question).fits
    assert texts(answer(workspace, question))[0] == "the red car"


def test_it_is_not_said_where_the_words_could_not_all_be_searched(graph) -> None:
    workspace = graph(lambda g: g.memory("the red car"))
    workspace.write("damage", lambda w: w.connection.execute("DROP TABLE memories_fts"))
    result = answer(workspace, UNRELATED)
    assert result.notes
    assert result.fits
