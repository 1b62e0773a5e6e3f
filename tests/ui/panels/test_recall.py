"""Recall in the real window: hits with their channels, filters, errors in words, and a verdict."""

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from core.embedding import endpoint
from core.embedding.config import EmbeddingSettings
from core.errors import ConstellationError
from core.ontology import control
from core.queries.sessions import session_memories
from core.recall import hybrid
from core.recall.config import RecallSettings
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.hostile_embedding_servers import WAYS, Answer, serving
from tests.ui.browse_scene import OPENS_A_MENU, settled
from ui.main_window import MainWindow
from ui.models.recall_results import session_today
from ui.panels.recall.details import ChannelBar
from ui.panels.recall.panel import RecallPanel

LEFT = Qt.MouseButton.LeftButton
LATE, KEY = "The settlement job ran late twice", "Ines rotates the signing key monthly"
HOSTILE = "<img src=x> settlement <b>bold</b> \u202eevil\u202c"


def fill(graph: Graph) -> None:
    job = graph.entity("settlement job", "system", id="job", mentions=8)
    ines = graph.entity("Ines Duarte", "person", id="ines", mentions=4,
                        description="Leads <b>the team</b>.")
    late = graph.memory(LATE, job, id="late", type="fact", who="claude-code",
                        tags="night,bank")
    graph.value(graph.aspect(job, "failure"), LATE, memory_id=late)
    graph.link(ines, job, "maintains", id="care", reason="Since May")
    graph.memory(KEY, ines, id="key", type="habit", who="ines", pinned=1, importance=0.95,
                 scope="ops")
    graph.memory(HOSTILE, id="hostile", type="fact")
    graph.writer.insert(
        "session_memories", id="night/key", session_key="night", agent_id="default",
        memory_id="key", source="effective", rank=0, final_score=0.5, was_injected=1,
        fts_hit_count=0, created_at=graph.at)


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "graph.db"
    workspace = Workspace.open(path, create=True)
    workspace.write("Set up", lambda writer: fill(Graph(writer)))
    workspace.close()
    return path


@pytest.fixture
def panel(qtbot: QtBot, opened: MainWindow) -> RecallPanel:
    opened.resize(1440, 1000)
    found = opened.show_panel("recall")
    assert isinstance(found, RecallPanel)
    settled(qtbot, opened)
    qtbot.waitUntil(lambda: found.ask.types.count() == 3)
    return found


def ask(qtbot: QtBot, window: MainWindow, panel: RecallPanel, words: str) -> None:
    panel.ask.question.clear()
    QTest.keyClicks(panel.ask.question, words)
    rest(qtbot, window, panel)


def rest(qtbot: QtBot, window: MainWindow, panel: RecallPanel) -> None:
    qtbot.waitUntil(lambda: not panel.ask._pause.isActive())
    settled(qtbot, window)


def shown(panel: RecallPanel) -> list[str]:
    return [row.text for row in panel.hits.rows]


def go_to(panel: RecallPanel, text: str) -> None:
    index = panel.hits.model().index(shown(panel).index(text), 0)
    QTest.mouseClick(panel.hits.viewport(), LEFT, pos=panel.hits.visualRect(index).center())


def thumbs(panel: RecallPanel) -> list[QPushButton]:
    return panel.detail.widget().findChildren(QPushButton)


def test_a_hit_says_which_channels_brought_it_with_their_numbers(
    qtbot: QtBot, opened: MainWindow, panel: RecallPanel
) -> None:
    ask(qtbot, opened, panel, "settlement job late")
    assert shown(panel)[0] == LATE
    go_to(panel, LATE)
    bars = {bar.bar.name: bar.bar.value for bar in panel.detail.widget().findChildren(ChannelBar)}
    assert {"words", "meaning", "graph"} <= set(bars)
    assert bars["words"] > 0.9
    assert panel.detail.shown is not None
    assert panel.detail.shown.path is not None


def test_a_link_that_answers_stands_among_the_memories_and_is_not_rated(
    qtbot: QtBot, opened: MainWindow, panel: RecallPanel
) -> None:
    ask(qtbot, opened, panel, "Who maintains the settlement job?")
    line = "Link: Ines Duarte maintains settlement job: Since May"
    qtbot.waitUntil(lambda: line in shown(panel))
    go_to(panel, line)
    qtbot.waitUntil(lambda: panel.detail.shown is not None and panel.detail.shown.id == "care")
    assert thumbs(panel) == []


def test_the_panel_says_where_nothing_fits(
    qtbot: QtBot, opened: MainWindow, panel: RecallPanel
) -> None:
    ask(qtbot, opened, panel, "which whale was late for the arctic wedding")
    assert shown(panel)
    assert panel.ask.words.text().startswith("Nothing fits; the nearest are: ")
    ask(qtbot, opened, panel, "settlement job late")
    assert "Nothing fits" not in panel.ask.words.text()


def test_rules_stand_apart_from_what_is_only_nearest(
    qtbot: QtBot, opened: MainWindow, panel: RecallPanel
) -> None:
    graph = opened.session.workspace
    graph.write("Rule", lambda writer: control.apply(writer, "set_claim_value", {
        "entity": "settlement job", "aspect": "safety", "claim_key": "arctic",
        "kind": "constraint", "value": "Never deploy from the arctic office"}))
    ask(qtbot, opened, panel, "which whale was late for the arctic wedding")
    qtbot.waitUntil(lambda: "Rules that may apply" in shown(panel))
    rows = shown(panel)
    rules, nearest = rows.index("Rules that may apply"), rows.index("Nothing fits; the nearest are")
    [rule] = rows[rules + 1:nearest]
    assert "Never deploy from the arctic office" in rule
    assert LATE in rows[nearest + 1:]
    assert "Nothing fits" not in panel.ask.words.text()
    go_to(panel, rule)
    qtbot.waitUntil(lambda: panel.detail.shown is not None and panel.detail.shown.constraint)
    go_to(panel, "Rules that may apply")
    assert opened.isVisible()


def test_who_is_asked_about_is_described_above_the_hits(
    qtbot: QtBot, opened: MainWindow, panel: RecallPanel
) -> None:
    ask(qtbot, opened, panel, "Who is Ines Duarte?")
    assert "Ines Duarte (person): Leads <b>the team</b>." in panel.ask.about.text()
    assert panel.ask.about.isVisible()
    ask(qtbot, opened, panel, "signing key")
    assert not panel.ask.about.isVisible()


def test_filters_alone_list_what_passes(
    qtbot: QtBot, opened: MainWindow, panel: RecallPanel
) -> None:
    qtbot.mouseClick(panel.ask.pinned, LEFT)
    rest(qtbot, opened, panel)
    assert shown(panel) == [KEY]
    panel.ask.types.setCurrentIndex(panel.ask.types.findData("fact"))
    rest(qtbot, opened, panel)
    assert shown(panel) == []
    assert panel.nothing.text == "No memories foundthat match the filters."
    qtbot.mouseClick(panel.ask.clear, LEFT)
    rest(qtbot, opened, panel)
    assert panel.nothing.text.startswith("Search as your agent would")


def test_a_date_that_is_none_is_said_beside_the_fields(
    qtbot: QtBot, opened: MainWindow, panel: RecallPanel
) -> None:
    ask(qtbot, opened, panel, "settlement")
    QTest.keyClicks(panel.ask.since, "yesterdayish")
    rest(qtbot, opened, panel)
    assert "This is not a date: yesterdayish" in panel.ask.refusal.text()
    assert panel.ask.question.isVisible()
    panel.ask.since.clear()
    rest(qtbot, opened, panel)
    assert LATE in shown(panel)
    assert not panel.ask.refusal.isVisible()


def test_a_thumb_teaches_the_path_and_can_be_taken_back(
    qtbot: QtBot, opened: MainWindow, panel: RecallPanel
) -> None:
    def weight() -> float:
        with opened.session.workspace.read() as reader:  # type: ignore[union-attr]
            return float(reader.value("SELECT weight FROM entity_aspects"))

    def rated() -> dict[str, float | None]:
        with opened.session.workspace.read() as reader:  # type: ignore[union-attr]
            return {one.memory_id: one.rating
                    for one in session_memories(reader, session_today())}

    before = weight()
    ask(qtbot, opened, panel, "settlement job late")
    go_to(panel, LATE)
    qtbot.mouseClick(thumbs(panel)[0], LEFT)
    qtbot.waitUntil(lambda: thumbs(panel)[0].isChecked())
    settled(qtbot, opened)
    assert rated() == {"late": 1.0}
    assert weight() > before
    opened.actions_.run("edit.undo")
    qtbot.waitUntil(lambda: not thumbs(panel)[0].isChecked())
    settled(qtbot, opened)
    assert rated() == {}
    assert weight() == before


def test_thumbs_replace_each_other_in_one_press(
    qtbot: QtBot, opened: MainWindow, panel: RecallPanel
) -> None:
    def weight() -> float:
        with opened.session.workspace.read() as reader:  # type: ignore[union-attr]
            return float(reader.value("SELECT weight FROM entity_aspects"))

    before = weight()
    ask(qtbot, opened, panel, "settlement job late")
    go_to(panel, LATE)
    for at in (0, 1, 0):
        qtbot.mouseClick(thumbs(panel)[at], LEFT)
        qtbot.waitUntil(lambda at=at: thumbs(panel)[at].isChecked())
        settled(qtbot, opened)
        assert not thumbs(panel)[1 - at].isChecked()
        assert (weight() > before) is (at == 0)
    with opened.session.workspace.read() as reader:  # type: ignore[union-attr]
        assert [one.rating for one in session_memories(reader, session_today())] == [1.0]


def test_a_thumb_says_nothing_that_was_not_written(
    qtbot: QtBot, opened: MainWindow, panel: RecallPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(qtbot, opened, panel, "settlement job late")
    go_to(panel, LATE)
    asked: list[str] = []
    monkeypatch.setattr(panel.context.runner, "write", lambda label, *_, **__: asked.append(label))
    qtbot.mouseClick(thumbs(panel)[0], LEFT)
    assert asked == [f"Helpful: {LATE}"]
    assert not thumbs(panel)[0].isChecked()


def test_signs_in_the_question_filter_and_say_what_cannot_be_read(
    qtbot: QtBot, opened: MainWindow, panel: RecallPanel
) -> None:
    for words, memories in (("[night]", {LATE}), ("pinned:yes", {KEY}), ("type:habit", {KEY}),
                            ("since:2999", set())):
        ask(qtbot, opened, panel, words)
        assert set(shown(panel) if panel.hits.isVisible() else ()) == memories, words
    ask(qtbot, opened, panel, "type:habt")
    assert panel.ask.refusal.isVisible()
    assert "There is no type “habt”. Did you mean “habit”?" in panel.ask.refusal.text()
    ask(qtbot, opened, panel, 'the "key')
    assert "The quotation mark before “key” is not closed" in panel.ask.refusal.text()
    assert "[tag]" in panel.ask.question.toolTip()


def test_tags_importance_and_scope_filter_too(
    qtbot: QtBot, opened: MainWindow, panel: RecallPanel
) -> None:
    QTest.keyClicks(panel.ask.tags, "night, bank")
    rest(qtbot, opened, panel)
    assert shown(panel) == [LATE]
    qtbot.mouseClick(panel.ask.clear, LEFT)
    panel.ask.importance.setCurrentIndex(3)
    rest(qtbot, opened, panel)
    assert shown(panel) == [KEY]
    qtbot.mouseClick(panel.ask.clear, LEFT)
    QTest.keyClicks(panel.ask.scope, "ops")
    rest(qtbot, opened, panel)
    assert shown(panel) == [KEY]
    panel.ask.scope.setText("none")
    rest(qtbot, opened, panel)
    assert set(shown(panel)) == {LATE, HOSTILE}


@OPENS_A_MENU
def test_what_is_found_is_noted_for_a_session_and_the_note_taken_back(
    qtbot: QtBot, opened: MainWindow, panel: RecallPanel
) -> None:
    def hits() -> dict[str, int]:
        with opened.session.workspace.read() as reader:  # type: ignore[union-attr]
            return {one.memory_id: one.hits for one in session_memories(reader, "night")}

    assert not panel.ask.note.isVisible(), "nothing is found yet"
    ask(qtbot, opened, panel, "settlement job late")
    qtbot.mouseClick(panel.ask.note, LEFT)
    action = panel.ask.sessions.actions()[0]
    panel.ask.sessions.close()
    action.trigger()
    qtbot.waitUntil(lambda: hits().get("late") == 1)
    settled(qtbot, opened)
    opened.actions_.run("edit.undo")
    qtbot.waitUntil(lambda: hits() == {"key": 0})
    settled(qtbot, opened)


def test_hostile_text_stays_plain(qtbot: QtBot, opened: MainWindow, panel: RecallPanel) -> None:
    ask(qtbot, opened, panel, "settlement bold")
    go_to(panel, HOSTILE)
    assert panel.detail.shown is not None
    assert panel.detail.shown.memory.content == HOSTILE


def test_what_fails_is_said_with_a_way_to_try_again(
    qtbot: QtBot, opened: MainWindow, panel: RecallPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ConstellationError("The file is locked")

    with monkeypatch.context() as patch:
        patch.setattr(hybrid, "recall", broken)
        ask(qtbot, opened, panel, "settlement")
        qtbot.waitUntil(lambda: panel.face == "failed")
    assert panel._face is not None
    qtbot.mouseClick(panel._face.button, LEFT)
    qtbot.waitUntil(lambda: LATE in shown(panel))


@pytest.mark.parametrize("answer", WAYS)
def test_the_window_goes_on_beside_a_server_of_vectors_that_means_no_good(
    qtbot: QtBot, opened: MainWindow, panel: RecallPanel, answer: Answer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asking, post = list[int](), endpoint.post
    monkeypatch.setattr(endpoint, "post", lambda *given, **named: (
        asking.append(threading.get_ident()), post(*given, **named))[1])
    monkeypatch.setattr(endpoint, "MOST_BYTES", 3_000_000)
    engine = panel.context.engine
    with serving(answer) as server:
        engine.keep(engine.settings.model_copy(update={
            "recall": RecallSettings(deadline_ms=60_000),
            "embedding": EmbeddingSettings(
                provider="ollama", url=server.url, model="any", dimensions=8, timeout_s=1)}))
        ask(qtbot, opened, panel, "settlement job late")
        qtbot.waitUntil(lambda: shown(panel)[:1] == [LATE])
        assert panel.found is not None
        assert "did not answer" in panel.found.notes[0]
        assert server.asked.acquire(timeout=30)
        opened.close_graph()
    assert threading.get_ident() not in asking
