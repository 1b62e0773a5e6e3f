"""The word-level difference between two texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from ui.theme import Theme
from ui.widgets.scroll_column import VerticalScrollArea
from ui.widgets.word_diff import COMPARED_WORDS, DiffLabel, Span, to_html, word_diff

TEXTS = st.text(max_size=120)


def test_only_the_words_that_differ_are_marked() -> None:
    spans = word_diff("Starts every night at 02:00 UTC",
                      "Starts every night at 03:30 UTC since the clock change")
    assert spans == (
        Span("same", "Starts every night at "), Span("gone", "02:00"), Span("new", "03:30"),
        Span("same", " UTC"), Span("new", " since the clock change"),
    )


def test_equal_texts_have_no_difference() -> None:
    assert word_diff("the same", "the same") == (Span("same", "the same"),)


def test_from_nothing_everything_is_new() -> None:
    assert word_diff("", "born") == (Span("new", "born"),)
    assert word_diff("gone now", "") == (Span("gone", "gone now"),)


@given(TEXTS, TEXTS)
def test_the_spans_read_as_both_texts(before: str, after: str) -> None:
    spans = word_diff(before, after)
    assert "".join(span.text for span in spans if span.kind != "new") == before
    assert "".join(span.text for span in spans if span.kind != "gone") == after


@given(TEXTS, TEXTS)
def test_neighbouring_spans_are_of_different_kinds(before: str, after: str) -> None:
    spans = word_diff(before, after)
    assert all(a.kind != b.kind for a, b in zip(spans, spans[1:], strict=False))
    assert all(span.text for span in spans)


def test_of_very_long_texts_only_beginning_and_end_are_kept() -> None:
    middle = " ".join(f"old{n}" for n in range(COMPARED_WORDS))
    other = " ".join(f"new{n}" for n in range(COMPARED_WORDS))
    spans = word_diff(f"begin {middle} end", f"begin {other} end")
    assert spans == (Span("same", "begin "), Span("gone", middle), Span("new", other),
                     Span("same", " end"))


def test_markup_in_a_value_stays_text(theme: Theme) -> None:
    shown = to_html(word_diff("<b>x</b>", "<img src=y> & z"), theme)
    assert "<b>" not in shown
    assert "<img" not in shown
    assert "&lt;img src=y&gt;" in shown.replace('</span>', '') or "&lt;" in shown


def test_a_label_follows_the_theme(qtbot: QtBot, theme: Theme) -> None:
    from_dusk = DiffLabel(theme)
    qtbot.addWidget(from_dusk)
    from_dusk.set_texts("old", "new")
    before = from_dusk.text()
    theme.become(Theme("other", {**theme.tokens, "bad": "#010203"}, theme.types))
    assert from_dusk.text() == before, "out of sight it has time"
    from_dusk.show()
    qtbot.waitUntil(lambda: "#010203" in from_dusk.text())
    theme.become(Theme("third", {**theme.tokens, "bad": "#040506"}, theme.types))
    assert "#040506" in from_dusk.text()


def test_struck_words_can_be_left_out(qtbot: QtBot, theme: Theme) -> None:
    label = DiffLabel(theme)
    qtbot.addWidget(label)
    label.set_texts("starts early", "starts late", gone=False)
    assert "early" not in label.text()
    assert "late" in label.text()


def test_a_label_that_joins_a_column_has_no_other_break_its_lines_again(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    area = VerticalScrollArea("Versions")
    column = area.hold((0, 0, 0, 0))
    qtbot.addWidget(area)
    area.resize(300, 200)
    area.show()
    broken = list[QLabel]()
    measure = QLabel.heightForWidth

    def measured(label: QLabel, width: int) -> int:
        broken.append(label)
        return measure(label, width)

    monkeypatch.setattr(QLabel, "heightForWidth", measured)
    labels = [DiffLabel(theme) for _ in range(30)]
    for label in labels:
        label.set_texts("The port is 1", "The port is 2 " * 9)
        column.insertWidget(0, label)
    qtbot.waitUntil(lambda: len(set(broken)) == len(labels))
    QApplication.processEvents()
    broken.clear()
    last = DiffLabel(theme)
    last.set_texts("The port is 1", "The port is 2 " * 9)
    column.insertWidget(0, last)
    qtbot.waitUntil(lambda: last in broken)
    QApplication.processEvents()
    assert set(broken) == {last}


def test_a_label_is_as_high_as_its_words_are_now(qtbot: QtBot, theme: Theme) -> None:
    label = DiffLabel(theme)
    qtbot.addWidget(label)
    label.set_texts(None, "one line")
    low = label.heightForWidth(200)
    label.set_texts(None, "many words " * 30)
    high = label.heightForWidth(200)
    assert high > low
    font = label.font()
    font.setPixelSize(40)
    label.setFont(font)
    assert label.heightForWidth(200) > high
