"""Keeps windows and dialogs inside the part of the screen that is free for them."""

from PySide6.QtCore import QByteArray, QPoint, QRect, QSize
from PySide6.QtWidgets import QWidget

TITLE_BAR = QSize(2, 38)
"""Logical pixels that a window manager's frame is taken to add before it is known."""


def free_area(widget: QWidget) -> QRect:
    """The part of the widget's screen without task bars and docks, in logical pixels."""
    return widget.screen().availableGeometry()


def keep_on_screen(window: QWidget) -> None:
    """Make a window that is larger than its screen's free area smaller, and move it inside.

    A maximised or full-screen window is the window manager's to place.
    """
    if window.isMaximized() or window.isFullScreen():
        return
    area, frame = free_area(window), _frame(window)
    size = window.size().boundedTo(area.size() - frame)
    if size != window.size():
        window.resize(size)
    place = _inside(QRect(window.pos(), size + frame), area)
    if place != window.pos() and not area.contains(window.frameGeometry()):
        window.move(place)


def _frame(window: QWidget) -> QSize:
    known = window.frameGeometry().size() - window.geometry().size()
    return known.expandedTo(TITLE_BAR)


def _inside(frame: QRect, area: QRect) -> QPoint:
    """The nearest place at which the frame lies in the area."""
    x = max(area.left(), min(frame.x(), area.right() + 1 - frame.width()))
    y = max(area.top(), min(frame.y(), area.bottom() + 1 - frame.height()))
    return QPoint(x, y)


def restore_geometry(window: QWidget, geometry: QByteArray) -> None:
    """Give a window the place and size that it had, as far as the screens of now allow."""
    if not geometry.isEmpty():
        window.restoreGeometry(geometry)
    keep_on_screen(window)
