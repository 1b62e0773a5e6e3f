"""What brings a memory besides words and meaning: neighbours, graph, stored questions, times."""

import pytest

from core.recall.config import RecallSettings
from tests.core.graphs import Graph
from tests.core.recalling import LONG, answer, found

# -- what was said next to it ------------------------------------------------------------------


def talk(graph: Graph, *texts: str, source: str = "talk") -> None:
    for text in texts:
        graph.memory(text, source_type="conversation", source_id=source)


def test_the_answer_to_a_question_is_found_by_the_question(graph) -> None:
    def fill(graph: Graph) -> None:
        talk(graph, "Nice weather.", "What is the name of your dog?", "Luna, she is two.",
             "I went home.", "Good night.")

    workspace = graph(fill)
    result = answer(workspace, "the name of the dog")
    assert [hit.memory.content for hit in result.hits][:2] == [
        "Luna, she is two.", "What is the name of your dog?"]
    assert result.hits[0].channels.keys() == {"keyword", "neighbor"}
    assert "answers a similar question" in result.hits[0].why


def test_what_follows_a_question_gets_more_than_what_follows_a_statement(graph) -> None:
    def fill(graph: Graph) -> None:
        talk(graph, "Where is the lantern?", "Over there.", source="a")
        talk(graph, "Here is the lantern.", "Indeed.", source="b")

    scores = {hit.memory.content: hit.channels["neighbor"]
              for hit in answer(graph(fill), "lantern").hits}
    assert scores["Over there."] > 2 * scores["Indeed."]


@pytest.mark.parametrize("mark", ["?", "？", "؟"])
def test_question_marks_of_other_scripts_ask_too(graph, mark: str) -> None:
    workspace = graph(lambda g: talk(g, f"lantern{mark}", "over there"))
    assert answer(workspace, "lantern").hits[1].score > 0.3


def test_neighbours_of_another_conversation_or_of_none_get_nothing(graph) -> None:
    def fill(graph: Graph) -> None:
        talk(graph, "Where is the lantern?", source="a")
        talk(graph, "Something else.", source="b")
        graph.memory("Nothing in common.")

    assert found(graph(fill), "lantern") == ["Where is the lantern?"]


def test_what_was_said_shortly_before_counts_as_well_and_the_reason_says_so(graph) -> None:
    def fill(graph: Graph) -> None:
        talk(graph, "We bought a lantern.", "Nice one.", "It broke in March.")
        talk(graph, "The car broke.", source="other")

    hits = {hit.memory.content: hit for hit in answer(graph(fill), "broke lantern").hits}
    meant, other = hits["It broke in March."], hits["The car broke."]
    assert meant.channels["keyword"] > 1.3 * other.channels["keyword"]
    assert "contains broke near lantern" in meant.why
    assert "near" not in other.why


def test_words_said_around_count_less_with_each_step_and_none_beyond(graph) -> None:
    said = ["one", "two", "three", "four", "five"]
    hits = answer(graph(lambda g: talk(g, "A lantern.", *said)), "lantern").hits
    shares = {hit.memory.content: hit.channels["keyword"] for hit in hits}
    scores = [shares.get(text, 0.0) for text in ("A lantern.", *said)]
    assert scores == sorted(set(scores), reverse=True)
    assert scores[-1] == 0
    assert found(graph(lambda g: talk(g, "A lantern.", *said)), "lantern",
                 LONG.model_copy(update={"context": 0})) == ["A lantern.", "one"]


# -- who said it -------------------------------------------------------------------------------


def spoken(graph: Graph) -> None:
    graph.memory("Painting a lake is fun", who="Ada Byron")
    graph.memory("Painting a boat is fun", who="Bob")


def test_what_the_one_who_is_asked_about_said_comes_first_and_the_reason_says_so(graph) -> None:
    hit = answer(graph(spoken), "what is Ada painting").hits[0]
    assert hit.memory.content == "Painting a lake is fun"
    assert hit.steps["speaker"] > 1
    assert "said by the one who is asked about" in hit.why


def test_no_speaker_is_preferred_where_the_question_names_both_or_none(graph) -> None:
    for question in ("painting", "what are Ada and Bob painting"):
        assert not any("speaker" in hit.steps for hit in answer(graph(spoken), question).hits)


# -- the graph ---------------------------------------------------------------------------------


def test_a_memory_under_a_value_of_the_entity_comes_with_its_path(graph) -> None:
    def fill(graph: Graph) -> None:
        vega = graph.entity("Vega", id="vega")
        memory_id = graph.memory("Deploys happen on Tuesday.", id="told")
        side = graph.aspect(vega, "schedule", id="side")
        graph.value(side, "Tuesday", "deploy_day", memory_id=memory_id, importance=0.9)
        graph.memory("Nothing of that.")

    by_walk = LONG.model_copy(update={"place_weight": 0.0})
    result = answer(graph(fill), "what about Vega", by_walk)
    assert [hit.memory.id for hit in result.hits] == ["told"]
    hit = result.hits[0]
    assert hit.channels["traversal"] == pytest.approx(0.9)
    assert hit.score == pytest.approx(0.2 * 0.9)
    assert hit.path is not None
    assert (hit.path.entity_ids, hit.path.aspect_ids) == (("vega",), ("side",))
    assert "reached from Vega" in hit.why
    assert result.walk is not None


def test_the_boost_is_a_fifth_of_the_doubt_that_is_left(graph) -> None:
    def fill(graph: Graph, linked: bool = True) -> None:
        memory_id = graph.memory("Deploys of Vega happen on Tuesday.")
        if linked:
            side = graph.aspect(graph.entity("Vega"), "schedule")
            graph.value(side, "Tuesday", memory_id=memory_id, importance=1.0)

    without = answer(graph(lambda g: fill(g, False)), "Vega deploys").hits[0].score
    boosted = answer(graph(fill), "Vega deploys").hits[0].score
    assert boosted == pytest.approx(0.8 * without + 0.2, abs=0.001)


def test_an_entity_that_is_half_named_counts_half(graph) -> None:
    def fill(graph: Graph) -> None:
        memory_id = graph.memory("Deploys happen on Tuesday.")
        side = graph.aspect(graph.entity("Apollo Station"), "schedule")
        graph.value(side, "Tuesday", memory_id=memory_id, importance=0.8)

    workspace = graph(fill)
    half = answer(workspace, "what about apollo").hits[0].channels["traversal"]
    assert half == pytest.approx(0.4)
    whole = answer(workspace, "what about the apollo station").hits[0].channels["traversal"]
    assert whole == pytest.approx(0.8)


def test_mentioning_a_rare_entity_tells_more_than_one_that_is_everywhere(graph) -> None:
    def fill(graph: Graph) -> None:
        common, rare = graph.entity("Atlas"), graph.entity("Borealis")
        for n in range(40):
            graph.memory(f"entry {n}", common)
        graph.memory("the odd one", rare, id="odd")

    result = answer(graph(fill), "Atlas and Borealis")
    assert result.hits[0].memory.id == "odd"
    assert result.hits[0].channels["mention"] > 0.5
    assert all(hit.channels["mention"] < 0.2 for hit in result.hits[1:])
    assert "mentions Borealis" in result.hits[0].why


def test_pinned_entities_are_walked_only_if_that_is_set(graph) -> None:
    def fill(graph: Graph) -> None:
        memory_id = graph.memory("Deploys happen on Tuesday.")
        graph.memory("a lantern")
        side = graph.aspect(graph.entity("Vega", pinned=1, pinned_at="2026-01-01"), "schedule")
        graph.value(side, "Tuesday", memory_id=memory_id)

    workspace = graph(fill)
    assert found(workspace, "lantern") == ["a lantern"]
    assert len(found(workspace, "lantern", RecallSettings(include_pinned=True))) == 2


def test_a_stored_question_brings_its_memory(graph) -> None:
    def fill(graph: Graph) -> None:
        memory_id = graph.memory("Tuesday, always.", id="told")
        graph.memory("Nothing of that.")
        graph.writer.insert("memory_hints", id="h", memory_id=memory_id, agent_id="default",
                            hint="When are the deploys of Vega?", created_at=graph.at)
        graph.writer.insert("memory_hints", id="i", memory_id=memory_id, agent_id="other",
                            hint="lantern", created_at=graph.at)

    workspace = graph(fill)
    result = answer(workspace, "deploying Vega")
    assert [hit.memory.id for hit in result.hits] == ["told"]
    assert result.hits[0].channels == {"hint": pytest.approx(1.0, abs=0.001)}
    assert found(workspace, "lantern") == []


# -- times -------------------------------------------------------------------------------------


def test_the_time_of_a_memory_brings_it(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.memory("We met the bank.", created_at="2026-03-14T09:00:00.000Z")
        graph.memory("We met the auditor.", created_at="2026-04-14 09:00:00")

    workspace = graph(fill)
    result = answer(workspace, "what happened last March")
    assert result.hits[0].memory.content == "We met the bank."
    assert result.hits[0].channels["date"] == 1.0
    assert [str(span) for span in result.query_dates] == ["2026-03-01 to 2026-04-01"]
    assert found(workspace, "what happened in April 2026")[0] == "We met the auditor."


def test_a_time_inside_a_memory_counts_too_read_from_the_memory_s_own_time(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.memory("The launch was yesterday.", created_at="2025-01-01T09:00:00Z")
        graph.memory("The launch was on 3 May 2024.", created_at="2025-06-01T09:00:00Z")

    workspace = graph(fill)
    assert found(workspace, "launch on 31 December 2024")[0] == "The launch was yesterday."
    assert found(workspace, "launch in May 2024")[0] == "The launch was on 3 May 2024."


def test_a_time_decides_between_memories_that_say_the_same(graph) -> None:
    def fill(graph: Graph) -> None:
        for month in range(1, 6):
            graph.memory("The retro went well.", created_at=f"2026-0{month}-10T09:00:00Z")

    first = answer(graph(fill), "how was the retro in February 2026").hits[0]
    assert first.memory.created_at.startswith("2026-02")


def test_odd_times_of_a_file_are_no_error(graph) -> None:
    def fill(graph: Graph) -> None:
        for at in ("yesterday", "", "0000-00-00", "9999-99-99T00:00:00Z"):
            graph.memory("The retro went well.", created_at=at)

    assert len(found(graph(fill), "retro in February 2026")) == 4
