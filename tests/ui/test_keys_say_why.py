"""A key that can do nothing in the state of the moment says why."""


import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.ontology import control
from core.queries.entities import find_entity
from tests.ui.conftest import settle
from tests.ui.review_scene import START, review_graph, review_ids, texts_in  # noqa: F401
from ui.main_window import MainWindow
from ui.panels.proposals.panel import Proposals
from ui.theme import THEMES, contrast, dress, load_theme
from ui.widgets.tick_box import TickBox

NONE, SHIFT, CTRL = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier,
                     Qt.KeyboardModifier.ControlModifier)


@pytest.fixture
def panel(qtbot: QtBot, opened: MainWindow) -> Proposals:
    panel = opened.show_panel("proposals")
    assert isinstance(panel, Proposals)
    settle(qtbot, opened)
    panel.focus()
    qtbot.waitUntil(lambda: panel.review.card is not None)
    return panel


def test_keys_of_the_review_that_do_nothing_say_why(
    qtbot: QtBot, panel: Proposals, opened: MainWindow
) -> None:
    opened.resize(1900, 1000)
    QTest.qWait(1)
    for key, modifier, words in (
        (Qt.Key.Key_B, NONE, "Keep both is for a dispute between two values, which this is not"),
        (Qt.Key.Key_A, SHIFT, "Nothing needs confirming here: A applies it"),
        (Qt.Key.Key_K, NONE, "This is the first proposal"),
        (Qt.Key.Key_N, NONE, "All pending proposals are listed"),
        (Qt.Key.Key_Backspace, NONE, "Nothing to undo"),
    ):
        QTest.keyClick(panel.queue.list, key, modifier)
        assert panel.bar.words == words
    panel.bar._lapse.timeout.emit()  # A while later.
    assert panel.bar.words == "1 of 6"


@pytest.mark.parametrize("width", [800, 1024])
def test_the_place_in_the_queue_stays_where_a_message_has_no_room_beside_it(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, width: int
) -> None:
    opened.resize(width, 700)
    qtbot.waitUntil(lambda: panel.width() <= width)
    before = panel.bar.words
    QTest.keyClick(panel.queue.list, Qt.Key.Key_B)
    assert opened.toast.text.startswith("Keep both is for a dispute")
    assert panel.bar.words == before
    assert before in ("1 of 6", "1/6")


@pytest.mark.parametrize(("key", "modifier", "words"), [
    (Qt.Key.Key_P, NONE, "Pin: select an entity first"),
    (Qt.Key.Key_F2, NONE, "Rename…: select an entity first"),
    (Qt.Key.Key_Y, CTRL, "Redo: nothing to redo"),
    (Qt.Key.Key_E, CTRL, "Set a claim…: select an entity first"),
])
def test_keys_of_the_window_that_do_nothing_say_why(
    opened: MainWindow, key: Qt.Key, modifier: Qt.KeyboardModifier, words: str
) -> None:
    QTest.keyClick(opened, key, modifier)
    assert opened.toast.text == words


def test_a_key_pressed_while_its_entity_is_read_is_done_when_it_is_there(
    qtbot: QtBot, opened: MainWindow
) -> None:
    session = opened.session
    assert session is not None
    with session.workspace.read() as reader:
        row = find_entity(reader, "Harbor Ledger")
    session.selection.select_entity(row.id)
    assert session.selection.entity is None, "it is still being read"
    QTest.keyClick(opened, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: getattr(session.selection.entity, "pinned", row.pinned)
                    is not row.pinned)


def test_keys_without_a_graph_say_so(window: MainWindow) -> None:
    QTest.keyClick(window, Qt.Key.Key_P)
    assert window.toast.text == "Open a graph first"


def test_what_changed_since_a_proposal_is_told(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: dict[str, str]
) -> None:
    panel.context.workspace.write("Edit", lambda w: control.apply(
        w, "set_claim_value", {**START, "value": "Starts at 05:15"}))
    panel.review.go(ids["start"])
    words = "It changed after this was proposed: it says “Starts at 05:15” now"
    qtbot.waitUntil(lambda: words in texts_in(panel.card))


def test_an_effect_names_the_entity_of_its_claim(
    qtbot: QtBot, panel: Proposals, ids: dict[str, str]
) -> None:
    panel.review.go(ids["rival"])
    qtbot.waitUntil(lambda: "version 3 of start of Harbor Ledger" in texts_in(panel.card))


@pytest.mark.parametrize("name", THEMES)
def test_the_box_to_tick_is_seen(qtbot: QtBot, qapp: QApplication, name: str) -> None:
    theme = load_theme(name)
    dress(qapp, theme)
    try:
        box = TickBox("Decay")
        qtbot.addWidget(box)
        box.resize(box.sizeHint())
        image = box.grab().toImage()
    finally:
        dress(qapp, load_theme("dusk"))
    row = image.height() // 2
    behind = image.pixelColor(0, 0)
    best = max(contrast(image.pixelColor(x, row), behind) for x in range(min(20, image.width())))
    assert best >= 3
