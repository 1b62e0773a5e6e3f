"""The action catalogue, the palette and the key sheet that are made from it."""

import re
from collections import Counter
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.ontology import control
from core.ontology.operation_catalog import CATALOG
from tests.ui.browse_scene import select
from ui.action_catalogue import ACTIONS
from ui.dialogs.key_sheet import KeySheet, balanced, groups
from ui.dialogs.palette import score
from ui.main_window import MainWindow
from ui.menus import MENUS
from ui.panels import PANELS
from ui.theme.icons import ICONS


def test_every_action_has_an_id_of_its_own() -> None:
    assert [n for n, count in Counter(a.id for a in ACTIONS).items() if count > 1] == []


def test_no_key_means_two_things_at_once(qapp: object) -> None:
    anywhere = Counter(
        key.toString() for a in ACTIONS if not a.panel for key in a.sequences()
    )
    assert [key for key, count in anywhere.items() if count > 1] == []
    for panel in {a.panel for a in ACTIONS if a.panel}:
        own = Counter(k.toString() for a in ACTIONS if a.panel == panel for k in a.sequences())
        assert [key for key, count in own.items() if count > 1] == []
        assert not own.keys() & anywhere.keys()


def test_every_action_can_be_found() -> None:
    for action in ACTIONS:
        assert action.menu.partition("/")[0] in (*MENUS, "")
        assert action.menu or action.keys or action.palette, action.id
        assert not action.icon or action.icon in ICONS


def test_every_operation_has_a_form() -> None:
    assert {f"operation.{name}" for name in CATALOG} <= {action.id for action in ACTIONS}


@pytest.mark.parametrize("name", list(CATALOG))
def test_each_form_opens_and_closes(qtbot: QtBot, read_only: MainWindow, name: str) -> None:
    read_only.actions_.run(f"operation.{name}")
    [dialog] = [one for one in read_only.findChildren(_dialog_type()) if one.isVisible()]
    assert dialog._operation is CATALOG[name]
    assert dialog.fields
    with qtbot.waitSignal(dialog.finished):
        QTest.keyClick(dialog, Qt.Key.Key_Escape)


def _dialog_type() -> type:
    from ui.dialogs.operation import OperationDialog  # noqa: PLC0415 - Qt is up by now

    return OperationDialog


@pytest.mark.parametrize(
    ("wanted", "better", "worse"),
    [
        ("undo", "Undo: Pin uv", "Unpin and dock"),
        ("ch", "Claim history", "Archive"),
        ("inspector", "Inspector", "In a spectator"),
        ("pin", "Pins", "Next part of the window"),
    ],
)
def test_letters_find_the_title_that_is_meant(wanted: str, better: str, worse: str) -> None:
    first, second = score(wanted, better), score(wanted, worse)
    assert first is not None
    assert second is None or first > second


def test_letters_out_of_order_find_nothing() -> None:
    assert score("zu", "Undo") is None


def test_the_palette_runs_an_action(qtbot: QtBot, opened: MainWindow) -> None:
    opened.actions_.run("app.palette")
    QTest.keyClicks(opened.palette_.field, "switch between")
    assert opened.palette_.entries()[0].text == "Switch between dark and light"
    QTest.keyClick(opened.palette_.field, Qt.Key.Key_Return)
    assert opened.session is not None
    assert opened.session.context.theme.name == "paper"
    assert not opened.palette_.isVisible()


def test_the_palette_goes_to_an_entity(qtbot: QtBot, opened: MainWindow) -> None:
    opened.actions_.run("app.palette")
    QTest.keyClicks(opened.palette_.field, "ines du")
    texts = partial(_texts, opened)
    qtbot.waitUntil(lambda: "Ines Duarte" in texts())
    while opened.palette_.list.currentIndex().row() != texts().index("Ines Duarte"):
        QTest.keyClick(opened.palette_.field, Qt.Key.Key_Down)
    QTest.keyClick(opened.palette_.field, Qt.Key.Key_Return)
    assert opened.session is not None
    session = opened.session
    qtbot.waitUntil(lambda: session.selection.entity is not None)
    assert session.selection.entity is not None
    assert session.selection.entity.name == "Ines Duarte"


def test_the_palette_finds_the_themes(qtbot: QtBot, opened: MainWindow) -> None:
    opened.actions_.run("app.palette")
    QTest.keyClicks(opened.palette_.field, "theme")
    assert set(_texts(opened)[:4]) == {"Follow the system", "Dusk (dark)", "Paper (light)",
                                       "Switch between dark and light"}
    assert {entry.hint for entry in opened.palette_.entries()[:4]} == {"View › Theme"}
    QTest.keyClicks(opened.palette_.field, " paper")
    assert _texts(opened)[0] == "Paper (light)"
    QTest.keyClick(opened.palette_.field, Qt.Key.Key_Return)
    assert opened.session is not None
    assert opened.session.context.theme.name == "paper"


def test_an_entitys_own_name_comes_first_in_the_palette(
    qtbot: QtBot, opened: MainWindow
) -> None:
    assert opened.session is not None
    workspace = opened.session.workspace
    for name, fact in (("Pin", "A small thing"), ("Theme park", "Has a carousel"),
                       ("Carousel", "Turns")):
        workspace.write("Add", lambda w, n=name: control.apply(
            w, "create_entity", {"name": n, "entity_type": "tool"}))
        workspace.write("Set", lambda w, n=name, f=fact: control.apply(
            w, "set_claim_value", {"entity": n, "aspect": "facts", "claim_key": "what",
                                   "value": f}))
    for typed, first in (("pin", ["Pin"]), ("carousel", ["Carousel", "Theme park"]),
                         ("theme park", ["Theme park"])):
        opened.actions_.run("app.palette")
        QTest.keyClicks(opened.palette_.field, typed)
        qtbot.waitUntil(lambda w=first: _texts(opened)[:len(w)] == w)
        QTest.keyClick(opened.palette_.field, Qt.Key.Key_Escape)
    opened.actions_.run("app.palette")
    QTest.keyClicks(opened.palette_.field, "carousle")
    qtbot.waitUntil(lambda: _texts(opened)[:1] == ["Carousel"])


def test_escape_closes_the_palette(qtbot: QtBot, opened: MainWindow) -> None:
    opened.actions_.run("app.palette")
    assert opened.palette_.isVisible()
    QTest.keyClick(opened.palette_.field, Qt.Key.Key_Escape)
    assert not opened.palette_.isVisible()


def test_the_key_sheet_lists_every_key(opened: MainWindow) -> None:
    words = {words for _, lines in groups(opened.actions_) for words, _ in lines}
    for action in ACTIONS:
        if action.sequences():
            assert opened.actions_.words(action) in words


def test_the_columns_of_the_key_sheet_are_about_as_long_as_each_other() -> None:
    assert balanced([4, 4, 8, 8], 3) == [slice(0, 2), slice(2, 3), slice(3, 4)]
    assert balanced([1, 1], 4) == [slice(0, 1), slice(1, 2)]


def test_the_question_mark_opens_and_closes_the_key_sheet(
    qtbot: QtBot, opened: MainWindow
) -> None:
    QTest.keyClick(opened, Qt.Key.Key_Question)
    sheet = opened.findChildren(KeySheet)[0]
    assert sheet.isVisible()
    with qtbot.waitSignal(sheet.finished):
        QTest.keyClick(sheet, Qt.Key.Key_Question)


def test_a_long_undo_is_folded_in_the_key_sheet(opened: MainWindow) -> None:
    whole = "Undo: Set schedule · start time · settlement job of the harbor"
    opened.actions_.action("edit.undo").setText(whole)
    sheet = KeySheet(opened.actions_, opened)
    shown = next(one for one in sheet.findChildren(QLabel) if one.text().startswith("Undo: "))
    assert shown.text() == whole
    assert shown.wordWrap()
    sheet.deleteLater()


def _texts(window: MainWindow) -> list[str]:
    return [entry.text for entry in window.palette_.entries()]


def test_without_a_graph_a_menu_says_words_and_no_ids(qtbot: QtBot, opened: MainWindow) -> None:
    def told() -> list[str]:
        return [entry.text() for title in MENUS for entry in opened.menus.menu(title).actions()
                if entry.text() and entry.text() == entry.objectName()]

    assert told() == []
    assert opened.actions_.action("pins.toggle").text() == "Pin"
    opened.actions_.run("file.close")
    qtbot.waitUntil(lambda: opened.session is None)
    assert told() == []
    assert opened.actions_.action("edit.undo").text() == "Undo"
    assert all(action.bare_words for action in ACTIONS)


def test_the_key_sheet_calls_each_panel_as_its_tab_does(opened: MainWindow) -> None:
    heads = [head for head, _ in groups(opened.actions_)]
    assert {"What the agent sees", "Claim history", "Proposals", "The sky"} <= set(heads)
    assert len(heads) == len(set(heads))
    with_keys = {kind.title for kind in PANELS
                 if any(action.keys for action in kind.load().ACTIONS)}
    assert with_keys <= set(heads)


def test_no_form_asks_with_the_name_of_a_payload_field() -> None:
    for operation in CATALOG.values():
        asked = [operation.summary, *(str(field.description or "") for name, field
                                      in operation.fields.model_fields.items())]
        for words in asked:
            assert not re.search(r"\b[a-z]+_[a-z_]+\b", words), (operation.name, words)


@pytest.mark.parametrize("name", ["restore_entity", "update_task"])
def test_a_form_is_not_filled_in_with_what_it_is_not_for(
    qtbot: QtBot, opened: MainWindow, name: str
) -> None:
    select(qtbot, opened, "Ines Duarte")
    opened.actions_.run(f"operation.{name}")
    dialog = next(each for each in opened.findChildren(_dialog_type()) if each.isVisible())
    assert dialog.fields["entity"].value == ""
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    opened.actions_.run("operation.rename_entity")
    dialog = next(each for each in opened.findChildren(_dialog_type()) if each.isVisible())
    assert dialog.fields["entity"].value
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
