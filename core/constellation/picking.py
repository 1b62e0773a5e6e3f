"""Finds what is under the pointer, in a rectangle, in a lasso or in a direction."""

import numpy as np

_PER_CELL = 4


class Grid:
    """Points in equal square cells; building it for 100,000 points takes a few milliseconds."""

    def __init__(self, x: np.ndarray, y: np.ndarray) -> None:
        self.x = np.asarray(x, np.float32)
        self.y = np.asarray(y, np.float32)
        if not len(self.x):
            return
        self._left, self._top = float(self.x.min()), float(self.y.min())
        width = max(float(self.x.max()) - self._left, 1e-6)
        height = max(float(self.y.max()) - self._top, 1e-6)
        wanted = max(len(self.x) / _PER_CELL, 1.0)
        self._side = max(np.sqrt(width * height / wanted), max(width, height) / 2048)
        self._columns = int(width / self._side) + 1
        self._rows = int(height / self._side) + 1
        cell = self._cell(self.x, self._left, self._columns) + self._columns * self._cell(
            self.y, self._top, self._rows
        )
        self._order = np.argsort(cell, kind="stable")
        self._start = np.searchsorted(
            cell[self._order], np.arange(self._columns * self._rows + 1)
        )

    def _cell(self, value: np.ndarray, origin: float, count: int) -> np.ndarray:
        cell: np.ndarray = ((value - origin) / self._side).astype(np.int64)
        return cell.clip(0, count - 1)

    def _span(self, low: float, high: float, origin: float, count: int) -> tuple[int, int]:
        first = int(np.floor((low - origin) / self._side))
        last = int(np.floor((high - origin) / self._side))
        return min(max(first, 0), count), max(min(last, count - 1), -1)

    def inside(self, left: float, top: float, right: float, bottom: float) -> np.ndarray:
        """Indices of the points in a rectangle, edges included."""
        if not len(self.x):
            return np.zeros(0, np.int64)
        first, last = self._span(left, right, self._left, self._columns)
        upper, lower = self._span(top, bottom, self._top, self._rows)
        if first > last or upper > lower:
            return np.zeros(0, np.int64)
        runs = [
            self._order[self._start[row * self._columns + first] :
                        self._start[row * self._columns + last + 1]]
            for row in range(upper, lower + 1)
        ]
        rows = np.concatenate(runs)
        x, y = self.x[rows], self.y[rows]
        return rows[(x >= left) & (x <= right) & (y >= top) & (y <= bottom)]

    def around(self, rows: np.ndarray, reach: float) -> tuple[np.ndarray, np.ndarray]:
        """What `inside` gives for a square about each of these points, `reach` to either side.

        All at once: where among `rows` each point was found, in their order, and the points.
        """
        x, y = self.x[rows].astype(np.float64), self.y[rows].astype(np.float64)
        left, right, upper, lower = x - reach, x + reach, y - reach, y + reach
        first, last = self._spans(left, right, self._left, self._columns)
        above, below = self._spans(upper, lower, self._top, self._rows)
        lines = above[:, None] + np.arange((below - above).max() + 1)
        where, line = np.nonzero(lines <= below[:, None])
        start = lines[where, line] * self._columns
        begin, end = self._start[start + first[where]], self._start[start + last[where] + 1]
        counts = end - begin
        near = self._order[np.arange(counts.sum())
                           + np.repeat(begin - np.cumsum(counts) + counts, counts)]
        where = np.repeat(where, counts)
        near_x, near_y = self.x[near], self.y[near]
        kept = ((near_x >= left[where]) & (near_x <= right[where])
                & (near_y >= upper[where]) & (near_y <= lower[where]))
        return where[kept], near[kept]

    def _spans(
        self, low: np.ndarray, high: np.ndarray, origin: float, count: int
    ) -> tuple[np.ndarray, np.ndarray]:
        first, last = (np.floor((edge - origin) / self._side).astype(np.int64)
                       for edge in (low, high))
        return first.clip(0, count - 1), last.clip(0, count - 1)

    def nearest(
        self, x: float, y: float, reach: float, hit: np.ndarray | None = None
    ) -> int | None:
        """The point nearest to (x, y) within `reach`.

        With `hit`, the radius of each point, a point counts from its rim on, so that a large
        thing is found before a small one behind it whose centre happens to be nearer.
        """
        rows = self.inside(x - reach, y - reach, x + reach, y + reach)
        if not len(rows):
            return None
        distance = np.hypot(self.x[rows] - x, self.y[rows] - y)
        if hit is not None:
            distance = distance - hit[rows]
            within = distance <= 0
            # Inside several at once: the one whose centre is nearest.
            if within.any():
                rows = rows[within]
                distance = np.hypot(self.x[rows] - x, self.y[rows] - y)
                return int(rows[np.argmin(distance)])
            return None
        best = int(np.argmin(distance))
        return int(rows[best]) if distance[best] <= reach else None


def in_polygon(x: np.ndarray, y: np.ndarray, polygon: np.ndarray) -> np.ndarray:
    """Indices of the points inside a closed polygon of (n, 2) corners, by the even-odd rule."""
    if len(polygon) < 3:
        return np.zeros(0, np.int64)
    low, high = polygon.min(axis=0), polygon.max(axis=0)
    near = np.flatnonzero((x >= low[0]) & (x <= high[0]) & (y >= low[1]) & (y <= high[1]))
    px, py = x[near], y[near]
    odd = np.zeros(len(near), bool)
    for (x1, y1), (x2, y2) in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        crosses = (y1 > py) != (y2 > py)
        at = (x2 - x1) * (py - y1) / (y2 - y1 if y2 != y1 else 1.0) + x1
        odd ^= crosses & (px < at)
    return near[odd]


def toward(
    x: np.ndarray, y: np.ndarray, start: int, direction: tuple[float, float]
) -> int | None:
    """The point that one would call the next in a direction: near, and not far off the axis."""
    dx, dy = x - x[start], y - y[start]
    along = dx * direction[0] + dy * direction[1]
    aside = np.abs(dx * direction[1] - dy * direction[0])
    ahead = (along > 1e-9) & (along > 0.5 * aside)
    ahead[start] = False
    rows = np.flatnonzero(ahead)
    if not len(rows):
        return None
    return int(rows[np.argmin(along[rows] + 2.0 * aside[rows])])
