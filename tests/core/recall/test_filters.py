"""Filters of recall: what passes, with and without a question, and what can't be asked."""

import pytest

from core.errors import OperationError
from core.recall import filtered_rows
from core.recall.filtered_rows import passing_rows
from core.recall.filters import Filters, read_signs
from tests.core.graphs import Graph
from tests.core.recalling import LONG, WordAxes, answer, texts


def filtered(graph: Graph) -> None:
    graph.memory("lantern", type="decision", tags="red, blue", who="Élodie", importance=0.9,
                 project="/src/vega", pinned=1, scope="s", created_at="2026-03-14T10:00:00.000Z")
    graph.memory("lantern", type="fact", tags='["green","blue sky"]', who="Jo", importance=0.2,
                 project="/src/altair", created_at="2026-04-14 10:00:00")


FIRST, SECOND = 1, 2


CASES = [
    (Filters(), {FIRST, SECOND}),
    (Filters(types=("decision",)), {FIRST}),
    (Filters(types=("decision", "fact")), {FIRST, SECOND}),
    (Filters(tags=("blue",)), {FIRST}),
    (Filters(tags=("blue sky", "green")), {SECOND}),
    (Filters(tags=("red", "green")), set()),
    (Filters(tags=("%",)), set()),
    (Filters(who="jo"), {SECOND}),
    (Filters(who="Élodie"), {FIRST}),
    (Filters(project="vega"), {FIRST}),
    (Filters(project="/src/altair/"), {SECOND}),
    (Filters(project="ega"), set()),
    (Filters(since="2026-03-15"), {SECOND}),
    (Filters(until="2026-03-14"), {FIRST}),
    (Filters(until="2026-03-14T09:00"), set()),
    (Filters(since="2026-03-14T10:00:00Z", until="2026-04-14T10:00:00Z"), {FIRST}),
    (Filters(importance_min=0.5), {FIRST}),
    (Filters(pinned=True), {FIRST}),
    (Filters(pinned=False), {SECOND}),
    (Filters(phrases=("LANTERN",)), {FIRST, SECOND}),
    (Filters(phrases=("lan%rn",)), set()),
    (Filters(scope="s"), {FIRST}),
    (Filters(scope=None), {SECOND}),
]


def test_filters_keep_out_what_does_not_pass(graph) -> None:
    workspace = graph(filtered)
    types = {"decision": FIRST, "fact": SECOND}
    for question in ("lantern", ""):
        for filters, expected in CASES:
            if question or filters.any:
                recalled = answer(workspace, question, filters=filters)
                assert {types[hit.memory.type] for hit in recalled.hits} == expected, filters


@pytest.mark.parametrize(("typed", "question", "expected"), [
    ("[blue] lantern", "lantern", {FIRST}),
    ("lantern [red] [blue]", "lantern", {FIRST}),
    ("lantern type:Fact", "lantern", {SECOND}),
    ("lantern pinned:yes", "lantern", {FIRST}),
    ("lantern pinned:no", "lantern", {SECOND}),
    ("since:2026-04 lantern", "lantern", {SECOND}),
    ('"lantern"', "lantern", {FIRST, SECOND}),
    ('"lantern light"', "lantern light", set()),
    ("[green blue]", "", set()),
    ("type:decision", "", {FIRST}),
    ("where is  the lantern?", "where is  the lantern?", {FIRST, SECOND}),
])
def test_signs_in_a_question_filter(
    graph, typed: str, question: str, expected: set[int]
) -> None:
    workspace = graph(filtered)
    with workspace.read() as reader:
        asked, filters = read_signs(reader, typed, Filters())
    assert asked == question
    types = {"decision": FIRST, "fact": SECOND}
    hits = answer(workspace, asked, filters=filters).hits
    assert {types[hit.memory.type] for hit in hits} == expected


def test_signs_narrow_what_the_filters_leave(graph) -> None:
    with graph(filtered).read() as reader:
        _, filters = read_signs(reader, "x [blue] pinned:no since:2026-04-01 type:fact",
                                Filters(tags=("red",), who="Jo", pinned=True, since="2026-01-01"))
        assert filters == Filters(types=("fact",), tags=("red", "blue"), who="Jo", pinned=False,
                                  since="2026-04-01T00:00:00")


@pytest.mark.parametrize(("typed", "said"), [
    ('who said "lantern', "is not closed"), ("[red lantern", "is not closed"),
    ("type:decison", "Did you mean “decision”?"), ("pinned:x", "neither yes nor no"),
    ("since:x", "not a time"),
])
def test_a_sign_that_cannot_be_read_is_refused_in_words(graph, typed: str, said: str) -> None:
    with graph(filtered).read() as reader, pytest.raises(OperationError, match=said):
        read_signs(reader, typed, Filters())


def test_a_date_that_is_none_is_refused_in_words(graph) -> None:
    with pytest.raises(OperationError, match="not a date: soon") as refused:
        answer(graph(filtered), "lantern", filters=Filters(since="soon"))
    assert refused.value.field == "since"


def test_times_in_the_wrong_order_are_refused_instead_of_nothing_found(graph) -> None:
    with pytest.raises(OperationError, match="The end 2026-06-01 is before the start 2026-06-20"):
        answer(graph(filtered), "lantern", filters=Filters(since="2026-06-20", until="2026-06-01"))
    answer(graph(filtered), "lantern", filters=Filters(since="2026-06-01", until="2026-06-01"))


def test_the_few_that_pass_are_found_among_many_that_match_better(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.memory("something with a lantern in it", type="decision")
        for n in range(300):
            graph.memory(f"red lantern {n}")

    few = LONG.model_copy(update={"keyword_candidates": 20, "semantic_candidates": 20})
    wanted = Filters(types=("decision",))
    recalled = answer(graph(fill), "red lantern", few, WordAxes(), filters=wanted)
    assert texts(recalled) == ["something with a lantern in it"]


@pytest.mark.parametrize(("every", "all_read"), [(10, False), (1000, True)])
def test_all_memories_are_read_for_a_filter_only_where_few_of_the_next_best_pass(
    graph, monkeypatch, every: int, all_read: bool
) -> None:
    def fill(graph: Graph) -> None:
        for n in range(400):
            graph.memory(f"red lantern {n}", who="Jo" if n % every == 0 else "Mel")

    asked: list[bool] = []

    def read(reader, condition, bound, among=None):
        asked.append(among is None)
        return passing_rows(reader, condition, bound, among)

    monkeypatch.setattr(filtered_rows, "passing_rows", read)
    few = LONG.model_copy(update={"keyword_candidates": 40, "limit": 10})
    recalled = answer(graph(fill), "red lantern", few, filters=Filters(who="Jo"))
    assert (len(recalled.hits), any(asked)) == (1 if all_read else 10, all_read)
    assert {hit.memory.who for hit in recalled.hits} == {"Jo"}


def test_what_passes_is_read_once_for_questions_with_the_same_filter(graph, monkeypatch) -> None:
    asked: list[str] = []

    def read(reader, condition, bound, among=None):
        asked.append(bound["f_who"] if among is None else "")
        return passing_rows(reader, condition, bound, among)

    monkeypatch.setattr(filtered_rows, "passing_rows", read)
    workspace = graph(lambda g: [g.memory(f"red lantern {n}", who="Jo" if n == 7 else "Mel")
                                 for n in range(300)])
    for who in ("Jo", "Jo", "Mel", "Jo"):
        recalled = answer(workspace, "red lantern", filters=Filters(who=who))
        assert {hit.memory.who for hit in recalled.hits} == {who}
    workspace.write("another", lambda writer: writer.update_where(
        "memories", "who = :who", {"who": "Jo"}, who="Mel"))
    recalled = answer(workspace, "red lantern", filters=Filters(who="Jo"))
    assert len(recalled.hits) == LONG.limit
    assert asked.count("Jo") == 1


def test_a_neighbour_that_does_not_pass_still_speaks_for_the_answer(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.memory("What is the name of your dog?", who="Jo", source_id="s")
        graph.memory("Luna, she is two.", who="Mel", source_id="s")

    recalled = answer(graph(fill), "name of the dog", filters=Filters(who="Mel"))
    assert texts(recalled) == ["Luna, she is two."]


def test_without_a_question_the_important_and_new_ones_that_pass_come_first(graph) -> None:
    def fill(graph: Graph) -> None:
        for content, importance, day in (("old", 0.9, "2026-01-01"), ("new", 0.9, "2026-05-12"),
                                         ("small", 0.1, "2026-05-12")):
            graph.memory(content, importance=importance, created_at=f"{day}T00:00:00Z",
                         project="p")
        graph.memory("pinned", importance=0.1, pinned=1, created_at="2020-01-01T00:00:00Z",
                     project="p")

    recalled = answer(graph(fill), "", filters=Filters(project="p"))
    assert texts(recalled) == ["pinned", "new", "small", "old"]
    assert recalled.hits[1].score == pytest.approx(0.9 * 0.95, abs=0.001)
