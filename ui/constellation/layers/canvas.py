"""What every layer is given: the painter, the frame, and what the person is doing."""

from dataclasses import dataclass, field

from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QPainter

from core.constellation.scene import Scene
from ui.constellation.frame import Frame
from ui.theme import Theme

Box = tuple[float, float, float, float]
"""Left, top, width, height."""


def meet(a: Box, b: Box) -> bool:
    """True if two boxes overlap."""
    return (a[0] < b[0] + b[2] and b[0] < a[0] + a[2]
            and a[1] < b[1] + b[3] and b[1] < a[1] + a[3])


@dataclass(frozen=True, slots=True)
class Walk:
    """A highlighted path: entities and links in the order they were reached, and numbered
    memories."""

    nodes: tuple[int, ...] = ()
    edges: tuple[int, ...] = ()
    memories: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Overlay:
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
    level: float = 0.0
    """How far the hovered thing's surroundings are lit, 0..1."""


Spot = tuple[float, float, float]
"""Where a thing is, x and y in logical pixels, and its radius."""


def between(start: Spot, end: Spot) -> QLineF | None:
    """The line from rim to rim; None where they touch."""
    line = QLineF(start[0], start[1], end[0], end[1])
    length = line.length()
    if length <= start[2] + end[2]:
        return None
    return QLineF(line.pointAt(start[2] / length), line.pointAt(1 - end[2] / length))


@dataclass(frozen=True, slots=True)
class Canvas:
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

    def spot(self, node: int) -> Spot | None:
        """Where an entity or a near node is; None where it is not drawn."""
        frame = self.frame
        if node < 0:
            return None
        if node < frame.scene.entities:
            return self.entity(node)
        row = int(frame.near.searchsorted(node))
        if row < len(frame.near) and frame.near[row] == node:
            return (float(frame.near_x[row]), float(frame.near_y[row]),
                    float(frame.near_radius[row]))
        if node >= frame.scene.starts[3]:
            x, y = frame.viewpoint.camera.to_screen(
                float(frame.scene.x[node]), float(frame.scene.y[node])
            )
            return x, y, 2.0
        return None


def stars_under(canvas: Canvas, box: Box) -> int:
    """How many entities lie under a box."""
    frame, rows = canvas.frame, canvas.frame.visible
    x, y, r = frame.x[rows], frame.y[rows], frame.radius[rows]
    left, top, wide, high = box
    return int(((x + r > left) & (x - r < left + wide)
                & (y + r > top) & (y - r < top + high)).sum())
