"""The sky in its window: what is clicked there and what list, menus and status then show."""

from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPropertyAnimation, QRect, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from core.ontology import control
from core.workspace import Workspace
from tests.overlaps import noting
from tests.ui.browse_scene import OPENS_A_MENU, entities_of, names_in
from tests.ui.conftest import settle
from tests.ui.sky_hand import drag, wheel
from ui.constellation import sky_loader
from ui.constellation.layers import breadcrumbs
from ui.constellation.layers.legend import Legend
from ui.constellation.sky_loader import ALL, Sky
from ui.main_window import MainWindow
from ui.panels.entity_list_view import entity_menu
from ui.theme import Theme

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(sky_window: MainWindow) -> MainWindow:
    return sky_window


@pytest.fixture
def graph(filled_graph: Path) -> Path:
    """The usual graph with two recipes, a type that nobody listed."""
    with closing(Workspace.open(filled_graph)) as workspace:
        for name in ("Bread", "Soup"):
            workspace.write("Add", lambda w, n=name: control.apply(
                w, "create_entity", {"name": n, "entity_type": "recipe"}))
    return filled_graph


@pytest.fixture
def sky(qtbot: QtBot, opened: MainWindow) -> Sky:
    found = opened.sky()
    assert isinstance(found, Sky)
    qtbot.waitUntil(lambda: found.scene.entities == 5)
    settle(qtbot, opened)
    return found


def click_type(qtbot: QtBot, window: MainWindow, sky: Sky, word: str) -> None:
    entries = Legend().entries(sky.scene, sky.width(), sky.height(), opened=False)
    box = next(entry.box for entry in entries if entry.word == word)
    QTest.mouseClick(sky, LEFT, pos=box.center().toPoint())
    settle(qtbot, window)


def test_a_type_of_the_file_has_its_colour_in_sky_list_and_chips(
    opened: MainWindow, sky: Sky, theme: Theme
) -> None:
    assert theme.type_number("recipe") == 0
    assert theme.type_color("recipe").name() == theme.hues[0]
    chip = entities_of(opened).chips._chips["recipe"].icon().pixmap(14, 11).toImage()
    colors = {chip.pixelColor(x, y).name() for x in range(chip.width())
              for y in range(chip.height())}
    assert theme.hues[0] in colors


def test_a_click_on_a_type_in_the_legend_narrows_list_and_sky_and_a_second_gives_it_up(
    qtbot: QtBot, opened: MainWindow, sky: Sky
) -> None:
    panel = entities_of(opened)
    every = names_in(panel.list)
    click_type(qtbot, opened, sky, "recipe")
    assert sorted(names_in(panel.list)) == ["Bread", "Soup"]
    assert panel.chips.keys == ("recipe",)
    assert sky._state.types == {"recipe"}
    click_type(qtbot, opened, sky, "recipe")
    assert names_in(panel.list) == every
    assert not sky._state.types


def test_a_chip_lights_the_sky_and_all_puts_it_back(
    qtbot: QtBot, opened: MainWindow, sky: Sky
) -> None:
    chips = entities_of(opened).chips
    QTest.mouseClick(chips._chips["recipe"], LEFT)
    assert sky._state.types == {"recipe"}
    QTest.mouseClick(chips._chips[""], LEFT)
    assert not sky._state.types


@OPENS_A_MENU
def test_a_right_click_on_a_star_opens_the_menu_of_the_list(
    qtbot: QtBot, opened: MainWindow, sky: Sky
) -> None:
    node = sky.scene.labels.index("Bread")
    at = QPoint(*map(round, sky.screen_of(node)))
    QApplication.sendEvent(sky, QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, at, sky.mapToGlobal(at)))
    qtbot.waitUntil(lambda: any(menu.isVisible() for menu in sky.findChildren(QMenu)))
    menu = next(menu for menu in sky.findChildren(QMenu) if menu.isVisible())
    assert menu.accessibleName() == "Bread"
    assert opened.session is not None
    assert opened.session.selection.entity_id == sky.scene.ids[node]
    panel = entities_of(opened)
    row = panel.rows.row_at(names_in(panel.list).index("Bread"))
    assert row is not None
    other = entity_menu(panel.context, row, panel)
    assert [a.objectName() for a in menu.actions()] == [a.objectName() for a in other.actions()]
    other.close()
    menu.close()


def test_a_moved_star_says_so_and_the_words_take_it_back(
    qtbot: QtBot, opened: MainWindow, sky: Sky
) -> None:
    node = sky.scene.labels.index("Bread")
    at = QPoint(*map(round, sky.screen_of(node)))
    before = float(sky.scene.x[node])
    sky.select(sky.scene.ids[node])
    drag(sky, at, at + QPoint(20, 0), at + QPoint(60, -30))
    qtbot.waitUntil(lambda: "Bread" in opened.toast.text)
    settle(qtbot, opened)
    opened.actions_.run("edit.undo")
    settle(qtbot, opened)
    qtbot.waitUntil(lambda: abs(float(sky.scene.x[sky.scene.labels.index("Bread")]) - before)
                    < 1e-3)


def test_what_is_written_is_seen_without_another_reading_of_the_whole_sky(
    qtbot: QtBot, opened: MainWindow, sky: Sky, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sky_loader, "read_sky", None)
    session = opened.session
    assert session is not None
    for name, seen in (("pin_entity", lambda scene: scene.entity_pinned),
                       ("mute_entity", lambda scene: scene.entity_muted)):
        session.runner.write("Change", lambda w, n=name: control.apply(w, n, {"entity": "Bread"}))
        qtbot.waitUntil(lambda mark=seen: bool(
            mark(sky.scene)[sky.scene.labels.index("Bread")]))
    session.runner.undo()
    qtbot.waitUntil(lambda: not sky.scene.entity_muted.any())


def test_the_path_follows_the_selection_and_a_step_of_it_can_be_clicked(
    qtbot: QtBot, opened: MainWindow, sky: Sky
) -> None:
    for name in ("Bread", "Harbor Ledger"):
        node = sky.scene.labels.index(name)
        assert opened.session is not None
        opened.session.selection.select_entity(sky.scene.ids[node])
        texts = [text for _, text, _ in breadcrumbs.boxes(sky.scene, sky._state.trail_nodes())]
        assert texts == ["All", name]
    first = breadcrumbs.boxes(sky.scene, sky._state.trail_nodes())[0][2]
    QTest.mouseClick(sky, LEFT, pos=first.center().toPoint())
    opened.session.selection.select_entity("")
    assert len(breadcrumbs.boxes(sky.scene, sky._state.trail_nodes())) == 1


def test_the_hint_goes_when_the_sky_is_zoomed(
    qtbot: QtBot, opened: MainWindow, sky: Sky
) -> None:
    opened.hint.words.show()
    wheel(sky, QPoint(200, 200), 240)
    qtbot.waitUntil(lambda: not opened.hint.words.isVisible())


def test_no_name_lies_under_the_hint(qtbot: QtBot, opened: MainWindow, sky: Sky) -> None:
    opened.hint.words.show()
    opened.hint._place()
    left, top, wide, high = sky._state.overlay().reserved
    assert QRect(left, top, wide, high) == opened.hint.words.geometry()
    node = sky.scene.labels.index("Bread")
    camera, middle = sky.camera, (left + wide / 2, top + high + 14)
    x, y = camera.to_screen(float(sky.scene.x[node]), float(sky.scene.y[node]))
    sky._state.look_from(camera.panned(middle[0] - x, middle[1] - y))
    with noting() as drawn:
        sky.grab()
    covered = [box for box in drawn.texts if box[0] < left + wide and left < box[0] + box[2]
               and box[1] < top + high and top < box[1] + box[3]]
    assert not covered
    opened.hint.hide()
    assert sky._state.overlay().reserved[2] == 0


def test_a_notice_hides_nothing_of_the_legend(opened: MainWindow, sky: Sky) -> None:
    plate = Legend().plate(sky.scene, sky.width(), sky.height(), opened=False).toRect()
    opened.say("Something was done")
    place = sky.mapFrom(opened, opened.toast.geometry().topLeft())
    assert not plate.isEmpty()
    assert not QRect(place, opened.toast.size()).intersects(plate)


def test_a_notice_makes_way_for_a_legend_that_grows(
    qtbot: QtBot, opened: MainWindow, sky: Sky
) -> None:
    legend_high = sky.navigation.legend_height
    opened.toast.covered = lambda: 0
    opened.say("Something was done")
    QTest.mouseMove(opened.toast)  # It stays while it is pointed at.
    low = opened.toast.y()
    opened.toast.covered = lambda: legend_high + 60
    sky.refresh(ALL)
    qtbot.waitUntil(lambda: opened.toast.y() < low)


def test_a_notice_on_its_way_ends_above_a_legend_that_grows(
    qtbot: QtBot, opened: MainWindow, sky: Sky
) -> None:
    toast = opened.toast
    toast.moves, toast.covered = True, lambda: 0
    toast.say("Something was done")
    toast.covered = lambda: sky.height() // 2
    toast.keep_clear()
    way = toast.findChild(QPropertyAnimation)
    assert way is not None
    qtbot.waitUntil(lambda: way.state() == QPropertyAnimation.State.Stopped)
    ended = toast.pos()
    toast.keep_clear()
    assert toast.pos() == ended
