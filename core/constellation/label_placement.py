"""Chooses which labels are shown and where, so that none lies on another or on a thing."""

import numpy as np
from msgspec import Struct

BELOW, ABOVE, RIGHT, LEFT, LOWER_RIGHT, LOWER_LEFT, UPPER_RIGHT, UPPER_LEFT = range(8)
RINGS, _RING = 7, 12.0
"""How many times a label may look further off, by so many pixels."""
BEHIND = RINGS - 1
"""From so many on it may also stand behind another thing, as seen from its own."""
AWAY, OVER = 8, 8 * (RINGS + 1)
"""Sides from the first on are further off, with a line from the thing to its label; from the
second on they lie over other things, on a plate that hides these."""
_CELL = 4
_GAP = 6.0
"""Between a thing and its label: more than a cell, and than the ring of what is pointed at."""
_ALOOF = 8.0
"""What is free round a label further off, so that it isn't taken for another thing's."""
_POINTS = 8
"""Where along its line it is looked for other things."""
_BESIDE = 4.0
"""What is free left and right of each label, so that two in a row don't read as one."""
_FROM_EDGE = 4.0
_STICKY = 1.25
"""A label that is shown already counts this much more, so that near equals don't take turns."""
_ACROSS = np.array([(0, 0, -0.5), (0, 0, -0.5), (1, 1, 0), (-1, -1, -1), (0.72, 1, 0),
                    (-0.72, -1, -1), (0.72, 1, 0), (-0.72, -1, -1)])
_DOWN = np.array([(1, 1, 0), (-1, -1, -1), (0, 0, -0.5), (0, 0, -0.5), (0.72, 0, 0),
                  (0.72, 0, 0), (-0.72, 0, -1), (-0.72, 0, -1)])
"""Where a label's left and upper edge are on each side: so many radii, gaps, and times its own
width or height from the thing's centre."""
_DISC = ((1.0, 0.5), (0.87, 0.71), (0.71, 0.87), (0.5, 1.0))
"""Half widths and heights of four boxes that together hide a disc of radius 1."""


class PlacedLabels(Struct, frozen=True, eq=False):
    """Chosen labels: which candidate, the top left corner of its box, and its side."""

    index: np.ndarray
    x: np.ndarray
    y: np.ndarray
    side: np.ndarray


class Board:
    """The taken parts of the screen, in small cells: by labels, and by things.

    Each row of cells is one long whole number, a bit a cell: asking whether a label's few rows
    are free is then a handful of operations. Things are counted in sums instead, which tell it
    for many boxes at once. A cell counts as taken if anything touches it.
    """

    def __init__(self, width: float, height: float) -> None:
        rows, columns = int(height) // _CELL + 2, int(width) // _CELL + 2
        self._labels = [0] * rows
        self._things = np.zeros((rows, columns), bool)
        self._sums: np.ndarray | None = None
        self._width, self.height = width, height

    def take(self, x: float, y: float, width: float, height: float) -> None:
        """Mark a box as taken by a label or the like, whether it was free or not."""
        left, right = max(int(x) // _CELL, 0), int(min(x + width, self._width)) // _CELL
        top, bottom = max(int(y) // _CELL, 0), int(min(y + height, self.height)) // _CELL
        bits = ((1 << max(right - left + 1, 0)) - 1) << left
        for row in range(top, bottom + 1):
            self._labels[row] |= bits

    def cover(self, x: np.ndarray, y: np.ndarray, radius: np.ndarray) -> None:
        """Mark discs as covered by things."""
        large, tiny = radius > _CELL, radius <= _CELL / 2
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
        sums = self._summed()
        rows, columns = self._things.shape
        left, right = _cells(x, columns), _cells(x + width, columns) + 1
        top, bottom = _cells(y, rows), _cells(y + height, rows) + 1
        hidden = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
        return np.asarray((hidden == 0) & self.inside(x, y, width, height))

    def bare(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """For each point whether it is on the screen and lies on no thing."""
        rows, columns = self._things.shape
        inside = ((x >= _FROM_EDGE) & (y >= 0) & (x <= self._width - _FROM_EDGE)
                  & (y <= self.height))
        return np.asarray(inside & ~self._things[_cells(y, rows), _cells(x, columns)])

    def inside(
        self, x: np.ndarray, y: np.ndarray, width: np.ndarray | np.float64,
        height: np.ndarray | np.float64,
    ) -> np.ndarray:
        """For each box whether it is wholly on the screen."""
        return np.asarray((x >= _FROM_EDGE) & (y >= 0) & (y + height <= self.height)
                          & (x + width <= self._width - _FROM_EDGE))

    def apart(self, x: float, y: float, width: float, height: float) -> bool:
        """True if a box on the screen meets no label."""
        left = max(int(x), 0) // _CELL
        bits = ((1 << max(int(x + width) // _CELL - left + 1, 0)) - 1) << left
        taken = self._labels[max(int(y), 0) // _CELL : int(y + height) // _CELL + 1]
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
        left, right = int(x) // _CELL, min(int(x + width) // _CELL, columns - 1) + 1
        top, bottom = int(y) // _CELL, min(int(y + height) // _CELL, rows - 1) + 1
        sums = self._summed()
        return bool(sums[bottom, right] - sums[top, right] - sums[bottom, left]
                    + sums[top, left] == 0)

    def _summed(self) -> np.ndarray:
        """How many covered cells are above and left of each corner."""
        if self._sums is None:
            self._sums = _sums_of(self._things)
        return self._sums


def _cells(edge: np.ndarray, count: int) -> np.ndarray:
    return np.clip(edge / _CELL, 0, count - 1).astype(np.int32)


def _sums_of(cells: np.ndarray) -> np.ndarray:
    """How many cells are set above and left of each corner."""
    sums = np.zeros((cells.shape[0] + 1, cells.shape[1] + 1), np.int32)
    np.cumsum(cells, 0, np.int32, out=sums[1:, 1:])
    np.cumsum(sums[1:, 1:], 1, out=sums[1:, 1:])
    return sums


def corners(
    sides: np.ndarray, x: np.ndarray, y: np.ndarray, radius: np.ndarray, width: np.ndarray,
    height: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Left and upper edges of labels beside things at (x, y), or away from them."""
    radius = radius + _RING * np.where(sides < OVER, sides // AWAY, 0)
    across, down = _ACROSS[sides % AWAY], _DOWN[sides % AWAY]
    return (x + across[..., 0] * radius + across[..., 1] * _GAP + across[..., 2] * width,
            y + down[..., 0] * radius + down[..., 1] * _GAP + down[..., 2] * height)


def corner(
    side: int, x: float, y: float, radius: float, width: float, height: float
) -> tuple[float, float]:
    """Top left corner of one label's box."""
    numbers = (np.float64(number) for number in (x, y, radius, width, height))
    left, top = corners(np.int64(side), *numbers)  # type: ignore[arg-type]
    return float(left), float(top)


class _Sides(Struct, frozen=True, eq=False):
    """Every side of some candidates: where a label would be, whether that is on the screen, on no
    thing, and with no other thing between.
    """

    left: np.ndarray
    top: np.ndarray
    inside: np.ndarray
    clear: np.ndarray
    reachable: np.ndarray


def _sides_of(board: Board, spots: tuple[np.ndarray, ...], many: int) -> _Sides:
    """The first `many` sides of candidates given by x, y, radius, width and height."""
    spots = tuple(column[:, None] for column in spots)
    x, y, radius, width, height = spots
    sides = np.arange(many)
    left, top = corners(sides, x, y, radius, width, height)
    room = np.where(sides >= AWAY, _ALOOF, 0.0)
    clear = board.clear(left - room, top - room, width + 2 * room, height + 2 * room)
    reachable = clear.copy()
    if many > AWAY:
        away = slice(AWAY, None)
        reachable[:, away] = _reachable(board, spots, left[:, away], top[:, away], clear[:, away])
    return _Sides(left, top, board.inside(left, top, width, height), clear, reachable)


def _reachable(
    board: Board, spots: tuple[np.ndarray, ...], left: np.ndarray, top: np.ndarray,
    clear: np.ndarray,
) -> np.ndarray:
    """Those clear sides further off to which a line from the thing passes over no other thing."""
    row, side = np.nonzero(clear)
    x, y, radius, width, height = (column[row, 0] for column in spots)
    left, top = left[row, side], top[row, side]
    across = np.clip(x, left, left + width) - x
    down = np.clip(y, top, top + height) - y
    length = np.maximum(np.hypot(across, down), 1.0)
    start = np.minimum((radius + 1.5 * _CELL) / length, 1.0)
    at = start + (1.0 - start) * np.linspace(0.0, 1.0, _POINTS)[:, None]
    free = np.zeros(clear.shape, bool)
    free[row, side] = board.bare(x + across * at, y + down * at).all(axis=0)
    return free


def _order(last: int, wish: int, many: int) -> list[int]:
    """Sides in the order to try: the one a label has, the one it wishes for, then every other."""
    first = (wish, *range(AWAY), last) if last >= AWAY else (last, wish)
    every = dict.fromkeys((*first, *range(many))) if last >= 0 else (wish, *range(many))
    return [side for side in every if side < many]


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
    rings: np.ndarray | None = None,
    most: int = 150,
) -> PlacedLabels:
    """Labels for the candidates, the most important first, each where it is free.

    `before` holds the side each candidate had in the last frame, -1 for not shown. Such a label
    is preferred, and tried on that side first, so that labels stay where they are while the sky
    moves under the pointer. `first` is the side each would rather have. Where none is free
    beside its thing it is looked for further off, by so many `rings`; with all of them it is in
    the end put over other things.
    """
    count = len(x)
    before = np.full(count, -1, np.int8) if before is None else before
    first = np.zeros(count, np.int8) if first is None else first
    rings = np.zeros(count, np.int8) if rings is None else rings
    spots = tuple(np.asarray(column, np.float64) for column in (x, y, radius, width, height))
    beside, further = _sides_of(board, spots, AWAY), np.flatnonzero(rings)
    away = _sides_of(board, tuple(column[further] for column in spots), OVER)
    row_of = dict(zip(further.tolist(), range(len(further)), strict=True))
    hopeful = beside.clear.any(axis=1) | (rings > 0)
    important = np.argsort(-(priority * np.where(before >= 0, _STICKY, 1.0)), kind="stable")
    chosen: list[tuple[int, float, float, int]] = []
    for index in important[hopeful[important]].tolist():
        if len(chosen) >= most:
            break
        sides, row = (away, row_of[index]) if index in row_of else (beside, index)
        box = float(width[index]), float(height[index])
        order = _order(int(before[index]), int(first[index]), AWAY * (int(rings[index]) + 1))
        place = _first(board, sides, sides.reachable, row, order, box)
        if place is None and rings[index] >= BEHIND:
            place = _first(board, sides, sides.clear, row, order, box)
        if place is None and rings[index] >= RINGS:
            place = _first(board, sides, sides.inside, row, order[:AWAY], box, OVER)
        if place is not None:
            chosen.append((index, *place))
    table = np.array(chosen, np.float64).reshape(-1, 4)
    return PlacedLabels(table[:, 0].astype(np.int64), table[:, 1], table[:, 2],
                        table[:, 3].astype(np.int8))


def _first(
    board: Board, sides: _Sides, good: np.ndarray, row: int, order: list[int],
    box: tuple[float, float], plus: int = 0,
) -> tuple[float, float, int] | None:
    """Take the first good side at which no other label is; its place, and the side `plus` that."""
    fine = good[row].tolist()
    for side in order:
        if not fine[side]:
            continue
        left, top = float(sides.left[row, side]), float(sides.top[row, side])
        room = _ALOOF if side >= AWAY else 0.0
        if board.apart(left - room, top - room, box[0] + 2 * room, box[1] + 2 * room):
            board.take(left - _BESIDE, top, box[0] + 2 * _BESIDE, box[1])
            return left, top, side + plus
    return None
