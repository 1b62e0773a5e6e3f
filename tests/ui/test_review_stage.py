"""The review in full height: one key in, the same key or Escape out, everything as it was."""


import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.conftest import settle
from tests.ui.review_scene import (  # noqa: F401 - fixtures
    QUOTE,
    press,
    review_graph,
    review_ids,
    review_of,
    texts_in,
    wait_card,
    wait_status,
)
from ui.dialogs.key_sheet import groups
from ui.main_window import MainWindow
from ui.panels.proposals.panel import Proposals
from ui.preferences import Preferences

Z, ESC = Qt.Key.Key_Z, Qt.Key.Key_Escape
LEFT = Qt.MouseButton.LeftButton
PLACES = ("entities", "pins", "inspector", "proposals", "claim_history", "activity")


@pytest.fixture
def panel(qtbot: QtBot, opened: MainWindow, ids: dict[str, str]) -> Proposals:
    opened.resize(1280, 800)
    opened.reset_places()
    made = review_of(opened)
    wait_card(qtbot, made, ids["hostile"])
    settle(qtbot, opened)
    return made


def in_sight(window: MainWindow) -> set[str]:
    return {name for name in PLACES if window.docks._docks[name].in_sight}


def places(window: MainWindow) -> dict[str, QRect]:
    return {name: window.docks._docks[name].geometry() for name in in_sight(window)}


def seen(widget: QWidget, inside: QWidget) -> bool:
    """Whether all of a widget lies in sight inside another."""
    at = widget.mapTo(inside, QPoint(0, 0))
    return widget.isVisible() and inside.rect().contains(QRect(at, widget.size()))


@pytest.mark.parametrize("leave", [Z, ESC])
def test_one_key_gives_the_review_the_window_and_takes_it_back(
    qtbot: QtBot, opened: MainWindow, panel: Proposals, ids: dict[str, str], leave: Qt.Key
) -> None:
    before = places(opened)
    rows = panel.queue.list.viewport().height()
    press(panel, Z)
    settle(qtbot, opened)
    assert in_sight(opened) == {"proposals"}
    assert panel.height() > 0.85 * opened.height() - 60
    assert panel.queue.list.viewport().height() > 2 * rows
    assert opened.central.isVisible(), "the sky stays beside it"
    press(panel, Qt.Key.Key_J)
    wait_card(qtbot, panel, ids["lost"])
    press(panel, leave)
    settle(qtbot, opened)
    after = places(opened)
    assert set(after) == set(before)
    # Qt rounds shares of the window to pixels when it puts docks back.
    assert all(abs(one - other) <= 2 for name in after for one, other in zip(
        after[name].getRect(), before[name].getRect(), strict=True))
    assert panel.current_id == ids["lost"]
    assert panel.has_keyboard


def test_a_decision_there_needs_no_other_key(
    qtbot: QtBot, opened: MainWindow, panel: Proposals, ids: dict[str, str]
) -> None:
    press(panel, Z)
    press(panel, Qt.Key.Key_A)
    wait_status(qtbot, opened, ids["hostile"], "applied")
    wait_card(qtbot, panel, ids["lost"])
    assert opened.reviewing()


def test_evidence_stands_beside_the_effect_and_what_was_so_before_beside_both(
    qtbot: QtBot, opened: MainWindow, panel: Proposals, ids: dict[str, str]
) -> None:
    press(panel, Z)
    panel.review.go(ids["start"])
    wait_card(qtbot, panel, ids["start"])
    settle(qtbot, opened)
    qtbot.waitUntil(lambda: opened.stage.middle.past is not None)
    before = opened.stage.middle.past
    assert before is not None
    qtbot.waitUntil(before.isVisible)
    labels = {label.text(): label for label in panel.card.findChildren(QLabel)}
    quote = next(label for text, label in labels.items() if QUOTE in text)
    effect = labels["If applied"]
    assert quote.mapTo(panel, QPoint()).x() < effect.mapTo(panel, QPoint()).x()
    assert abs(quote.mapTo(panel, QPoint()).y() - effect.mapTo(panel, QPoint()).y()) < 60
    past = texts_in(before)
    assert "v2" in past
    assert "v1" in past
    assert "Starts at 04:00" in texts_in(panel.card), "both wishes stand side by side"
    panel.review.go(ids["link"])
    wait_card(qtbot, panel, ids["link"])
    qtbot.waitUntil(lambda: not before.isVisible())


def test_escape_in_the_reason_leaves_only_the_reason(
    qtbot: QtBot, opened: MainWindow, panel: Proposals
) -> None:
    press(panel, Z)
    press(panel, Qt.Key.Key_R)
    QTest.keyClicks(panel.bar.reason, "z")
    assert panel.bar.reason.text() == "z"
    QTest.keyClick(panel.bar.reason, ESC)
    assert not panel.bar.asking
    assert opened.reviewing()


def test_its_button_its_menu_and_its_key_lead_there(
    qtbot: QtBot, opened: MainWindow, panel: Proposals
) -> None:
    QTest.mouseClick(panel.bar.stage, LEFT)
    assert opened.reviewing()
    assert panel.bar.stage.accessibleName() == "Back to the sky"
    QTest.mouseClick(panel.bar.stage, LEFT)
    assert not opened.reviewing()
    menu = opened.menus.menu("View")
    action = next(one for one in menu.actions() if one.text() == "Review in full height")
    action.trigger()
    assert opened.reviewing()
    keys = {words: keys for _, lines in groups(opened.actions_) for words, keys in lines}
    assert keys["Back to the sky"] == ["Z"]
    assert keys["Leave the full-height review"] == ["Esc"]


def test_what_opens_elsewhere_leaves_the_review_first(
    qtbot: QtBot, opened: MainWindow, panel: Proposals, ids: dict[str, str]
) -> None:
    press(panel, Z)
    panel.review.go(ids["start"])
    wait_card(qtbot, panel, ids["start"])
    settle(qtbot, opened)
    button = next(one for one in panel.card.findChildren(QPushButton) if one.text() == "open ↗")
    QTest.mouseClick(button, LEFT)
    assert not opened.reviewing()
    assert "inspector" in in_sight(opened)


def test_closing_during_a_review_keeps_the_docks_of_before(
    qtbot: QtBot, opened: MainWindow, panel: Proposals, preferences: Preferences
) -> None:
    state = opened.saveState(1)
    press(panel, Z)
    opened.close_graph()
    assert preferences.bytes("docks") == state
    assert not opened.reviewing()


def test_in_a_dock_of_the_first_window_nothing_useful_is_cut_off(
    qtbot: QtBot, opened: MainWindow, panel: Proposals, ids: dict[str, str]
) -> None:
    panel.review.go(ids["start"])
    wait_card(qtbot, panel, ids["start"])
    settle(qtbot, opened)
    labels = [label for label in panel.card.findChildren(QLabel) if label.text()]
    for words in ("Harbor Ledger", "02:00", "03:30", QUOTE, "If applied", "version 3"):
        found = [label for label in labels if words in label.text()]
        assert found, words
        assert seen(found[0], panel.card.viewport()), words
    assert panel.queue.list.viewport().height() >= 3 * 38
    line = panel.queue.list.lines.index_of(ids["start"])
    assert "Starts every night at 03:30" in str(line.data(Qt.ItemDataRole.AccessibleTextRole))


def test_a_toast_stays_on_the_window_with_its_buttons(qtbot: QtBot, opened: MainWindow) -> None:
    settle(qtbot, opened)
    QTest.keyClick(opened, Z)
    opened.say("Rejected: a name that is long " * 6, 1)
    qtbot.wait(300)
    assert opened.rect().contains(opened.toast.geometry())
    assert opened.toast.undo_button.isVisible()
