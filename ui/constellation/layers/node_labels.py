"""Names of entities, aspects and values, none over another, each fading in and out."""

from collections.abc import Mapping

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPen

from core.constellation.label_board import Board
from core.constellation.label_placement import (
    AWAY,
    BEHIND,
    BELOW,
    LEFT,
    OVER,
    POINTED,
    RIGHT,
    RINGS,
    choose,
    corner,
)
from ui.constellation.layers.label_candidates import ALWAYS, FOUND, candidates
from ui.constellation.layers.label_texts import FAR_STEP, LabelText, LabelTexts, label_text
from ui.constellation.layers.obstacles import outlines
from ui.constellation.layers.paint_context import Box, Canvas, Spot
from ui.constellation.layers.text_cache import TextCache

_NEW_AT_REST, _NEW_MOVING = 30, 12
"""Names drawn for the first time in one frame."""

_FADE_SECONDS = 0.12

_PINNED_STEP = 12.0
_FEW = 12
"""So many things that were found, or have changed, are named wherever there is room."""
_INSIST, _NEAR_RINGS = 0.8, 4
"""From this priority on a name may stand a little further off, where most stars have names."""


class _Shown(Struct):
    side: int
    opacity: float


class PlacedLabel(Struct, frozen=True):
    """A name, the box it stands in, and on which side of its thing."""

    label: LabelText
    left: float
    top: float
    width: float
    height: float
    side: int

    @property
    def box(self) -> Box:
        """Left, top, width, height."""
        return self.left, self.top, self.width, self.height

    def moved(self, dx: float, dy: float) -> "PlacedLabel":
        """The same name elsewhere."""
        return replace(self, left=self.left + dx, top=self.top + dy)


Places = Mapping[int, PlacedLabel]
"""Where the names of nodes stand."""


class NodeLabels:
    """Remembers which names are shown and where, from one frame to the next."""

    def __init__(self) -> None:
        self._shown: dict[int, _Shown] = {}
        self._texts = LabelTexts()
        self._time = 0.0
        self.settled = True
        """False while names still fade or wait to be drawn: paint again soon."""

    def clear(self) -> None:
        """Forget the last frame, because the nodes are others now."""
        self._shown.clear()

    def place(
        self, canvas: Canvas, text_cache: TextCache, board: Board, hushed: np.ndarray | None
    ) -> tuple[Places, Places]:
        """Names where the board is free, and those that fade out where they still have room.

        The `hushed` entities are not named.
        """
        nodes, priority = candidates(canvas, hushed)
        chosen = self._choose(canvas, text_cache, board, nodes, priority)
        leaving = {}
        for node, shown in self._shown.items():
            label = self._where(canvas, text_cache, node, shown) if node not in chosen else None
            # What fades out makes way at once for what now stands there.
            if label is not None and board.free(*label.box):
                board.take(*label.box)
                leaving[node] = label
        return chosen, leaving

    def paint(
        self, canvas: Canvas, text_cache: TextCache, chosen: Places, leaving: Places, now: float,
        fade: bool = True,
    ) -> None:
        """Draw the chosen names, and those that fade out."""
        elapsed = min(max(now - self._time, 0.0), 0.1)
        self._time = now
        self._fade(chosen, elapsed / _FADE_SECONDS if fade else 1.0)
        self._draw(canvas, text_cache, {**leaving, **chosen}, fade)

    def _choose(
        self, canvas: Canvas, text_cache: TextCache, board: Board, nodes: np.ndarray,
        priority: np.ndarray,
    ) -> Places:
        shown = self._shown
        before = np.array([shown[node].side if node in shown else -1 for node in nodes.tolist()],
                          np.int8)
        width, height = self._texts.sizes(canvas, text_cache, nodes)
        far = min(max(canvas.frame.step / 26.0, 0.25), 1.0)
        most_labels = int(canvas.width * canvas.height / 7000 * far)
        placed = choose(board, *_spots(canvas, nodes), width, height, priority, before,
                        _wishes(canvas, nodes), _rings(canvas, nodes, priority),
                        min(max(most_labels, 16), 150))
        columns = (nodes[placed.index], placed.x, placed.y, width[placed.index],
                   height[placed.index], placed.side)
        return {node: PlacedLabel(label_text(canvas, node), *where)
                for node, *where in zip(*(column.tolist() for column in columns), strict=True)}

    def _where(
        self, canvas: Canvas, text_cache: TextCache, node: int, shown: _Shown
    ) -> PlacedLabel | None:
        """Where a name that is shown stands; None where its thing is no longer drawn."""
        spot = canvas.spot(node)
        if spot is None:
            return None
        x, y, r = spot
        if node < canvas.scene.entities:
            r = float(outlines(canvas, np.array([node]))[0])
        label = label_text(canvas, node)
        size = text_cache.size(label.text, label.style, label.most)[1:]
        return PlacedLabel(label, *corner(shown.side, x, y, r, *size), *size, shown.side)

    def _fade(self, wanted: Places, amount: float) -> None:
        self.settled = True
        for node, label in wanted.items():
            shown = self._shown.get(node)
            if shown is None:
                self._shown[node] = _Shown(label.side, min(amount, 1.0))
                self.settled = self.settled and amount >= 1.0
            elif shown.side != label.side:
                shown.side = label.side
            elif shown.opacity < 1.0:
                shown.opacity = min(shown.opacity + amount, 1.0)
                self.settled = self.settled and shown.opacity >= 1.0
        for node in [node for node in self._shown if node not in wanted]:
            shown = self._shown[node]
            shown.opacity -= amount
            if shown.opacity <= 0.0:
                del self._shown[node]
            else:
                self.settled = False

    def _draw(
        self, canvas: Canvas, text_cache: TextCache, places: Places, patient: bool
    ) -> None:
        new, most_new = 0, _NEW_MOVING if canvas.frame.viewpoint.moving else _NEW_AT_REST
        for node, shown in self._shown.items():
            placed = places.get(node)
            if placed is None:
                continue
            label = placed.label
            color = canvas.theme.color(label.token)
            if patient and not text_cache.has(label.text, label.style, color, label.most):
                # A sudden view of many new names is spread over a few frames.
                new += 1
                if new > most_new:
                    self.settled = False
                    continue
            picture = text_cache.picture(label.text, label.style, color, most=label.most)
            canvas.painter.setOpacity(shown.opacity * (0.2 + 0.8 * _dimmed(canvas, node)))
            if placed.side >= AWAY:
                _set_apart(canvas, node, placed)
            text_cache.draw(canvas.painter, picture, placed.left, placed.top)
        canvas.painter.setOpacity(1.0)


def _dimmed(canvas: Canvas, node: int) -> float:
    """The opacity of what a name belongs to."""
    frame, scene = canvas.frame, canvas.scene
    if node < scene.entities:
        return float(frame.alpha[node])
    proposed = scene.starts[4] <= node < scene.starts[4] + len(scene.ghosts.ids)
    return 1.0 - 0.7 * frame.viewpoint.lighting.level if proposed else 1.0


def _spots(canvas: Canvas, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Place and radius of each candidate: of entities, then of near nodes, then of ghosts."""
    frame, scene = canvas.frame, canvas.scene
    entities = nodes[nodes < scene.entities]
    ghosts = [canvas.ghost(node - scene.starts[4])
              for node in nodes[nodes >= scene.starts[4]].tolist()]
    near = np.searchsorted(frame.near, nodes[len(entities) : len(nodes) - len(ghosts)])
    gx, gy, gr = np.array(ghosts, np.float32).reshape(-1, 3).T
    return (np.concatenate((frame.x[entities], frame.near_x[near], gx)),
            np.concatenate((frame.y[entities], frame.near_y[near], gy)),
            np.concatenate((outlines(canvas, entities), frame.near_radius[near], gr)))


def _wishes(canvas: Canvas, nodes: np.ndarray) -> np.ndarray:
    """Values are named outward, entities and aspects below."""
    scene = canvas.scene
    wish = np.full(len(nodes), BELOW, np.int8)
    values = (nodes >= scene.starts[2]) & (nodes < scene.starts[3])
    mine = nodes[values]
    owner = scene.parent[scene.parent[mine]]
    wish[values] = np.where(scene.x[mine] >= scene.x[owner], RIGHT, LEFT)
    return wish


def _rings(canvas: Canvas, nodes: np.ndarray, priority: np.ndarray) -> np.ndarray:
    """How far from its thing each name may stand: the more it matters, the further."""
    scene = canvas.scene
    entities = nodes < scene.entities
    overlay = canvas.overlay
    rings = np.where(priority >= ALWAYS - 1, RINGS, np.where(entities, 1, 0))
    sought = (priority >= FOUND) & entities
    rings = np.maximum(rings, (BEHIND if sought.sum() <= _FEW else _NEAR_RINGS) * sought)
    if canvas.frame.step >= FAR_STEP:
        rings = np.maximum(rings, _NEAR_RINGS * ((priority >= _INSIST) & entities))
    if canvas.frame.step >= _PINNED_STEP:
        pinned = scene.entity_pinned[np.where(entities, nodes, 0)] & entities
        rings = np.maximum(rings, BEHIND * pinned)
    rings[(nodes == overlay.selected) | (nodes == overlay.hovered)] = POINTED
    return rings.astype(np.int8)


def _set_apart(canvas: Canvas, node: int, placed: PlacedLabel) -> None:
    """A line from a thing to its name further off, or a plate where the name hides things."""
    spot = canvas.spot(node)
    if placed.side >= OVER:
        draw_name_plate(canvas, placed.box)
    elif spot is not None:
        pointed = node in (canvas.overlay.selected, canvas.overlay.hovered)
        x, y, reach = spot
        if node < canvas.scene.entities:
            reach = float(outlines(canvas, np.array([node]))[0])
        _draw_leader(canvas, (x, y, reach + 4.0 * pointed), placed.box,
                     "accent" if pointed else "text.soft")


def draw_name_plate(canvas: Canvas, box: Box) -> None:
    """The ground of a name that lies over things."""
    painter = canvas.painter
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(canvas.theme.color("raised"))
    painter.drawRoundedRect(_around(box), 4, 4)


def _draw_leader(canvas: Canvas, spot: Spot, box: Box, token: str) -> None:
    frame, painter = _around(box), canvas.painter
    x, y, r = spot
    end = QPointF(min(max(x, frame.left()), frame.right()),
                  min(max(y, frame.top()), frame.bottom()))
    line = QLineF(QPointF(x, y), end)
    line.setP1(line.pointAt(min(r / max(line.length(), 1.0), 1.0)))
    # Dark (light) round it, as names have it, so that it is seen before a glow, too.
    for color, width in ((canvas.theme.mix("sky.top", "sky.bottom", 0.5), 3.0),
                         (canvas.theme.color(token), 1.2)):
        painter.setPen(QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(line)


def _around(box: Box) -> QRectF:
    return QRectF(*box).adjusted(-3, 0, 3, 0)
