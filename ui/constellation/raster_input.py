"""What the raster draws, as arrays in device pixels: lights, dust, lines and marks."""

import numpy as np
from msgspec import Struct

HEXAGON, HOLLOW, DASHED, DISC, DIAMOND = 0, 1, 2, 3, 4
"""Shapes as the kernels number them."""


class Lights(Struct, frozen=True, eq=False):
    """Soft round lights behind everything."""

    x: np.ndarray
    y: np.ndarray
    radius: np.ndarray
    alpha: np.ndarray
    color: np.ndarray


class EntityStyles(Struct, frozen=True, eq=False):
    """What the entities of a scene look like in a palette, wherever they are."""

    fill: np.ndarray
    rim: np.ndarray
    glow: np.ndarray
    shape: np.ndarray
    shining: np.ndarray
    """Brightness, 0 for the muted."""


Points = Lights
"""Dust: the same columns, drawn as small points."""


class Lines(Struct, frozen=True, eq=False):
    """Lines between points, from rim to rim, the most important first."""

    x: np.ndarray
    y: np.ndarray
    rim: np.ndarray
    source: np.ndarray
    target: np.ndarray
    width: np.ndarray
    alpha: np.ndarray
    dash: np.ndarray
    color: np.ndarray
    most: float
    """How many pixels long all lines may be together: the first are drawn, up to this."""
    far: float
    gap: float


class Marks(Struct, frozen=True, eq=False):
    """Hexagons, discs and diamonds in drawing order."""

    x: np.ndarray
    y: np.ndarray
    radius: np.ndarray
    alpha: np.ndarray
    fill: np.ndarray
    rim: np.ndarray
    shape: np.ndarray


class Paint(Struct, frozen=True, eq=False):
    """All that the raster needs, in device pixels."""

    top: np.ndarray
    bottom: np.ndarray
    glow: float
    lights: Lights
    dust: Points
    lines: tuple[Lines, ...]
    marks: Marks
    scale: float

    @classmethod
    def sample(cls) -> "Paint":
        """One of each thing: what the kernels are compiled with."""
        spot, shade = np.full(1, 3.0, np.float32), np.zeros(1, np.uint32)
        byte, node = np.zeros(1, np.uint8), np.zeros(1, np.int32)
        ends = np.array([1.0, 6.0], np.float32)
        lines = Lines(ends, ends, ends * 0, node, node + 1, spot, spot / 9, byte, shade, 1e9,
                      100.0, 1.0)
        return cls(np.zeros(3, np.float32), np.zeros(3, np.float32), 1.0,
                   Lights(spot, spot, spot * 3, spot / 9, shade),
                   Points(spot, spot, spot, spot / 9, shade), (lines,),
                   Marks(spot, spot, spot, spot / 9, shade, shade, byte), 1.0)
