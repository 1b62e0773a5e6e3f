"""What the window advises can be done in the window, and names what is there."""

import pickle
import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from core import error_advice
from core.error_advice import Advice
from core.errors import ConstellationError, OperationError
from core.queries.assertions import find_assertion
from ui.action_catalogue import ACTIONS
from ui.dialogs.operation import OperationDialog
from ui.error_words import what_to_do, words_of
from ui.main_window import MainWindow


def every_advice() -> Iterator[tuple[str, Advice]]:
    for name, value in vars(error_advice).items():
        if isinstance(value, Advice):
            yield name, value
    yield "expected_otherwise", error_advice.expected_otherwise("0123456789")
    yield "unpack", error_advice.unpack("gunzip")


@pytest.mark.parametrize(("name", "said"), list(every_advice()))
def test_the_windows_advice_names_entries_that_its_menus_have(name: str, said: Advice) -> None:
    assert not re.search(r"\bconstellation [a-z]|--\w|sqlite3", said.window), name
    entries = {f"{action.menu} › {action.bare_words}" for action in ACTIONS if action.menu}
    for place in re.findall(r"(?:File|Edit|View|Go|Graph|Help) › ", said.window):
        rest = said.window.split(place, 1)[1]
        assert any(rest.startswith(entry.split(" › ", 1)[1]) for entry in entries
                   if entry.startswith(place)), f"{name}: no entry {place}{rest}"


def test_an_error_says_commands_in_a_shell_and_entries_in_the_window() -> None:
    error = ConstellationError("The file is damaged", where="a.db", do=error_advice.DAMAGED)
    assert "“constellation restore”" in str(error)
    assert words_of(error) == ("The file is damaged (a.db). Choose File › Restore a backup…: the "
                               "damaged file is kept")
    assert what_to_do(pickle.loads(pickle.dumps(error.do)) and error) == error_advice.DAMAGED.window


def test_force_and_names_of_operations_are_said_as_the_window_has_them() -> None:
    error = OperationError(409, "It is archived, use restore_entity", field="force",
                           do="Unpin it first, or use force")
    assert words_of(error) == "It is archived, use “Restore entity”. Unpin it first, or confirm"


def test_a_form_says_where_the_window_lists_what_was_not_found(
    qtbot: QtBot, opened: MainWindow
) -> None:
    assert opened.session is not None
    with opened.session.workspace.read() as reader, pytest.raises(OperationError) as refused:
        find_assertion(reader, "nowhere")
    assert "ontology assertion list" in str(refused.value)
    dialog = OperationDialog(opened.session.context, "archive_assertion", {"id": "nowhere"})
    dialog.open()
    reason = dialog.findChild(QLineEdit)
    assert reason is None or reason.text() == ""
    QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: dialog.error != "")
    assert dialog.error == ("Assertion not found: nowhere. The Inspector lists them under Said "
                            "about it")
    dialog.reject()
