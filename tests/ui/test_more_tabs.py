"""In a narrow window no tab is cut: those without room are in a menu at the end of the row."""

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTabBar
from pytestqt.qtbot import QtBot

from ui.main_window import MainWindow
from ui.more_tabs import MoreTabs
from ui.panels import PANELS
from ui.widgets.labels import Badge

pytestmark = pytest.mark.usefixtures("every_panel")

SMALL, LARGE = QSize(800, 500), QSize(1440, 900)


@pytest.fixture
def more(qtbot: QtBot, opened: MainWindow) -> MoreTabs:
    opened.resize(SMALL)
    bottom = {kind.name for kind in PANELS if kind.area == "bottom"}
    for panel in opened.docks.panels:
        if panel.name in bottom:
            panel.badged.emit("123")
    qtbot.waitUntil(lambda: any(each.isVisible() for each in opened.findChildren(MoreTabs)))
    return next(each for each in opened.findChildren(MoreTabs) if each.isVisible())


def bar_of(more: MoreTabs) -> QTabBar:
    bar = more.parent()
    assert isinstance(bar, QTabBar)
    return bar


def shown(more: MoreTabs) -> list[str]:
    bar = bar_of(more)
    return [bar.tabText(at) for at in range(bar.count()) if bar.isTabVisible(at)]


def assert_none_is_cut(more: MoreTabs) -> None:
    bar = bar_of(more)
    for at in range(bar.count()):
        if bar.isTabVisible(at):
            box = bar.tabRect(at)
            assert box.width() > 20, bar.tabText(at)
            assert bar.rect().contains(box)
            assert not more.isVisible() or box.right() < more.x()


def choose(more: MoreTabs, title: str) -> None:
    more.menu().aboutToShow.emit()
    next(line for line in more.menu().actions() if line.text().split("\t")[0] == title).trigger()


def test_every_tab_is_whole_or_in_the_menu(qtbot: QtBot, more: MoreTabs) -> None:
    assert_none_is_cut(more)
    assert more.text() == f"{len(more.titles)} more ▾"
    every = [bar_of(more).tabText(at) for at in range(bar_of(more).count())]
    assert sorted([*shown(more), *more.titles]) == sorted(every)
    more.menu().aboutToShow.emit()
    assert [line.text().split("\t")[0] for line in more.menu().actions()] == more.titles


def test_what_is_chosen_in_the_menu_comes_to_the_front_with_the_keyboard(
    qtbot: QtBot, opened: MainWindow, more: MoreTabs
) -> None:
    choose(more, "Inbox")
    qtbot.waitUntil(lambda: opened.panel("inbox").has_keyboard)
    bar = bar_of(more)
    assert bar.tabText(bar.currentIndex()) == "Inbox"
    assert "Inbox" in shown(more)
    assert more.isVisible()
    assert_none_is_cut(more)
    choose(more, more.titles[0])
    qtbot.waitUntil(lambda: bar.tabText(bar.currentIndex()) != "Inbox")
    assert_none_is_cut(more)


def test_a_number_that_grows_cuts_no_tab_and_is_told_in_the_menu(
    qtbot: QtBot, opened: MainWindow, more: MoreTabs
) -> None:
    for panel in opened.docks.panels:
        panel.badged.emit("12,345")
    qtbot.waitUntil(lambda: "Inbox (12,345)" in more.toolTip())
    assert "Inbox\t12,345" in texts(more)
    assert_none_is_cut(more)
    choose(more, "Inbox")
    qtbot.waitUntil(lambda: "Inbox" in shown(more))
    assert "12,345" in [badge.text() for badge in bar_of(more).findChildren(Badge)
                        if badge.isVisible()]


def texts(more: MoreTabs) -> list[str]:
    more.menu().aboutToShow.emit()
    return [line.text() for line in more.menu().actions()]


def test_a_wide_window_has_all_tabs_and_no_menu(
    qtbot: QtBot, opened: MainWindow, more: MoreTabs
) -> None:
    every = len(shown(more)) + len(more.titles)
    opened.resize(LARGE)
    qtbot.waitUntil(lambda: not more.isVisible())
    assert len(shown(more)) == every
    opened.resize(SMALL)
    qtbot.waitUntil(more.isVisible)
    assert_none_is_cut(more)


def test_the_arrow_keys_walk_the_tabs_in_sight(qtbot: QtBot, more: MoreTabs) -> None:
    bar = bar_of(more)
    for title in shown(more)[1:]:
        QTest.keyClick(bar, Qt.Key.Key_Right)
        qtbot.waitUntil(lambda title=title: bar.tabText(bar.currentIndex()) == title)
        assert_none_is_cut(more)
