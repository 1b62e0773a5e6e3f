"""Names of entities, aspects and values, none over another, each fading in and out."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPen

from core.constellation.labels import (
    AWAY,
    BEHIND,
    BELOW,
    LEFT,
    OVER,
    RIGHT,
    RINGS,
    Board,
    PlacedLabels,
    choose,
    corner,
)
from core.constellation.scene import CONSTRAINT
from ui.constellation.layers.canvas import Box, Canvas, Spot
from ui.constellation.layers.label_candidates import ALWAYS, candidates
from ui.constellation.layers.obstacles import outlines
from ui.constellation.layers.text_cache import (
    TextCache,
    TextPicture,
    TextStyle,
    Weight,
    text_style,
)

_NEW_AT_REST, _NEW_MOVING = 30, 12
"""Names drawn for the first time in one frame."""

_FADE_SECONDS = 0.12

_FAR_STEP, _PINNED_STEP = 24.0, 12.0
_INSIST, _NEAR_RINGS = 0.8, 4
"""From this priority on a name may stand a little further off, where most stars have names."""


@dataclass(slots=True)
class _Shown:
    side: int
    opacity: float


class NodeLabels:
    """Remembers which names are shown and where, from one frame to the next."""

    def __init__(self) -> None:
        self._shown: dict[int, _Shown] = {}
        self._time = 0.0
        self.settled = True
        """False while names still fade or wait to be drawn: paint again soon."""

    def clear(self) -> None:
        """Forget the last frame, because the nodes are others now."""
        self._shown.clear()

    def paint(
        self, canvas: Canvas, text_cache: TextCache, board: Board, hushed: set[str], now: float,
        fade: bool = True,
    ) -> None:
        """Choose and draw where the board is free; entities called like `hushed` are not named."""
        nodes, priority = candidates(canvas, hushed)
        placed = self._choose(canvas, text_cache, board, nodes, priority)
        wanted = {int(nodes[k]): int(side) for k, side in
                  zip(placed.index, placed.side, strict=True)}
        elapsed = min(max(now - self._time, 0.0), 0.1)
        self._time = now
        self._fade(wanted, elapsed / _FADE_SECONDS if fade else 1.0)
        self._draw(canvas, text_cache, board, wanted, fade)

    def _choose(
        self, canvas: Canvas, text_cache: TextCache, board: Board, nodes: np.ndarray,
        priority: np.ndarray,
    ) -> PlacedLabels:
        before = np.full(len(nodes), -1, np.int8)
        sizes = []
        for k, node in enumerate(nodes.tolist()):
            sizes.append(text_cache.size(*self._text(canvas, node))[1:])
            shown = self._shown.get(node)
            if shown is not None:
                before[k] = shown.side
        width, height = np.array(sizes, np.float64).reshape(-1, 2).T
        x, y, radius = self._spots(canvas, nodes)
        first = self._wishes(canvas, nodes)
        far = min(max(canvas.frame.step / 26.0, 0.25), 1.0)
        most_labels = int(canvas.width * canvas.height / 7000 * far)
        return choose(board, x, y, radius, width, height, priority, before, first,
                      _rings(canvas, nodes, priority), min(max(most_labels, 16), 150))

    def _spots(self, canvas: Canvas, nodes: np.ndarray) -> tuple[np.ndarray, ...]:
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

    def _wishes(self, canvas: Canvas, nodes: np.ndarray) -> np.ndarray:
        """Values are named outward, entities and aspects below."""
        scene = canvas.scene
        wish = np.full(len(nodes), BELOW, np.int8)
        values = (nodes >= scene.starts[2]) & (nodes < scene.starts[3])
        mine = nodes[values]
        owner = scene.parent[scene.parent[mine]]
        wish[values] = np.where(scene.x[mine] >= scene.x[owner], RIGHT, LEFT)
        return wish

    def _fade(self, wanted: dict[int, int], amount: float) -> None:
        self.settled = True
        for node, side in wanted.items():
            shown = self._shown.get(node)
            if shown is None:
                self._shown[node] = _Shown(side, min(amount, 1.0))
                self.settled = self.settled and amount >= 1.0
            elif shown.side != side:
                shown.side = side
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
        self, canvas: Canvas, text_cache: TextCache, board: Board, wanted: dict[int, int],
        patient: bool,
    ) -> None:
        moving = canvas.frame.viewpoint.moving
        new = 0
        for node, shown in self._shown.items():
            text, style, most = self._text(canvas, node)
            color = canvas.theme.color(self._token(canvas, node))
            if patient and not text_cache.has(text, style, color, most):
                # A sudden view of many new names is spread over a few frames.
                new += 1
                if new > (_NEW_MOVING if moving else _NEW_AT_REST):
                    self.settled = False
                    continue
            picture = text_cache.picture(text, style, color, most=most)
            box = self._box(canvas, node, shown.side, picture)
            # What fades out makes way at once for what now stands there.
            if box is not None and (node in wanted or board.free(*box)):
                board.take(*box)
                self._draw_one(canvas, text_cache, node, shown, picture, box)
        canvas.painter.setOpacity(1.0)

    def _box(self, canvas: Canvas, node: int, side: int, picture: TextPicture) -> Box | None:
        """Where a name stands; None where its thing is no longer drawn."""
        spot = canvas.spot(node)
        if spot is None:
            return None
        x, y, r = spot
        if node < canvas.scene.entities:
            r = float(outlines(canvas, np.array([node]))[0])
        return (*corner(side, x, y, r, picture.width, picture.height),
                picture.width, picture.height)

    def _draw_one(
        self, canvas: Canvas, text_cache: TextCache, node: int, shown: _Shown,
        picture: TextPicture, box: Box,
    ) -> None:
        painter, scene, lighting = canvas.painter, canvas.scene, canvas.frame.viewpoint.lighting
        dimmed = (float(canvas.frame.alpha[node]) if node < scene.entities else
                  1.0 - 0.7 * lighting.level if node >= scene.starts[4] else 1.0)
        painter.setOpacity(shown.opacity * (0.2 + 0.8 * dimmed))
        spot = canvas.spot(node)
        if shown.side >= AWAY and spot is not None:
            pointed = node in (canvas.overlay.selected, canvas.overlay.hovered)
            _set_apart(canvas, spot, box, over=shown.side >= OVER,
                       token="accent" if pointed else "text.soft")
        text_cache.draw(painter, picture, box[0], box[1])

    def _text(self, canvas: Canvas, node: int) -> tuple[str, TextStyle, float]:
        """What a node is named by, in which style, and how wide at most."""
        scene = canvas.scene
        if node >= scene.starts[4]:
            label = scene.ghosts.labels[node - scene.starts[4]]
            return label, text_style(12, Weight.Medium), 230.0
        if node >= scene.starts[2]:
            return canvas.overlay.texts.get(scene.ids[node], ""), text_style(11), 240.0
        if node >= scene.starts[1]:
            return scene.labels[node], text_style(12), 160.0
        strong = self._weight(canvas, node) == 2
        style = text_style(13, Weight.DemiBold) if strong else text_style(12)
        return scene.labels[node], style, 230.0

    def _token(self, canvas: Canvas, node: int) -> str:
        """The colour of a node's name."""
        if node >= canvas.scene.starts[4]:
            return "proposal"
        if node >= canvas.scene.starts[2]:
            rule = canvas.scene.kind[node] == CONSTRAINT
            return "constraint" if rule else "text.soft"
        if node >= canvas.scene.starts[1] or not self._weight(canvas, node):
            return "text.soft"
        return "text"

    def _weight(self, canvas: Canvas, node: int) -> int:
        """How much an entity's name stands out: 0 little, 1 in colour, 2 in weight too."""
        scene = canvas.scene
        if node in (canvas.overlay.selected, canvas.overlay.hovered):
            return 2
        pinned = bool(scene.entity_pinned[node])
        if canvas.frame.step < _FAR_STEP:
            return 1 if pinned else 0
        return 2 if pinned or scene.presence[node] > 0.45 else 0


def _rings(canvas: Canvas, nodes: np.ndarray, priority: np.ndarray) -> np.ndarray:
    """How far from its thing each name may stand: the more it matters, the further."""
    rings, scene = np.where(priority >= ALWAYS - 1, RINGS, 0), canvas.scene
    entities = nodes < scene.entities
    if canvas.frame.step >= _FAR_STEP:
        rings = np.maximum(rings, _NEAR_RINGS * ((priority >= _INSIST) & entities))
    if canvas.frame.step >= _PINNED_STEP:
        pinned = scene.entity_pinned[np.where(entities, nodes, 0)] & entities
        rings = np.maximum(rings, BEHIND * pinned)
    return rings.astype(np.int8)


def _set_apart(canvas: Canvas, spot: Spot, box: Box, *, over: bool, token: str) -> None:
    """A line from a thing to its name further off, or a plate where the name hides things."""
    painter, theme = canvas.painter, canvas.theme
    frame = QRectF(*box).adjusted(-3, 0, 3, 0)
    if over:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("raised"))
        painter.drawRoundedRect(frame, 4, 4)
        return
    x, y, r = spot
    end = QPointF(min(max(x, frame.left()), frame.right()),
                  min(max(y, frame.top()), frame.bottom()))
    line = QLineF(QPointF(x, y), end)
    line.setP1(line.pointAt(min(r / max(line.length(), 1.0), 1.0)))
    painter.setPen(QPen(theme.color(token), 1.0))
    painter.drawLine(line)
