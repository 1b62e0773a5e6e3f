"""What a place shows while it has nothing to show: empty, loading, or failed."""

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QIcon, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QProgressBar,
    QPushButton,
    QWidget,
)

from core.model.text_formatting import clip
from ui.theme import Theme
from ui.theme.icons import icon
from ui.widgets.buttons import push_button
from ui.widgets.dialogs import read_only_text
from ui.widgets.labels import label, set_role
from ui.widgets.layouts import column_layout, put, row_layout

Kind = Literal["ready", "empty", "loading", "failed"]
Act = tuple[str, Callable[[], None]]
WIDTH = 460
ROOM_FOR_SIGN = 140
EMBLEM = 72
MARGINS, LOW_MARGINS = (16, 8, 16, 8), (12, 0, 12, 0)
SIGNS = {"empty": "demo", "loading": "refresh", "failed": "warning"}


_HIGHEST, _AROUND = 120, 24
"""Pixels of the box with technical text, and of its edges."""
_CHARACTERS = 60
"""Of a line, before it is taken to be wrapped."""


class TechnicalDetails(QFrame):
    """Technical text, folded away, with a button that copies it; its box is as high as the text."""

    def __init__(self, parent: QWidget | None = None, *, centred: bool = True) -> None:
        super().__init__(parent)
        self._toggle = QPushButton("Technical details")
        self._toggle.setProperty("kind", "link")
        self._toggle.setCheckable(True)
        self._copy = push_button("Copy", self._copy_text, "link")
        self._text = read_only_text("Technical details", pixels=11)
        self._text.hide()
        put(column_layout(self, (0, 0, 0, 0)),
            put(row_layout(spacing=16), *([None] if centred else []), self._toggle, self._copy,
                None), self._text)
        self._toggle.toggled.connect(self._text.setVisible)

    def set_text(self, text: str) -> None:
        self._text.setPlainText(clip(text, 20_000))
        lines = sum(1 + len(line) // _CHARACTERS for line in text.split("\n"))
        self._text.setFixedHeight(min(
            _HIGHEST, lines * self._text.fontMetrics().lineSpacing() + _AROUND))
        self._toggle.setChecked(False)
        self.setVisible(bool(text))

    def _copy_text(self) -> None:
        QGuiApplication.clipboard().setText(self._text.toPlainText())


class Placeholder(QWidget):
    """A sign, a few words, and the one next step.

    Args:
        within: whose height says whether there is room for the sign, where this is only as high
            as what it shows.
    """

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, within: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._within = theme, within or self
        self.kind: Kind = "empty"
        self._act: Callable[[], None] | None = None
        self._emblem: QIcon | None = None
        self._is_of_other_theme = False
        self._sign = QLabel()
        self._title = label(role="head", wrap=True)
        self._words = label(role="soft", wrap=True, selectable=True)
        self._busy: QProgressBar | None = None
        self.button = push_button("", self._do, "primary")
        self._detail: TechnicalDetails | None = None
        self._lay_out()
        theme.changed.connect(self._follow_theme)

    def show_state(
        self, kind: Kind, text: str, action: Act | None = None, *, title: str = "",
        detail: str = "", emblem: QIcon | None = None,
    ) -> None:
        """`emblem` stands in the place of the usual sign, with a larger title."""
        self.kind, self._emblem = kind, emblem
        set_role(self._title, role="head" if emblem is None else "name")
        self._title.setText(title)
        self._title.setVisible(bool(title))
        self._words.setText(clip(text, 1200))
        self._act = action[1] if action else None
        self.button.setText(action[0] if action else "")
        self.button.setVisible(action is not None)
        self._show_busy(kind == "loading")
        self.show_sign()
        self._show_detail(detail)
        self.setAccessibleName(f"{title} {text}".strip())
        self._draw_sign()

    @property
    def text(self) -> str:
        return self._words.text()

    def _lay_out(self) -> None:
        center = Qt.AlignmentFlag.AlignHCenter
        for part in (self._sign, self._title, self._words):
            part.setAlignment(Qt.AlignmentFlag.AlignCenter)
        middle = QWidget()
        middle.setMaximumWidth(WIDTH)
        column = self._column = column_layout(middle, spacing=10)
        column.addStretch(2)
        put(column, (self._sign, 0, center), self._title, self._words, (self.button, 0, center))
        column.addStretch(3)
        self._row = put(row_layout(self, MARGINS), None, (middle, 100), None)

    def _show_busy(self, busy: bool) -> None:
        if self._busy is None and busy:
            self._busy = QProgressBar()
            self._busy.setRange(0, 0)
            self._busy.setTextVisible(False)
            self._busy.setFixedWidth(120)
            self._column.insertWidget(self._column.indexOf(self.button), self._busy, 0,
                                      Qt.AlignmentFlag.AlignHCenter)
        if self._busy is not None:
            self._busy.setVisible(busy)

    def _show_detail(self, detail: str) -> None:
        """Few places ever fail: the parts for that are made when one does."""
        if self._detail is None and detail:
            self._detail = TechnicalDetails()
            self._column.insertWidget(self._column.indexOf(self.button) + 1, self._detail)
        if self._detail is not None:
            self._detail.set_text(detail)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.show_sign()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        if self._is_of_other_theme:
            self._draw_sign()

    def _follow_theme(self) -> None:
        """What is hidden, as most are, is drawn when it is shown."""
        self._is_of_other_theme = not self.isVisible()
        if self.isVisible():
            self._draw_sign()

    def show_sign(self) -> None:
        """Where room is short, the words need it more."""
        low = self._within.height() < ROOM_FOR_SIGN
        self._sign.setVisible(self.kind != "loading" and not low)
        self._row.setContentsMargins(*(LOW_MARGINS if low else MARGINS))

    def _draw_sign(self) -> None:
        self._is_of_other_theme = False
        if self._emblem is not None:
            self._sign.setPixmap(self._emblem.pixmap(EMBLEM, EMBLEM))
        elif self.kind in SIGNS:
            token = "bad" if self.kind == "failed" else "text.faint"
            self._sign.setPixmap(icon(self._theme, SIGNS[self.kind], token).pixmap(26, 26))

    def _do(self) -> None:
        if self._act is not None:
            self._act()
