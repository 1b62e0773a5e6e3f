"""What every layer is given: the painter, the frame, and what the person is doing."""

import numpy as np
from msgspec import Struct, field
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from core.constellation.change_marks import ChangeWords, PlacedMarks
from core.constellation.scene import Scene
from core.model.sky_columns import APPEAR
from ui.constellation.frame import Frame, growth
from ui.theme import Theme

_GHOST_SIZE = 11.5
_AROUND = 60.0
_PLATE = 0.94

Box = tuple[float, float, float, float]
"""Left, top, width, height."""


class Walk(Struct, frozen=True):
    """A highlighted path: entities and links in the order they were reached, and numbered
    memories."""

    nodes: tuple[int, ...] = ()
    edges: tuple[int, ...] = ()
    memories: tuple[int, ...] = ()


class AskedLight(Struct, frozen=True):
    """What an agent asked for: what was walked and told, where the answer starts, how bright."""

    walk: Walk
    focal: tuple[int, ...]
    level: float
    """0 to 1."""


class Overlay(Struct, frozen=True):
    """The state over the scene; -1 is no node."""

    selected: int = -1
    hovered: int = -1
    trail: tuple[int, ...] = ()
    walk: Walk = field(default_factory=Walk)
    texts: dict[str, str] = field(default_factory=dict)
    """What values say, by id, as far as it is known."""
    lasso: tuple[QPointF, ...] = ()
    types: frozenset[str] = frozenset()
    """The types that the list and the sky are narrowed to; all if empty."""
    legend_open: bool = False
    reserved: Box = (0.0, 0.0, 0.0, 0.0)
    """Where no name goes, because something lies over the sky; empty without a width."""
    level: float = 0.0
    """How far the hovered thing's surroundings are lit, 0..1."""
    asked: tuple[AskedLight, ...] = ()
    """What agents have asked just now."""
    marks: PlacedMarks | None = None
    """What is marked as added, changed or gone."""

    @property
    def change_words(self) -> ChangeWords:
        """What the legend says of the marks."""
        return self.marks.words if self.marks is not None else ()


Spot = tuple[float, float, float]
"""Where a thing is, x and y in logical pixels, and its radius."""


def between(start: Spot, end: Spot) -> QLineF | None:
    """The line from rim to rim; None where they touch."""
    line = QLineF(start[0], start[1], end[0], end[1])
    length = line.length()
    if length <= start[2] + end[2]:
        return None
    return QLineF(line.pointAt(start[2] / length), line.pointAt(1 - end[2] / length))


def draw_plate(painter: QPainter, theme: Theme, rect: QRectF) -> None:
    """The ground of words that stay where they are while the sky moves beneath."""
    painter.setPen(QPen(theme.color("line"), 1.0))
    painter.setBrush(theme.color("raised", _PLATE))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)


class Canvas(Struct, frozen=True):
    """One painting of the sky, in logical pixels."""

    painter: QPainter
    frame: Frame
    theme: Theme
    overlay: Overlay
    width: float
    height: float
    dpr: float

    @property
    def scene(self) -> Scene:
        """The scene that is drawn."""
        return self.frame.scene

    def entity(self, node: int) -> Spot:
        """Where an entity is."""
        frame = self.frame
        return float(frame.x[node]), float(frame.y[node]), float(frame.radius[node])

    def ghost(self, row: int) -> Spot:
        """Where what a proposal would add is; after those, what is marked and not in the scene."""
        ghosts, frame, marks = self.scene.ghosts, self.frame, self.overlay.marks
        after = row - len(ghosts.ids)
        if marks is not None and after >= 0:
            wx, wy = float(marks.x[after]), float(marks.y[after])
        else:
            wx, wy = float(ghosts.x[row]), float(ghosts.y[row])
        x, y = frame.viewpoint.camera.to_screen(wx, wy)
        return x, y, max(_GHOST_SIZE * growth(frame.step), 2.0)

    def ghosts_in_sight(self) -> list[int]:
        """The rows of what is not in the scene and yet drawn, in or near the window."""
        rows, count = np.flatnonzero(self.scene.ghosts.effect == APPEAR).tolist(), len(
            self.scene.ghosts.ids)
        if self.overlay.marks is not None:
            rows += range(count, count + len(self.overlay.marks.labels))
        return [row for row in rows if self._near_window(*self.ghost(row)[:2])]

    def _near_window(self, x: float, y: float) -> bool:
        return -_AROUND < x < self.width + _AROUND and -_AROUND < y < self.height + _AROUND

    def spot(self, node: int) -> Spot | None:
        """Where an entity or a near node is, or a ghost, counted from the last node; None where
        it is not drawn."""
        frame = self.frame
        if node < 0:
            return None
        if node < frame.scene.entities:
            return self.entity(node)
        row = int(frame.near.searchsorted(node))
        if row < len(frame.near) and frame.near[row] == node:
            return (float(frame.near_x[row]), float(frame.near_y[row]),
                    float(frame.near_radius[row]))
        if node >= frame.scene.starts[4]:
            return self.ghost(node - frame.scene.starts[4])
        if node >= frame.scene.starts[3]:
            x, y = frame.viewpoint.camera.to_screen(
                float(frame.scene.x[node]), float(frame.scene.y[node])
            )
            return x, y, 2.0
        return None
