"""What the hand does: pan, zoom, pick, place, lasso and the keyboard, told to the view."""

import math
from enum import Enum, auto
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QGestureEvent, QPinchGesture

from core.constellation.picking import in_polygon

if TYPE_CHECKING:  # the view owns the gestures
    from ui.constellation.view import SkyView

_PER_DEGREE = 1.0016
_KEY_ZOOM = 1.35
_DIRECTIONS = {
    Qt.Key.Key_Left: (-1.0, 0.0), Qt.Key.Key_Right: (1.0, 0.0),
    Qt.Key.Key_Up: (0.0, -1.0), Qt.Key.Key_Down: (0.0, 1.0),
}


class _Doing(Enum):
    NOTHING = auto()
    PRESSED = auto()
    PANNING = auto()
    PLACING = auto()
    LASSOING = auto()
    CHARTING = auto()


class Gestures:
    """Turns the view's input events into what they mean. One per view."""

    def __init__(self, view: "SkyView") -> None:
        self._view = view
        self._doing = _Doing.NOTHING
        self._start = QPointF()
        self._last = QPointF()
        self._node: int | None = None
        self._grip = (0.0, 0.0)
        self._lasso: list[QPointF] = []
        self._dived = False

    @property
    def busy(self) -> bool:
        """True while a button is held on the sky."""
        return self._doing is not _Doing.NOTHING

    # The mouse

    def press(self, event: QMouseEvent) -> None:
        """A button goes down."""
        if event.button() not in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            return
        view, at = self._view, event.position()
        self._start = self._last = at
        self._node = None
        view.stop()
        if event.button() == Qt.MouseButton.MiddleButton:
            self._doing = _Doing.PANNING
        elif view.follow_chart(at):
            self._doing = _Doing.CHARTING
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._doing, self._lasso = _Doing.LASSOING, [at]
        else:
            self._doing, self._node = _Doing.PRESSED, view.node_at(at)

    def move(self, event: QMouseEvent) -> None:
        """The pointer moves, with or without a button."""
        view, at = self._view, event.position()
        if self._doing is _Doing.NOTHING:
            view.hover_at(at)
            return
        far = (at - self._start).manhattanLength() >= QApplication.startDragDistance()
        if self._doing is _Doing.PRESSED and far:
            self._begin_drag()
        if self._doing is _Doing.PANNING:
            view.pan(at.x() - self._last.x(), at.y() - self._last.y())
        elif self._doing is _Doing.PLACING and self._node is not None:
            view.carry(self._node, at.x() + self._grip[0], at.y() + self._grip[1])
        elif self._doing is _Doing.LASSOING:
            self._lasso.append(at)
            view.draw_lasso(tuple(self._lasso))
        elif self._doing is _Doing.CHARTING:
            view.follow_chart(at, inside=False)
        self._last = at

    def _begin_drag(self) -> None:
        view = self._view
        if self._node is None or self._node >= view.scene.entities:
            self._doing = _Doing.PANNING
            view.setCursor(Qt.CursorShape.ClosedHandCursor)
            return
        self._doing = _Doing.PLACING
        x, y = view.screen_of(self._node)
        self._grip = (x - self._start.x(), y - self._start.y())
        view.setCursor(Qt.CursorShape.SizeAllCursor)

    def release(self, event: QMouseEvent) -> None:
        """A button goes up."""
        view, doing, node = self._view, self._doing, self._node
        self._doing, self._node = _Doing.NOTHING, None
        view.unsetCursor()
        if doing is _Doing.PRESSED:
            if self._dived:
                self._dived = False
            elif not view.click_crumb(self._start):
                view.pick(node)
        elif doing is _Doing.PLACING and node is not None:
            view.put_down(node)
        elif doing is _Doing.LASSOING:
            view.draw_lasso(())
            self._finish_lasso()
        view.hover_at(event.position())

    def _finish_lasso(self) -> None:
        if len(self._lasso) < 3:
            return

        view = self._view
        corners = np.array([view.camera.to_world(p.x(), p.y()) for p in self._lasso])
        count = view.scene.entities
        view.lassoed_nodes(in_polygon(view.scene.x[:count], view.scene.y[:count], corners))

    def double_click(self, event: QMouseEvent) -> None:
        """A double click dives into what is under it, or zooms in on the empty sky."""
        view, at = self._view, event.position()
        if event.button() != Qt.MouseButton.LeftButton or view.follow_chart(at):
            return
        # The release that follows belongs to this click and must not select again.
        self._doing, self._node, self._dived = _Doing.PRESSED, None, True
        self._start = self._last = at
        node = view.node_at(at)
        owner = view.scene.owner(node) if node is not None else -1
        if owner >= 0:
            view.dive(view.scene.ids[owner])
        else:
            view.zoom(2.0, at.x(), at.y(), travel=True)

    def leave(self) -> None:
        """The pointer has left the sky."""
        if self._doing is _Doing.NOTHING:
            self._view.hover_at(None)

    # Wheel and fingers

    def wheel(self, event: QWheelEvent) -> None:
        """Zoom to the pointer; a sideways wheel or one with Shift pans."""
        view, at, turned = self._view, event.position(), event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier or (
            abs(turned.x()) > 2 * abs(turned.y())
        ):
            view.pan((turned.x() or turned.y()) * 0.6, 0.0)
        else:
            view.zoom(_PER_DEGREE ** turned.y(), at.x(), at.y())
        event.accept()

    def native(self, event: QNativeGestureEvent) -> bool:
        """A touchpad's pinch."""
        if event.gestureType() is not Qt.NativeGestureType.ZoomNativeGesture:
            return False
        at = event.position()
        self._view.zoom(1.0 + event.value(), at.x(), at.y())
        return True

    def touch(self, event: QGestureEvent) -> bool:
        """A pinch on a touch screen."""
        pinch = event.gesture(Qt.GestureType.PinchGesture)
        if not isinstance(pinch, QPinchGesture):
            return False
        at = self._view.mapFromGlobal(pinch.centerPoint().toPoint())
        factor = pinch.scaleFactor()
        if math.isfinite(factor) and factor > 0:
            self._view.zoom(factor, at.x(), at.y())
        before = pinch.lastCenterPoint()
        moved = pinch.centerPoint() - before
        self._view.pan(moved.x(), moved.y())
        return True

    # The keyboard

    def key(self, event: QKeyEvent) -> bool:
        """True if the key means something here."""
        view, key = self._view, Qt.Key(event.key())
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier,
                                      Qt.KeyboardModifier.KeypadModifier)
        if not plain and key not in (Qt.Key.Key_Plus, Qt.Key.Key_Minus):
            return False
        if key in _DIRECTIONS:
            view.step_toward(_DIRECTIONS[key])
        elif key in (Qt.Key.Key_F, Qt.Key.Key_Home):
            view.fit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return view.dive_selected()
        elif key == Qt.Key.Key_Escape:
            return self._escape()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            view.zoom(_KEY_ZOOM, view.width() / 2, view.height() / 2, travel=True)
        elif key == Qt.Key.Key_Minus:
            view.zoom(1 / _KEY_ZOOM, view.width() / 2, view.height() / 2, travel=True)
        else:
            return False
        return True

    def _escape(self) -> bool:
        if self._doing is _Doing.LASSOING:
            self._doing, self._lasso = _Doing.NOTHING, []
            self._view.draw_lasso(())
            return True
        return self._view.back()

    def filter(self, event: QEvent) -> bool:
        """Events that have no handler of their own; True if this was one of ours."""
        if isinstance(event, QNativeGestureEvent):
            return self.native(event)
        if isinstance(event, QGestureEvent):
            return self.touch(event)
        return False
