"""Turns mouse, wheel, touch and keyboard input on the sky into navigation."""

import math
from collections.abc import Callable
from enum import Enum, auto
from time import monotonic
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QGestureEvent, QPinchGesture, QWidget

from ui.constellation.interaction import Navigation

_PER_DEGREE = 1.0016
_KEY_ZOOM = 1.35
HOLD_SECONDS = 0.35
"""An entity that is not selected is dragged only if it was held for so long before."""
_DIRECTIONS = {
    Qt.Key.Key_Left: (-1.0, 0.0), Qt.Key.Key_Right: (1.0, 0.0),
    Qt.Key.Key_Up: (0.0, -1.0), Qt.Key.Key_Down: (0.0, 1.0),
}


class _Doing(Enum):
    NOTHING = auto()
    PRESSED = auto()
    PANNING = auto()
    DRAGGING = auto()
    LASSOING = auto()
    ON_MINIMAP = auto()


class Gestures(QObject):
    """Filters the events of a widget and calls its navigation. One per widget."""

    def __init__(self, navigation: Navigation, widget: QWidget) -> None:
        super().__init__(widget)
        self._navigation, self._widget = navigation, widget
        self._doing = _Doing.NOTHING
        self._start = QPointF()
        self._last = QPointF()
        self._node: int | None = None
        self._pressed_at = 0.0
        self._grip = (0.0, 0.0)
        self._lasso: list[QPointF] = []
        self._dived = False
        widget.grabGesture(Qt.GestureType.PinchGesture)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """True for events handled here."""
        handle = _HANDLERS.get(event.type())
        return handle is not None and handle(self, event)

    # The mouse

    def _press(self, event: QMouseEvent) -> bool:
        sky, at = self._navigation, event.position()
        if event.button() not in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            return True
        self._pressed_at = monotonic()
        self._start = self._last = at
        self._node = None
        sky.stop()
        if event.button() == Qt.MouseButton.MiddleButton:
            self._doing = _Doing.PANNING
        elif sky.follow_minimap(at):
            self._doing = _Doing.ON_MINIMAP
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._doing, self._lasso = _Doing.LASSOING, [at]
        else:
            self._doing, self._node = _Doing.PRESSED, sky.node_at(at)
        sky.hold(True)
        return True

    def _move(self, event: QMouseEvent) -> bool:
        sky, at = self._navigation, event.position()
        if self._doing is _Doing.NOTHING:
            sky.hover_at(at)
            return True
        far = (at - self._start).manhattanLength() >= QApplication.startDragDistance()
        if self._doing is _Doing.PRESSED and far:
            self._begin_drag()
        if self._doing is _Doing.PANNING:
            sky.pan(at.x() - self._last.x(), at.y() - self._last.y())
        elif self._doing is _Doing.DRAGGING and self._node is not None:
            sky.drag(self._node, at.x() + self._grip[0], at.y() + self._grip[1])
        elif self._doing is _Doing.LASSOING:
            self._lasso.append(at)
            sky.draw_lasso(tuple(self._lasso))
        elif self._doing is _Doing.ON_MINIMAP:
            sky.follow_minimap(at, inside=False)
        self._last = at
        return True

    def _begin_drag(self) -> None:
        held = monotonic() - self._pressed_at >= HOLD_SECONDS
        grip = self._navigation.grip(self._node, self._start, held=held)
        if grip is None:
            self._doing = _Doing.PANNING
            self._widget.setCursor(Qt.CursorShape.ClosedHandCursor)
        else:
            self._doing, self._grip = _Doing.DRAGGING, grip
            self._widget.setCursor(Qt.CursorShape.SizeAllCursor)

    def _release(self, event: QMouseEvent) -> bool:
        sky, doing, node = self._navigation, self._doing, self._node
        self._doing, self._node = _Doing.NOTHING, None
        sky.hold(False)
        self._widget.unsetCursor()
        if doing is _Doing.PRESSED:
            if self._dived:
                self._dived = False
            elif not (sky.click_crumb(self._start) or sky.click_legend(self._start)):
                sky.pick(node)
        elif doing is _Doing.DRAGGING and node is not None:
            sky.drop(node)
        elif doing is _Doing.LASSOING:
            sky.draw_lasso(())
            if len(self._lasso) >= 3:
                sky.select_inside(self._lasso)
        sky.hover_at(event.position())
        return True

    def _double_click(self, event: QMouseEvent) -> bool:
        """A double click dives into what is under it, or zooms in on the empty sky."""
        at = event.position()
        if (event.button() == Qt.MouseButton.LeftButton
                and not self._navigation.follow_minimap(at)):
            # The release that follows belongs to this click and must not select again.
            self._doing, self._node, self._dived = _Doing.PRESSED, None, True
            self._start = self._last = at
            self._navigation.hold(True)
            self._navigation.dive_at(at)
        return True

    def _leave(self, _event: QEvent) -> bool:
        if self._doing is _Doing.NOTHING:
            self._navigation.hover_at(None)
        return False

    def _menu(self, event: QContextMenuEvent) -> bool:
        """The menu of the entity under the mouse, or by the menu key of the selected one."""
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        return self._navigation.ask_menu(QPointF(event.pos()) if by_mouse else None)

    # Wheel and fingers

    def _wheel(self, event: QWheelEvent) -> bool:
        """Zoom to the pointer; a sideways wheel or one with Shift pans."""
        sky, at, turned = self._navigation, event.position(), event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier or (
            abs(turned.x()) > 2 * abs(turned.y())
        ):
            sky.pan((turned.x() or turned.y()) * 0.6, 0.0)
        else:
            sky.zoom(_PER_DEGREE ** turned.y(), at.x(), at.y())
        event.accept()
        return True

    def _touchpad(self, event: QNativeGestureEvent) -> bool:
        """A touchpad's pinch."""
        if event.gestureType() is not Qt.NativeGestureType.ZoomNativeGesture:
            return False
        at = event.position()
        self._navigation.zoom(1.0 + event.value(), at.x(), at.y())
        return True

    def _touch(self, event: QGestureEvent) -> bool:
        """A pinch on a touch screen."""
        pinch = event.gesture(Qt.GestureType.PinchGesture)
        if not isinstance(pinch, QPinchGesture):
            return False
        at = self._widget.mapFromGlobal(pinch.centerPoint().toPoint())
        factor = pinch.scaleFactor()
        if math.isfinite(factor) and factor > 0:
            self._navigation.zoom(factor, at.x(), at.y())
        before = pinch.lastCenterPoint()
        moved = pinch.centerPoint() - before
        self._navigation.pan(moved.x(), moved.y())
        return True

    # The keyboard

    def key(self, event: QKeyEvent) -> bool:
        """True if the key is handled here."""
        sky, key = self._navigation, Qt.Key(event.key())
        middle = self._widget.width() / 2, self._widget.height() / 2
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier,
                                      Qt.KeyboardModifier.KeypadModifier)
        if not plain and key not in (Qt.Key.Key_Plus, Qt.Key.Key_Minus):
            return False
        if key in _DIRECTIONS:
            sky.step_toward(_DIRECTIONS[key])
        elif key in (Qt.Key.Key_F, Qt.Key.Key_Home):
            sky.fit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return sky.dive_selected()
        elif key == Qt.Key.Key_Escape:
            return self._escape()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            sky.zoom(_KEY_ZOOM, *middle, travel=True)
        elif key == Qt.Key.Key_Minus:
            sky.zoom(1 / _KEY_ZOOM, *middle, travel=True)
        else:
            return False
        return True

    def _escape(self) -> bool:
        if self._doing is _Doing.LASSOING:
            self._doing, self._lasso = _Doing.NOTHING, []
            self._navigation.hold(False)
            self._navigation.draw_lasso(())
            return True
        return self._navigation.back()


_HANDLERS: dict[QEvent.Type, Callable[[Gestures, Any], bool]] = {
    QEvent.Type.MouseButtonPress: Gestures._press, QEvent.Type.MouseMove: Gestures._move,
    QEvent.Type.MouseButtonRelease: Gestures._release, QEvent.Type.Leave: Gestures._leave,
    QEvent.Type.MouseButtonDblClick: Gestures._double_click, QEvent.Type.Wheel: Gestures._wheel,
    QEvent.Type.NativeGesture: Gestures._touchpad, QEvent.Type.Gesture: Gestures._touch,
    QEvent.Type.KeyPress: Gestures.key, QEvent.Type.ContextMenu: Gestures._menu,
}
