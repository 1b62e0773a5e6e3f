"""Each channel of recall by itself: words, meanings, graph, neighbours, stored questions, times."""

from datetime import UTC, datetime

import numpy as np
import pytest

from core.embedding.backfill import keep, missing
from core.model.language import terms
from core.recall import keyword, semantic
from core.recall.config import RecallSettings
from core.recall.hybrid import recall
from core.recall.keyword import look_up
from core.recall.vectors import Kind, Matrix, Shelf, bring_up_to_date
from core.store.handles import Writer
from core.workspace import Workspace
from tests.core.graphs import Graph, build
from tests.core.recalling import WordAxes

NOW = datetime(2026, 5, 13, tzinfo=UTC)


@pytest.fixture
def make(tmp_path):
    """Builds a graph from `fill` and closes it at the end."""
    opened: list[Workspace] = []

    def run(fill, agent="default") -> Workspace:
        opened.append(build(tmp_path / f"g{len(opened)}.db", fill, agent=agent))
        return opened[-1]

    yield run
    for workspace in opened:
        workspace.close()


def found(workspace: Workspace, question: str, *given, **asked) -> list[str]:
    """What the recalled memories say, best first."""
    return [hit.memory.content for hit in answer(workspace, question, *given, **asked).hits]


def answer(workspace: Workspace, question: str, settings=None, embedder=None, **asked):
    with workspace.read() as reader:
        return recall(reader, question, settings or RecallSettings(deadline_ms=60_000), embedder,
                      now=NOW, **asked)


# -- words -------------------------------------------------------------------------------------


def test_every_form_of_a_word_is_found(make) -> None:
    workspace = make(lambda g: [g.memory(text) for text in (
        "She painted the harbor", "Paint is wet", "A painting of Rome", "The pain is gone")])
    assert set(found(workspace, "paintings")) == {
        "She painted the harbor", "Paint is wet", "A painting of Rome"}
    assert found(workspace, "paintings", RecallSettings(stemming=False)) == []


def test_a_rare_word_counts_more_than_one_that_all_memories_hold(make) -> None:
    def fill(graph: Graph) -> None:
        for n in range(20):
            graph.memory(f"the meeting of week {n}")
        graph.memory("saffron is dear")

    workspace = make(fill)
    result = answer(workspace, "saffron meeting", RecallSettings(min_score=0.0))
    assert result.hits[0].memory.content == "saffron is dear"
    assert result.hits[0].channels["keyword"] > 2 * result.hits[1].channels["keyword"]


def test_unknown_words_leave_the_known_ones_their_share(make) -> None:
    workspace = make(lambda g: [g.memory(f"The retro of team {n} went well") for n in range(8)])
    result = answer(workspace, "zorblax retro flibbertigibbet")
    assert len(result.hits) == 8
    assert result.hits[0].channels["keyword"] > 0.2


def test_a_rule_about_a_weekday_is_found_by_the_weekday(make) -> None:
    workspace = make(lambda g: [g.memory(f"note {n} on how to deploy") for n in range(5)]
                     + [g.memory("No deploys on Fridays after 14:00")])
    assert found(workspace, "can I deploy on Friday?")[0] == "No deploys on Fridays after 14:00"


def test_a_memory_with_all_words_comes_before_one_with_some(make) -> None:
    workspace = make(lambda g: [g.memory(text) for text in (
        "red lantern", "red lantern in the old harbor", "harbor")])
    assert found(workspace, "red lantern of the harbor")[0] == "red lantern in the old harbor"


@pytest.mark.parametrize("question", [
    'NEAR("a" "b", 2)', "lantern OR NOT", "lantern*", '"lantern', "lantern) AND (", "-lantern",
    "content:lantern", "lantern' --", "lantern ^ : {}", "LANTERN"])
def test_signs_of_the_full_text_language_are_no_commands(make, question: str) -> None:
    workspace = make(lambda g: g.memory("a lantern near b"))
    assert found(workspace, question) == ["a lantern near b"]


@pytest.mark.parametrize(("text", "question"), [
    ("明日は東京タワーへ行く", "東京タワー"), ("我喜欢北京烤鸭", "烤鸭"), ("ฉันชอบกาแฟดำ", "กาแฟ"),
    ("Привет из Москвы", "МОСКВЫ"), ("אני אוהב קפה", "קפה"), ("मुझे हिन्दी पसंद है", "हिन्दी"),
    ("ship it 🎉 today", "🎉"), ("Ein Café in Köln", "koln cafe"),
    ("Мария любит чёрный чай", "чай"), ("Мария любит чёрный чай", "черный"),
    ("Йога по утрам", "йога"), ("на\u0438\u0306ти ключ", "найти"), ("Πίνει καφέ", "ΚΑΦΕΣ καφε"),
    ("민수는 서울에서 김치찌개를 좋아한다", "서울"), ("كوب القهوة", "قهوة"),
    ("كوب قهوة", "بالقهوة"),
    ("anh ấy thích phở", "phở"),
])
@pytest.mark.parametrize("full_text", [True, False])
def test_words_of_any_script_are_found(make, text: str, question: str, full_text: bool) -> None:
    workspace = make(lambda g: [g.memory(text), g.memory("something else entirely")])
    if not full_text:
        workspace.write("break", _without_full_text)
    result = answer(workspace, question)
    assert [hit.memory.content for hit in result.hits] == [text]
    assert result.hits[0].channels["keyword"] > 0


def _without_full_text(writer: Writer) -> None:
    for change in ("ai", "ad", "au"):
        writer.connection.execute(f"DROP TRIGGER memories_{change}")
    writer.connection.execute("DROP TABLE memories_fts")


def test_a_file_without_full_text_is_read_and_the_answer_says_so(make) -> None:
    workspace = make(lambda g: [g.memory("She painted Köln"), g.memory("nothing of that")])
    workspace.write("break", _without_full_text)
    result = answer(workspace, "painting of koln")
    assert [hit.memory.content for hit in result.hits] == ["She painted Köln"]
    assert "no full text" in result.notes[0]


@pytest.mark.parametrize("damage", [
    "UPDATE memories_fts_data SET block = x'00' WHERE id > 1",
    "UPDATE memories_fts_data SET block = x'ffffffffffff' WHERE id > 10",
    "DELETE FROM memories_fts_data WHERE id > 10",
    "DELETE FROM memories_fts_data",
    "INSERT INTO memories_fts(memories_fts) VALUES ('delete-all')",
])
def test_a_damaged_full_text_is_left_aside_and_the_answer_says_so(make, damage: str) -> None:
    workspace = make(lambda g: [g.memory("a red lantern"), g.memory("nothing of that")])
    workspace.write("break", lambda w: w.connection.execute(damage))
    result = answer(workspace, "lanterns")
    assert [hit.memory.content for hit in result.hits] == ["a red lantern"]
    assert "were read instead" in result.notes[0]


def test_a_large_file_without_full_text_is_read_from_its_newest_end(make, monkeypatch) -> None:
    monkeypatch.setattr(keyword, "SCANNED", 3)
    workspace = make(lambda g: [g.memory(f"note {n} lantern") for n in range(6)])
    with workspace.read() as reader:
        monkeypatch.setattr(reader, "has_table", lambda name: False)
        rows = look_up(reader, terms("lantern")).rows[0]
    assert rows.tolist() == [4, 5, 6]


def test_a_long_memory_counts_less_than_a_short_one_with_the_same_words(make) -> None:
    workspace = make(lambda g: [g.memory("lantern " + "filler text " * 200), g.memory("lantern")])
    assert found(workspace, "lantern")[0] == "lantern"


# -- who may see what --------------------------------------------------------------------------


def test_deleted_archived_and_other_agents_private_memories_never_come(make) -> None:
    def fill(graph: Graph) -> None:
        graph.memory("lantern mine")
        graph.memory("lantern deleted", is_deleted=1)
        graph.memory("lantern archived", visibility="archived")
        graph.memory("lantern of another", agent_id="other", visibility="private")
        graph.memory("lantern shared", agent_id="other", visibility="global")

    workspace = make(fill)
    assert set(found(workspace, "lantern", embedder=WordAxes())) == {
        "lantern mine", "lantern shared"}


def test_what_may_be_seen_is_ranked_among_itself_in_a_file_of_mostly_others(make) -> None:
    def fill(graph: Graph) -> None:
        graph.memory("the oldest lantern")
        for n in range(300):
            graph.memory(f"lantern {n}", agent_id="other", visibility="private")

    workspace = make(fill)
    settings = RecallSettings(keyword_candidates=20, semantic_candidates=20)
    assert found(workspace, "lantern", settings, WordAxes()) == ["the oldest lantern"]


# -- meanings ----------------------------------------------------------------------------------


def test_a_memory_without_a_shared_word_is_found_by_its_meaning(make) -> None:
    workspace = make(lambda g: [g.memory("the automobile is red"), g.memory("tea at noon"),
                                g.memory("rain all day")])
    result = answer(workspace, "car", embedder=WordAxes())
    assert [hit.memory.content for hit in result.hits] == ["the automobile is red"]
    assert result.hits[0].channels.keys() == {"semantic"}
    assert result.hits[0].steps == {"gravity": 0.9}
    assert found(workspace, "car") == []


def test_stored_vectors_are_used_as_they_are(make) -> None:
    embedder = WordAxes()
    workspace = make(lambda g: [g.memory("tea at noon", id="tea"), g.memory("rain", id="rain")])

    def store(writer: Writer) -> None:
        put_vector(writer, "tea", embedder.embed(["automobile"])[0], embedder.name)

    workspace.write("vectors", store)
    assert found(workspace, "car", embedder=embedder) == ["tea at noon"]


def put_vector(writer: Writer, memory: str, vector: np.ndarray | bytes, model: str, **columns):
    blob = vector if isinstance(vector, bytes) else vector.astype("<f4").tobytes()
    writer.insert("embeddings", **{
        "id": f"v-{memory}-{model}", "content_hash": f"h-{memory}-{model}", "vector": blob,
        "dimensions": len(blob) // 4, "source_type": "memory", "source_id": memory,
        "chunk_text": "", "created_at": writer.now(), "agent_id": writer.agent, "model": model,
        **columns})


def test_vectors_of_another_model_or_length_are_never_compared(make) -> None:
    embedder = WordAxes()
    workspace = make(lambda g: [g.memory("tea at noon", id="tea"), g.memory("rain", id="rain")])
    vector = embedder.embed(["automobile"])[0]
    workspace.write("vectors", lambda w: [
        put_vector(w, "tea", vector, "another-model"), put_vector(w, "tea", vector[:32], "axes")])
    result = answer(workspace, "car", embedder=embedder)
    assert result.hits == ()
    assert any("another-model" in note and "can't be compared" in note for note in result.notes)


@pytest.mark.parametrize("blob", [b"", b"xy", b"\x00\x00\xc0\x7f" * 64, b"\x00" * 12])
def test_a_corrupt_vector_is_left_out_and_the_answer_says_so(make, blob: bytes) -> None:
    embedder = WordAxes()
    workspace = make(lambda g: [g.memory("tea at noon", id="tea"), g.memory("a car", id="car")])
    workspace.write("vectors", lambda w: put_vector(w, "tea", blob, "axes", dimensions=64))
    result = answer(workspace, "automobile", embedder=embedder)
    assert [hit.memory.content for hit in result.hits] == ["a car"]
    assert result.notes == ("1 vector of the file can't be read and were left out",)


def test_what_is_new_in_the_file_is_found_without_reading_everything_anew(make) -> None:
    embedder, shelf = WordAxes(), Shelf()
    workspace = make(lambda g: [g.memory(f"note {n}") for n in range(30)])
    ask = lambda: ask_meaning(workspace, "car", embedder, shelf)  # noqa: E731
    assert ask() == []
    read = len(embedder.asked)
    workspace.write("more", lambda w: Graph(w).memory("an automobile", id="new"))
    assert ask() == ["new"]
    assert len(embedder.asked) - read < 5


def test_vectors_that_were_read_ahead_are_not_read_when_somebody_asks(make) -> None:
    embedder, shelf = WordAxes(), Shelf()
    workspace = make(lambda g: [g.memory(f"note {n}") for n in range(9)])
    with workspace.read() as reader:
        whole = semantic.read_ahead(reader, embedder, RecallSettings(), seconds=60, shelf=shelf)
    assert whole
    read = len(embedder.asked)
    assert read >= 9
    ask_meaning(workspace, "car", embedder, shelf)
    assert len(embedder.asked) == read + 1, "only the question"


def test_reading_ahead_says_whether_there_is_more(make, monkeypatch) -> None:
    workspace = make(lambda g: [g.memory("note")])
    monkeypatch.setattr(semantic, "bring_up_to_date", lambda *_, **__: False)
    with workspace.read() as reader:
        assert not semantic.read_ahead(
            reader, WordAxes(), RecallSettings(), seconds=60, shelf=Shelf())


def ask_meaning(workspace: Workspace, text: str, embedder: WordAxes, shelf: Shelf) -> list[str]:
    with workspace.read() as reader:
        meaning = semantic.similar(reader, text, embedder, RecallSettings(), shelf=shelf)
        return [str(reader.value("SELECT id FROM memories WHERE rowid = :r AND :agent = :agent",
                                 r=int(row))) for row in meaning.best(1)
                if meaning.of(np.array([row]))[0] > 0.3]


def test_a_vector_that_is_made_anew_replaces_the_old_one(make) -> None:
    embedder, shelf = WordAxes(), Shelf()
    workspace = make(lambda g: [g.memory("tea at noon", id="tea"), g.memory("rain", id="rain"),
                                g.memory("wind", id="wind")])
    assert ask_meaning(workspace, "car", embedder, shelf) == []
    workspace.write("v", lambda w: put_vector(
        w, "tea", embedder.embed(["automobile"])[0], "axes"))
    assert ask_meaning(workspace, "car", embedder, shelf) == ["tea"]
    workspace.undo()
    assert ask_meaning(workspace, "car", embedder, shelf) == []


def test_only_the_newest_vectors_lie_in_memory(make) -> None:
    embedder = WordAxes()
    workspace = make(lambda g: [g.memory(f"note {n}", id=f"m{n}") for n in range(9)])
    matrix = Matrix(Kind("axes", 64))
    with workspace.read() as reader:
        assert bring_up_to_date(reader, matrix, most=4, make=embedder.embed, made=100)
    assert sorted(matrix.places) == [6, 7, 8, 9]


def test_a_matrix_that_was_begun_goes_on_where_the_time_was_up(make, monkeypatch) -> None:
    embedder = WordAxes()
    workspace = make(lambda g: [g.memory(f"note {n} x", id=f"m{n}") for n in range(600)])
    matrix = Matrix(Kind("axes", 64))

    def one_portion(texts):
        if matrix.size:
            raise semantic.DeadlinePassed("The time for this was up")
        return embedder.embed(texts)

    with workspace.read() as reader:
        assert not bring_up_to_date(reader, matrix, most=1000, make=one_portion, made=1000)
        begun = matrix.size
        assert 0 < begun < 600
        assert bring_up_to_date(reader, matrix, most=1000, make=embedder.embed, made=1000)
    assert matrix.size == 600
    assert len(embedder.asked) == 600


def test_the_direction_that_all_vectors_share_says_nothing() -> None:
    matrix = Matrix(Kind("any", 4))
    shared = np.array([5.0, 0, 0, 0])
    rows = np.array([shared + np.eye(4)[1 + n % 3] for n in range(300)], np.float32)
    matrix.add(range(1, 301), rows / np.linalg.norm(rows, axis=1)[:, None])
    asked = (shared + np.eye(4)[1]).astype(np.float32)
    found = matrix.compare(asked / np.linalg.norm(asked)).of(np.array([1, 2, 3]))
    assert found[0] > 0.9
    assert found[1] < 0.2 > found[2]


# -- what was said next to it --------------------------------------------------------------------


def talk(graph: Graph, *texts: str, source: str = "talk") -> None:
    for text in texts:
        graph.memory(text, source_type="conversation", source_id=source)


def test_the_answer_to_a_question_is_found_by_the_question(make) -> None:
    def fill(graph: Graph) -> None:
        talk(graph, "Nice weather.", "What is the name of your dog?", "Luna, she is two.",
             "I went home.", "Good night.")

    workspace = make(fill)
    result = answer(workspace, "the name of the dog")
    assert [hit.memory.content for hit in result.hits][:2] == [
        "What is the name of your dog?", "Luna, she is two."]
    assert result.hits[1].channels.keys() == {"neighbor"}
    assert "answers a question like it" in result.hits[1].why


def test_what_follows_a_question_gets_more_than_what_follows_a_statement(make) -> None:
    def fill(graph: Graph) -> None:
        talk(graph, "Where is the lantern?", "Over there.", source="a")
        talk(graph, "Here is the lantern.", "Indeed.", source="b")

    scores = {hit.memory.content: hit.score for hit in answer(make(fill), "lantern").hits}
    assert scores["Over there."] > 2 * scores["Indeed."]


@pytest.mark.parametrize("mark", ["?", "？", "؟"])
def test_question_marks_of_other_scripts_ask_too(make, mark: str) -> None:
    workspace = make(lambda g: talk(g, f"lantern{mark}", "over there"))
    assert answer(workspace, "lantern").hits[1].score > 0.3


def test_neighbours_of_another_conversation_or_of_none_get_nothing(make) -> None:
    def fill(graph: Graph) -> None:
        talk(graph, "Where is the lantern?", source="a")
        talk(graph, "Something else.", source="b")
        graph.memory("Nothing in common.")

    assert found(make(fill), "lantern") == ["Where is the lantern?"]


# -- the graph -----------------------------------------------------------------------------------


def test_a_memory_under_a_value_of_the_entity_comes_with_its_path(make) -> None:
    def fill(graph: Graph) -> None:
        vega = graph.entity("Vega", id="vega")
        told = graph.memory("Deploys happen on Tuesday.", id="told")
        side = graph.aspect(vega, "schedule", id="side")
        graph.value(side, "Tuesday", "deploy_day", memory_id=told, importance=0.9)
        graph.memory("Nothing of that.")

    result = answer(make(fill), "what about Vega")
    assert [hit.memory.id for hit in result.hits] == ["told"]
    hit = result.hits[0]
    assert hit.channels["traversal"] == pytest.approx(0.9)
    assert hit.score == pytest.approx(0.2 * 0.9)
    assert hit.path is not None
    assert (hit.path.entity_ids, hit.path.aspect_ids) == (("vega",), ("side",))
    assert "was reached from Vega" in hit.why
    assert result.walk is not None


def test_the_boost_is_a_fifth_of_the_doubt_that_is_left(make) -> None:
    def fill(graph: Graph, linked: bool = True) -> None:
        told = graph.memory("Deploys of Vega happen on Tuesday.")
        if linked:
            side = graph.aspect(graph.entity("Vega"), "schedule")
            graph.value(side, "Tuesday", memory_id=told, importance=1.0)

    without = answer(make(lambda g: fill(g, False)), "Vega deploys").hits[0].score
    boosted = answer(make(fill), "Vega deploys").hits[0].score
    assert boosted == pytest.approx(0.8 * without + 0.2, abs=0.001)


def test_an_entity_that_is_half_named_counts_half(make) -> None:
    def fill(graph: Graph) -> None:
        told = graph.memory("Deploys happen on Tuesday.")
        side = graph.aspect(graph.entity("Apollo Station"), "schedule")
        graph.value(side, "Tuesday", memory_id=told, importance=0.8)

    workspace = make(fill)
    half = answer(workspace, "what about apollo").hits[0].channels["traversal"]
    assert half == pytest.approx(0.4)
    whole = answer(workspace, "what about the apollo station").hits[0].channels["traversal"]
    assert whole == pytest.approx(0.8)


def test_mentioning_a_rare_entity_tells_more_than_one_that_is_everywhere(make) -> None:
    def fill(graph: Graph) -> None:
        common, rare = graph.entity("Atlas"), graph.entity("Borealis")
        for n in range(40):
            graph.memory(f"entry {n}", common)
        graph.memory("the odd one", rare, id="odd")

    result = answer(make(fill), "Atlas and Borealis")
    assert result.hits[0].memory.id == "odd"
    assert result.hits[0].channels["mention"] > 0.5
    assert all(hit.channels["mention"] < 0.2 for hit in result.hits[1:])
    assert "mentions Borealis" in result.hits[0].why


def test_pinned_entities_are_walked_only_if_that_is_set(make) -> None:
    def fill(graph: Graph) -> None:
        told = graph.memory("Deploys happen on Tuesday.")
        graph.memory("a lantern")
        side = graph.aspect(graph.entity("Vega", pinned=1, pinned_at="2026-01-01"), "schedule")
        graph.value(side, "Tuesday", memory_id=told)

    workspace = make(fill)
    assert found(workspace, "lantern") == ["a lantern"]
    assert len(found(workspace, "lantern", RecallSettings(include_pinned=True))) == 2


def test_a_stored_question_brings_its_memory(make) -> None:
    def fill(graph: Graph) -> None:
        told = graph.memory("Tuesday, always.", id="told")
        graph.memory("Nothing of that.")
        graph.writer.insert("memory_hints", id="h", memory_id=told, agent_id="default",
                            hint="When are the deploys of Vega?", created_at=graph.at)
        graph.writer.insert("memory_hints", id="i", memory_id=told, agent_id="other",
                            hint="lantern", created_at=graph.at)

    workspace = make(fill)
    result = answer(workspace, "deploying Vega")
    assert [hit.memory.id for hit in result.hits] == ["told"]
    assert result.hits[0].channels == {"hint": pytest.approx(1.0, abs=0.001)}
    assert found(workspace, "lantern") == []


# -- times ---------------------------------------------------------------------------------------


def test_the_time_of_a_memory_brings_it(make) -> None:
    def fill(graph: Graph) -> None:
        graph.memory("We met the bank.", created_at="2026-03-14T09:00:00.000Z")
        graph.memory("We met the auditor.", created_at="2026-04-14 09:00:00")

    workspace = make(fill)
    result = answer(workspace, "what happened last March")
    assert result.hits[0].memory.content == "We met the bank."
    assert result.hits[0].channels["date"] == 1.0
    assert [str(span) for span in result.query_dates] == ["2026-03-01 to 2026-04-01"]
    assert found(workspace, "what happened in April 2026")[0] == "We met the auditor."


def test_a_time_inside_a_memory_counts_too_read_from_the_memory_s_own_time(make) -> None:
    def fill(graph: Graph) -> None:
        graph.memory("The launch was yesterday.", created_at="2025-01-01T09:00:00Z")
        graph.memory("The launch was on 3 May 2024.", created_at="2025-06-01T09:00:00Z")

    workspace = make(fill)
    assert found(workspace, "launch on 31 December 2024")[0] == "The launch was yesterday."
    assert found(workspace, "launch in May 2024")[0] == "The launch was on 3 May 2024."


def test_a_time_decides_between_memories_that_say_the_same(make) -> None:
    def fill(graph: Graph) -> None:
        for month in range(1, 6):
            graph.memory("The retro went well.", created_at=f"2026-0{month}-10T09:00:00Z")

    first = answer(make(fill), "how was the retro in February 2026").hits[0]
    assert first.memory.created_at.startswith("2026-02")


def test_odd_times_of_a_file_are_no_error(make) -> None:
    def fill(graph: Graph) -> None:
        for at in ("yesterday", "", "0000-00-00", "9999-99-99T00:00:00Z"):
            graph.memory("The retro went well.", created_at=at)

    assert len(found(make(fill), "retro in February 2026")) == 4


# -- vectors from the file -------------------------------------------------------------------------


def test_backfilled_vectors_are_what_recall_reads(make) -> None:
    embedder = WordAxes()
    workspace = make(lambda g: [g.memory("the automobile"), g.memory("tea"), g.memory("rain")])
    with workspace.read() as reader:
        wanted = missing(reader, embedder)
    workspace.write("vectors", lambda w: keep(
        w, embedder, wanted, embedder.embed([each.text for each in wanted])))
    embedder.asked.clear()
    assert found(workspace, "car", embedder=embedder) == ["the automobile"]
    assert embedder.asked == ["car"]
