"""A focal walk: a number on each memory it found, in order, none over another."""

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QPen

from core.constellation.label_board import Board
from ui.constellation.layers.paint_context import Box, Canvas
from ui.constellation.layers.text_cache import TextCache, Weight, text_style

RADIUS = 8.0
_SIDE = 2 * RADIUS + 2.0
_MOST = 60
_APART, _RINGS, _TURNS = 1.5 * RADIUS, 14, 24

Badge = tuple[str, QPointF, QPointF]
"""A number, where its memory is, and where the number is."""


def _ways() -> np.ndarray:
    """Where a number may stand as seen from its memory: on it, then round it, the nearest first."""
    turns = np.linspace(0.0, 2 * np.pi, _TURNS, endpoint=False)
    out = _APART * np.arange(1, _RINGS + 1)[:, None]
    round_it = np.stack((out * np.cos(turns), out * np.sin(turns)), axis=-1).reshape(-1, 2)
    return np.concatenate((np.zeros((1, 2)), round_it))


_WAYS = _ways()


def place(canvas: Canvas, board: Board) -> list[Badge]:
    """Where each number has room: on its memory, or as near to it as can be.

    None lies on a star, a name or another number; one without room anywhere near is left out.
    """
    badges = []
    for number, node in enumerate(canvas.overlay.walk.memories[:_MOST], 1):
        spot = canvas.spot(node)
        middle = _free(board, spot[0], spot[1]) if spot is not None else None
        if spot is not None and middle is not None:
            board.take(*box(middle))
            badges.append((str(number), QPointF(spot[0], spot[1]), middle))
    return badges


def _free(board: Board, x: float, y: float) -> QPointF | None:
    ways, side = _WAYS + (x, y), np.float64(_SIDE)
    corners = ways - _SIDE / 2
    clear = board.clear(corners[:, 0], corners[:, 1], side, side)
    free = (QPointF(*way) for way in ways[clear].tolist())
    return next((way for way in free if board.apart(*box(way))), None)


def box(middle: QPointF) -> Box:
    """What a number at a point covers."""
    return middle.x() - _SIDE / 2, middle.y() - _SIDE / 2, _SIDE, _SIDE


def paint(canvas: Canvas, text_cache: TextCache, badges: list[Badge]) -> None:
    """Draw the numbers, with a line to the memory where one stands beside it."""
    painter, accent = canvas.painter, canvas.theme.color("accent")
    ink, style = canvas.theme.color("sky.bottom"), text_style(10, Weight.DemiBold)
    for text, memory, middle in badges:
        painter.setPen(QPen(accent, 1.0))
        if QLineF(memory, middle).length() > RADIUS:
            painter.drawLine(memory, middle)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        painter.drawEllipse(middle, RADIUS, RADIUS)
        picture = text_cache.picture(text, style, ink, halo=False)
        text_cache.draw(painter, picture, middle.x() - picture.width / 2,
                        middle.y() - picture.height / 2)
