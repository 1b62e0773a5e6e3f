"""The list of entities in the real window: order, types, search, selection, stars, long lists."""

from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from core.errors import ConstellationError, DeadlinePassed
from core.model.text_formatting import unturned
from core.queries.entities import get_entity
from core.store.reader_and_writer import Reader
from core.workspace import Workspace
from tests.core.graphs import Graph, many
from tests.ui.browse_scene import (
    HOSTILE,
    OPENS_A_MENU,
    click,
    entities_of,
    middle_of,
    names_in,
    select,
    settled,
    star_of,
    write_elsewhere,
    write_scene,
)
from tests.ui.conftest import WAIT_MS
from ui.main_window import MainWindow
from ui.models import entity_list
from ui.models.entity_list import PAGE, spoken_row
from ui.panels import entity_list_view
from ui.panels.entities import Entities
from ui.panels.entity_rows import lit_parts

BY_MENTIONS = ["Harbor Ledger", "Ines Duarte", "NAS", "settlement job", "Postgres", HOSTILE,
               "printer"]


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return write_scene(tmp_path / "graph.db")


@pytest.fixture
def panel(qtbot: QtBot, opened: MainWindow) -> Entities:
    opened.resize(1300, 900)
    found = entities_of(opened)
    qtbot.waitUntil(lambda: found.rows_shown() > 0)
    settled(qtbot, opened)
    return found


def search(qtbot: QtBot, window: MainWindow, text: str) -> None:
    window.top.search.setText(text)
    settled(qtbot, window)


def pinned(window: MainWindow, entity_id: str) -> bool:
    assert window.session is not None
    with window.session.workspace.read() as reader:
        entity = get_entity(reader, entity_id)
    return entity is not None and entity.pinned


def test_entities_stand_in_the_seeds_order(panel: Entities) -> None:
    assert names_in(panel.list) == BY_MENTIONS
    assert panel.rows_shown() == len(BY_MENTIONS)


def test_chips_count_the_types_and_narrow_the_list(
    qtbot: QtBot, opened: MainWindow, panel: Entities
) -> None:
    assert panel.chips._words == (
        ("system", "system 3"), ("tool", "tool 2"), ("person", "person 1"),
        ("project", "project 1"))
    panel.chips.choose("tool")
    settled(qtbot, opened)
    assert names_in(panel.list) == [HOSTILE, "printer"]
    panel.chips.choose()
    settled(qtbot, opened)
    assert names_in(panel.list) == BY_MENTIONS


def test_a_chip_has_the_glyph_and_the_colour_of_its_type(
    opened: MainWindow, panel: Entities
) -> None:
    chips = {chip.text(): chip for chip in panel.chips.findChildren(QPushButton)}
    for text, entity_type in (("person 1", "person"), ("system 3", "system")):
        picture = chips[text].icon().pixmap(14, 11).toImage()
        colors = {picture.pixelColor(x, y).name() for x in range(picture.width())
                  for y in range(picture.height())}
        assert panel.context.theme.type_color(entity_type).name() in colors
    assert chips["all 7"].icon().isNull()


def test_search_finds_names_and_facts_and_shows_the_fact(
    qtbot: QtBot, opened: MainWindow, panel: Entities
) -> None:
    search(qtbot, opened, "bank")
    found = [panel.rows.row_at(at) for at in range(panel.rows.rowCount())]
    assert {row.name for row in found if row} == {"NAS", "settlement job"}
    assert all("bank" in row.fact for row in found if row)
    search(qtbot, opened, "harb")
    assert names_in(panel.list) == ["Harbor Ledger"]
    search(qtbot, opened, "the settler")
    assert names_in(panel.list) == ["settlement job"]


def test_the_first_hits_are_shown_while_the_rest_is_looked_for(
    qtbot: QtBot, opened: MainWindow, panel: Entities, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, go_on = entity_list.read_listing, Event()

    def read_slowly(*given: Any) -> entity_list.Listing:
        assert go_on.wait(30)
        return read(*given)

    monkeypatch.setattr(entity_list, "read_listing", read_slowly)
    opened.top.search.setText("harb led")
    qtbot.waitUntil(lambda: names_in(panel.list) == ["Harbor Ledger"])
    assert opened.session.selection.found is None, "what else there is, nobody knows yet"
    QTest.keyClick(opened.top.search, Qt.Key.Key_Down)
    assert panel.list.hasFocus()
    go_on.set()
    qtbot.waitUntil(lambda: opened.session.selection.found is not None)
    assert names_in(panel.list)[0] == "Harbor Ledger"
    assert panel.list.hasFocus()


def test_a_search_that_is_taken_back_is_stopped(
    qtbot: QtBot, opened: MainWindow, panel: Entities, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, stopped = Event(), Event()

    def find_long(reader: Reader, **_: object) -> list[str]:
        begun.set()
        try:
            reader.rows("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                        " LIMIT 300000000) SELECT COUNT(*) FROM n")
        except DeadlinePassed:
            stopped.set()
            raise
        return []

    monkeypatch.setattr(entity_list, "matching_ids", find_long)
    opened.top.search.setText("harb")
    qtbot.waitUntil(begun.is_set)
    search(qtbot, opened, "")
    assert stopped.is_set()
    assert names_in(panel.list) == BY_MENTIONS


def test_rows_are_higher_while_something_is_searched(
    qtbot: QtBot, opened: MainWindow, panel: Entities
) -> None:
    low = panel.list.rowHeight(0)
    search(qtbot, opened, "bank")
    assert panel.list.rowHeight(0) > low
    search(qtbot, opened, "")
    assert panel.list.rowHeight(0) == low == 28


@pytest.mark.parametrize(
    ("fact", "shown"),
    [
        ("The bank opens late", "The [bank] opens late"),
        ("The bank: a Fish, no sandbank", "The [bank]: a [Fish], no sandbank"),
        ("Nothing that is looked for", "Nothing that is looked for"),
        ("A very long beginning before one comes to the bank at last",
         "…comes to the [bank] at last"),
        ("A bank, and much later in the same line the fish of a bank",
         "…line the [fish] of a [bank]"),
        ("İİİ bank", "İİİ [bank]"),
    ],
)
def test_a_fact_begins_where_most_words_stand_and_each_is_lit(fact: str, shown: str) -> None:
    parts = lit_parts(fact, ("Bank", "fish", "zzz"), 27)
    assert "".join(f"[{text}]" if lit else text for text, lit in parts) == shown


def test_nothing_matches_says_so_and_can_be_cleared(
    qtbot: QtBot, opened: MainWindow, panel: Entities
) -> None:
    search(qtbot, opened, "<b>zzz</b>")
    assert panel.nothing.isVisible()
    assert "<b>zzz</b>" in panel.nothing.text
    qtbot.mouseClick(panel.nothing.button, Qt.MouseButton.LeftButton)
    settled(qtbot, opened)
    assert opened.top.search.text() == ""
    assert names_in(panel.list) == BY_MENTIONS


def test_an_empty_graph_offers_the_import_in_one_place(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    with qtbot.waitSignal(window.graph_shown):
        window.open_path(tmp_path / "empty.db", create=True)
    panel = entities_of(window)
    qtbot.waitUntil(lambda: panel.face == "empty")
    qtbot.waitUntil(window.central.empty.isVisible)
    assert [button for button in window.findChildren(QPushButton)
            if button.isVisible() and "Import" in button.text()] == [window.central.empty.button]
    assert panel.rows_shown() == 0


def test_the_first_entity_takes_the_place_of_the_empty_face(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "empty.db"
    with qtbot.waitSignal(window.graph_shown):
        window.open_path(path, create=True)
    panel = entities_of(window)
    qtbot.waitUntil(lambda: panel.face == "empty")
    write_elsewhere(path, lambda writer: Graph(writer).entity("The first"))
    qtbot.waitUntil(lambda: panel.rows_shown() == 1)


def test_a_failure_is_said_and_can_be_tried_again(
    qtbot: QtBot, opened: MainWindow, panel: Entities
) -> None:
    panel.rows.failed.emit(ConstellationError("The file is locked", detail="SQLITE_BUSY"))
    assert panel.face == "failed"
    assert panel._face is not None
    assert "The file is locked" in panel._face.text
    panel._face.button.click()
    qtbot.waitUntil(lambda: panel.rows_shown() == len(BY_MENTIONS))


def test_archived_entities_are_listed_only_on_demand(
    qtbot: QtBot, opened: MainWindow, panel: Entities
) -> None:
    panel.archived.setChecked(True)
    settled(qtbot, opened)
    assert "old sandbox" in names_in(panel.list)
    panel.archived.setChecked(False)
    settled(qtbot, opened)
    assert "old sandbox" not in names_in(panel.list)


def test_a_click_selects_in_the_whole_window_and_the_selection_comes_back(
    qtbot: QtBot, opened: MainWindow, panel: Entities
) -> None:
    selection = panel.context.selection
    click(panel.list, middle_of(panel.list, "NAS"))
    assert selection.entity_id == "nas"
    select(qtbot, opened, "Ines Duarte")
    assert panel.list.currentIndex().row() == BY_MENTIONS.index("Ines Duarte")
    selection.go_back()
    assert panel.list.currentIndex().row() == BY_MENTIONS.index("NAS")


def test_the_arrows_walk_and_enter_goes_to_the_sky(
    qtbot: QtBot, opened: MainWindow, panel: Entities, monkeypatch: pytest.MonkeyPatch
) -> None:
    select(qtbot, opened, "Ines Duarte")
    panel.focus()
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    assert panel.context.selection.entity_id == "nas"
    QTest.keyClick(panel.list, Qt.Key.Key_End)
    assert panel.context.selection.entity_id == "printer"
    QTest.keyClick(panel.list, Qt.Key.Key_Home)
    assert panel.context.selection.entity_id == "ledger"
    asked: list[str] = []
    monkeypatch.setattr(panel.context.actions, "run", asked.append)
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert asked == ["sky.find"]


def test_keys_of_the_window_work_in_the_list(
    qtbot: QtBot, opened: MainWindow, panel: Entities
) -> None:
    select(qtbot, opened, "NAS")
    panel.focus()
    assert opened.session is not None
    with qtbot.waitSignal(opened.session.runner.wrote):
        QTest.keyClick(panel.list, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: names_in(panel.list)[0] == "NAS")
    assert panel.context.selection.entity_id == "nas"


def test_a_click_on_the_star_pins_and_selects_nothing(
    qtbot: QtBot, opened: MainWindow, panel: Entities
) -> None:
    assert opened.session is not None
    with qtbot.waitSignal(opened.session.runner.wrote):
        click(panel.list, star_of(panel.list, "Postgres"))
    qtbot.waitUntil(lambda: names_in(panel.list)[0] == "Postgres")
    assert pinned(opened, "postgres")
    assert panel.context.selection.entity_id == ""
    with qtbot.waitSignal(opened.session.runner.wrote):
        click(panel.list, star_of(panel.list, "Postgres"))
    qtbot.waitUntil(lambda: names_in(panel.list) == BY_MENTIONS)


def test_hovering_a_row_lights_its_entity(panel: Entities) -> None:
    lit: list[str] = []
    panel.context.selection.hovered.connect(lit.append)
    QTest.mouseMove(panel.list.viewport(), middle_of(panel.list, "NAS"))
    QTest.mouseMove(panel.list.viewport(), star_of(panel.list, "Postgres"))
    assert panel.list.star_lit(panel.rows.index(BY_MENTIONS.index("Postgres")))
    QApplication.sendEvent(panel.list, QEvent(QEvent.Type.Leave))
    assert lit == ["nas", "postgres", ""]


@OPENS_A_MENU
def test_the_menu_of_a_row_is_the_catalogue_for_its_entity(
    qtbot: QtBot, opened: MainWindow, panel: Entities
) -> None:
    at = middle_of(panel.list, "NAS")
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at,
                              panel.list.viewport().mapToGlobal(at))
    QApplication.sendEvent(panel.list.viewport(), event)
    menu = next(menu for menu in panel.list.findChildren(QMenu) if menu.isVisible())
    shown = {action.objectName(): action for action in menu.actions()}
    assert panel.context.selection.entity_id == "nas"
    assert shown["pins.toggle"].text() == "Pin"
    assert shown["pins.toggle"].isEnabled()
    assert shown["entities.rename"].isEnabled()
    assert "entities.restore" not in shown
    menu.close()


def test_the_selection_stays_on_its_entity_while_another_process_writes(
    qtbot: QtBot, opened: MainWindow, panel: Entities, graph: Path
) -> None:
    select(qtbot, opened, "NAS")

    def press(writer: object) -> None:
        made = Graph(writer)  # type: ignore[arg-type]
        for n in range(5):
            made.entity(f"Newcomer {n}", "event", mentions=90 + n)

    write_elsewhere(graph, press)
    qtbot.waitUntil(lambda: names_in(panel.list)[0] == "Newcomer 4")
    settled(qtbot, opened)
    assert panel.context.selection.entity_id == "nas"
    assert panel.list.currentIndex().row() == names_in(panel.list).index("NAS") == 7


def test_nothing_else_is_selected_when_the_selected_entity_goes(
    qtbot: QtBot, opened: MainWindow, panel: Entities, graph: Path
) -> None:
    select(qtbot, opened, "printer")
    write_elsewhere(graph, lambda w: w.delete_where("entities", "id = :id", id="printer"))
    qtbot.waitUntil(lambda: panel.rows.rowCount() == len(BY_MENTIONS) - 1)
    settled(qtbot, opened)
    assert panel.context.selection.entity_id == "printer"
    assert not panel.list.currentIndex().isValid()


def test_what_is_spoken_of_a_row_holds_all_that_is_drawn(
    qtbot: QtBot, opened: MainWindow, panel: Entities
) -> None:
    printer = panel.rows.row_at(BY_MENTIONS.index("printer"))
    assert printer is not None
    assert spoken_row(printer) == "printer, tool, 3 mentions, muted"


def test_hostile_names_are_plain_text(qtbot: QtBot, opened: MainWindow, panel: Entities) -> None:
    shown = panel.rows.index(BY_MENTIONS.index(HOSTILE)).data()
    assert shown.startswith(unturned(HOSTILE))
    select(qtbot, opened, HOSTILE)
    assert not panel.list.grab().isNull()


# -- long lists --------------------------------------------------------------------------------


@pytest.fixture
def long_graph(tmp_path: Path) -> Path:
    path = tmp_path / "long.db"
    workspace = Workspace.open(path, create=True)
    workspace.write("Set up", lambda w: many(Graph(w), 3000, aspects=1, values=1))
    workspace.close()
    return path


@pytest.fixture
def long_panel(qtbot: QtBot, window: MainWindow, long_graph: Path) -> Entities:
    window.resize(1300, 900)
    with qtbot.waitSignal(window.graph_shown):
        window.open_path(long_graph)
    panel = entities_of(window)
    qtbot.waitUntil(lambda: panel.rows_shown() > 0)
    settled(qtbot, window)
    return panel


def test_only_what_is_looked_at_is_read(
    qtbot: QtBot, window: MainWindow, long_panel: Entities
) -> None:
    rows, view = long_panel.rows, long_panel.list
    assert rows.rowCount() == 3000
    assert rows.row_at(0) is not None
    assert rows.row_at(PAGE * 5) is None
    assert rows.index(PAGE * 5).data() is None
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    assert long_panel.rows_shown() == 0
    assert not view.grab().isNull()
    qtbot.waitUntil(lambda: long_panel.rows_shown() >= 10)
    assert rows.row_at(2999) is not None
    assert rows.row_at(PAGE * 5) is None


def test_every_row_of_a_long_list_is_there_once(
    qtbot: QtBot, window: MainWindow, long_panel: Entities
) -> None:
    for at in range(0, 3000, PAGE):
        long_panel.rows.look(at, min(2999, at + PAGE - 1))
        settled(qtbot, window)
    names = names_in(long_panel.list)
    assert len(names) == len(set(names)) == 3000


def test_what_is_selected_elsewhere_is_scrolled_to_however_far_down_it_is(
    qtbot: QtBot, window: MainWindow, long_panel: Entities
) -> None:
    with long_panel.context.workspace.read() as reader:
        far = reader.value("SELECT id FROM entities ORDER BY mentions, name DESC LIMIT 1")
    long_panel.context.selection.select_entity(far)
    qtbot.waitUntil(lambda: long_panel.rows.row_of(far) >= 0)
    settled(qtbot, window)
    first, last = long_panel.list.visible_rows()
    assert first <= long_panel.list.currentIndex().row() == long_panel.rows.row_of(far) <= last


def test_a_key_that_goes_far_selects_once_the_row_is_read(
    qtbot: QtBot, window: MainWindow, long_panel: Entities
) -> None:
    long_panel.focus()
    QTest.keyClick(long_panel.list, Qt.Key.Key_End)
    assert long_panel.context.selection.entity_id == ""
    qtbot.waitUntil(lambda: long_panel.context.selection.entity_id != "")
    settled(qtbot, window)
    assert long_panel.rows.row_of(long_panel.context.selection.entity_id) == 2999
    assert long_panel.list.currentIndex().row() == 2999


def test_the_place_in_a_long_list_is_kept_when_it_is_read_again(
    qtbot: QtBot, window: MainWindow, long_panel: Entities, long_graph: Path
) -> None:
    bar = long_panel.list.verticalScrollBar()
    bar.setValue(1500)
    qtbot.waitUntil(lambda: long_panel.rows_shown() >= 10)
    write_elsewhere(long_graph, lambda w: w.update("entities", "e5", mentions=500))
    with qtbot.waitSignal(long_panel.rows.found):
        pass
    assert bar.value() == 1500
    assert long_panel.rows_shown() >= 10


def test_a_fast_hand_makes_no_reads_pile_up(
    qtbot: QtBot, window: MainWindow, long_panel: Entities, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    runner, read = long_panel.context.runner, long_panel.context.runner.read

    def noted(fn: Callable[..., object], done: Callable[..., None], *args: object,
              **rest: object) -> None:
        if getattr(done, "__self__", None) is long_panel.rows:
            asked.append(1)
        read(fn, done, *args, **rest)

    monkeypatch.setattr(runner, "read", noted)
    bar = long_panel.list.verticalScrollBar()
    for step in range(100):
        bar.setValue(bar.maximum() * step // 100)
    assert len(asked) == 1
    settled(qtbot, window)
    assert long_panel.rows_shown() >= 10
    assert len(asked) <= 3


def test_clicking_where_no_row_is_does_nothing(opened: MainWindow, panel: Entities) -> None:
    height = panel.list.viewport().height()
    click(panel.list, QPoint(60, height - 3))
    click(panel.list, QPoint(20, height - 3))
    assert panel.context.selection.entity_id == ""


def type_search(qtbot: QtBot, window: MainWindow, text: str) -> None:
    """Search as a person does, without waiting for what is found."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window.focusWidget() or window, Qt.Key.Key_Slash)
    assert window.top.search.hasFocus()
    QTest.keyClicks(window.top.search, text)


def test_down_goes_from_the_search_field_into_the_hits(
    qtbot: QtBot, opened: MainWindow, panel: Entities
) -> None:
    assert opened.session is not None
    selection = opened.session.selection
    type_search(qtbot, opened, "bank")
    QTest.keyClick(opened.top.search, Qt.Key.Key_Down)
    qtbot.waitUntil(panel.list.hasFocus)
    first, second = names_in(panel.list)
    qtbot.waitUntil(lambda: selection.entity is not None and selection.entity.name == first)
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: selection.entity is not None and selection.entity.name == second)


def test_enter_in_the_search_field_opens_the_first_hit(
    qtbot: QtBot, opened: MainWindow, panel: Entities
) -> None:
    assert opened.session is not None
    selection = opened.session.selection
    type_search(qtbot, opened, "nas")
    QTest.keyClick(opened.top.search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: selection.entity_id == "nas")
    type_search(qtbot, opened, "nobody has this name")
    QTest.keyClick(opened.top.search, Qt.Key.Key_Return)
    settled(qtbot, opened)
    assert selection.entity_id == "nas"
    assert opened.top.search.hasFocus(), "without a hit one goes on typing"


def test_a_hit_by_a_fact_selects_its_claim(
    qtbot: QtBot, opened: MainWindow, panel: Entities
) -> None:
    assert opened.session is not None
    selection = opened.session.selection
    select(qtbot, opened, "printer")
    search(qtbot, opened, "pages")
    click(panel.list, middle_of(panel.list, "settlement job"))
    qtbot.waitUntil(lambda: selection.slot is not None and selection.slot.claim_key == "page")
    assert selection.attribute_id == "page"
    selection.go_back()
    settled(qtbot, opened)
    assert selection.entity_id == "printer", "the hit was one step"


def test_the_head_says_how_many_are_found(
    qtbot: QtBot, opened: MainWindow, panel: Entities
) -> None:
    head = opened.docks._docks["entities"].title.words
    assert head.text() == "Entities"
    search(qtbot, opened, "bank")
    assert head.text() == "Entities · 2 of 7"
    search(qtbot, opened, "")
    panel.chips.choose("tool")
    settled(qtbot, opened)
    assert head.text() == "Entities · 2 of 7"
    panel.chips.choose()
    settled(qtbot, opened)
    assert head.text() == "Entities"


def test_a_double_click_on_a_star_pins_one_entity(
    qtbot: QtBot, opened: MainWindow, panel: Entities
) -> None:
    view, at = panel.list, star_of(panel.list, "printer")
    click(view, at)
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    settled(qtbot, opened)
    assert names_in(view)[0] == "printer"
    assert [row.name for row in map(panel.rows.row_at, range(7)) if row and row.pinned] == [
        "printer"]


def test_what_comes_under_a_resting_mouse_is_not_pinned(
    qtbot: QtBot, opened: MainWindow, panel: Entities, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entity_list_view, "RESTING_MS", WAIT_MS)
    view, at = panel.list, star_of(panel.list, "printer")
    click(view, at)
    qtbot.waitUntil(lambda: names_in(view)[0] == "printer")
    settled(qtbot, opened)
    click(view, at)
    settled(qtbot, opened)
    assert names_in(view)[:2] == ["printer", BY_MENTIONS[0]]
    assert [row.name for row in map(panel.rows.row_at, range(7)) if row and row.pinned] == [
        "printer"]
    QTest.mouseMove(view.viewport(), at + QPoint(60, 0))
    QTest.mouseMove(view.viewport(), at)
    click(view, at)
    qtbot.waitUntil(lambda: sum(row.pinned for row in map(panel.rows.row_at, range(7)) if row) == 2)
