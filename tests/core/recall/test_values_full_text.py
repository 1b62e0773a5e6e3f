"""Values that no memory says are found by their words, at a cost that follows the question."""

import pytest

from core.errors import DeadlinePassed
from core.model.search_words import terms
from core.recall import values_full_text
from core.recall.config import RecallSettings
from core.recall.values_full_text import list_values, matching_values
from core.store.reader_and_writer import Reader
from core.workspace import Workspace
from tests.core.graphs import Asked, Graph
from tests.core.recalling import answer


def former_values(graph: Graph) -> None:
    aspect = graph.aspect(graph.entity("Vega"), "build")
    for n, content in enumerate(("Postgres fifteen", "Redis before", "数据库很慢")):
        graph.value(aspect, content, id=f"v{n}", status="superseded")


def matching(reader: Reader, words: str) -> list[str]:
    rows = matching_values(reader, terms(words), past=True, most=10)
    return [reader.value("SELECT id FROM entity_attributes WHERE rowid = :row", row=row)
            for row in rows]


def test_values_are_found_by_words_of_any_script(graph) -> None:
    with graph(former_values).read() as reader:
        assert matching(reader, "postgres") == ["v0"]
        assert matching(reader, "数据库") == ["v2"]
        assert matching(reader, "post") == []
        assert matching(reader, "vega redis") == ["v1", "v2", "v0"], "most words, then the newest"


def test_a_change_of_a_value_is_followed(graph) -> None:
    workspace: Workspace = graph(former_values)
    with workspace.read() as reader:
        assert matching(reader, "postgres") == ["v0"]
    workspace.write("reword", lambda writer: (
        writer.update("entity_attributes", "v0", content="Oracle nine"),
        writer.delete_where("entity_attributes", "id = 'v1'")))
    with workspace.read() as reader:
        assert matching(reader, "postgres") == []
        assert matching(reader, "oracle redis") == ["v0"]


def test_each_agent_has_a_list_of_its_own(graph) -> None:
    with graph(former_values).read() as reader:
        assert matching(reader, "postgres") == ["v0"]
        reader.agent = "another"
        assert matching(reader, "postgres") == []
        reader.agent = "default"
        assert matching(reader, "postgres") == ["v0"]


def test_nothing_is_listed_again_while_the_file_is_unchanged(graph) -> None:
    with graph(former_values).read() as reader:
        list_values(reader, past=True)
        asked = Asked(reader)
        list_values(reader, past=True)
        assert not asked.statements


def test_a_native_file_costs_nothing_where_the_past_is_not_asked_for(graph) -> None:
    with graph(former_values).read() as reader:
        asked = Asked(reader)
        assert list_values(reader)
        assert matching_values(reader, terms("vega"), past=False, most=9) == []
        assert not asked.statements


def test_listing_stops_when_time_is_up_and_goes_on_with_the_next_question(
    graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(values_full_text, "AT_ONCE", 1)
    looks = iter([False, True])
    with graph(former_values).read() as reader:
        with monkeypatch.context() as late:
            late.setattr(Reader, "out_of_time", property(lambda _: next(looks, True)))
            assert not list_values(reader, past=True)
            assert matching(reader, "vega") == ["v2"], "the newest is listed first"
        assert list_values(reader, past=True)
        assert matching(reader, "vega") == ["v2", "v1", "v0"]


def test_recall_says_that_time_ran_out_before_all_values_were_searched(
    graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Reader, "out_of_time", True)
    recalled = answer(graph(former_values), "What was Vega before?")
    assert recalled.timed_out
    assert any("all values without a memory" in note for note in recalled.notes)


def test_a_question_whose_time_is_up_is_answered_by_what_there_is(
    graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = Reader.rows

    def stopped(reader: Reader, sql: str, /, **params: object) -> list:
        if reader.out_of_time:
            raise DeadlinePassed("The time limit was reached")
        return rows(reader, sql, **params)

    monkeypatch.setattr(Reader, "rows", stopped)
    late = RecallSettings().model_copy(update={"deadline_ms": -1000})
    recalled = answer(graph(former_values), "What was Vega before?", late)
    assert recalled.timed_out
