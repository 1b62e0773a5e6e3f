"""A scrolling column that is filled anew, and the small parts that fill it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from core.model.text_formatting import one_line
from ui.widgets.buttons import on_click
from ui.widgets.labels import LEAST, ElidedLabel, label, set_tip
from ui.widgets.layouts import Margins, column_layout, put, row_layout
from ui.widgets.list_edges import Fades


class VerticalScrollArea(QScrollArea):
    """A place as wide as there is room, which scrolls up and down."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(name)
        Fades(self)

    def hold(self, margins: Margins, spacing: int = 0) -> QVBoxLayout:
        """The column inside, for widgets that stay; its end takes the room that is left."""
        inside = QWidget()
        inside.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        column = column_layout(inside, margins, spacing)
        column.addStretch(1)
        self.setWidget(inside)
        return column


def scrolling(widget: QWidget, name: str) -> VerticalScrollArea:
    """A form that is as high as its place, and scrolls where that is too low for its fields."""
    area = VerticalScrollArea(name)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    widget.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    area.setWidget(widget)
    return area


class ScrollColumn(VerticalScrollArea):
    """A column of widgets; the keyboard stays in it when what had it goes."""

    def __init__(
        self, name: str, *, margins: Margins = (18, 10, 18, 8), spacing: int = 5
    ) -> None:
        super().__init__(name)
        self._margins, self._spacing = margins, spacing

    @contextmanager
    def filling(self) -> Iterator[QVBoxLayout]:
        """A new column to put things into; it takes the place of the old one when it is full.

        A widget that is put into a shown column is styled and laid out at once, so a column is
        filled before it is shown.
        """
        inside = QWidget()
        inside.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        column = column_layout(inside, self._margins, self._spacing)
        yield column
        column.addStretch(1)
        focused = QApplication.focusWidget()
        keep = focused is not None and focused is not self and self.isAncestorOf(focused)
        self.setWidget(inside)
        if keep:
            self.setFocus()


def shrinking(text: str, role: str = "soft") -> ElidedLabel:
    """One line that takes the room that it needs, and less where there is less."""
    made = ElidedLabel(text, role)
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    return made


def signed_line(sign: str, role: str, text: str) -> QWidget:
    """A line that begins with a sign in its colour."""
    row = QWidget()
    words = label(one_line(text), role if role == "proposal" else "", wrap=True, selectable=True)
    put(row_layout(row, (0, 0, 0, 0), 7), (label(sign, role), 0, Qt.AlignmentFlag.AlignTop),
        (words, 1))
    row.setAccessibleName(f"{sign} {one_line(text)}")
    return row


class LinkButton(QPushButton):
    """Words that are cut at their end only, never at both; all of them are then its tooltip."""

    _is_cut = False

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        hint = super().minimumSizeHint()
        return QSize(min(LEAST, hint.width()), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        is_cut = self.width() < self.sizeHint().width()
        if is_cut != self._is_cut:
            self._is_cut = is_cut
            set_tip(self, self.text().replace("&&", "&") if is_cut else "")

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        option = QStyleOptionButton()
        self.initStyleOption(option)
        room = self.style().subElementRect(
            QStyle.SubElement.SE_PushButtonContents, option, self).width()
        option.text = self.fontMetrics().elidedText(
            option.text, Qt.TextElideMode.ElideRight, room, Qt.TextFlag.TextShowMnemonic.value)
        QStylePainter(self).drawControl(QStyle.ControlElement.CE_PushButton, option)


def link_button(words: str, act: Callable[[], object]) -> QPushButton:
    """A button that looks like a link; it ends in an ellipsis where it does not fit."""
    button = LinkButton(words)
    button.setProperty("kind", "link")
    button.setAutoDefault(False)
    on_click(button, act)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    return button


class Quote(QFrame):
    """What someone said, with an amber line at its left."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "quote")
        self.column = column_layout(self, (10, 2, 0, 2), 2)
