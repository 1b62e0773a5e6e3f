"""A hand on the sky: where things are in it, and events as a mouse sends them."""

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from ui.constellation.view import SkyView

LEFT, NONE, SHIFT = (Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
                     Qt.KeyboardModifier.ShiftModifier)


def spot(view: SkyView, id: str) -> QPoint:
    """Where something is in the widget."""
    node = view.scene.find(id)
    assert node is not None
    x, y = view.screen_of(node)
    return QPoint(round(x), round(y))


def move(view: SkyView, to: QPoint, buttons: Qt.MouseButton = Qt.MouseButton.NoButton) -> None:
    at = QPointF(to)
    event = QMouseEvent(QEvent.Type.MouseMove, at, view.mapToGlobal(at), Qt.MouseButton.NoButton,
                        buttons, NONE)
    QApplication.sendEvent(view, event)


def drag(
    view: SkyView, start: QPoint, *steps: QPoint, modifier: Qt.KeyboardModifier = NONE
) -> None:
    QTest.mousePress(view, LEFT, modifier, start)
    for step in steps:
        move(view, step, LEFT)
    QTest.mouseRelease(view, LEFT, modifier, steps[-1])


def wheel(view: SkyView, at: QPoint, turn: int) -> None:
    point = QPointF(at)
    event = QWheelEvent(point, view.mapToGlobal(point), QPoint(), QPoint(0, turn),
                        Qt.MouseButton.NoButton, NONE, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(view, event)
