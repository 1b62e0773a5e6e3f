"""Where the words of the sky stand: chosen anew when something changes, and moved along with it
while it is panned.
"""

from collections.abc import Iterable

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QPointF

from core.constellation.label_board import Board
from ui.constellation.entities_named_like_communities import StarNames
from ui.constellation.layers import obstacles, walk_numbers
from ui.constellation.layers.community_names import CommunityNames, PlacedName
from ui.constellation.layers.node_labels import NodeLabels, Places
from ui.constellation.layers.paint_context import Box, Canvas
from ui.constellation.layers.text_cache import TextCache
from ui.constellation.layers.walk_numbers import Badge

_SAME_SECONDS = 0.12
"""While the sky moves, what comes into sight is named after so long at most."""
_SPARSE_STEP = 100.0
"""From this step on a star that comes into sight may be larger than the margin round the window."""


class Words(Struct, frozen=True):
    """Badges of a walk, names of communities, names of things, and those that fade out."""

    badges: list[Badge]
    groups: list[PlacedName]
    chosen: Places
    leaving: Places

    def moved(self, dx: float, dy: float, board: Board) -> "Words":
        """Those that lie on no plate after a move."""
        by = QPointF(dx, dy)
        return Words(
            [(text, memory + by, middle + by) for text, memory, middle in self.badges
             if board.shows(*walk_numbers.box(middle + by))],
            [name for name in (name.moved(dx, dy) for name in self.groups)
             if board.shows(*name.box) and name.apart_from_edges(board.height)],
            _moved(self.chosen, dx, dy, board), _moved(self.leaving, dx, dy, board))


def _moved(places: Places, dx: float, dy: float, board: Board) -> Places:
    moved = ((node, label.moved(dx, dy)) for node, label in places.items())
    return {node: label for node, label in moved if board.shows(*label.box)}


class _Placed(Struct, frozen=True):
    words: Words
    key: tuple
    canvas: Canvas
    now: float


class WordPlaces:
    """Chooses places for words, and remembers them from one frame to the next."""

    def __init__(self) -> None:
        self.names = NodeLabels()
        self._groups = CommunityNames()
        self._star_names = StarNames()
        self._last: _Placed | None = None

    def clear(self) -> None:
        """Forget the last frame: the nodes are others now."""
        self.names.clear()
        self._groups.clear()
        self._last = None

    def place(
        self, canvas: Canvas, text_cache: TextCache, plates: Iterable[Box], now: float
    ) -> Words:
        """The words of a frame at a time in seconds; none lies on a plate."""
        board = Board(canvas.width, canvas.height)
        plates = tuple(plates)
        for plate in plates:
            board.take(*plate)
        key = _key(canvas, plates)
        last = self._last
        if last is None or last.key != key or not _serves(last, canvas, now):
            words = self._choose(canvas, text_cache, board)
            self._last = _Placed(words, key, canvas, now)
            return words
        before, camera = last.canvas.frame.viewpoint.camera, canvas.frame.viewpoint.camera
        if camera == before:
            return last.words
        return last.words.moved((before.x - camera.x) * camera.scale,
                                (before.y - camera.y) * camera.scale, board)

    def _choose(self, canvas: Canvas, text_cache: TextCache, board: Board) -> Words:
        obstacles.cover(canvas, board)
        badges = walk_numbers.place(canvas, board)
        groups = self._groups.place(canvas, text_cache, board, self._star_names)
        hushed = self._star_names.called(canvas.scene, {group.name for group in groups})
        return Words(badges, groups, *self.names.place(canvas, text_cache, board, hushed))


def _key(canvas: Canvas, plates: tuple[Box, ...]) -> tuple:
    """All that the choice of words depends on, but for what changes while the sky moves."""
    overlay, viewpoint = canvas.overlay, canvas.frame.viewpoint
    camera = replace(viewpoint.camera, x=0.0, y=0.0)
    return (camera, canvas.dpr, plates, viewpoint.detail, viewpoint.opened, viewpoint.types,
            viewpoint.found, overlay.selected, overlay.hovered, overlay.walk, overlay.marks)


def _serves(last: _Placed, canvas: Canvas, now: float) -> bool:
    """True if the last choice does for another frame: the same one, or a little later in a move."""
    before, frame = last.canvas.frame, canvas.frame
    if before.scene is not frame.scene or last.canvas.overlay.texts is not canvas.overlay.texts:
        return False
    viewpoint = frame.viewpoint
    if before.viewpoint == viewpoint:
        return True
    moves = viewpoint.moving or 0.0 < viewpoint.lighting.level < 1.0
    return (moves and 0.0 <= now - last.now < _SAME_SECONDS
            and np.array_equal(before.near, frame.near)
            and (frame.step < _SPARSE_STEP or np.array_equal(before.visible, frame.visible)))
