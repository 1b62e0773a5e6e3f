"""Compiled loops over the rows of a graph.

Nearness is looked up in a grid of square cells, each holding a chain of rows: `heads[cell]` is its
first row and `following[row]` the next, -1 at the end. Cells at the border also hold what lies
beyond it, so that a stray costs time but never a wrong answer.
"""

import numpy as np
from numpy.typing import NDArray

from core.jit import njit

Places = NDArray[np.float64]
Grid = tuple[NDArray[np.int32], NDArray[np.int32], float, float, float, int, int]


@njit
def move_to_communities(
    starts: NDArray[np.int64],
    others: NDArray[np.int32],
    weights: NDArray[np.float32],
    own: NDArray[np.float32],
    resolution: float,
) -> NDArray[np.int32]:
    """The local moves of Louvain's method: a community for each row."""
    size = len(starts) - 1
    degrees = np.zeros(size)
    for i in range(size):
        degrees[i] = own[i]
        for t in range(starts[i], starts[i + 1]):
            degrees[i] += weights[t]
    total = max(degrees.sum(), 1e-12)
    labels = np.arange(size).astype(np.int32)
    sums = degrees.copy()
    shared = np.zeros(size)
    touched = np.empty(size, dtype=np.int32)
    for _ in range(32):
        moves = 0
        for i in range(size):
            here = labels[i]
            count = _tied_communities(i, starts, others, weights, labels, shared, touched)
            sums[here] -= degrees[i]
            cost = resolution * degrees[i] / total
            best = here
            most = shared[here] - cost * sums[here]
            for c in range(count):
                gain = shared[touched[c]] - cost * sums[touched[c]]
                if gain > most + 1e-9:
                    best, most = touched[c], gain
                shared[touched[c]] = 0
            shared[here] = 0
            sums[best] += degrees[i]
            labels[i] = best
            moves += best != here
        if moves <= size // 1000:
            break
    return labels


@njit
def _tied_communities(
    i: int,
    starts: NDArray[np.int64],
    others: NDArray[np.int32],
    weights: NDArray[np.float32],
    labels: NDArray[np.int32],
    shared: NDArray[np.float64],
    touched: NDArray[np.int32],
) -> int:
    """Sum up the row's ties by community; returns how many entries of `touched` are filled."""
    count = 0
    for t in range(starts[i], starts[i + 1]):
        label = labels[others[t]]
        if shared[label] == 0:
            touched[count] = label
            count += 1
        shared[label] += weights[t]
    return count


@njit
def make_grid(places: Places, known: NDArray[np.bool_], cell: float) -> Grid:
    """A grid over the known places, of a size that follows their number."""
    size = len(places)
    low_x, low_y, high_x, high_y = np.inf, np.inf, -np.inf, -np.inf
    for i in range(size):
        if known[i]:
            low_x, high_x = min(low_x, places[i, 0]), max(high_x, places[i, 0])
            low_y, high_y = min(low_y, places[i, 1]), max(high_y, places[i, 1])
    if low_x > high_x:
        low_x, high_x, low_y, high_y = 0.0, 0.0, 0.0, 0.0
    most = 4 * int(np.sqrt(size)) + 16
    columns = min(int((high_x - low_x) / cell) + 1, most)
    lines = min(int((high_y - low_y) / cell) + 1, most)
    # Around the middle, should the places reach further than the cells.
    left = (low_x + high_x - columns * cell) / 2
    bottom = (low_y + high_y - lines * cell) / 2
    heads = np.full(columns * lines, -1, dtype=np.int32)
    following = np.full(size, -1, dtype=np.int32)
    grid = (heads, following, cell, left, bottom, columns, lines)
    for i in range(size - 1, -1, -1):
        if known[i]:
            enter(grid, i, places[i, 0], places[i, 1])
    return grid


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
def push_apart(
    places: Places, radii: NDArray[np.float64], held: NDArray[np.bool_], rounds: int
) -> int:
    """Move circles away from those they overlap; returns how many overlaps the last round met."""
    size = len(places)
    everyone = np.ones(size, dtype=np.bool_)
    cell = 2 * radii.max() if size else 1.0
    met = 0
    for _ in range(rounds):
        grid = make_grid(places, everyone, cell)
        met = 0
        for i in range(size):
            met += _push_from(i, places, radii, held, grid)
        if met == 0:
            break
    return met


@njit
def _push_from(
    i: int, places: Places, radii: NDArray[np.float64], held: NDArray[np.bool_], grid: Grid
) -> int:
    heads, following, cell, left, bottom, columns, lines = grid
    column = line_of(places[i, 0], left, cell, columns)
    line = line_of(places[i, 1], bottom, cell, lines)
    met = 0
    for y in range(max(line - 1, 0), min(line + 2, lines)):
        for x in range(max(column - 1, 0), min(column + 2, columns)):
            j = heads[y * columns + x]
            while j >= 0:
                if j > i and not (held[i] and held[j]):
                    met += _push_pair(i, j, places, radii, held)
                j = following[j]
    return met


@njit
def _push_pair(
    i: int, j: int, places: Places, radii: NDArray[np.float64], held: NDArray[np.bool_]
) -> int:
    across, up = places[j, 0] - places[i, 0], places[j, 1] - places[i, 1]
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
    places[j, 0] += across / apart * step * share
    places[j, 1] += up / apart * step * share
    places[i, 0] -= across / apart * step * (1 - share)
    places[i, 1] -= up / apart * step * (1 - share)
    return 1


@njit
def settle(
    places: Places,
    targets: Places,
    wanted: NDArray[np.int32],
    radii: NDArray[np.float64],
    known: NDArray[np.bool_],
) -> None:
    """Give each wanted row the free place nearest to its target; the known ones stay."""
    grid = make_grid(places, known, 2 * radii.max())
    for w in range(len(wanted)):
        i = wanted[w]
        step = radii[i] * 0.5
        ring = 0
        searching = True
        while searching:
            spots = max(1, 6 * ring)
            for s in range(spots):
                angle = 6.283185307179586 * (s + 0.37 * (i % 17)) / spots
                x = targets[w, 0] + np.cos(angle) * ring * step
                y = targets[w, 1] + np.sin(angle) * ring * step
                if _is_free(i, x, y, places, radii, grid):
                    places[i, 0], places[i, 1] = x, y
                    known[i] = True
                    enter(grid, i, x, y)
                    searching = False
                    break
            ring += 1


@njit
def _is_free(
    i: int, x: float, y: float, places: Places, radii: NDArray[np.float64], grid: Grid
) -> bool:
    heads, following, cell, left, bottom, columns, lines = grid
    column, line = line_of(x, left, cell, columns), line_of(y, bottom, cell, lines)
    for at_y in range(max(line - 1, 0), min(line + 2, lines)):
        for at_x in range(max(column - 1, 0), min(column + 2, columns)):
            j = heads[at_y * columns + at_x]
            while j >= 0:
                across, up = places[j, 0] - x, places[j, 1] - y
                needed = radii[i] + radii[j]
                if across * across + up * up < needed * needed:
                    return False
                j = following[j]
    return True


@njit
def overlapping(
    places: Places, radii: NDArray[np.float64], held: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Rows that would have to move for no two circles to overlap: never both of a pair."""
    size = len(places)
    moving = np.zeros(size, dtype=np.bool_)
    grid = make_grid(places, np.ones(size, dtype=np.bool_), 2 * radii.max() if size else 1.0)
    heads, following, cell, left, bottom, columns, lines = grid
    for i in range(size):
        column = line_of(places[i, 0], left, cell, columns)
        line = line_of(places[i, 1], bottom, cell, lines)
        for y in range(max(line - 1, 0), min(line + 2, lines)):
            for x in range(max(column - 1, 0), min(column + 2, columns)):
                j = heads[y * columns + x]
                while j >= 0:
                    if j != i and not moving[i] and not moving[j] and not held[i]:
                        across, up = places[j, 0] - places[i, 0], places[j, 1] - places[i, 1]
                        needed = radii[i] + radii[j]
                        if across * across + up * up < needed * needed:
                            moving[i] = True
                    j = following[j]
    return moving


@njit
def relax(
    places: Places,
    anchors: Places,
    labels: NDArray[np.int32],
    middles: Places,
    reaches: NDArray[np.float64],
    starts: NDArray[np.int64],
    others: NDArray[np.int32],
    weights: NDArray[np.float32],
    radii: NDArray[np.float64],
    room: float,
    rounds: int,
) -> None:
    """Forces inside each community: ties draw, neighbours push, anchors and the border hold."""
    size = len(places)
    everyone = np.ones(size, dtype=np.bool_)
    heaviest = np.ones(size)
    for i in range(size):
        for t in range(starts[i], starts[i + 1]):
            if labels[others[t]] == labels[i]:
                heaviest[i] += weights[t]
    moves = np.zeros((size, 2))
    for r in range(rounds):
        warmth = 0.6 * (1 - r / rounds) + 0.05
        grid = make_grid(places, everyone, room * 2)
        for i in range(size):
            pull_x, pull_y = _pull(i, places, labels, starts, others, weights, room)
            push_x, push_y = _push(i, places, labels, radii, room, grid)
            x = 0.6 * pull_x / heaviest[i] + push_x + 0.12 * (anchors[i, 0] - places[i, 0])
            y = 0.6 * pull_y / heaviest[i] + push_y + 0.12 * (anchors[i, 1] - places[i, 1])
            length = np.sqrt(x * x + y * y)
            limit = min(1.0, room / (length + 1e-12))
            moves[i, 0], moves[i, 1] = x * limit * warmth, y * limit * warmth
        for i in range(size):
            places[i, 0] += moves[i, 0]
            places[i, 1] += moves[i, 1]
            _hold_inside(i, places, middles[labels[i]], reaches[labels[i]] - radii[i])


@njit
def _pull(
    i: int,
    places: Places,
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
            across, up = places[j, 0] - places[i, 0], places[j, 1] - places[i, 1]
            apart = np.sqrt(across * across + up * up) + 1e-9
            share = weights[t] * (apart - room) / apart
            if share > 0:
                x += across * share
                y += up * share
    return x, y


@njit
def _push(
    i: int,
    places: Places,
    labels: NDArray[np.int32],
    radii: NDArray[np.float64],
    room: float,
    grid: Grid,
) -> tuple[float, float]:
    heads, following, cell, left, bottom, columns, lines = grid
    column = line_of(places[i, 0], left, cell, columns)
    line = line_of(places[i, 1], bottom, cell, lines)
    x, y = 0.0, 0.0
    for at_y in range(max(line - 1, 0), min(line + 2, lines)):
        for at_x in range(max(column - 1, 0), min(column + 2, columns)):
            j = heads[at_y * columns + at_x]
            while j >= 0:
                if j != i:
                    across, up = places[i, 0] - places[j, 0], places[i, 1] - places[j, 1]
                    apart = np.sqrt(across * across + up * up)
                    reach = room + radii[i] + radii[j]
                    if apart < reach:
                        share = 0.3 * (reach - apart) / (apart + 0.01 * room)
                        x += across * share
                        y += up * share
                j = following[j]
    return x, y


@njit
def _hold_inside(i: int, places: Places, middle: NDArray[np.float64], reach: float) -> None:
    across, up = places[i, 0] - middle[0], places[i, 1] - middle[1]
    apart = np.sqrt(across * across + up * up)
    if apart > reach:
        places[i, 0] = middle[0] + across / apart * max(reach, 0.0)
        places[i, 1] = middle[1] + up / apart * max(reach, 0.0)
