"""The key sheet: every key, from the action catalogue."""

from itertools import combinations, pairwise

from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QGridLayout,
    QWidget,
)

from core.model.text_formatting import one_line
from ui.action import Actions
from ui.screen_fit import TITLE_BAR, free_area
from ui.widgets.dialogs import Dialog
from ui.widgets.labels import KeyCap, SectionHead, label
from ui.widgets.layouts import column_layout, put, row_layout
from ui.widgets.scroll_column import VerticalScrollArea

SKY_KEYS = (
    ("Pan", "drag"), ("Zoom", "wheel"), ("Zoom in", "double-click"), ("To a neighbour", "arrows"),
    ("Back", "Esc"), ("The whole sky", "F"), ("Zoom with keys", "+ −"),
)
COLUMNS = 4
BESIDE = 60
"""Pixels of margins and scroll bar beside the columns."""
WORDS = 44
"""Characters of an action's words: what Undo would undo may be long."""
Part = tuple[str, list[tuple[str, list[str]]]]
"""A head, and under it the words of each action with its keys."""


def groups(actions: Actions) -> list[Part]:
    """Heads with (words, keys), in the order of the menus; panels' own keys last."""
    heads: dict[str, list[tuple[str, list[str]]]] = {}
    every = tuple(actions.every())
    panels = {action.id.removeprefix("go."): actions.words(action) for action in every
              if action.group == "panels"}
    for action in every:
        keys = [sequence.toString(QKeySequence.SequenceFormat.NativeText)
                for sequence in action.sequences()]
        if keys:
            head = panels.get(action.panel) or action.menu.partition("/")[0] or "Anywhere"
            heads.setdefault(head, []).append((actions.words(action), keys))
    heads["The sky"] = [(words, [key]) for words, key in SKY_KEYS]
    return list(heads.items())


def balanced(sizes: list[int], columns: int) -> list[slice]:
    """Which parts go into which column, in their order, so that none is much too long."""
    ways = combinations(range(1, len(sizes)), min(columns, len(sizes)) - 1)
    cuts = [[slice(*pair) for pair in pairwise((0, *way, len(sizes)))] for way in ways]
    return min(cuts, key=lambda cut: sum(sum(sizes[some]) ** 2 for some in cut))


class KeySheet(Dialog):
    """Shows the keys; `?` again or Escape closes it."""

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__("Keyboard shortcuts", parent)
        room = free_area(self).width() - TITLE_BAR.width()
        if parent is not None:
            room = min(room, parent.window().width())
        parts = groups(actions)
        inner = next(sheet for many in range(COLUMNS, 0, -1)
                     if (sheet := _sheet(parts, many)).sizeHint().width() + BESIDE <= room
                     or many == 1)
        area = VerticalScrollArea("Keyboard shortcuts")
        area.setWidget(inner)
        put(column_layout(self, (24, 18, 12, 12)), label("Keyboard shortcuts", "head"), area)
        hint = inner.sizeHint()
        self.resize(min(room, hint.width() + BESIDE), min(760, hint.height() + 90))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.text() == "?":
            self.reject()
        else:
            super().keyPressEvent(event)


def _sheet(parts: list[Part], many: int) -> QWidget:
    """All parts, in so many columns."""
    sheet = QWidget()
    columns = row_layout(sheet, (0, 0, 12, 0), 30)
    for some in balanced([len(lines) + 2 for _, lines in parts], many):
        column = column_layout(spacing=4)
        for head, lines in parts[some]:
            put(column, SectionHead(head), _grid(lines), 12)
        column.addStretch(1)
        columns.addLayout(column)
    return sheet


def _grid(lines: list[tuple[str, list[str]]]) -> QGridLayout:
    grid = QGridLayout()
    grid.setVerticalSpacing(6)
    grid.setHorizontalSpacing(16)
    grid.setColumnStretch(0, 1)
    for at, (words, keys) in enumerate(lines):
        grid.addWidget(label(one_line(words), wrap=len(words) > WORDS), at, 0)
        grid.addLayout(put(row_layout(spacing=4), None, *map(KeyCap, keys)), at, 1)
    return grid
