"""A scrolling column that is filled anew, and the small parts that fill it."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ui.widgets.layouts import Margins, column_layout
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

    def take_out(self, widget: QWidget | None) -> None:
        """Take a widget out of the column, if there is one; the keyboard stays here."""
        if widget is None:
            return
        focused = QApplication.focusWidget()
        if focused is not None and (widget is focused or widget.isAncestorOf(focused)):
            self.setFocus()
        inside = widget.parentWidget()
        column = inside.layout() if inside is not None else None
        if column is not None:
            column.removeWidget(widget)
        widget.hide()
        widget.deleteLater()


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


class Quote(QFrame):
    """What someone said, with an amber line at its left."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "quote")
        self.column = column_layout(self, (10, 2, 0, 2), 2)
