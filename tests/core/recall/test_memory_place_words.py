"""A memory is found by what the graph says that it is about."""

import pytest

from core.session.start import start
from core.settings import Settings
from core.traversal.focal_signals import Signals
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.core.recalling import LONG, NOW, answer, found, texts


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


def test_a_memory_is_found_by_the_words_of_the_value_drawn_from_it(graph) -> None:
    def fill(g: Graph) -> None:
        cli = g.aspect(g.entity("@ferry/cli", "system"), "package")
        g.value(cli, "@ferry/cli lives in surfaces/cli", "path",
                memory_id=g.memory("@ferry/cli - the command line (surfaces/cli)"))
        g.memory("write live transcripts into a repository")

    assert found(graph(fill), "Where does the cli live?")[0].startswith("@ferry/cli")


def test_a_rule_of_the_past_is_found_in_a_memory_of_other_words(graph) -> None:
    def fill(g: Graph) -> None:
        policy = g.aspect(g.entity("deploy policy", "policy"), "windows")
        old = g.memory("A Friday release cost Tomas a weekend", created_at="2026-01-16T00:00:00Z")
        g.memory("Two exceptions to the deploy policy", created_at="2026-05-02T00:00:00Z")
        g.memory("A restore was made in February")
        for at, content, memory in (
                ("2026-01-16T00:00:00Z", "No deploys on Fridays", old),
                ("2026-03-24T00:00:00Z", "No deploys on Fridays after 14:00", g.memory("Softer"))):
            g.value(policy, content, "friday", kind="constraint", memory_id=memory, created_at=at,
                    updated_at="2026-03-24T00:00:00Z",
                    status="superseded" if memory == old else "active")

    workspace = graph(fill)
    first = answer(workspace, "What did the deploy rule say in February?").hits[0]
    assert "“No deploys on Fridays” from 2026-01-16 to 2026-03-24" in first.marked_text
    assert "rule" in first.steps
    later = answer(workspace, "What did the deploy rule say in April?").hits[0]
    assert "rule" not in later.steps or "after 14:00" in later.marked_text


@pytest.mark.parametrize(("question", "told"), [
    ("Who is Petra?", ("Petra (person): Teaches the double bass.",)),
    ("Who is the teacher?", ("Petra (person): Teaches the double bass.",)),
    ("What is the harbor?", ()), ("Petra and Otto", ("Petra (person): Teaches the double bass.",))])
def test_what_is_asked_about_by_name_is_described(graph, question: str, told: object) -> None:
    def fill(g: Graph) -> None:
        petra = g.entity("Petra", "person", description="Teaches the\ndouble bass.")
        g.alias(petra, "the teacher")
        g.entity("Otto", "person")
        g.entity("Harbor Ledger", description="The books of the ferries.")
        g.memory("Petra says that intonation is listening late", petra)
        g.memory("The harbor is wide")

    workspace = graph(fill)
    assert answer(workspace, question).about == told
    with workspace.read() as reader:
        text = start(reader, Signals(query=question), Settings(), now=NOW).text
    assert ("## Asked About\n\n- Petra (person)" in text) == bool(told)
