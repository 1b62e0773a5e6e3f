"""Names of entities, aspects and values, none over another, each fading in and out."""

from dataclasses import dataclass

import numpy as np

from core.constellation.labels import BELOW, LEFT, RIGHT, Board, PlacedLabels, choose, corner
from core.constellation.scene import CONSTRAINT
from core.constellation.visual_encoding import fame
from ui.constellation.layers.canvas import Canvas
from ui.constellation.layers.rings import signs_radius
from ui.constellation.layers.text_cache import TextCache, TextStyle, Weight, text_style

_CANDIDATES = 360
_NEW_AT_REST, _NEW_MOVING = 30, 12
"""Names drawn for the first time in one frame."""

_FADE_SECONDS = 0.12
_OBSTACLES = 400

_ALWAYS = 1e6
_INSIST = 0.8
"""From this priority on a name may hide things: what is well known, pinned, pointed at or lit."""

_FAR_STEP = 24.0


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
        self, canvas: Canvas, text_cache: TextCache, taken: list[tuple[float, float, float, float]],
        now: float, fade: bool = True,
    ) -> None:
        """Choose and draw; `taken` are boxes that must stay free."""
        nodes, priority = self._candidates(canvas)
        board = Board(canvas.width, canvas.height)
        for box in taken:
            board.take(*box)
        self._block(canvas, board)
        placed = self._choose(canvas, text_cache, board, nodes, priority)
        wanted = {int(nodes[k]): int(side) for k, side in
                  zip(placed.index, placed.side, strict=True)}
        elapsed = min(max(now - self._time, 0.0), 0.1)
        self._time = now
        self._fade(wanted, elapsed / _FADE_SECONDS if fade else 1.0)
        self._draw(canvas, text_cache, fade)

    def _candidates(self, canvas: Canvas) -> tuple[np.ndarray, np.ndarray]:
        frame, scene, overlay = canvas.frame, canvas.scene, canvas.overlay
        rows = frame.visible
        priority = fame(scene.entity_mentions[rows]) + 0.5 * scene.brightness[rows] + 0.05
        priority = priority + 1.2 * scene.entity_pinned[rows] - 0.3 * scene.entity_muted[rows]
        priority = priority * frame.alpha[rows]
        lit = np.array([node for node in frame.viewpoint.lighting.nodes if node < scene.entities],
                       np.int64)
        if len(lit) and frame.viewpoint.lighting.level > 0.5:
            priority[np.isin(rows, lit)] += 4.0
        if len(rows) > _CANDIDATES:
            best = np.argpartition(-priority, _CANDIDATES)[:_CANDIDATES]
            rows, priority = rows[best], priority[best]
        near = self._near(canvas)
        nodes = np.concatenate((rows, near))
        # The values of an opened entity are what one has come for.
        owned = np.where(near < scene.starts[2], 1.6, np.where(
            scene.kind[near] == CONSTRAINT, 1.4, 0.9)) if frame.viewpoint.opened else 0.45
        priority = np.concatenate((priority, np.broadcast_to(owned, len(near))))
        for node in (overlay.hovered, overlay.selected, *overlay.walk.nodes):
            priority[nodes == node] = _ALWAYS - (node != overlay.hovered)
        return nodes, priority.astype(np.float64)

    def _near(self, canvas: Canvas) -> np.ndarray:
        """Aspects and values whose names are known and have room to be read."""
        frame, scene = canvas.frame, canvas.scene
        if frame.step < 120.0 or not len(frame.near):
            return frame.near[:0]
        seen = frame.near[(frame.near_alpha > 0.6)
                          & (frame.near_x > 0) & (frame.near_x < canvas.width)
                          & (frame.near_y > 0) & (frame.near_y < canvas.height)]
        aspects = seen[seen < scene.starts[2]][:80]
        if frame.step < 260.0:
            return aspects
        values = np.array([node for node in seen[seen >= scene.starts[2]][:200].tolist()
                           if scene.ids[node] in canvas.overlay.texts], np.int64)
        return np.concatenate((aspects, values))

    def _block(self, canvas: Canvas, board: Board) -> None:
        """Names don't hide other things that are large enough to be seen as such."""
        frame = canvas.frame
        rows = frame.visible[:_OBSTACLES]
        rows = rows[frame.radius[rows] > 6.0]
        clear = np.flatnonzero(frame.near_alpha > 0.5)[:_OBSTACLES]
        for x, y, r in zip(
            (*frame.x[rows].tolist(), *frame.near_x[clear].tolist()),
            (*frame.y[rows].tolist(), *frame.near_y[clear].tolist()),
            (*(0.66 * frame.radius[rows]).tolist(), *(0.6 * frame.near_radius[clear]).tolist()),
            strict=True,
        ):
            board.cover(x - r, y - r, 2 * r, 2 * r)

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
        # Values have each their little place or none: theirs is not worth a hexagon.
        insists = (priority >= _INSIST) & (nodes < canvas.scene.entities)
        return choose(board, x, y, radius, width, height, priority, before, first, insists,
                      min(max(most_labels, 16), 150))

    def _clear(self, canvas: Canvas, node: int, radius: float) -> float:
        """How far a name stays from the centre of its thing: outside of the thing's rings."""
        if node >= canvas.scene.entities:
            return radius
        return signs_radius(canvas, node, radius)

    def _spots(self, canvas: Canvas, nodes: np.ndarray) -> tuple[np.ndarray, ...]:
        """Place and radius of each candidate: entities come first, then near nodes."""
        frame = canvas.frame
        entities = nodes[nodes < canvas.scene.entities]
        near = np.searchsorted(frame.near, nodes[len(entities):])
        pairs = ((frame.x, frame.near_x), (frame.y, frame.near_y),
                 (frame.radius, frame.near_radius))
        x, y, radius = (np.concatenate((all[entities], fine[near])) for all, fine in pairs)
        pinned, pending = canvas.scene.entity_pinned, canvas.scene.entity_pending
        for k in np.flatnonzero(pinned[entities] | (pending[entities] > 0)).tolist():
            radius[k] = self._clear(canvas, int(entities[k]), float(radius[k]))
        return x, y, radius

    def _wishes(self, canvas: Canvas, nodes: np.ndarray) -> np.ndarray:
        """Values are named outward, entities and aspects below."""
        scene = canvas.scene
        wish = np.full(len(nodes), BELOW, np.int8)
        values = nodes >= scene.starts[2]
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

    def _draw(self, canvas: Canvas, text_cache: TextCache, patient: bool) -> None:
        painter, frame = canvas.painter, canvas.frame
        drawn = 0
        for node, shown in self._shown.items():
            spot = canvas.spot(node)
            if spot is None:
                continue
            text, style, most = self._text(canvas, node)
            color = canvas.theme.color(self._token(canvas, node))
            if patient and not text_cache.has(text, style, color, most):
                # A sudden view of many new names is spread over a few frames.
                drawn += 1
                if drawn > (_NEW_MOVING if frame.viewpoint.moving else _NEW_AT_REST):
                    self.settled = False
                    continue
            picture = text_cache.picture(text, style, color, most=most)
            x, y, r = spot
            left, top = corner(shown.side, x, y, self._clear(canvas, node, r), picture.width,
                               picture.height)
            dimmed = float(frame.alpha[node]) if node < canvas.scene.entities else 1.0
            painter.setOpacity(shown.opacity * (0.2 + 0.8 * dimmed))
            text_cache.draw(painter, picture, left, top)
        painter.setOpacity(1.0)

    def _text(self, canvas: Canvas, node: int) -> tuple[str, TextStyle, float]:
        """What a node is named by, in which style, and how wide at most."""
        scene = canvas.scene
        if node >= scene.starts[2]:
            return canvas.overlay.texts.get(scene.ids[node], ""), text_style(11), 240.0
        if node >= scene.starts[1]:
            return scene.labels[node], text_style(12), 160.0
        strong = self._weight(canvas, node) == 2
        style = text_style(13, Weight.DemiBold) if strong else text_style(12)
        return scene.labels[node], style, 230.0

    def _token(self, canvas: Canvas, node: int) -> str:
        """The colour of a node's name."""
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
