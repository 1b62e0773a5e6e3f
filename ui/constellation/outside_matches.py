"""One quiet line when all that is bright lies outside the view; a click travels there."""

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtWidgets import QPushButton, QWidget

from core.model.text_formatting import counted
from ui.constellation.camera import Camera
from ui.constellation.frame import narrowed
from ui.constellation.view_animation import Motion
from ui.constellation.view_state import ViewState

TOP = 42
"""Pixels below the upper edge: below the path and the counts."""
_SIDES = 24
_MARGIN = 0.15
_ROOM = 0.6
"""Around an entity, of the distance of neighbours: its rings and its name."""


class OutsideMatches(QObject):
    """Watches what a search, a type or a walk makes bright, and offers it if none is in view."""

    def __init__(
        self, state: ViewState, motion: Motion, sky: QWidget, reserve: Callable[[QRect], None]
    ) -> None:
        super().__init__(sky)
        self._state, self._motion, self._sky, self._reserve = state, motion, sky, reserve
        self.line = QPushButton(sky)
        self.line.setProperty("kind", "plate")
        self.line.setAutoDefault(False)
        self.line.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.line.setCursor(Qt.CursorShape.PointingHandCursor)
        self.line.hide()
        self.line.clicked.connect(self.show_matches)

    def follow(self, *, wanted: bool = True) -> None:
        """Say how many matches there are if none is in view; nothing otherwise."""
        nodes = bright_nodes(self._state)
        outside = wanted and len(nodes) > 0 and not self._in_view(nodes).any()
        if outside:
            self._place(len(nodes))
        elif not self.line.isHidden():
            self._hide()

    def show_matches(self) -> None:
        """Travel until all matches are in view."""
        nodes = bright_nodes(self._state)
        self._hide()
        self._sky.setFocus()
        if len(nodes):
            self._motion.travel(self._around(nodes))

    def _in_view(self, nodes: np.ndarray) -> np.ndarray:
        left, top, right, bottom = self._state.heading.sees()
        x, y = self._state.scene.x[nodes], self._state.scene.y[nodes]
        return (x >= left) & (x <= right) & (y >= top) & (y <= bottom)

    def _around(self, nodes: np.ndarray) -> Camera:
        """All of them in the view, and no closer than now."""
        scene, camera = self._state.scene, self._state.heading
        x, y, room = scene.x[nodes], scene.y[nodes], _ROOM * scene.unit
        fitted = camera.fitted(float(x.min() - room), float(y.min() - room),
                               float(x.max() + room), float(y.max() + room), _MARGIN)
        return fitted.centred(fitted.x, fitted.y, min(fitted.scale, camera.scale))

    def _place(self, count: int) -> None:
        matches, them = counted(count, "match", "matches"), "it" if count == 1 else "them"
        self.line.setText(f"{matches} outside the view · show {them}")
        self.line.setAccessibleName(self.line.text())
        if self.line.sizeHint().width() > self._sky.width() - _SIDES:
            self.line.setText(f"Show {matches}")
        size = self.line.sizeHint()
        self.line.setGeometry((self._sky.width() - size.width()) // 2, TOP,
                              size.width(), size.height())
        self.line.show()
        self._reserve(self.line.geometry())

    def _hide(self) -> None:
        self.line.hide()
        self._reserve(QRect())


def bright_nodes(state: ViewState) -> np.ndarray:
    """The entities that a search, types or a walk leave bright; none while everything is."""
    scene = state.scene
    if state.found is None and not state.types and not state.walk.nodes:
        return np.zeros(0, np.int64)
    found = np.zeros(scene.entities, bool)
    bright = narrowed(scene, state.viewpoint(state.camera, moving=state.moving))
    if bright is not None:
        found |= bright
    found[[node for node in state.walk.nodes if node < scene.entities]] = True
    return np.flatnonzero(found)
