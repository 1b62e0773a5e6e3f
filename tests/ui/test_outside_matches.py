"""Zoomed in elsewhere: the sky says that what is bright lies outside, and a click shows it."""


import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.ui.conftest import settle
from tests.ui.filter_scene import filter_graph, filter_window  # noqa: F401 - fixtures
from ui.constellation.sky_loader import Sky
from ui.main_window import MainWindow
from ui.panels.agent_view.panel import AgentView

LEFT = Qt.MouseButton.LeftButton

pytestmark = pytest.mark.usefixtures("only_panels_asked_for")


@pytest.fixture
def sky(qtbot: QtBot, opened: MainWindow) -> Sky:
    """The sky, zoomed in on Ines by a double click."""
    opened.resize(1440, 900)
    found = opened.sky()
    assert isinstance(found, Sky)
    qtbot.waitUntil(lambda: found.scene.entities == 4)
    settle(qtbot, opened)
    at = QPoint(*map(round, found.screen_of(found.scene.labels.index("Ines"))))
    QTest.mouseClick(found, LEFT, pos=at)
    QTest.mouseDClick(found, LEFT, pos=at)
    assert found.trail == ("ines",)
    settle(qtbot, opened)
    return found


def search(window: MainWindow, text: str) -> None:
    window.top.search.selectAll()
    QTest.keyClicks(window.top.search, text)


def in_view(sky: Sky, *names: str) -> bool:
    return all(sky.rect().contains(QPoint(*map(round, sky.screen_of(
        sky.scene.labels.index(name))))) for name in names)


def test_matches_outside_the_view_are_counted_and_shown_by_a_click(
    qtbot: QtBot, opened: MainWindow, sky: Sky
) -> None:
    assert not sky.outside.line.isVisible()
    search(opened, "bank")
    qtbot.waitUntil(sky.outside.line.isVisible)
    assert sky.outside.line.text() == "3 matches outside the view · show them"
    QTest.mouseClick(sky.outside.line, LEFT)
    assert not sky.outside.line.isVisible()
    assert in_view(sky, "settlement job", "Harbor Ledger", "Office")


def test_the_line_goes_when_a_match_comes_into_view_and_when_the_search_is_cleared(
    qtbot: QtBot, opened: MainWindow, sky: Sky
) -> None:
    search(opened, "office")
    qtbot.waitUntil(sky.outside.line.isVisible)
    assert sky.outside.line.text() == "1 match outside the view · show it"
    search(opened, "ines")
    qtbot.waitUntil(lambda: not sky.outside.line.isVisible())
    search(opened, "office")
    qtbot.waitUntil(sky.outside.line.isVisible)
    QTest.keyClick(opened.top.search, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not sky.outside.line.isVisible())


def test_a_question_about_what_is_elsewhere_offers_it_too(
    qtbot: QtBot, opened: MainWindow, sky: Sky
) -> None:
    panel = opened.show_panel("agent_view")
    assert isinstance(panel, AgentView)
    settle(qtbot, opened)
    QTest.keyClicks(panel.ask.question, "office")
    qtbot.waitUntil(sky.outside.line.isVisible)
    sky.outside.line.setFocus()
    QTest.keyClick(sky.outside.line, Qt.Key.Key_Space)
    assert not sky.outside.line.isVisible()
    assert in_view(sky, "Office")
