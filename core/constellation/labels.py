"""Chooses which labels are shown and on which side, so that no two overlap."""

from dataclasses import dataclass

import numpy as np

BELOW, ABOVE, RIGHT, LEFT, LOWER_RIGHT, LOWER_LEFT, UPPER_RIGHT, UPPER_LEFT = range(8)
_STRAIGHT = (BELOW, ABOVE, RIGHT, LEFT)
_SLANTED = (LOWER_RIGHT, LOWER_LEFT, UPPER_RIGHT, UPPER_LEFT)
_CROWD = 160
"""Of more candidates than this only those that insist are tried at the corners, too."""
_FREE, _ANY = 0.05, 2.0
"""A label may hide less than this of what it stands on: nothing, or as little as can be."""
_CELL = 6
_GAP = 4.0
_FROM_EDGE = 4.0
_STICKY = 1.25
"""A label that is shown already counts this much more, so that near equals don't take turns."""


@dataclass(frozen=True, slots=True, eq=False)
class PlacedLabels:
    """Chosen labels: which candidate, the top left corner of its box, and its side."""

    index: np.ndarray
    x: np.ndarray
    y: np.ndarray
    side: np.ndarray


class Board:
    """The taken parts of the screen, in small cells: by labels for good, by things if need be.

    Each row of cells is one long whole number, a bit a cell: asking whether a label's few rows
    are free is then a handful of operations.
    """

    def __init__(self, width: float, height: float) -> None:
        rows = int(height) // _CELL + 2
        self._labels, self._things = [0] * rows, [0] * rows
        self._width, self._height = width, height

    def _part(self, x: float, y: float, width: float, height: float) -> tuple[range, int]:
        """The rows a box is in, and its bits in each of them."""
        left, right = max(int(x) // _CELL, 0), int(min(x + width, self._width)) // _CELL
        top, bottom = max(int(y) // _CELL, 0), int(min(y + height, self._height)) // _CELL
        bits = ((1 << max(right - left + 1, 0)) - 1) << left
        return range(top, bottom + 1), bits

    def take(self, x: float, y: float, width: float, height: float) -> None:
        """Mark a box as taken by a label or the like, whether it was free or not."""
        rows, bits = self._part(x, y, width, height)
        for row in rows:
            self._labels[row] |= bits

    def cover(self, x: float, y: float, width: float, height: float) -> None:
        """Mark a box as covered by a thing that a label should rather not hide."""
        rows, bits = self._part(x, y, width, height)
        for row in rows:
            self._things[row] |= bits

    def hides(self, x: float, y: float, width: float, height: float) -> float | None:
        """The share of a label's box that lies over things, in tenths.

        None where another label stands or the screen ends.
        """
        if (x < _FROM_EDGE or y < 0 or x + width > self._width - _FROM_EDGE
                or y + height > self._height):
            return None
        rows, bits = self._part(x, y, width, height)
        labels, things = self._labels, self._things
        for row in rows:
            if labels[row] & bits:
                return None
        hidden = 0
        for row in rows:
            over = things[row] & bits
            if over:
                hidden += over.bit_count()
        return max(round(10 * hidden / (len(rows) * bits.bit_count())), 1) / 10 if hidden else 0.0


def corner(
    side: int, x: float, y: float, radius: float, width: float, height: float
) -> tuple[float, float]:
    """Top left corner of a label's box beside a thing at (x, y)."""
    if side == BELOW:
        return x - width / 2, y + radius + _GAP
    if side == ABOVE:
        return x - width / 2, y - radius - _GAP - height
    if side == RIGHT:
        return x + radius + _GAP, y - height / 2
    if side == LEFT:
        return x - radius - _GAP - width, y - height / 2
    across, along = 0.72 * radius + _GAP, 0.72 * radius
    left = x + across if side in (LOWER_RIGHT, UPPER_RIGHT) else x - across - width
    return left, y + along if side in (LOWER_RIGHT, LOWER_LEFT) else y - along - height


def _sides(last: int, wish: int, corners: bool) -> list[int]:
    """The sides to try: the one a label has, the one it wishes for, then every other."""
    others = (*_STRAIGHT, *_SLANTED) if corners else _STRAIGHT
    return list(dict.fromkeys(side for side in (last, wish, *others) if side >= 0))


def choose(
    board: Board,
    x: np.ndarray,
    y: np.ndarray,
    radius: np.ndarray,
    width: np.ndarray,
    height: np.ndarray,
    priority: np.ndarray,
    before: np.ndarray | None = None,
    first: np.ndarray | None = None,
    insists: np.ndarray | None = None,
    most: int = 150,
) -> PlacedLabels:
    """Labels for the candidates, the most important first, each where it fits.

    `before` holds the side each candidate had in the last frame, -1 for not shown. Such a label
    is preferred, and tried on that side first, so that labels stay where they are while the sky
    moves under the pointer. `first` is the side each would rather have. One that `insists` may
    hide things where it finds no free room, as little of them as it can, but never another label.
    """
    count = len(x)
    before = np.full(count, -1, np.int8) if before is None else before
    first = np.zeros(count, np.int8) if first is None else first
    order = np.argsort(-(priority * np.where(before >= 0, _STICKY, 1.0)), kind="stable")
    chosen: list[tuple[int, float, float, int]] = []
    insists = np.zeros(count, bool) if insists is None else insists
    columns = [column.tolist() for column in (x, y, radius, width, height, before, first, insists)]
    for index in order.tolist():
        cx, cy, r, w, h, last, wish, stubborn = (column[index] for column in columns)
        best = _ANY if stubborn else _FREE
        label = None
        for side in _sides(last, wish, stubborn or count <= _CROWD):
            left, top = corner(side, cx, cy, r, w, h)
            hidden = board.hides(left, top, w, h)
            if hidden is not None and hidden < best:
                best, label = hidden, (index, left, top, side)
                if hidden == 0.0:
                    break
        if label is not None:
            board.take(label[1], label[2], w, h)
            chosen.append(label)
        if len(chosen) >= most:
            break
    table = np.array(chosen, np.float64).reshape(-1, 4)
    return PlacedLabels(table[:, 0].astype(np.int64), table[:, 1], table[:, 2],
                  table[:, 3].astype(np.int8))
