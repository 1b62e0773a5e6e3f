"""The words of a question: in which memories they are, and which of these may be seen."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from core.errors import ConstellationError
from core.model.search_words import terms
from core.recall import keyword
from core.recall.config import RecallSettings
from core.recall.hybrid import recall
from core.recall.keyword import find_words
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from tests.contracts.files import KINDS, make
from tests.core.graphs import Graph
from tests.core.recalling import WordAxes, answer, found

# -- words -------------------------------------------------------------------------------------


def test_every_form_of_a_word_is_found(graph) -> None:
    workspace = graph(lambda g: [g.memory(text) for text in (
        "She painted the harbor", "Paint is wet", "A painting of Rome", "The pain is gone")])
    assert set(found(workspace, "paintings")) == {
        "She painted the harbor", "Paint is wet", "A painting of Rome"}
    assert found(workspace, "paintings", RecallSettings(stemming=False)) == []


def test_a_rare_word_counts_more_than_one_that_all_memories_hold(graph) -> None:
    def fill(graph: Graph) -> None:
        for n in range(20):
            graph.memory(f"the meeting of week {n}")
        graph.memory("saffron is dear")

    workspace = graph(fill)
    result = answer(workspace, "saffron meeting", RecallSettings(min_score=0.0))
    assert result.hits[0].memory.content == "saffron is dear"
    assert result.hits[0].channels["keyword"] > 2 * result.hits[1].channels["keyword"]


def test_unknown_words_leave_the_known_ones_their_share(graph) -> None:
    workspace = graph(lambda g: [g.memory(f"The retro of team {n} went well") for n in range(8)])
    result = answer(workspace, "zorblax retro flibbertigibbet")
    assert len(result.hits) == 8
    assert result.hits[0].channels["keyword"] > 0.2


def test_a_rule_about_a_weekday_is_found_by_the_weekday(graph) -> None:
    workspace = graph(lambda g: [g.memory(f"note {n} on how to deploy") for n in range(5)]
                     + [g.memory("No deploys on Fridays after 14:00")])
    assert found(workspace, "can I deploy on Friday?")[0] == "No deploys on Fridays after 14:00"


@pytest.mark.parametrize(("asked", "written"), [
    ("Tromso", "Tromsø"), ("tromsø", "Tromso"), ("Lodz", "Łódź"), ("Oresund", "Øresund"),
    ("Thorlak", "Þorlák"), ("Grosse", "Große"), ("Aegir", "Ægir")])
def test_a_letter_that_few_keyboards_have_is_found_by_the_plain_one(
    graph, asked: str, written: str
) -> None:
    told = f"The ship calls at {written} in May"
    workspace = graph(lambda g: [g.memory(text) for text in (told, "Tram so late", "Lots of it")])
    assert found(workspace, f"ship to {asked}")[0] == told
    assert found(workspace, asked) == [told]


def test_a_memory_with_all_words_comes_before_one_with_some(graph) -> None:
    workspace = graph(lambda g: [g.memory(text) for text in (
        "red lantern", "red lantern in the old harbor", "harbor")])
    assert found(workspace, "red lantern of the harbor")[0] == "red lantern in the old harbor"


@pytest.mark.parametrize("question", [
    'NEAR("a" "b", 2)', "lantern OR NOT", "lantern*", '"lantern', "lantern) AND (", "-lantern",
    "content:lantern", "lantern' --", "lantern ^ : {}", "LANTERN"])
def test_signs_of_the_full_text_language_are_no_commands(graph, question: str) -> None:
    workspace = graph(lambda g: g.memory("a lantern near b"))
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
def test_words_of_any_script_are_found(graph, text: str, question: str, full_text: bool) -> None:
    workspace = graph(lambda g: [g.memory(text), g.memory("something else entirely")])
    if not full_text:
        workspace.write("break", _without_full_text)
    result = answer(workspace, question)
    assert [hit.memory.content for hit in result.hits] == [text]
    assert result.hits[0].channels["keyword"] > 0


def _without_full_text(writer: Writer) -> None:
    for change in ("ai", "ad", "au"):
        writer.connection.execute(f"DROP TRIGGER memories_{change}")
    writer.connection.execute("DROP TABLE memories_fts")


def test_a_file_without_full_text_is_read_and_the_answer_says_so(graph) -> None:
    workspace = graph(lambda g: [g.memory("She painted Köln"), g.memory("nothing of that")])
    workspace.write("break", _without_full_text)
    result = answer(workspace, "painting of koln")
    assert [hit.memory.content for hit in result.hits] == ["She painted Köln"]
    assert "no full-text index" in result.notes[0]


@pytest.mark.parametrize("damage", [
    "UPDATE memories_fts_data SET block = x'00' WHERE id > 1",
    "UPDATE memories_fts_data SET block = x'ffffffffffff' WHERE id > 10",
    "DELETE FROM memories_fts_data WHERE id > 10",
    "DELETE FROM memories_fts_data",
    "INSERT INTO memories_fts(memories_fts) VALUES ('delete-all')",
])
def test_a_damaged_full_text_is_left_aside_and_the_answer_says_so(graph, damage: str) -> None:
    workspace = graph(lambda g: [g.memory("a red lantern"), g.memory("nothing of that")])
    workspace.write("break", lambda w: w.connection.execute(damage))
    result = answer(workspace, "lanterns")
    assert [hit.memory.content for hit in result.hits] == ["a red lantern"]
    assert "were read instead" in result.notes[0]


@pytest.mark.parametrize("text", ["b" * 3_000, "plain words " * 150 + "b" * 3_000, "b" * 50_000,
                                  "ab " * 666 + "abcdef", "日本" * 2_000])
def test_a_word_without_an_end_leaves_full_text_whole(graph, text: str) -> None:
    workspace = graph(lambda g: [g.memory("tea at noon"), g.memory(text)])
    result = answer(workspace, "xylophone zebra")
    assert not any("index" in note for note in result.notes)


def test_a_large_file_without_full_text_is_read_from_its_newest_end(graph, monkeypatch) -> None:
    monkeypatch.setattr(keyword, "SCANNED", 3)
    workspace = graph(lambda g: [g.memory(f"note {n} lantern") for n in range(6)])
    with workspace.read() as reader:
        monkeypatch.setattr(reader, "has_table", lambda name: False)
        rows = find_words(reader, terms("lantern")).rows[0]
    assert rows.tolist() == [4, 5, 6]


def test_a_long_memory_counts_less_than_a_short_one_with_the_same_words(graph) -> None:
    workspace = graph(lambda g: [g.memory("lantern " + "filler text " * 200), g.memory("lantern")])
    assert found(workspace, "lantern")[0] == "lantern"


# -- who may see what --------------------------------------------------------------------------


def test_deleted_archived_and_other_agents_private_memories_never_come(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.memory("lantern mine")
        graph.memory("lantern deleted", is_deleted=1)
        graph.memory("lantern archived", visibility="archived")
        graph.memory("lantern of another", agent_id="other", visibility="private")
        graph.memory("lantern shared", agent_id="other", visibility="global")

    workspace = graph(fill)
    assert set(found(workspace, "lantern", embedder=WordAxes())) == {
        "lantern mine", "lantern shared"}


def test_what_may_be_seen_is_ranked_among_itself_in_a_file_of_mostly_others(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.memory("the oldest lantern")
        for n in range(300):
            graph.memory(f"lantern {n}", agent_id="other", visibility="private")

    workspace = graph(fill)
    settings = RecallSettings(keyword_candidates=20, semantic_candidates=20)
    assert found(workspace, "lantern", settings, WordAxes()) == ["the oldest lantern"]


# -- names -------------------------------------------------------------------------------------

@pytest.fixture
def ferry_dinner(graph):
    return graph(lambda g: [g.memory(text) for text in (
        "The street signs were signed off by the harbor office",
        "A sign says that dinner is served on the deck", "Sign the list before dinner",
        "The cook will serve soup",
        "Signe eats no shellfish, so no prawns in the soup")])


def test_a_name_is_no_form_of_another_word(ferry_dinner) -> None:
    assert found(ferry_dinner, "What should I not serve Signe?")[0].startswith("Signe eats")
    assert not any("signs" in text for text in found(ferry_dinner, "Is it for Signe?"))


def test_a_name_that_the_graph_knows_needs_no_capital(graph) -> None:
    def fill(g: Graph) -> None:
        g.entity("Signe", "person")
        g.memory("A sign for the dinner, signed by all")
        g.memory("Signe eats no shellfish")

    assert found(graph(fill), "dinner for signe?")[0] == "Signe eats no shellfish"


def test_a_name_that_no_memory_has_is_looked_for_in_all_forms(graph) -> None:
    workspace = graph(lambda g: g.memory("We migrated the accounts"))
    assert found(workspace, "When was the Migration?") == ["We migrated the accounts"]


def test_the_words_of_a_headline_are_no_names(graph) -> None:
    workspace = graph(lambda g: [g.memory("The ship was painted"), g.memory("A Painting Of Rome")])
    assert len(found(workspace, "When Was The Painting Of Ships Done Again")) == 2


def test_a_compound_with_a_stop_word_is_looked_for_as_a_whole(graph) -> None:
    workspace = graph(lambda g: [g.memory(text) for text in (
        "Figs stand in the stairwell", "The time of the stand-up is 10:00", "A standup comedian",
        "Stand by the door all the time")])
    hits = answer(workspace, "What is the stand-up time?").hits
    assert [hit.memory.content for hit in hits][0] == "The time of the stand-up is 10:00"
    assert not any("Figs" in hit.memory.content for hit in hits)


def test_the_rows_of_a_word_are_read_anew_after_each_change(graph) -> None:
    workspace = graph(lambda g: [g.memory("a lantern"), g.memory("rain")])
    assert found(workspace, "lantern") == ["a lantern"]
    workspace.write("more", lambda w: Graph(w).memory("another lantern"))
    assert sorted(found(workspace, "lantern")) == ["a lantern", "another lantern"]
    workspace.undo()
    assert found(workspace, "lantern") == ["a lantern"]


def test_a_word_that_was_just_asked_for_is_not_looked_up_again(graph) -> None:
    workspace = graph(lambda g: [g.memory("a lantern in the rain"), g.memory("tea")])
    statements: list[str] = []
    with workspace.read() as reader:
        first = find_words(reader, terms("lantern"))
        reader.connection.set_trace_callback(statements.append)
        again = find_words(reader, terms("lantern rain"))
        reader.connection.set_trace_callback(None)
    assert again.rows[0].tolist() == first.rows[0].tolist() == [1]
    assert [statement.count('"lantern"') for statement in statements if "MATCH" in statement
            ] == [0]


def ask_in_words(folder: Path, *questions: str) -> None:
    """Ask a damaged file: it may refuse in words, and raise nothing else."""
    with suppress(ConstellationError), closing(Workspace.open(
            folder / "graph.db", data_dir=folder / "side")) as graph, graph.read() as reader:
        for question in questions:
            with suppress(ConstellationError):
                recall(reader, question)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("table", ["memories", "entity_attributes"])
def test_a_table_without_row_numbers_is_asked_and_found_damaged(
    kind: str, table: str, tmp_path: Path
) -> None:
    make(kind, tmp_path / "graph.db", tmp_path / "side").close()
    with closing(sqlite3.connect(tmp_path / "graph.db")) as connection, connection:
        names = ", ".join(f'"{row[1]}"' for row in connection.execute(
            f"PRAGMA table_info({table})"))
        connection.executescript(
            f"ALTER TABLE {table} RENAME TO moved;"
            f" CREATE TABLE {table} ({names}, PRIMARY KEY (id)) WITHOUT ROWID;"
            f" INSERT INTO {table} SELECT * FROM moved; DROP TABLE moved")
    ask_in_words(tmp_path, "When does Harbor Ledger run?", "the", "nightly")


@pytest.mark.parametrize("kind", KINDS)
def test_a_memory_without_a_text_is_asked_about(kind: str, tmp_path: Path) -> None:
    make(kind, tmp_path / "graph.db", tmp_path / "side").close()
    with closing(sqlite3.connect(tmp_path / "graph.db")) as connection, connection:
        names = ", ".join(f'"{row[1]}"' for row in connection.execute(
            "PRAGMA table_info(memories)") if row[1] != "content")
        connection.executescript(
            "ALTER TABLE memories RENAME TO moved; CREATE TABLE memories"
            f" ({names}, content GENERATED ALWAYS AS (NULL) VIRTUAL);"
            f" INSERT INTO memories ({names}) SELECT {names} FROM moved; DROP TABLE moved")
    ask_in_words(tmp_path, "When does Harbor Ledger run?", "Anna", "nightly")
