"""The hint over the first sky: there once, quiet, and gone when it has been followed."""

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from ui.first_hint import FirstHint
from ui.preferences import Preferences
from ui.selection import Selection


def test_the_hint_is_shown_once_and_goes_when_a_star_is_chosen(
    qtbot: QtBot, preferences: Preferences
) -> None:
    over, selection = QWidget(), Selection()
    qtbot.addWidget(over)
    over.resize(800, 500)
    over.show()
    hint = FirstHint(over, preferences)
    hint.offer(selection)
    assert hint.words.isVisible()
    assert "press / to search" in hint.words.text()
    selection.select_entity("e1")
    assert not hint.words.isVisible()
    hint.offer(selection)
    assert not hint.words.isVisible(), "it is shown once, not at each start"


def test_a_narrow_sky_shows_as_much_of_the_hint_as_has_room(
    qtbot: QtBot, preferences: Preferences
) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    over.resize(250, 300)
    over.show()
    hint = FirstHint(over, preferences)
    hint.offer(Selection())
    assert hint.words.text() == "Click a star to read it"
    assert hint.words.sizeHint().width() <= hint.words.width()
    over.resize(900, 500)
    assert hint.words.text().endswith("scroll to zoom")


def test_an_empty_sky_has_no_hint_about_stars(qtbot: QtBot, preferences: Preferences) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    over.show()
    hint = FirstHint(over, preferences)
    hint.offer(Selection(), 0)
    assert not hint.words.isVisible()
    hint.offer(Selection(), 3)
    assert hint.words.isVisible(), "the first stars have it"
