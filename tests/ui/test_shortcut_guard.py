"""No shortcut wins over a field or a form: all shortcuts in all editors, by real keys."""

import re
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.review_scene import (  # noqa: F401 - fixtures
    add_proposals,
    review_graph,
    review_ids,
    review_of,
    status_of,
    wait_card,
)
from tests.ui.review_scene import wait_status as wait_for
from ui.main_window import MainWindow
from ui.panels.agent_view.panel import AgentView
from ui.panels.inspector.rows import InlineEditor
from ui.panels.proposals.panel import Proposals
from ui.panels.recall.panel import RecallPanel

pytestmark = pytest.mark.usefixtures("every_panel")

FREE = re.compile(
    r"Ctrl\+(Shift\+)?(?![ACVXYZ]$)[A-Z0-9,]|Ctrl\+Shift\+[AC]|(Shift\+)?F[16]|Shift\+F10|F11|Ctrl\+F4")
"""What no editor uses."""


@pytest.fixture
def fired(opened: MainWindow) -> list[str]:
    """The actions that keys have set off; none of them does anything else."""
    ids: list[str] = []
    for action in opened.actions_:
        made = opened.actions_.action(action.id)
        made.triggered.disconnect()
        made.triggered.connect(lambda *_, id=action.id: ids.append(id))
    return ids


def form_of(qtbot: QtBot, window: MainWindow, proposal_id: str) -> Proposals:
    window.activateWindow()
    panel = review_of(window)
    panel.review.go(proposal_id)
    wait_card(qtbot, panel, proposal_id)
    panel.edit()
    assert panel.parts.editing
    return panel


def search(_qtbot: QtBot, window: MainWindow, _ids: dict[str, str]) -> QWidget:
    return window.top.search


def reason(qtbot: QtBot, window: MainWindow, ids: dict[str, str]) -> QWidget:
    panel = review_of(window)
    wait_card(qtbot, panel, ids["hostile"])
    panel.ask_reason()
    return panel.bar.reason


def long_field(qtbot: QtBot, window: MainWindow, ids: dict[str, str]) -> QWidget:
    return _field(form_of(qtbot, window, ids["start"]), QPlainTextEdit)


def short_field(qtbot: QtBot, window: MainWindow, ids: dict[str, str]) -> QWidget:
    return _field(form_of(qtbot, window, ids["start"]), QLineEdit)


def choice(qtbot: QtBot, window: MainWindow, ids: dict[str, str]) -> QWidget:
    return _field(form_of(qtbot, window, ids["start"]), QComboBox)


def form_button(qtbot: QtBot, window: MainWindow, ids: dict[str, str]) -> QWidget:
    return form_of(qtbot, window, ids["start"]).form.apply_button


def inline(qtbot: QtBot, window: MainWindow, _ids: dict[str, str]) -> QWidget:
    """A field over a row of the inspector; the row itself does not matter here."""
    editor = InlineEditor("a value", window.show_panel("inspector"))
    editor.show()
    return editor


def question(_qtbot: QtBot, window: MainWindow, _ids: dict[str, str]) -> QWidget:
    panel = window.show_panel("recall")
    assert isinstance(panel, RecallPanel)
    return panel.ask.question


def signal(_qtbot: QtBot, window: MainWindow, _ids: dict[str, str]) -> QWidget:
    panel = window.show_panel("agent_view")
    assert isinstance(panel, AgentView)
    return panel.findChildren(QLineEdit)[0]


def _field(panel: Proposals, kind: type[QWidget]) -> QWidget:
    return next(field for field in panel.form.fields.values() if isinstance(field, kind))


EDITORS: list[Callable[[QtBot, MainWindow, dict[str, str]], QWidget]] = [
    search, reason, long_field, short_field, choice, form_button, inline, question, signal]


def press_every_shortcut(window: MainWindow, field: QWidget, fired: list[str]) -> dict[str, str]:
    """Which shortcut set off what, each pressed while the keyboard is in the field."""
    effects = {}
    for action in window.actions_:
        for made in window.actions_._qt.values():
            made.setEnabled(True)
        for sequence in action.sequences():
            field.setFocus()
            assert QApplication.focusWidget() is field
            fired.clear()
            QTest.keySequence(field, sequence)
            if isinstance(field, QComboBox):
                field.hidePopup()
            for id in fired:
                effects[sequence.toString()] = id
    return effects


# Of the list that a choice opens at Space.
@pytest.mark.qt_log_ignore("does not support (raise|grabbing|propagate)", extend=True)
@pytest.mark.parametrize("editor", EDITORS, ids=lambda editor: editor.__name__)
def test_no_shortcut_wins_over_an_editor(
    qtbot: QtBot, opened: MainWindow, ids: dict[str, str],
    editor: Callable[[QtBot, MainWindow, dict[str, str]], QWidget], fired: list[str],
) -> None:
    field = editor(qtbot, opened, ids)
    field.window().activateWindow()
    # What leaves or applies the form would end the walk.
    for panel in opened.findChildren(Proposals):
        panel.form.blockSignals(True)
        panel.bar.reason.blockSignals(True)
        panel.bar.blockSignals(True)
    effects = press_every_shortcut(opened, field, fired)
    assert {key: id for key, id in effects.items() if not FREE.fullmatch(key)} == {}
    assert effects["Ctrl+K"] == "app.palette", "what no editor uses is the window's"


def test_outside_of_editors_every_shortcut_of_the_window_works(
    opened: MainWindow, fired: list[str]
) -> None:
    rows = opened.panel("entities").list  # type: ignore[attr-defined]
    effects = press_every_shortcut(opened, rows, fired)
    assert {action.id for action in opened.actions_ if action.keys and not action.panel} <= set(
        effects.values())


@pytest.mark.parametrize("editor", [long_field, short_field, choice, form_button],
                         ids=lambda editor: editor.__name__)
def test_ctrl_enter_in_the_edit_form_applies(
    qtbot: QtBot, opened: MainWindow, ids: dict[str, str],
    editor: Callable[[QtBot, MainWindow, dict[str, str]], QWidget],
) -> None:
    field = editor(qtbot, opened, ids)
    # As where a sky is shown and an entity is selected.
    opened.actions_.action("sky.dive").setEnabled(True)
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    wait_for(qtbot, opened, ids["start"], "applied")
    assert status_of(opened, ids["rival"]) == "pending"


@pytest.mark.qt_log_ignore("does not support (raise|grabbing|propagate)", extend=True)
def test_a_box_to_choose_from_that_stands_alone_leaves_undo_and_search_to_the_window(
    qtbot: QtBot, opened: MainWindow, fired: list[str]
) -> None:
    box = QComboBox(opened.show_panel("claim_history"))
    box.addItems(["one", "two"])
    box.show()
    effects = press_every_shortcut(opened, box, fired)
    assert effects["Ctrl+Z"] == "edit.undo"
    assert "/" in effects
    assert not {"Space", "Up", "Down", "Return", "A", "R", "P"} & effects.keys()
