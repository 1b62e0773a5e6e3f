"""Names of communities, large and faint, above the nebula that their members make."""

import numpy as np

from core.constellation.labels import Board
from ui.constellation.layers.canvas import Canvas
from ui.constellation.layers.text_cache import TextCache, TextStyle, Weight, text_style

_ALPHA = 0.5
"""So that they can be read, at 3:1, and still lie behind the stars' own names."""
_FULL, _GONE = 170.0, 330.0
"""The names fade between these steps: near, the entities' own names say it."""
_MOST = 24
_CLEAR = 34.0
"""What the window's upper and lower edges are for other words."""
_LEAST_REACH = 26.0
STARS_NAMED = 24.0
"""From this step on most stars have their names."""
_ASIDE, _UP = (0.0, -0.35, 0.35, -0.7, 0.7), (1.0, 1.6, 2.2, 3.0)
_SPACE = 6.0


class CommunityNames:
    """Remembers where each name stands, so that it stays there while the sky moves."""

    def __init__(self) -> None:
        self._way: dict[str, int] = {}

    def clear(self) -> None:
        """Forget the last frame, because the communities are others now."""
        self._way.clear()

    def paint(self, canvas: Canvas, text_cache: TextCache, board: Board) -> set[str]:
        """Draw the names that have room, the largest community first; returns them."""
        fade = min(max((_GONE - canvas.frame.step) / (_GONE - _FULL), 0.0), 1.0)
        drawn: set[str] = set()
        if fade > 0.0:
            canvas.painter.setOpacity(
                _ALPHA * fade * (1.0 - 0.6 * canvas.frame.viewpoint.lighting.level))
            for row in self._rows(canvas):
                if len(drawn) < _MOST and self._paint_one(canvas, text_cache, board, row):
                    drawn.add(canvas.scene.communities.names[row])
            canvas.painter.setOpacity(1.0)
        return drawn

    def _rows(self, canvas: Canvas) -> list[int]:
        """Communities that are large enough, and not named like a star that says it itself."""
        scene, groups, overlay = canvas.scene, canvas.scene.communities, canvas.overlay
        large = np.flatnonzero(groups.radius * canvas.frame.viewpoint.camera.scale >= _LEAST_REACH)
        stars = (set(scene.labels[: scene.entities]) if canvas.frame.step >= STARS_NAMED else
                 {scene.labels[node] for node in (overlay.selected, overlay.hovered)
                  if 0 <= node < scene.starts[2]})
        return [row for row in large.tolist() if groups.names[row] not in stars]

    def _paint_one(
        self, canvas: Canvas, text_cache: TextCache, board: Board, row: int
    ) -> bool:
        groups, camera = canvas.scene.communities, canvas.frame.viewpoint.camera
        name, reach = groups.names[row], float(groups.radius[row]) * camera.scale
        x, y = camera.to_screen(float(groups.x[row]), float(groups.top[row]))
        if x < 0 or x > canvas.width or y < -reach or y > canvas.height:
            return False
        picture = text_cache.picture(
            name, _text_style(reach), canvas.theme.color("text"), halo=False, most=360)
        below = y + 2 * (float(groups.y[row]) - float(groups.top[row])) * camera.scale
        spots = _spots(x, y, below, picture.width, picture.height)
        last = self._way.get(name, 0)
        for way in dict.fromkeys((last, *range(len(spots)))):
            left, top = spots[way]
            box = (left - _SPACE, top, picture.width + 2 * _SPACE, picture.height)
            if (_CLEAR <= top <= canvas.height - _CLEAR - picture.height and board.free(*box)
                    and _is_nearest(canvas, row, left + picture.width / 2, top)):
                board.take(*box)
                self._way[name] = way
                text_cache.draw(canvas.painter, picture, left, top)
                return True
        return False


def _spots(
    x: float, y: float, below: float, width: float, height: float
) -> list[tuple[float, float]]:
    """Above the members, higher or aside where something is in the way, or below."""
    left = x - width / 2
    above = [(left + aside * width, y - up * height) for up in _UP for aside in _ASIDE]
    return [*above, *((left + aside * width, below + (up - 1.0) * height)
                      for up in _UP[:2] for aside in _ASIDE)]


def _is_nearest(canvas: Canvas, row: int, x: float, y: float) -> bool:
    """True if no other community's members are nearer to a point, so that it is theirs."""
    groups = canvas.scene.communities
    wx, wy = canvas.frame.viewpoint.camera.to_world(x, y)
    outside = np.hypot(groups.x - wx, groups.y - wy) - groups.radius
    return bool(outside[row] <= outside.min() + canvas.scene.unit)


def _text_style(reach: float) -> TextStyle:
    return text_style(int(min(max(11 + reach / 28.0, 12), 17)), Weight.Medium, 2.0)
