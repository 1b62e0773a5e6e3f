"""The view onto the world as pure numbers: where it looks and how large things are."""

import math

from msgspec import Struct
from msgspec.structs import replace

CLOSEST_STEP, FARTHEST_STEP = 2600.0, 1.2
"""Pixels between neighbours at the two ends of the zoom."""


class Camera(Struct, frozen=True):
    """Looks at (x, y) with `scale` pixels per world unit, in a window of width by height.

    `low` and `high` bound the scale. Every method returns a new camera.
    """

    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0
    width: float = 1.0
    height: float = 1.0
    low: float = 1e-6
    high: float = 1e6

    def to_screen(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the world is on the screen."""
        return ((x - self.x) * self.scale + self.width / 2,
                (y - self.y) * self.scale + self.height / 2)

    def to_world(self, px: float, py: float) -> tuple[float, float]:
        """Which point of the world is at a place on the screen."""
        return ((px - self.width / 2) / self.scale + self.x,
                (py - self.height / 2) / self.scale + self.y)

    def resized(self, width: float, height: float) -> "Camera":
        """The same place in the middle of a window of another size."""
        return replace(self, width=max(width, 1.0), height=max(height, 1.0))

    def panned(self, dx: float, dy: float) -> "Camera":
        """The world moved by (dx, dy) pixels."""
        return replace(self, x=self.x - dx / self.scale, y=self.y - dy / self.scale)

    def zoomed(self, factor: float, px: float, py: float) -> "Camera":
        """Zoomed around the point (px, py)."""
        scale = min(max(self.scale * factor, self.low), self.high)
        x, y = self.to_world(px, py)
        return replace(self, scale=scale, x=x - (px - self.width / 2) / scale,
                       y=y - (py - self.height / 2) / scale)

    def fitted(self, left: float, top: float, right: float, bottom: float,
               margin: float = 0.05) -> "Camera":
        """A rectangle of the world as large as it fits."""
        across, down = max(right - left, 1e-9), max(bottom - top, 1e-9)
        scale = min(self.width / across, self.height / down) * (1.0 - 2.0 * margin)
        scale = min(max(scale, self.low), self.high)
        return replace(self, x=(left + right) / 2, y=(top + bottom) / 2, scale=scale)

    def centred(self, x: float, y: float, scale: float | None = None) -> "Camera":
        """Looking at a point, at a scale within the bounds."""
        wanted = self.scale if scale is None else min(max(scale, self.low), self.high)
        return replace(self, x=x, y=y, scale=wanted)

    def bounded(self, unit: float) -> "Camera":
        """With the zoom's ends set for a world whose neighbours are `unit` apart."""
        low, high = FARTHEST_STEP / unit, CLOSEST_STEP / unit
        return replace(self, low=low, high=high, scale=min(max(self.scale, low), high))

    def kept_near(self, left: float, top: float, right: float, bottom: float) -> "Camera":
        """Moved back if the rectangle would be wholly out of sight."""
        half_x, half_y = self.width / 2 / self.scale, self.height / 2 / self.scale
        return replace(self, x=min(max(self.x, left - half_x * 0.6), right + half_x * 0.6),
                       y=min(max(self.y, top - half_y * 0.6), bottom + half_y * 0.6))

    def sees(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of the world in the window."""
        left, top = self.to_world(0.0, 0.0)
        right, bottom = self.to_world(self.width, self.height)
        return left, top, right, bottom


def ease_out(t: float) -> float:
    """Fast at first, slow at last."""
    return 1.0 - (1.0 - min(max(t, 0.0), 1.0)) ** 3


def between(start: Camera, end: Camera, t: float) -> Camera:
    """The camera at `t` of the way: the scale changes evenly to the eye, by factors.

    The point that is the same on both screens stays fixed, so that a zoom looks like one
    movement and not like a zoom and a pan.
    """
    if t >= 1.0:
        return replace(end, width=start.width, height=start.height)
    scale = start.scale * math.exp(math.log(end.scale / start.scale) * t)
    if abs(end.scale - start.scale) < 1e-9 * start.scale:
        share = t
    else:
        share = (1 / start.scale - 1 / scale) / (1 / start.scale - 1 / end.scale)
    return replace(start, x=start.x + (end.x - start.x) * share,
                   y=start.y + (end.y - start.y) * share, scale=scale)
