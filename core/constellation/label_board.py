"""The room for labels on the screen: which parts of it labels, things and plates have taken."""

import numpy as np

CELL = 4
"""Side of a cell, in pixels."""
ALOOF = 8.0
"""What is free of other things round a label, so that it isn't taken for another's."""
_LINE_ROOM = 3.0
"""What is free on both sides of the line from a thing to its label."""
_FROM_EDGE = 4.0
_DISC = ((1.0, 0.5), (0.87, 0.71), (0.71, 0.87), (0.5, 1.0))
"""Half widths and heights of four boxes that together hide a disc of radius 1."""


class Board:
    """The taken parts of the screen, in small cells: by labels, and by things.

    Each row of cells is one long whole number, a bit a cell: asking whether a label's few rows
    are free is then a handful of operations. Things are counted in sums instead, which tell it
    for many boxes at once. A cell counts as taken if anything touches it.
    """

    def __init__(self, width: float, height: float) -> None:
        rows, columns = int(height) // CELL + 2, int(width) // CELL + 2
        self._labels = [0] * rows
        self._things = np.zeros((rows, columns), bool)
        self._sums: np.ndarray | None = None
        self._width, self.height = width, height

    def take(self, x: float, y: float, width: float, height: float) -> None:
        """Mark a box as taken by a label or the like, whether it was free or not."""
        left, right = max(int(x) // CELL, 0), int(min(x + width, self._width)) // CELL
        top, bottom = max(int(y) // CELL, 0), int(min(y + height, self.height)) // CELL
        bits = ((1 << max(right - left + 1, 0)) - 1) << left
        for row in range(top, bottom + 1):
            self._labels[row] |= bits

    def cover(self, x: np.ndarray, y: np.ndarray, radius: np.ndarray) -> None:
        """Mark discs as covered by things."""
        large, tiny = radius > CELL, radius <= CELL / 2
        self._cover_corners(*self._touched(x[tiny], y[tiny], radius[tiny], radius[tiny]))
        boxes = [tuple(column[~large & ~tiny] for column in (x, y, radius, radius))]
        boxes += [(x[large], y[large], radius[large] * wide, radius[large] * high)
                  for wide, high in _DISC]
        self._cover(*self._touched(*map(np.concatenate, zip(*boxes, strict=True))))
        self._sums = None

    def _touched(
        self, x: np.ndarray, y: np.ndarray, across: np.ndarray, down: np.ndarray
    ) -> tuple[np.ndarray, ...]:
        """The first and last column and row of cells that boxes of these half sizes touch."""
        left, top, right, bottom = x - across, y - down, x + across, y + down
        inside = (right >= 0) & (bottom >= 0) & (left < self._width) & (top < self.height)
        rows, columns = self._things.shape
        return (_cells(left[inside], columns), _cells(right[inside], columns),
                _cells(top[inside], rows), _cells(bottom[inside], rows))

    def _cover_corners(
        self, first: np.ndarray, last: np.ndarray, upper: np.ndarray, lower: np.ndarray
    ) -> None:
        """Mark the cells at the corners of boxes: all there are, if these span at most two."""
        for row in (upper, lower):
            for column in (first, last):
                self._things[row, column] = True

    def _cover(
        self, first: np.ndarray, last: np.ndarray, upper: np.ndarray, lower: np.ndarray
    ) -> None:
        """Mark all cells of boxes."""
        if not len(first):
            return
        last, lower = last + 1, lower + 1
        rows, columns = self._things.shape
        wide, one = columns + 1, np.ones(len(first), np.float32)
        # A box adds one at its first corner and takes it back past its edges; sums fill it in.
        steps = np.bincount(
            np.concatenate((upper * wide + first, lower * wide + last, upper * wide + last,
                            lower * wide + first)),
            np.concatenate((one, one, -one, -one)), minlength=(rows + 1) * wide)
        many = steps.astype(np.int32).reshape(-1, wide).cumsum(0, np.int32).cumsum(1, np.int32)
        self._things |= many[:-1, :-1] > 0

    def clear(
        self, x: np.ndarray, y: np.ndarray, width: np.ndarray | np.float64,
        height: np.ndarray | np.float64,
    ) -> np.ndarray:
        """For each box whether it is on the screen and lies on no thing."""
        hidden = self._covered(x, y, x + width, y + height)
        return np.asarray((hidden == 0) & self.inside(x, y, width, height))

    def alone(
        self, x: np.ndarray, y: np.ndarray, width: np.ndarray, height: np.ndarray,
        own: tuple[np.ndarray, np.ndarray, np.ndarray],
    ) -> np.ndarray:
        """For each box whether no other thing than its `own` is near; x, y and radius."""
        left, top, right, bottom = x - ALOOF, y - ALOOF, x + width + ALOOF, y + height + ALOOF
        every = self._covered(left, top, right, bottom)
        own_x, own_y, reach = own[0], own[1], own[2] + CELL
        mine = self._covered(
            np.clip(own_x - reach, left, right), np.clip(own_y - reach, top, bottom),
            np.clip(own_x + reach, left, right), np.clip(own_y + reach, top, bottom))
        return np.asarray(every == mine)

    def bare(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """For each point of a line whether it is on the screen and passes by no thing."""
        inside = ((x >= _FROM_EDGE) & (y >= 0) & (x <= self._width - _FROM_EDGE)
                  & (y <= self.height))
        hidden = self._covered(x - _LINE_ROOM, y - _LINE_ROOM, x + _LINE_ROOM, y + _LINE_ROOM)
        return np.asarray(inside & (hidden == 0))

    def inside(
        self, x: np.ndarray, y: np.ndarray, width: np.ndarray | np.float64,
        height: np.ndarray | np.float64,
    ) -> np.ndarray:
        """For each box whether it is wholly on the screen."""
        return np.asarray((x >= _FROM_EDGE) & (y >= 0) & (y + height <= self.height)
                          & (x + width <= self._width - _FROM_EDGE))

    def apart(self, x: float, y: float, width: float, height: float) -> bool:
        """True if a box on the screen meets no label."""
        left = max(int(x), 0) // CELL
        bits = ((1 << max(int(x + width) // CELL - left + 1, 0)) - 1) << left
        taken = self._labels[max(int(y), 0) // CELL : int(y + height) // CELL + 1]
        return not any(map(bits.__and__, taken))

    def shows(self, x: float, y: float, width: float, height: float) -> bool:
        """True if some of a box is on the screen and it meets no label."""
        return (x + width > 0 and y + height > 0 and x < self._width and y < self.height
                and self.apart(x, y, width, height))

    def free(self, x: float, y: float, width: float, height: float) -> bool:
        """True if a box is on the screen, meets no label, and lies on no thing."""
        on_screen = (x >= _FROM_EDGE and y >= 0 and y + height <= self.height
                     and x + width <= self._width - _FROM_EDGE)
        return (on_screen and self.apart(x, y, width, height)
                and self._is_clear(x, y, width, height))

    def _is_clear(self, x: float, y: float, width: float, height: float) -> bool:
        """`clear` for one box on the screen: numpy takes ten times as long for so little."""
        rows, columns = self._things.shape
        left, right = int(x) // CELL, min(int(x + width) // CELL, columns - 1) + 1
        top, bottom = int(y) // CELL, min(int(y + height) // CELL, rows - 1) + 1
        sums = self._summed()
        return bool(sums[bottom, right] - sums[top, right] - sums[bottom, left]
                    + sums[top, left] == 0)

    def _covered(
        self, left: np.ndarray, top: np.ndarray, right: np.ndarray, bottom: np.ndarray
    ) -> np.ndarray:
        """How many cells that a thing covers each box touches."""
        sums = self._summed()
        rows, columns = self._things.shape
        first, last = _cells(left, columns), _cells(right, columns) + 1
        upper, lower = _cells(top, rows), _cells(bottom, rows) + 1
        return np.asarray(sums[lower, last] - sums[upper, last] - sums[lower, first]
                          + sums[upper, first])

    def _summed(self) -> np.ndarray:
        """How many covered cells are above and left of each corner."""
        if self._sums is None:
            self._sums = _sums_of(self._things)
        return self._sums


def _cells(edge: np.ndarray, count: int) -> np.ndarray:
    return np.clip(edge / CELL, 0, count - 1).astype(np.int32)


def _sums_of(cells: np.ndarray) -> np.ndarray:
    """How many cells are set above and left of each corner."""
    sums = np.zeros((cells.shape[0] + 1, cells.shape[1] + 1), np.int32)
    np.cumsum(cells, 0, np.int32, out=sums[1:, 1:])
    np.cumsum(sums[1:, 1:], 1, out=sums[1:, 1:])
    return sums
