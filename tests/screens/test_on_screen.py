"""A first look on a real screen: all of the window is there, and the hand reaches it."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QWidget
from pytestqt.qtbot import QtBot

from tests.screens.hand import Hand, middle, screen_area
from tests.ui.browse_scene import entities_of, names_in
from tests.ui.conftest import settle
from ui.constellation.layers import minimap
from ui.constellation.layers.legend import Legend
from ui.constellation.sky_loader import Sky
from ui.main_window import MainWindow
from ui.theme import THEMES

in_both_themes = pytest.mark.parametrize("window", THEMES, indirect=True)
in_the_dark = pytest.mark.parametrize("window", ["dusk"], indirect=True)
DIALOGS = {"ctrl+comma": "settings", "F1": "keys"}


def sky_of(window: MainWindow) -> Sky:
    sky = window.sky()
    assert isinstance(sky, Sky)
    return sky


def on_screen(sky: Sky, name: str) -> QPoint:
    """Where a star is on the screen."""
    x, y = sky.screen_of(sky.scene.labels.index(name))
    return middle(sky, QPoint(round(x), round(y)))


def empty_point(sky: Sky) -> QPoint:
    """A point of the sky with nothing near it, in the widget."""
    legend = Legend().plate(sky.scene, sky.width(), sky.height(), opened=False)
    card = minimap.card_rect(sky.width(), sky.height())
    count = sky.scene.entities
    stars = np.array([sky.screen_of(node) for node in range(count)])
    best, room = QPoint(), -1.0
    for x in range(40, sky.width() - 40, 10):
        for y in range(60, sky.height() - 40, 10):
            covered = legend.contains(x, y) or (card is not None and card.contains(x, y))
            free = -1.0 if covered else float(np.hypot(*(stars - (x, y)).T).min())
            if free > room:
                best, room = QPoint(x, y), free
    return best


def shown(kind: type[QWidget], window: MainWindow) -> list[QWidget]:
    return [each for each in QApplication.topLevelWidgets()
            if isinstance(each, kind) and each.isVisible() and each is not window.palette_]


def assert_inside(frame: QRect) -> None:
    area = screen_area()
    # A title bar of an odd number of pixels is half a point more at 200 %, and Qt rounds it up.
    rounded = int(QApplication.primaryScreen().devicePixelRatio() > 1)
    assert area.adjusted(0, 0, 0, rounded).contains(frame), f"{frame} reaches out of {area}"


def has_title_bar(widget: QWidget) -> bool:
    """True if the window manager's bar is above a window and on the screen."""
    frame = widget.frameGeometry()
    return frame.top() < widget.geometry().top() and frame.top() >= screen_area().top()


@in_both_themes
def test_the_whole_window_with_its_title_bar_is_on_the_screen(
    window: MainWindow, hand: Hand
) -> None:
    hand.look("first")
    assert_inside(window.frameGeometry())
    assert has_title_bar(window)


@in_the_dark
def test_maximised_and_back_it_is_still_whole(
    qtbot: QtBot, window: MainWindow, hand: Hand
) -> None:
    before = window.geometry()
    window.showMaximized()
    qtbot.waitUntil(lambda: window.width() == screen_area().width())
    hand.look("maximised")
    assert_inside(window.frameGeometry())
    window.showNormal()
    qtbot.waitUntil(lambda: window.size() == before.size())
    assert_inside(window.frameGeometry())


@in_the_dark
def test_the_title_bar_carries_the_window(qtbot: QtBot, window: MainWindow, hand: Hand) -> None:
    window.resize(800, 440)
    window.move(0, 0)
    qtbot.waitUntil(lambda: window.width() == 800)
    bar = QPoint(window.geometry().center().x(),
                 (window.frameGeometry().top() + window.geometry().top()) // 2)
    before = window.frameGeometry().topLeft()
    hand.drag(bar, bar + QPoint(0, 9), bar + QPoint(0, 18))
    qtbot.waitUntil(lambda: window.frameGeometry().top() > before.y() + 8)


@in_both_themes
@pytest.mark.parametrize("key", DIALOGS)
def test_a_dialog_is_wholly_on_the_screen_and_a_key_closes_it(
    qtbot: QtBot, window: MainWindow, hand: Hand, key: str
) -> None:
    hand.click(middle(sky_of(window), empty_point(sky_of(window))))
    hand.press(key)
    qtbot.waitUntil(lambda: bool(shown(QDialog, window)))
    dialog = shown(QDialog, window)[0]
    hand.look(DIALOGS[key])
    assert_inside(dialog.frameGeometry())
    hand.press("Escape")
    qtbot.waitUntil(lambda: not shown(QDialog, window))


@in_the_dark
def test_the_palette_is_in_the_window_and_takes_what_is_typed(
    qtbot: QtBot, window: MainWindow, hand: Hand
) -> None:
    hand.click(middle(sky_of(window), empty_point(sky_of(window))))
    hand.press("ctrl+k")
    qtbot.waitUntil(lambda: window.palette_.isVisible())
    hand.type("theme")
    hand.look("palette")
    corner = window.palette_.mapToGlobal(QPoint(0, 0))
    assert_inside(QRect(corner, window.palette_.size()))
    hand.press("Escape")
    qtbot.waitUntil(lambda: not window.palette_.isVisible())


@in_both_themes
def test_a_right_click_on_a_star_opens_its_menu_on_the_screen(
    qtbot: QtBot, window: MainWindow, hand: Hand
) -> None:
    sky = sky_of(window)
    for name in ("Home Assistant", "Harbor Ledger"):
        hand.click(on_screen(sky, name), button=3)
        qtbot.waitUntil(lambda: bool(shown(QMenu, window)))
        menu = shown(QMenu, window)[0]
        assert menu.accessibleName() == name
        assert_inside(menu.frameGeometry())
        hand.look("menu")
        hand.press("Escape")
        qtbot.waitUntil(lambda: not shown(QMenu, window))
        settle(qtbot, window)


@in_the_dark
def test_a_drag_of_the_sky_pans_and_moves_no_star(
    qtbot: QtBot, window: MainWindow, hand: Hand
) -> None:
    sky = sky_of(window)
    places, start = sky.scene.x.copy(), middle(sky, empty_point(sky))
    before = on_screen(sky, "Postgres")
    hand.drag(start, start + QPoint(20, 8), start + QPoint(40, 16), start + QPoint(60, 24))
    qtbot.waitUntil(lambda: (on_screen(sky, "Postgres") - before).manhattanLength() > 50)
    hand.look("panned")
    assert np.array_equal(places, sky.scene.x)


@in_the_dark
def test_the_selected_star_is_carried_and_the_words_say_so(
    qtbot: QtBot, window: MainWindow, hand: Hand
) -> None:
    sky = sky_of(window)
    hand.click(on_screen(sky, "Petra"))
    qtbot.waitUntil(lambda: bool(sky.selected))
    settle(qtbot, window)
    hand.rest()
    start = on_screen(sky, "Petra")
    hand.drag(start, start + QPoint(12, 6), start + QPoint(30, 12))
    qtbot.waitUntil(window.toast.isVisible)
    assert "Petra" in window.toast.text
    hand.look("carried")
    hand.click(middle(window.toast.undo_button))
    qtbot.waitUntil(lambda: (on_screen(sky, "Petra") - start).manhattanLength() < 3)


@in_the_dark
def test_the_wheel_zooms_to_the_pointer(qtbot: QtBot, window: MainWindow, hand: Hand) -> None:
    sky = sky_of(window)
    at, before = on_screen(sky, "Robin Hale"), sky.camera.scale
    hand.wheel(at, 5)
    qtbot.waitUntil(lambda: sky.camera.scale > 1.3 * before)
    assert (on_screen(sky, "Robin Hale") - at).manhattanLength() < 6
    hand.look("near")


@in_both_themes
def test_what_is_typed_after_a_slash_narrows_list_and_sky_and_escape_clears_it(
    qtbot: QtBot, window: MainWindow, hand: Hand
) -> None:
    sky, listed = sky_of(window), entities_of(window).list
    every = names_in(listed)
    hand.click(middle(sky, empty_point(sky)))
    hand.press("slash")
    hand.type("postgres")
    qtbot.waitUntil(lambda: names_in(listed) != every)
    settle(qtbot, window)
    assert "Postgres" in names_in(listed)
    hand.look("found")
    hand.press("Escape")
    qtbot.waitUntil(lambda: names_in(listed) == every)
