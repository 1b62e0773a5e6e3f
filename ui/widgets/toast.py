"""A line that appears over the window, says what was done, and goes by itself."""

from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QEvent, QObject, QPoint, QPropertyAnimation, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QColor, QEnterEvent, QHideEvent
from PySide6.QtWidgets import QFrame, QGraphicsDropShadowEffect, QWidget

from core.model.text_formatting import one_line
from ui.theme import Theme
from ui.widgets.buttons import push_button
from ui.widgets.labels import label
from ui.widgets.layouts import put, row_layout

SHOWN_MS = 6000
TRAVEL_MS = 120
WIDEST, LONGEST = 620, 300
"""In pixels, and in characters; a longer text is wrapped."""
AROUND = 14
"""Above and below the words with the border, in pixels."""
EDGE = 12
"""Pixels that stay free between it and the edges of the window."""
BOTTOM = 42
"""Above what the sky says at its lower edge."""


class Toast(QFrame):
    """One toast at a time: the newest takes the place of the one before.

    Args:
        parent: the window it floats in.
        over: the part of the window whose lower edge it keeps to, so that it hides no button.
        undo: takes a step of the history back, by its number.
    """

    def __init__(
        self, theme: Theme, parent: QWidget, over: QWidget, undo: Callable[[int], None]
    ) -> None:
        super().__init__(parent)
        self._over = over
        self.setProperty("role", "toast")
        self.setAccessibleName("Notice")
        self.moves = True
        self._theme = theme
        self._text, self._words = "", label(wrap=True)
        self.undo_button = push_button("Undo", self._take_back, "link")
        self._close = push_button("✕", self.hide, "link")
        self._close.setAccessibleName("Dismiss")
        put(row_layout(self, (14, 6, 6, 6), 8), (self._words, 1), self.undo_button, self._close)
        self._undo_step, self._entry = undo, 0
        self._otherwise: Callable[[], None] | None = None
        self._timer = QTimer(self, singleShot=True, interval=SHOWN_MS)
        self._timer.timeout.connect(self.hide)
        self._travel = QPropertyAnimation(self, b"pos", self)
        self._travel.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._cast_shadow()
        theme.changed.connect(self._cast_shadow)
        over.installEventFilter(self)
        self.covered: Callable[[], int] = lambda: 0
        """How many pixels at the foot of what it floats over it leaves free."""
        self.hide()

    @property
    def text(self) -> str:
        return self._text

    def say(self, text: str, entry: int | None = None,
            take_back: Callable[[], None] | None = None) -> None:
        """Show a line; with the number of a step, Undo takes back that step and no other.

        `take_back` is the way back of what is no step of the history.
        """
        self._text = one_line(text, LONGEST)
        # A path has no space to be broken at.
        self._words.setText(self._text.replace("/", "/\u200b"))
        self._entry, self._otherwise = entry or 0, take_back
        self.undo_button.setVisible(entry is not None or take_back is not None)
        self._fit()
        self.raise_()
        self.show()
        if self.moves:
            self._travel.stop()
            self._travel.setDuration(TRAVEL_MS)
            self._travel.setStartValue(self._place() + QPoint(0, 8))
            self._travel.setEndValue(self._place())
            self._travel.start()
        self._timer.start()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self._text))

    def keep_clear(self) -> None:
        """What it must not cover may be larger now."""
        if self.isVisible():
            self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Resize and watched is self._over:
            self.keep_clear()
        return False

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        if self.isVisible():
            self._timer.start()
        super().leaveEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        self._timer.stop()
        self._travel.stop()
        super().hideEvent(event)

    def _take_back(self) -> None:
        self.hide()
        if self._otherwise is not None:
            self._otherwise()
        else:
            self._undo_step(self._entry)

    def _fit(self) -> None:
        margins = 14 + 6 + self._close.sizeHint().width() + 16
        buttons = self.undo_button.sizeHint().width() if not self.undo_button.isHidden() else 0
        line = self._words.fontMetrics().horizontalAdvance(self._text) + 4
        width = max(160, min(line + margins + buttons + 8, self._parent().width() - 48, WIDEST))
        high = self._words.heightForWidth(width - margins - buttons - 8)
        self.resize(width, max(high + AROUND, self.undo_button.sizeHint().height() + AROUND))
        self.move(self._place())
        # On its way it would end where there was room when it set out.
        self._travel.setEndValue(self._place())

    def _place(self) -> QPoint:
        room = self._over
        inside = QPoint(
            (room.width() - self.width()) // 2,
            room.height() - self.height() - max(BOTTOM, self.covered() + EDGE))
        place, window = room.mapTo(self._parent(), inside), self._parent()
        # What it floats over may be small, or out of sight: its buttons stay on the window.
        return QPoint(max(EDGE, min(place.x(), window.width() - self.width() - EDGE)),
                      max(EDGE, min(place.y(), window.height() - self.height() - EDGE)))

    def _parent(self) -> QWidget:
        parent = self.parentWidget()
        assert parent is not None
        return parent

    def _cast_shadow(self) -> None:
        shadow = QGraphicsDropShadowEffect(self)
        shadow.setBlurRadius(24)
        shadow.setOffset(0, 6)
        color: QColor = self._theme.color("shadow", 0.35)
        shadow.setColor(color)
        self.setGraphicsEffect(shadow)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
