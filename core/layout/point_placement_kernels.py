"""Compiled loops over points in the plane, called by `core.layout.point_placement`.

All in one file, because a compiled function that was kept does not notice that a function it calls
has changed in another one. They take no memory of their own: what they work in is given to them.

Nearness is looked up in a grid of square cells, each holding a chain of rows: `heads[cell]` is its
first row and `following[row]` the next, -1 at the end. Cells at the border also hold what lies
beyond it, so that a stray costs time but never a wrong answer. `heads` must have room for
`most_columns` squared, and `following` for each row.
"""

import numpy as np
from numpy.typing import NDArray

from core.jit import njit

NEARLY = 1 + 1e-12
"""A square that is larger than another by this has a larger root, however both are rounded."""

Points64 = NDArray[np.float64]
"""Positions, (points, 2)."""
Grid = tuple[NDArray[np.int32], NDArray[np.int32], float, float, float, int, int]


@njit
def make_grid(
    points: Points64, known: NDArray[np.bool_], cell: float, heads: NDArray[np.int32],
    following: NDArray[np.int32],
) -> Grid:
    """A grid over the known points, of a size that follows their number."""
    size = len(points)
    most = most_columns(size)
    left, columns = _span(points[:, 0], known, cell, most)
    bottom, lines = _span(points[:, 1], known, cell, most)
    heads[:columns * lines] = -1
    following[:] = -1
    grid = (heads, following, cell, left, bottom, columns, lines)
    for i in range(size - 1, -1, -1):
        if known[i]:
            enter(grid, i, points[i, 0], points[i, 1])
    return grid


@njit
def most_columns(size: int) -> int:
    """So many columns, and lines, a grid of so many points has at most."""
    return 4 * int(np.sqrt(size)) + 16


@njit
def _span(
    values: NDArray[np.float64], known: NDArray[np.bool_], cell: float, most: int
) -> tuple[float, int]:
    """Where the cells start along one axis, and how many there are."""
    low, high, total, count = np.inf, -np.inf, 0.0, 0
    for i in range(len(values)):
        if known[i]:
            low, high = min(low, values[i]), max(high, values[i])
            total += values[i]
            count += 1
    if count == 0:
        return 0.0, 1
    if (high - low) / cell < most:
        return low, int((high - low) / cell) + 1
    # Strays reach too far: the cells lie about the mean, where most are.
    return min(max(total / count - most * cell / 2, low), high - most * cell), most


@njit
def enter(grid: Grid, row: int, x: float, y: float) -> None:
    """Put a row into the chain of its cell."""
    heads, following, cell, left, bottom, columns, lines = grid
    at = line_of(y, bottom, cell, lines) * columns + line_of(x, left, cell, columns)
    following[row] = heads[at]
    heads[at] = row


@njit
def line_of(value: float, start: float, cell: float, count: int) -> int:
    """The column or line of a coordinate; the first or last for anything beyond."""
    share = (value - start) / cell
    if share < 0:
        return 0
    return int(min(share, count - 1))


@njit
def nearest_rows(
    points: Points64, among: Points64, cell: float, rows: NDArray[np.int64],
    best: NDArray[np.float64], everyone: NDArray[np.bool_], heads: NDArray[np.int32],
    following: NDArray[np.int32],
) -> None:
    """Put the rows of `among` nearest to each point into `rows`, nearest first."""
    grid = make_grid(among, everyone, cell, heads, following)
    for i in range(len(points)):
        best[:] = np.inf
        column = line_of(points[i, 0], grid[3], cell, grid[5])
        line = line_of(points[i, 1], grid[4], cell, grid[6])
        ring = 0
        # What lies in a ring is at least one cell less than its number away.
        while ring <= max(grid[5], grid[6]) and best[-1] > (max(ring - 1, 0) * cell) ** 2:
            _search_ring(ring, column, line, points[i], among, grid, rows[i], best)
            ring += 1


@njit
def _search_ring(
    ring: int,
    column: int,
    line: int,
    point: NDArray[np.float64],
    among: Points64,
    grid: Grid,
    rows: NDArray[np.int64],
    best: NDArray[np.float64],
) -> None:
    heads, following, cell, left, bottom, columns, lines = grid
    for y in range(max(line - ring, 0), min(line + ring + 1, lines)):
        step = 2 * ring if abs(y - line) < ring else 1
        for x in range(column - ring, column + ring + 1, step):
            if x < 0 or x >= columns:
                continue
            j = heads[y * columns + x]
            while j >= 0 and best[-1] > 0:
                across, up = among[j, 0] - point[0], among[j, 1] - point[1]
                apart = across * across + up * up
                if apart < best[-1]:
                    _insert(rows, best, j, apart)
                j = following[j]


@njit
def _insert(
    rows: NDArray[np.int64], best: NDArray[np.float64], row: int, apart: float
) -> None:
    at = len(best) - 1
    while at > 0 and best[at - 1] > apart:
        best[at], rows[at] = best[at - 1], rows[at - 1]
        at -= 1
    best[at], rows[at] = apart, row


@njit
def push_apart(
    points: Points64, radii: NDArray[np.float64], held: NDArray[np.bool_], rounds: int,
    everyone: NDArray[np.bool_], heads: NDArray[np.int32], following: NDArray[np.int32],
) -> int:
    """Move circles away from those they overlap; returns how many overlaps the last round met."""
    size = len(points)
    cell = 2 * _largest(radii) if size else 1.0
    met = 0
    for _ in range(rounds):
        grid = make_grid(points, everyone, cell, heads, following)
        met = 0
        for i in range(size):
            met += _push_from(i, points, radii, held, grid)
        if met == 0:
            break
    return met


@njit
def _largest(values: NDArray[np.float64]) -> float:
    largest: float = values[0]
    for value in values:
        largest = max(largest, value)
    return largest


@njit
def _push_from(
    i: int, points: Points64, radii: NDArray[np.float64], held: NDArray[np.bool_], grid: Grid
) -> int:
    heads, following, cell, left, bottom, columns, lines = grid
    column = line_of(points[i, 0], left, cell, columns)
    line = line_of(points[i, 1], bottom, cell, lines)
    met = 0
    for y in range(max(line - 1, 0), min(line + 2, lines)):
        for x in range(max(column - 1, 0), min(column + 2, columns)):
            j = heads[y * columns + x]
            while j >= 0:
                if j > i and not (held[i] and held[j]):
                    met += _push_pair(i, j, points, radii, held)
                j = following[j]
    return met


@njit
def _push_pair(
    i: int, j: int, points: Points64, radii: NDArray[np.float64], held: NDArray[np.bool_]
) -> int:
    across, up = points[j, 0] - points[i, 0], points[j, 1] - points[i, 1]
    apart, needed = np.sqrt(across * across + up * up), radii[i] + radii[j]
    if apart >= needed:
        return 0
    if apart < 1e-9 * needed:
        angle = 2.399963229728653 * (i + j)  # the golden angle, never twice the same direction
        across, up, apart = np.cos(angle), np.sin(angle), 1.0
        short = needed
    else:
        short = needed - apart
    share = 1.0 if held[i] else 0.0 if held[j] else 0.5
    step = short * 1.01 + 1e-6
    points[j, 0] += across / apart * step * share
    points[j, 1] += up / apart * step * share
    points[i, 0] -= across / apart * step * (1 - share)
    points[i, 1] -= up / apart * step * (1 - share)
    return 1


@njit
def settle(
    points: Points64,
    targets: Points64,
    wanted: NDArray[np.int32],
    radii: NDArray[np.float64],
    known: NDArray[np.bool_],
    nobody: NDArray[np.bool_],
    heads: NDArray[np.int32],
    following: NDArray[np.int32],
) -> None:
    """Give each wanted row the free point nearest to its target; the known ones stay."""
    grid = make_grid(points, known, 2 * _largest(radii), heads, following)
    for w in range(len(wanted)):
        i = wanted[w]
        step = radii[i] * 0.5
        ring = 0
        searching = True
        while searching:
            tries = max(1, 6 * ring)
            for s in range(tries):
                angle = 6.283185307179586 * (s + 0.37 * (i % 17)) / tries
                x = targets[w, 0] + np.cos(angle) * ring * step
                y = targets[w, 1] + np.sin(angle) * ring * step
                if _is_free(i, x, y, points, radii, grid, nobody):
                    points[i, 0], points[i, 1] = x, y
                    known[i] = True
                    enter(grid, i, x, y)
                    searching = False
                    break
            ring += 1


@njit
def _is_free(
    i: int, x: float, y: float, points: Points64, radii: NDArray[np.float64], grid: Grid,
    absent: NDArray[np.bool_],
) -> bool:
    """True if the circle of row `i` at (x, y) would touch none that is not absent."""
    heads, following, cell, left, bottom, columns, lines = grid
    column, line = line_of(x, left, cell, columns), line_of(y, bottom, cell, lines)
    for at_y in range(max(line - 1, 0), min(line + 2, lines)):
        for at_x in range(max(column - 1, 0), min(column + 2, columns)):
            j = heads[at_y * columns + at_x]
            while j >= 0:
                across, up = points[j, 0] - x, points[j, 1] - y
                needed = radii[i] + radii[j]
                if not absent[j] and across * across + up * up < needed * needed:
                    return False
                j = following[j]
    return True


@njit
def overlapping(
    points: Points64, radii: NDArray[np.float64], held: NDArray[np.bool_],
    moving: NDArray[np.bool_], everyone: NDArray[np.bool_], heads: NDArray[np.int32],
    following: NDArray[np.int32],
) -> None:
    """Note who would have to move for no two circles to overlap: never both of a pair.

    Nobody is `moving` to begin with.
    """
    grid = make_grid(points, everyone, 2 * _largest(radii), heads, following)
    for i in range(len(points)):
        if not held[i]:
            moving[i] = True  # nobody is in their own way
            moving[i] = not _is_free(i, points[i, 0], points[i, 1], points, radii, grid, moving)


@njit
def relax(
    points: Points64,
    anchors: Points64,
    labels: NDArray[np.int32],
    middles: Points64,
    reaches: NDArray[np.float64],
    starts: NDArray[np.int64],
    others: NDArray[np.int32],
    weights: NDArray[np.float32],
    radii: NDArray[np.float64],
    room: float,
    rounds: int,
    heaviest: NDArray[np.float64],
    moves: Points64,
    by_cell: NDArray[np.int32],
    circles: NDArray[np.float64],
    everyone: NDArray[np.bool_],
    ends: NDArray[np.int32],
    cells: NDArray[np.int32],
) -> None:
    """Forces inside each community: ties draw, neighbours push, anchors and the border hold."""
    size = len(points)
    for i in range(size):
        heaviest[i] = 1.0
        for t in range(starts[i], starts[i + 1]):
            if labels[others[t]] == labels[i]:
                heaviest[i] += weights[t]
    for r in range(rounds):
        warmth = 0.6 * (1 - r / rounds) + 0.05
        columns, lines = _sort_by_cell(
            points, radii, room * 2, by_cell, circles, everyone, ends, cells)
        for place in range(size):
            i = by_cell[place]
            pull_x, pull_y = _pull(i, points, labels, starts, others, weights, room)
            push_x, push_y = _push(place, cells[i], circles, ends, columns, lines, room)
            x = 0.6 * pull_x / heaviest[i] + push_x + 0.12 * (anchors[i, 0] - points[i, 0])
            y = 0.6 * pull_y / heaviest[i] + push_y + 0.12 * (anchors[i, 1] - points[i, 1])
            length = np.sqrt(x * x + y * y)
            limit = min(1.0, room / (length + 1e-12))
            moves[i, 0], moves[i, 1] = x * limit * warmth, y * limit * warmth
        for i in range(size):
            points[i, 0] += moves[i, 0]
            points[i, 1] += moves[i, 1]
            _hold_inside(i, points, middles[labels[i]], reaches[labels[i]] - radii[i])


@njit
def _pull(
    i: int,
    points: Points64,
    labels: NDArray[np.int32],
    starts: NDArray[np.int64],
    others: NDArray[np.int32],
    weights: NDArray[np.float32],
    room: float,
) -> tuple[float, float]:
    x, y = 0.0, 0.0
    for t in range(starts[i], starts[i + 1]):
        j = others[t]
        if labels[j] == labels[i]:
            across, up = points[j, 0] - points[i, 0], points[j, 1] - points[i, 1]
            apart = np.sqrt(across * across + up * up) + 1e-9
            if apart > 2 * room:
                share = weights[t] * (apart - 2 * room) / apart
                x += across * share
                y += up * share
    return x, y


@njit
def _push(
    place: int, cell: int, circles: NDArray[np.float64], ends: NDArray[np.int32], columns: int,
    lines: int, room: float,
) -> tuple[float, float]:
    """How its neighbours push the circle at this place, which lies in this cell."""
    left, right = max(cell % columns - 1, 0), min(cell % columns + 1, columns - 1)
    own_x, own_y, own = circles[place, 0], circles[place, 1], room + circles[place, 2]
    x, y = 0.0, 0.0
    for line in range(max(cell // columns - 1, 0), min(cell // columns + 2, lines)):
        first = line * columns + left
        begin = ends[first - 1] if first > 0 else 0
        for other in range(begin, ends[line * columns + right]):
            across, up = own_x - circles[other, 0], own_y - circles[other, 1]
            square, reach = across * across + up * up, own + circles[other, 2]
            if other == place or square > reach * reach * NEARLY:
                continue
            apart = np.sqrt(square)
            if apart < reach:
                share = 0.3 * (reach - apart) / (apart + 0.01 * room)
                x += across * share
                y += up * share
    return x, y


@njit
def _sort_by_cell(
    points: Points64, radii: NDArray[np.float64], cell: float, by_cell: NDArray[np.int32],
    circles: NDArray[np.float64], everyone: NDArray[np.bool_], ends: NDArray[np.int32],
    cells: NDArray[np.int32],
) -> tuple[int, int]:
    """Put the circles of a grid's cell side by side, in the order of their rows.

    Into `by_cell` the row at each place, into `circles` its x, y and radius, into `cells` the cell
    of each row, into `ends` where each cell ends. Returns the columns and lines.
    """
    most = most_columns(len(points))
    left, columns = _span(points[:, 0], everyone, cell, most)
    bottom, lines = _span(points[:, 1], everyone, cell, most)
    ends[:columns * lines] = 0
    for i in range(len(points)):
        cells[i] = (line_of(points[i, 1], bottom, cell, lines) * columns
                    + line_of(points[i, 0], left, cell, columns))
        ends[cells[i]] += 1
    begin = 0
    for at in range(columns * lines):
        begin, ends[at] = begin + ends[at], begin
    for i in range(len(points)):
        place = ends[cells[i]]
        ends[cells[i]] = place + 1
        by_cell[place] = i
        circles[place, 0], circles[place, 1] = points[i, 0], points[i, 1]
        circles[place, 2] = radii[i]
    return columns, lines


@njit
def _hold_inside(i: int, points: Points64, middle: NDArray[np.float64], reach: float) -> None:
    across, up = points[i, 0] - middle[0], points[i, 1] - middle[1]
    apart = np.sqrt(across * across + up * up)
    if apart > reach:
        points[i, 0] = middle[0] + across / apart * max(reach, 0.0)
        points[i, 1] = middle[1] + up / apart * max(reach, 0.0)
