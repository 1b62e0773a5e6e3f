"""Names of communities, large and faint, above the nebula that their members make."""

from collections.abc import Iterable

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.constellation.label_board import Board
from ui.constellation.entities_named_like_communities import StarNames
from ui.constellation.layers.paint_context import Box, Canvas
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
_SPACE = 6.0
_WIDEST = 360.0
_ASIDE, _UP = (0.0, -0.35, 0.35, -0.7, 0.7), (1.0, 1.6, 2.2, 3.0)
_WAYS = [*((aside, -up, False) for up in _UP for aside in _ASIDE),
         *((aside, up - 1.0, True) for up in _UP[:2] for aside in _ASIDE)]
"""Above the members, higher or aside where something is in the way, or below: so many widths and
heights from the middle."""
_ACROSS, _DOWN = np.array([way[:2] for way in _WAYS]).T
_BELOW = np.array([way[2] for way in _WAYS])


class _Spots(Struct, frozen=True, eq=False):
    """Where a community's name could be: left and upper edges, and the ways that are clear."""

    row: int
    style: TextStyle
    width: float
    height: float
    left: np.ndarray
    top: np.ndarray
    clear: list[int]


class PlacedName(Struct, frozen=True):
    """Where a community's name stands: the upper left corner of its box."""

    name: str
    style: TextStyle
    left: float
    top: float
    width: float
    height: float

    @property
    def box(self) -> Box:
        """Left, top, width, height, with the space beside it."""
        return self.left - _SPACE, self.top, self.width + 2 * _SPACE, self.height

    def moved(self, dx: float, dy: float) -> "PlacedName":
        """The same name elsewhere."""
        return replace(self, left=self.left + dx, top=self.top + dy)

    def apart_from_edges(self, height: float) -> bool:
        """True if it keeps clear of the edges of a window that other words stand at."""
        return _CLEAR <= self.top <= height - _CLEAR - self.height


class CommunityNames:
    """Remembers where each name stands, so that it stays there while the sky moves."""

    def __init__(self) -> None:
        self._way: dict[str, int] = {}

    def clear(self) -> None:
        """Forget the last frame, because the communities are others now."""
        self._way.clear()

    def place(
        self, canvas: Canvas, text_cache: TextCache, board: Board, star_names: StarNames
    ) -> list[PlacedName]:
        """The names that have room, the largest community first."""
        placed: list[PlacedName] = []
        if not _opacity(canvas):
            return placed
        for spots in _spots(canvas, text_cache, board, _rows(canvas, star_names)):
            name = self._first_free(canvas, board, spots) if len(placed) < _MOST else None
            if name is not None:
                placed.append(name)
        return placed

    def _first_free(self, canvas: Canvas, board: Board, spots: _Spots) -> PlacedName | None:
        name = canvas.scene.communities.names[spots.row]
        last = self._way.get(name, 0)
        for way in sorted(spots.clear, key=lambda way: way != last):
            left, top = float(spots.left[way]), float(spots.top[way])
            box = (left - _SPACE, top, spots.width + 2 * _SPACE, spots.height)
            if board.apart(*box) and _is_nearest(canvas, spots.row, left + spots.width / 2, top):
                board.take(*box)
                self._way[name] = way
                return PlacedName(name, spots.style, left, top, spots.width, spots.height)
        return None


def paint(canvas: Canvas, text_cache: TextCache, placed: Iterable[PlacedName]) -> None:
    """Draw the names."""
    canvas.painter.setOpacity(_opacity(canvas))
    color = canvas.theme.color("text")
    for name in placed:
        picture = text_cache.picture(name.name, name.style, color, halo=False, most=_WIDEST)
        text_cache.draw(canvas.painter, picture, name.left, name.top)
    canvas.painter.setOpacity(1.0)


def _opacity(canvas: Canvas) -> float:
    fade = min(max((_GONE - canvas.frame.step) / (_GONE - _FULL), 0.0), 1.0)
    return _ALPHA * fade * (1.0 - 0.6 * canvas.frame.viewpoint.lighting.level)


def _rows(canvas: Canvas, star_names: StarNames) -> np.ndarray:
    """Communities that are large enough, and not named like a star that says it itself."""
    scene, groups, overlay = canvas.scene, canvas.scene.communities, canvas.overlay
    large = np.flatnonzero(groups.radius * canvas.frame.viewpoint.camera.scale >= _LEAST_REACH)
    stars = (star_names.every(scene) if canvas.frame.step >= STARS_NAMED else
             {scene.labels[node] for node in (overlay.selected, overlay.hovered)
              if 0 <= node < scene.starts[2]})
    return large[[groups.names[row] not in stars for row in large.tolist()]]


def _spots(
    canvas: Canvas, text_cache: TextCache, board: Board, rows: np.ndarray
) -> list[_Spots]:
    """Where the names of those communities in sight that have room on no star could be."""
    groups, camera = canvas.scene.communities, canvas.frame.viewpoint.camera
    reach = groups.radius[rows] * camera.scale
    x = (groups.x[rows].astype(float) - camera.x) * camera.scale + canvas.width / 2
    top = (groups.top[rows].astype(float) - camera.y) * camera.scale + canvas.height / 2
    seen = (x >= 0) & (x <= canvas.width) & (top >= -reach) & (top <= canvas.height)
    rows, reach, x, top = rows[seen], reach[seen], x[seen], top[seen]
    styles = [_text_style(float(far)) for far in reach]
    sizes = [text_cache.size(groups.names[row], style, _WIDEST)[1:]
             for row, style in zip(rows.tolist(), styles, strict=True)]
    width, height = np.array(sizes, np.float64).reshape(-1, 2, 1).transpose(1, 0, 2)
    below = top + 2 * (groups.y[rows] - groups.top[rows]).astype(float) * camera.scale
    across = x[:, None] - width / 2 + _ACROSS * width
    down = np.where(_BELOW, below[:, None], top[:, None]) + _DOWN * height
    clear = (board.clear(across - _SPACE, down, width + 2 * _SPACE, height)
             & (down >= _CLEAR) & (down <= canvas.height - _CLEAR - height))
    return [_Spots(row, style, *size, across[k], down[k], np.flatnonzero(clear[k]).tolist())
            for k, (row, style, size) in enumerate(zip(rows.tolist(), styles, sizes, strict=True))
            if clear[k].any()]


def _is_nearest(canvas: Canvas, row: int, x: float, y: float) -> bool:
    """True if no other community's members are nearer to a point, so that it is theirs."""
    groups = canvas.scene.communities
    wx, wy = canvas.frame.viewpoint.camera.to_world(x, y)
    outside = np.hypot(groups.x - wx, groups.y - wy) - groups.radius
    return bool(outside[row] <= outside.min() + canvas.scene.unit)


def _text_style(reach: float) -> TextStyle:
    return text_style(int(min(max(11 + reach / 28.0, 12), 17)), Weight.Medium, 2.0)
