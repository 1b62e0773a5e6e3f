"""What the agent sees, in the real window: asked, explained, compared, and changed by a click."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from core.constellation.scene import Scene
from core.constellation.scene_assembly import scene_of
from core.constellation.sky_rows import sky as read_sky
from core.errors import ConstellationError
from core.model.sky_columns import Positions
from core.queries.entities import entities_by_id
from core.queries.links import get_link
from core.settings import Settings, changed
from core.store.reader_and_writer import Reader, Writer
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.ui.agent_scene import agent_panel  # noqa: F401 - the fixture `panel`
from tests.ui.browse_scene import (
    HOSTILE,
    OPENS_A_MENU,
    click,
    entities_of,
    middle_of,
    select,
    settled,
)
from tests.ui.conftest import WAIT_MS
from ui.constellation.view import SkyView
from ui.main_window import MainWindow
from ui.models import agent_view_reading
from ui.panels.agent_view import near_misses
from ui.panels.agent_view.injected_text import GAINS
from ui.panels.agent_view.near_misses import MissRow
from ui.panels.agent_view.panel import AgentView

LEFT = Qt.MouseButton.LeftButton
AT = "2019-03-01T10:00:00.000Z"
"""Long ago, so that nothing is told for being new."""
SETTLED, FAILED = "settlement ran late twice", "the signature check fails on an empty file"
BOARD, RULE = "Grafana has the board for settlement", "Never settle before the file is signed"


def fill(graph: Graph) -> None:
    """A project that depends on a job and, weakly, on a board; a person apart; an archived one."""
    ledger = graph.entity("Harbor Ledger", id="ledger", mentions=9)
    job = graph.entity("settlement job", "system", id="job", mentions=8)
    grafana = graph.entity("Grafana", "tool", id="grafana", mentions=3)
    ines = graph.entity("Ines Duarte", "person", id="ines", mentions=4)
    graph.entity(HOSTILE, "tool", id="hostile", mentions=1)
    for entity, aspect, content in (
        (ledger, "delivery", SETTLED), (job, "failure", FAILED), (grafana, "boards", BOARD),
        (ines, "habits", "Ines rotates the signing key monthly"),
    ):
        memory = graph.memory(content, entity)
        graph.value(graph.aspect(entity, aspect), content, memory_id=memory)
    graph.value(graph.aspect(ines, "bank"), RULE, kind="constraint", importance=0.9)
    graph.link(ledger, job, "depends_on", strength=0.9, confidence=0.9)
    graph.link(ledger, grafana, "uses", id="weak", strength=0.6, confidence=0.42 / 0.84)


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "graph.db"
    workspace = Workspace.open(path, create=True)
    workspace.write("Set up", lambda writer: fill(Graph(writer, AT)))
    workspace.close()
    return path


def ask(qtbot: QtBot, window: MainWindow, panel: AgentView, words: str) -> None:
    panel.ask.question.clear()
    QTest.keyClicks(panel.ask.question, words)
    qtbot.waitUntil(lambda: panel.sight is not None and not panel.ask._pause.isActive())
    settled(qtbot, window)


def told(panel: AgentView) -> list[str]:
    return [row.text for row in panel.memories.rows if not row.head]


def marked(panel: AgentView) -> dict[str, str]:
    return {row.text: row.mark for row in panel.memories.rows if row.mark}


def choose(panel: AgentView, words: str) -> None:
    """Open the choice of what to compare, and choose."""
    QTest.mouseClick(panel.compare.start, LEFT)
    action = next(one for one in panel.compare.menu.actions() if words in one.text())
    panel.compare.menu.close()
    action.trigger()


def click_in_list(qtbot: QtBot, window: MainWindow, name: str) -> None:
    rows = entities_of(window).list
    click(rows, middle_of(rows, name))
    settled(qtbot, window)


def test_a_link_that_answers_the_question_is_in_the_list_and_in_the_text(
    qtbot: QtBot, opened: MainWindow, panel: AgentView
) -> None:
    ask(qtbot, opened, panel, "What does the Harbor Ledger depend on?")
    line = "Link: Harbor Ledger depends on settlement job"
    qtbot.waitUntil(lambda: line in told(panel))
    assert panel.memories.rows[0].head
    assert f"## Asked About\n\n- {line}" in panel.injected.view.toPlainText()


def test_a_question_puts_its_entities_in_focus_with_the_reason(
    qtbot: QtBot, opened: MainWindow, panel: AgentView
) -> None:
    ask(qtbot, opened, panel, "what is with the ledger")
    assert [row.accessibleName() for row in panel.focal.lines] == [
        "Harbor Ledger, in the question"]
    assert f"Harbor Ledger, delivery: {SETTLED}" in told(panel)
    failed = f"settlement job, failure: {FAILED}"
    assert failed in told(panel), "the link is followed"
    row = next(row for row in panel.memories.rows if row.text == failed)
    plain = row.below.replace("\u2068", "").replace("\u2069", "")
    assert plain == "Harbor Ledger → settlement job › failure"


def test_a_folder_is_chosen_and_found_as_a_project(
    qtbot: QtBot, opened: MainWindow, panel: AgentView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "open",
                        lambda dialog: dialog.fileSelected.emit("/srv/harbor ledger"))
    panel.ask.browse.trigger()
    qtbot.waitUntil(lambda: bool(panel.focal.lines))
    assert panel.focal.lines[0].accessibleName().startswith("Harbor Ledger, project path")


def test_the_selected_entity_is_added_by_a_click_and_taken_out_by_its_chip(
    qtbot: QtBot, opened: MainWindow, panel: AgentView
) -> None:
    select(qtbot, opened, "Ines Duarte")
    qtbot.mouseClick(panel.ask.add, LEFT)
    qtbot.waitUntil(lambda: "Ines Duarte, named directly" in [
        row.accessibleName() for row in panel.focal.lines])
    assert RULE in told(panel)
    assert not panel.ask.add.isVisible()
    qtbot.mouseClick(panel.ask.chips[0], LEFT)
    qtbot.waitUntil(lambda: not panel.focal.lines)
    assert RULE not in told(panel)


def test_the_text_is_exactly_what_is_injected_and_can_be_copied(
    qtbot: QtBot, opened: MainWindow, panel: AgentView
) -> None:
    ask(qtbot, opened, panel, "ines")
    assert panel.sight is not None
    text = panel.sight.started.text
    assert panel.injected.view.toPlainText() == text
    assert f"- [Ines Duarte] {RULE}" in text
    qtbot.mouseClick(panel.injected.copy, LEFT)
    assert QGuiApplication.clipboard().text() == text


def test_the_budgets_say_how_much_of_them_is_used(
    qtbot: QtBot, opened: MainWindow, panel: AgentView
) -> None:
    ask(qtbot, opened, panel, "ines")
    assert panel.sight is not None
    used = sum(len(each.marked_text) for each in panel.sight.started.memories)
    assert panel.reasons.memories.words == f"{used} of 2,000"
    asked = len("Ines rotates the signing key monthly")
    assert panel.reasons.shares.text() == (
        f"{asked} for what was asked, {used - asked} by importance")
    assert panel.reasons.constraints.words.endswith(" of 1,000")
    assert "of 500 · 1 entity · 0 links" in panel.reasons.took.text()


@OPENS_A_MENU
def test_a_near_miss_says_its_numbers_and_is_let_in_by_its_menu(
    qtbot: QtBot, opened: MainWindow, panel: AgentView
) -> None:
    opened.session.workspace.write("Weaken", lambda w: w.update(  # type: ignore[union-attr]
        "entity_dependencies", "weak", strength=0.4, confidence=0.6))
    ask(qtbot, opened, panel, "ledger")
    row = panel.reasons.misses[0]
    assert row.near.words == "too weak: 0.24, needs 0.30"
    assert BOARD not in told(panel)
    qtbot.mouseClick(row.button, LEFT)
    qtbot.waitUntil(lambda: row.menu.actions()[0].isEnabled())
    action = row.menu.actions()[0]
    assert action.text() == "Raise its strength to 0.50"
    row.menu.close()
    action.trigger()
    qtbot.waitUntil(lambda: marked(panel) == {BOARD: "+ with link"})
    opened.actions_.run("edit.undo")
    qtbot.waitUntil(lambda: panel.comparison is not None and not panel.comparison.holds)
    settled(qtbot, opened)
    with opened.session.workspace.read() as reader:  # type: ignore[union-attr]
        link = get_link(reader, "weak")
    assert link is not None
    assert link.strength == 0.4


def crowd(window: MainWindow, strength: float) -> None:
    """Give the ledger more links than are followed, and the board a weak one."""
    def change(writer: Writer) -> None:
        writer.update("entity_dependencies", "weak", strength=0.4, confidence=0.6)
        graph = Graph(writer)
        for number in range(6):
            graph.link("ledger", graph.entity(f"tool {number}", "tool"), "uses",
                       strength=strength, confidence=1.0)

    assert window.session is not None
    window.session.workspace.write("Crowd", change)


def offered(row: MissRow) -> dict[str, bool]:
    """The lines of the menu, and whether each can be chosen."""
    return {action.text(): action.isEnabled() for action in row.menu.actions() if action.text()}


def menu_of_grafana(qtbot: QtBot, opened: MainWindow, panel: AgentView) -> MissRow:
    """The near miss whose menu is open, once its changes have been tried."""
    ask(qtbot, opened, panel, "ledger")
    row = next(one for one in panel.reasons.misses if "Grafana" in one.near.name)
    qtbot.mouseClick(row.button, LEFT)
    qtbot.waitUntil(lambda: "Trying what would include it…" not in offered(row))
    return row


@OPENS_A_MENU
def test_only_a_strength_that_lets_it_in_is_offered(
    qtbot: QtBot, opened: MainWindow, panel: AgentView
) -> None:
    crowd(opened, strength=0.55)
    row = menu_of_grafana(qtbot, opened, panel)
    lines = offered(row)
    words = next(line for line in lines if line.startswith("Raise its strength"))
    assert lines[words]
    assert float(words.split()[-1]) > 0.9, "0.50 is enough alone, but not beside stronger links"
    next(one for one in row.menu.actions() if one.text() == words).trigger()
    row.menu.close()
    qtbot.waitUntil(lambda: BOARD in told(panel))


@OPENS_A_MENU
def test_what_can_not_let_it_in_says_which_limit_still_keeps_it_out(
    qtbot: QtBot, opened: MainWindow, panel: AgentView
) -> None:
    crowd(opened, strength=1.0)
    row = menu_of_grafana(qtbot, opened, panel)
    lines = offered(row)
    row.menu.close()
    words = next(line for line in lines if line.startswith("Raise its strength"))
    assert not lines[words]
    assert "still left out, it would be link 8, and 4 are taken" in words
    assert lines[next(line for line in lines if line.startswith("Pin "))], "a pin works"


def test_all_near_misses_can_be_seen_page_by_page(
    qtbot: QtBot, opened: MainWindow, panel: AgentView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(near_misses, "PAGE", 4)
    panel.reasons.list._most = 4
    panel._looked = 4
    crowd(opened, strength=0.2)
    ask(qtbot, opened, panel, "ledger")
    misses = panel.reasons.list
    total = panel.sight.missed  # type: ignore[union-attr]
    assert total > 6
    assert misses.more.text() == f"4 of {total} · show more"
    for _ in range(3):
        misses.more.click()
        settled(qtbot, opened)
    assert misses.more.isHidden()
    assert len(misses.rows) == panel.sight.missed  # type: ignore[union-attr]
    assert len({row.near.miss.id for row in misses.rows}) == len(misses.rows)


@OPENS_A_MENU
def test_the_pin_experiment(qtbot: QtBot, opened: MainWindow, panel: AgentView) -> None:
    """Ask, see what is missing, look what a pin would change, pin by click, undo."""
    ask(qtbot, opened, panel, "ledger")
    assert RULE not in told(panel)
    select(qtbot, opened, "Ines Duarte")
    choose(panel, "★")
    qtbot.waitUntil(lambda: marked(panel).get(RULE) == "+ with pin")
    assert panel.compare.chip.accessibleName().startswith("compare: with ")
    assert panel.compare.enters.text() == "+1"
    assert f"+ - [Ines Duarte] {RULE}" in panel.injected.view.toPlainText()
    assert RULE not in panel.injected.source, "only rehearsed"
    panel._trial._slow.setInterval(WAIT_MS)  # The plain answer is not shown meanwhile.
    places = []
    panel.injected.view.textChanged.connect(
        lambda: places.append(GAINS in panel.injected.view.toPlainText()))
    qtbot.mouseClick(panel.compare.act, LEFT)
    qtbot.waitUntil(lambda: panel.comparison is not None and panel.comparison.holds)
    settled(qtbot, opened)
    assert all(places), "never is the answer of before compared with itself"
    assert "Ines Duarte, pinned" in [row.accessibleName() for row in panel.focal.lines]
    assert marked(panel)[RULE] == "+ with pin"
    assert RULE in panel.injected.source
    assert panel.compare.chip.accessibleName().startswith("compare: without ")
    qtbot.mouseClick(opened.toast.undo_button, LEFT)
    qtbot.waitUntil(lambda: panel.comparison is not None and not panel.comparison.holds)
    settled(qtbot, opened)
    with opened.session.workspace.read() as reader:  # type: ignore[union-attr]
        assert not entities_by_id(reader, ["ines"])["ines"].pinned
    qtbot.mouseClick(panel.compare.chip, LEFT)
    assert not marked(panel)
    assert panel.injected.view.toPlainText() == panel.injected.source


@OPENS_A_MENU
def test_a_pin_that_only_adds_what_describes_it_is_counted_as_the_text_shows_it(
    qtbot: QtBot, opened: MainWindow, panel: AgentView
) -> None:
    assert opened.session is not None
    opened.session.workspace.write("Note", lambda writer: Graph(writer).entity(
        "Bee", "note", id="bee", description="Keeps the hives."))
    ask(qtbot, opened, panel, "ledger")
    select(qtbot, opened, "Bee")
    choose(panel, "★")
    qtbot.waitUntil(lambda: "+ - Bee (note): Keeps the hives."
                    in panel.injected.view.toPlainText())
    assert panel.compare.enters.text() == "+1"
    assert panel.compare.enters.isVisible()
    assert panel.compare.leaves.text() == "−0"
    assert not panel.compare.words.isVisible()


def test_a_pin_shows_what_it_adds_until_the_next_question(
    qtbot: QtBot, opened: MainWindow, panel: AgentView
) -> None:
    ask(qtbot, opened, panel, "ledger")
    click_in_list(qtbot, opened, "Ines Duarte")
    QTest.keyClick(opened.focusWidget() or opened, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: f"+ - [Ines Duarte] {RULE}" in panel.injected.view.toPlainText())
    assert marked(panel)[RULE] == "+ with pin"
    assert panel.compare.chip.accessibleName().startswith("compare: without ")
    settled(qtbot, opened)
    ask(qtbot, opened, panel, "grafana")
    qtbot.waitUntil(lambda: panel.comparison is None)
    assert panel.injected.view.toPlainText() == panel.injected.source
    assert not panel.compare.chip.isVisible()


def test_a_pin_taken_away_shows_what_is_lost_and_undo_shows_the_plain_answer_again(
    qtbot: QtBot, opened: MainWindow, panel: AgentView
) -> None:
    click_in_list(qtbot, opened, "Ines Duarte")
    QTest.keyClick(opened.focusWidget() or opened, Qt.Key.Key_P)
    settled(qtbot, opened)
    ask(qtbot, opened, panel, "ledger")
    assert RULE in panel.injected.source
    assert panel.injected.view.toPlainText() == panel.injected.source
    click_in_list(qtbot, opened, "Ines Duarte")
    QTest.keyClick(opened.focusWidget() or opened, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: panel.comparison is not None and not panel.comparison.holds)
    assert marked(panel)[RULE] == "+ with pin"
    qtbot.mouseClick(opened.toast.undo_button, LEFT)
    qtbot.waitUntil(lambda: panel.comparison is None and RULE in panel.injected.source)
    assert panel.injected.view.toPlainText() == panel.injected.source


@OPENS_A_MENU
def test_a_mute_is_compared_without_being_done(
    qtbot: QtBot, opened: MainWindow, panel: AgentView
) -> None:
    ask(qtbot, opened, panel, "ines")
    choose(panel, "muted")
    qtbot.waitUntil(lambda: marked(panel).get(RULE) == "− with mute")
    with opened.session.workspace.read() as reader:  # type: ignore[union-attr]
        assert not entities_by_id(reader, ["ines"])["ines"].muted


def test_what_fails_is_said_with_a_way_to_try_again(
    qtbot: QtBot, opened: MainWindow, panel: AgentView, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ConstellationError("The file is locked", do="Try again in a moment")

    with monkeypatch.context() as patch:
        patch.setattr(agent_view_reading, "see", broken)
        panel.refresh(None)
        qtbot.waitUntil(lambda: panel.face == "failed")
    assert panel._face is not None
    assert "The file is locked" in panel._face.text
    qtbot.mouseClick(panel._face.button, LEFT)
    qtbot.waitUntil(lambda: panel.face == "ready")


def test_hostile_names_stay_plain(qtbot: QtBot, opened: MainWindow, panel: AgentView) -> None:
    assert opened.session is not None
    opened.session.selection.select_entity("hostile")
    qtbot.waitUntil(panel.ask.add.isVisible)
    qtbot.mouseClick(panel.ask.add, LEFT)
    qtbot.waitUntil(lambda: bool(panel.focal.lines))
    for row in panel.reasons.misses:
        assert row.name.textFormat() == Qt.TextFormat.PlainText
    assert "<b>bold</b>" in panel.focal.lines[0].accessibleName()


def lit(view: SkyView) -> tuple[set[str], int]:
    scene, walk = view.scene, view._state.walk
    return {scene.ids[node] for node in walk.nodes}, len(walk.memories)


def test_the_walk_is_lit_in_the_sky_while_the_panel_can_be_seen(
    qtbot: QtBot, opened: MainWindow, panel: AgentView, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = SkyView(opened._theme)
    qtbot.addWidget(view)
    with opened.session.workspace.read() as reader:  # type: ignore[union-attr]
        view.set_scene(_scene(reader))
    monkeypatch.setattr(opened, "sky", lambda: view)
    ask(qtbot, opened, panel, "ledger")
    assert panel.sight is not None
    assert lit(view) == ({"ledger", "job", "grafana"}, len(panel.sight.taken_ids))
    first = next(at for at, row in enumerate(panel.memories.rows) if row.kind == "memory")
    panel.memories.setCurrentIndex(panel.memories.model().index(first, 0))
    assert lit(view)[1] == 1, "only the path of the line that is looked at"
    opened.show_panel("activity")
    qtbot.waitUntil(lambda: lit(view) == (set(), 0))
    opened.show_panel("agent_view")
    qtbot.waitUntil(lambda: bool(lit(view)[0]))



def _scene(reader: Reader) -> Scene:
    rows = read_sky(reader)
    entities, memories = len(rows.entity_ids), len(rows.memory_ids)
    return scene_of(rows, Positions(_line(entities), _line(memories)))


def _line(count: int) -> np.ndarray:
    return np.column_stack((np.arange(count), np.zeros(count))).astype(np.float32)


def test_a_link_that_a_session_tries_is_marked(qtbot, opened, panel):
    panel.context.workspace.write("unsure", lambda writer: writer.update(
        "entity_dependencies", "weak", confidence=0.3))
    panel.context.engine.keep(changed(Settings(), "session", exploration_rate=1.0))
    ask(qtbot, opened, panel, "Harbor Ledger")
    assert not any("tried" in row.below for row in panel.memories.rows)
    QTest.keyClicks(panel.ask.session, "a session")
    qtbot.waitUntil(lambda: any(row.text == "Tried link" for row in panel.memories.rows))
    row = next(row for row in panel.memories.rows if row.below.startswith("tried: "))
    assert (row.below, row.text) == ("tried: link Harbor Ledger uses Grafana", BOARD)
    assert "confidence 0.30" in row.why
    assert "Tried because it is not certain" in panel.injected.source
