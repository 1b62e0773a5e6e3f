"""A memory is found by what the graph says that it is about."""

from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.core.recalling import LONG, answer, texts


def engine_room(g: Graph) -> None:
    ledger = g.entity("Harbor Ledger")
    engine = g.entity("Postgres", "system", description="The one database of the house.")
    g.link(engine, ledger, "part_of", strength=0.9, confidence=0.9)
    g.value(g.aspect(engine, "version"), "16.9", "production",
            memory_id=g.memory("Postgres 16.9 in the cellar"))
    g.memory("Harbor Ledger was painted")
    g.memory("The database of the neighbours is a box of cards")


def test_what_says_neither_word_of_the_question_is_found_by_its_place(graph) -> None:
    workspace: Workspace = graph(engine_room)
    result = answer(workspace, "Which database version does Harbor Ledger run?")
    assert texts(result)[0] == "Postgres 16.9 in the cellar"
    assert "about database, version, harbor, ledger" in result.hits[0].why
    without = LONG.model_copy(update={"place_weight": 0.0})
    assert texts(answer(workspace, "Which database version does Harbor Ledger run?", without)
                 )[0] != "Postgres 16.9 in the cellar"


def test_a_summary_of_many_values_is_not_lifted_by_their_places(graph) -> None:
    def fill(g: Graph) -> None:
        notes = g.memory("Notes on all sorts of things")
        for number in range(5):
            g.value(g.aspect(g.entity(f"thing {number}"), "version"), "1", memory_id=notes)
        g.memory("A version of the song")

    assert "Notes" not in str(texts(answer(graph(fill), "Which version?"))[:1])
