"""Chooses which labels are shown and where, so that none lies on another or on a thing."""

import numpy as np
from msgspec import Struct

from core.constellation.label_board import ALOOF, CELL, Board
from core.constellation.plain_numbers import distinct

BELOW, ABOVE, RIGHT, LEFT, LOWER_RIGHT, LOWER_LEFT, UPPER_RIGHT, UPPER_LEFT = range(8)
RINGS, _RING = 7, 12.0
"""How many times a label may look further off, by so many pixels."""
BEHIND = RINGS - 1
"""From so many on it may also stand behind another thing, as seen from its own."""
POINTED, _POINTED_RINGS = RINGS + 1, 3
"""How far it looks for what is pointed at, of which so many are tried: further off its line is lost
among the links that are lit, and on a plate beside its thing nobody takes it for another's."""
AWAY, _DIRECTIONS = 8, 16
OVER = AWAY + RINGS * _DIRECTIONS
"""Sides from the first on are further off, with a line from the thing to its label; from the
second on they lie over other things, on a plate that hides these."""
_GAP = 6.0
"""Between a thing and its label: more than a cell, and than the ring of what is pointed at."""
_POINTS = 8
"""Where along its line it is looked for other things."""
_BESIDE = 4.0
"""What is free left and right of each label, so that two in a row don't read as one."""
_STICKY = 1.25
"""A label that is shown already counts this much more, so that near equals don't take turns."""
_ACROSS = np.array([(0, 0, -0.5), (0, 0, -0.5), (1, 1, 0), (-1, -1, -1), (0.72, 1, 0),
                    (-0.72, -1, -1), (0.72, 1, 0), (-0.72, -1, -1),
                    (0.92, 1, 0), (-0.92, -1, -1), (0.92, 1, 0), (-0.92, -1, -1),
                    (0.38, 0.4, -0.3), (-0.38, -0.4, -0.7), (0.38, 0.4, -0.3), (-0.38, -0.4, -0.7)])
_DOWN = np.array([(1, 1, 0), (-1, -1, -1), (0, 0, -0.5), (0, 0, -0.5), (0.72, 0, 0),
                  (0.72, 0, 0), (-0.72, 0, -1), (-0.72, 0, -1),
                  (0.38, 0.4, -0.3), (0.38, 0.4, -0.3), (-0.38, -0.4, -0.7), (-0.38, -0.4, -0.7),
                  (0.92, 1, 0), (0.92, 1, 0), (-0.92, -1, -1), (-0.92, -1, -1)])
"""Where a label's left and upper edge are in each direction: so many radii, gaps, and times its
own width or height from the thing's centre. Beside its thing a label has the first eight."""


class PlacedLabels(Struct, frozen=True, eq=False):
    """Chosen labels: which candidate, the top left corner of its box, and its side."""

    index: np.ndarray
    x: np.ndarray
    y: np.ndarray
    side: np.ndarray


def corners(
    sides: np.ndarray, x: np.ndarray, y: np.ndarray, radius: np.ndarray, width: np.ndarray,
    height: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Left and upper edges of labels beside things at (x, y), or away from them."""
    further = (sides >= AWAY) & (sides < OVER)
    ring, toward = np.divmod(np.asarray(sides, np.int64) - AWAY, _DIRECTIONS)
    radius = radius + _RING * np.where(further, ring + 1, 0)
    toward = np.where(further, toward, sides % AWAY)
    across, down = _ACROSS[toward], _DOWN[toward]
    return (x + across[..., 0] * radius + across[..., 1] * _GAP + across[..., 2] * width,
            y + down[..., 0] * radius + down[..., 1] * _GAP + down[..., 2] * height)


def many_sides(rings: int) -> int:
    """How many sides a label has that may look so many rings further off."""
    return AWAY + rings * _DIRECTIONS


def corner(
    side: int, x: float, y: float, radius: float, width: float, height: float
) -> tuple[float, float]:
    """Top left corner of one label's box."""
    numbers = (np.float64(number) for number in (x, y, radius, width, height))
    left, top = corners(np.int64(side), *numbers)  # type: ignore[arg-type]
    return float(left), float(top)


class _Sides(Struct, frozen=True, eq=False):
    """Every side of some candidates: where a label would be, whether that is on the screen, on no
    thing, and near no other thing, with none between.
    """

    left: np.ndarray
    top: np.ndarray
    inside: np.ndarray
    clear: np.ndarray
    own: np.ndarray
    crossed: np.ndarray
    """At how many points of the line to it there is another thing."""
    hopeful: np.ndarray
    """For each candidate whether any side may do."""


def _sides_of(board: Board, spots: tuple[np.ndarray, ...], many: int) -> _Sides:
    """The first `many` sides of candidates given by x, y, radius, width and height."""
    spots = tuple(column[:, None] for column in spots)
    x, y, radius, width, height = spots
    sides = np.arange(many)
    left, top = corners(sides, x, y, radius, width, height)
    inside = board.inside(left, top, width, height)
    clear = board.clear(left, top, width, height)
    own = clear & board.alone(left, top, width, height, (x, y, radius))
    crossed = np.zeros(clear.shape, np.int8)
    if many > AWAY:
        away = slice(AWAY, None)
        clear[:, away] = own[:, away]
        crossed[:, away] = _crossed(board, spots, left[:, away], top[:, away], own[:, away])
        own &= crossed == 0
    hopeful = own.any(axis=1) if many < many_sides(BEHIND) else np.ones(len(own), bool)
    return _Sides(left, top, inside, clear, own, crossed, hopeful)


def _crossed(
    board: Board, spots: tuple[np.ndarray, ...], left: np.ndarray, top: np.ndarray,
    clear: np.ndarray,
) -> np.ndarray:
    """At how many points the line to each clear side further off is at another thing."""
    row, side = np.nonzero(clear)
    x, y, radius, width, height = (column[row, 0] for column in spots)
    ways = _way(x, y, radius, left[row, side], top[row, side], width, height)
    crossed = np.zeros(clear.shape, np.int8)
    crossed[row, side] = (~board.bare(*ways)).sum(axis=0)
    return crossed


def _way(
    x: np.ndarray, y: np.ndarray, radius: np.ndarray, left: np.ndarray, top: np.ndarray,
    width: np.ndarray, height: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Points on the lines from things, some way from their rims, to their labels further off."""
    across = np.clip(x, left, left + width) - x
    down = np.clip(y, top, top + height) - y
    start = np.minimum((radius + 2 * CELL) / np.maximum(np.hypot(across, down), 1.0), 1.0)
    at = start + (1.0 - start) * np.linspace(0.0, 1.0, _POINTS)[:, None]
    return x + across * at, y + down * at


def _one_way(spot: tuple[float, ...], left: float, top: float) -> list[tuple[float, float]]:
    """`_way` for one label: numpy takes ten times as long for so little."""
    x, y, radius, width, height = spot
    across = min(max(x, left), left + width) - x
    down = min(max(y, top), top + height) - y
    start = min((radius + 2 * CELL) / max((across * across + down * down) ** 0.5, 1.0), 1.0)
    step = (1.0 - start) / (_POINTS - 1)
    return [(x + across * (start + step * at), y + down * (start + step * at))
            for at in range(_POINTS)]


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
    beside its thing it is looked for further off, by so many `rings`; with all of them, or as
    `POINTED`, it is in the end put over other things.
    """
    count = len(x)
    before = np.full(count, -1, np.int8) if before is None else before
    first = np.zeros(count, np.int8) if first is None else first
    rings = np.zeros(count, np.int8) if rings is None else rings
    spots = tuple(np.asarray(column, np.float64) for column in (x, y, radius, width, height))
    reach = np.where(rings == POINTED, _POINTED_RINGS, rings)
    sides_of, row_of = _by_rings(board, spots, reach)
    important = np.argsort(-(priority * np.where(before >= 0, _STICKY, 1.0)), kind="stable")
    chosen: list[tuple[int, float, float, int]] = []
    for index in important.tolist():
        if len(chosen) >= most:
            break
        sides, row = sides_of[int(reach[index])], int(row_of[index])
        if not sides.hopeful[row] and rings[index] < RINGS:
            continue
        spot = tuple(float(column[index]) for column in spots)
        order = _order(int(before[index]), int(first[index]), many_sides(int(reach[index])))
        place = _first(board, sides, sides.own, row, order, spot)
        if place is None and BEHIND <= rings[index] <= RINGS:
            crossed = sides.crossed[row].tolist()
            away = sorted((side for side in order if side >= AWAY), key=crossed.__getitem__)
            place = _first(board, sides, sides.clear, row, away, spot)
        if place is None and rings[index] >= RINGS:
            place = _first(board, sides, sides.inside, row, order[:AWAY], spot, OVER)
        if place is not None:
            chosen.append((index, *place))
    table = np.array(chosen, np.float64).reshape(-1, 4)
    return PlacedLabels(table[:, 0].astype(np.int64), table[:, 1], table[:, 2],
                        table[:, 3].astype(np.int8))


def _by_rings(
    board: Board, spots: tuple[np.ndarray, ...], rings: np.ndarray
) -> tuple[dict[int, _Sides], np.ndarray]:
    """The sides of the candidates that look as far off as each other, and each one's row there."""
    sides, row = {}, np.zeros(len(rings), np.int64)
    for count in distinct(rings).tolist():
        mine = np.flatnonzero(rings == count)
        sides[count] = _sides_of(board, tuple(column[mine] for column in spots),
                                 many_sides(count))
        row[mine] = np.arange(len(mine))
    return sides, row


def _first(
    board: Board, sides: _Sides, good: np.ndarray, row: int, order: list[int],
    spot: tuple[float, ...], plus: int = 0,
) -> tuple[float, float, int] | None:
    """Take the first good side at which no other label is; its place, and the side `plus` that."""
    fine, (*_, width, height) = good[row].tolist(), spot
    for side in order:
        if not fine[side]:
            continue
        left, top = float(sides.left[row, side]), float(sides.top[row, side])
        far = side >= AWAY and not plus
        room = ALOOF if far else 0.0
        if not board.apart(left - room, top - room, width + 2 * room, height + 2 * room):
            continue
        way = _one_way(spot, left, top) if far else []
        if all(board.apart(at, down, 0.0, 0.0) for at, down in way):
            board.take(left - _BESIDE, top, width + 2 * _BESIDE, height)
            for at, down in way:
                board.take(at, down, 0.0, 0.0)
            return left, top, side + plus
    return None
