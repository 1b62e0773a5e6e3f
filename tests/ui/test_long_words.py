"""A word that is longer than a line is broken where a whole text is read, and copied as it is."""

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from ui.theme import Theme
from ui.widgets.highlighted_text import QuotedText, StruckText
from ui.widgets.labels import label
from ui.widgets.layouts import put
from ui.widgets.scroll_column import ScrollColumn
from ui.widgets.word_diff import DiffLabel

WORD = "a" * 1900


def diff(theme: Theme) -> QLabel:
    made = DiffLabel(theme)
    made.set_texts("b", WORD)
    return made


def quoted(theme: Theme) -> QLabel:
    made = QuotedText(theme)
    made.set_passage(WORD, f"He said {WORD}", whole=True)
    return made


@pytest.mark.parametrize("make", [
    lambda _theme: label(WORD, wrap=True), lambda _theme: label(WORD, wrap=True, selectable=True),
    diff, quoted, lambda theme: StruckText(theme, WORD)],
    ids=["plain", "selectable", "diff", "quoted", "struck"])
def test_a_long_word_is_as_wide_as_its_column_and_as_high_as_its_lines(
    qtbot: QtBot, theme: Theme, make  # noqa: ANN001
) -> None:
    words = make(theme)
    column = ScrollColumn("Words")
    qtbot.addWidget(column)
    with column.filling() as inside:
        put(inside, words)
    for width in (300, 200):
        column.resize(width, 400)
        column.show()
        qtbot.waitUntil(lambda width=width: words.width() <= width)
        area = len(WORD) * words.fontMetrics().horizontalAdvance("a") * words.fontMetrics().height()
        assert words.height() >= 0.9 * area / width
        ink = words.grab().toImage()
        bottom = [ink.pixel(x, ink.height() * 3 // 4 + y)
                  for x in range(ink.width()) for y in range(20)]
        assert len(set(bottom)) > 1, "the last lines are painted"


def test_what_is_copied_of_a_long_word_has_nothing_put_into_it(qtbot: QtBot) -> None:
    words = label(f"see https://example.org/{WORD}", wrap=True, selectable=True)
    qtbot.addWidget(words)
    words.resize(200, words.heightForWidth(200))
    words.show()
    words.setSelection(0, len(words.text()))
    assert words.selectedText() == f"see https://example.org/{WORD}"


def test_short_words_ask_for_their_room_as_before(qtbot: QtBot) -> None:
    words = label(WORD, wrap=True)
    qtbot.addWidget(words)
    words.setText("a few words")
    assert words.text() == "a few words"
    assert words.sizePolicy().horizontalPolicy() == words.sizePolicy().Policy.Preferred
