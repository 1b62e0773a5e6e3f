"""A focal walk: a number on each memory it found, in order, none over another."""

from math import cos, pi, sin

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QPen

from core.constellation.label_placement import Board
from ui.constellation.layers.canvas import Box, Canvas
from ui.constellation.layers.text_cache import TextCache, Weight, text_style

RADIUS = 8.0
_SIDE = 2 * RADIUS + 2.0
_MOST = 60
_RINGS, _TURNS = 6, 12

Badge = tuple[str, QPointF, QPointF]
"""A number, where its memory is, and where the number is."""


def place(canvas: Canvas, board: Board) -> list[Badge]:
    """Where each number in sight has room: on its memory, or as near to it as can be."""
    badges = []
    for number, node in enumerate(canvas.overlay.walk.memories[:_MOST], 1):
        spot = canvas.spot(node)
        middle = _free(board, spot[0], spot[1]) if spot is not None else None
        if spot is not None and middle is not None:
            board.take(*box(middle))
            badges.append((str(number), QPointF(spot[0], spot[1]), middle))
    return badges


def _free(board: Board, x: float, y: float) -> QPointF | None:
    ways = [QPointF(x, y), *(
        QPointF(x + out * RADIUS * 1.5 * cos(2 * pi * turn / _TURNS),
                y + out * RADIUS * 1.5 * sin(2 * pi * turn / _TURNS))
        for out in range(1, _RINGS + 1) for turn in range(_TURNS))]
    free = next((way for way in ways if board.free(*box(way))), None)
    return free or next((way for way in ways if board.apart(*box(way))
                         and _on_screen(board, *box(way))), None)


def _on_screen(board: Board, x: float, y: float, width: float, height: float) -> bool:
    edges = (np.float64(edge) for edge in (x, y, width, height))
    return bool(board.inside(*edges))  # type: ignore[arg-type]


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
