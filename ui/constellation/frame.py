"""What one frame shows, as arrays in pixels: a scene through a camera, in a palette's colours."""

from dataclasses import dataclass, field

import numpy as np

from core.constellation.detail import Detail
from core.constellation.encoding import REFERENCE_STEP
from core.constellation.scene import CONSTRAINT, MUTED, TASK, Scene
from ui.constellation.camera import Camera
from ui.constellation.palette import SHADES, Palette

HEXAGON, HOLLOW, DASHED, DISC, DIAMOND = 0, 1, 2, 3, 4
"""Shapes as the kernels number them."""

OTHERS = 0.18
"""Opacity of rings beside the opened ones."""

REST = 0.25
"""Opacity of what is not lit while something is."""

_NEBULA_REACH = 1.3
_SMALLEST = 0.75
_LINE_PIXELS, _LINE_PIXELS_MOVING = 5_000_000, 1_500_000
"""How long all lines of a frame may be together: more would be a haze, and take too long."""
_CLOSE, _PASSING = 240.0, 0.55
_MOST_CHILDREN = 40_000


@dataclass(frozen=True, slots=True, eq=False)
class Lights:
    """Soft round lights behind everything."""

    x: np.ndarray
    y: np.ndarray
    radius: np.ndarray
    alpha: np.ndarray
    color: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Dress:
    """What the entities of a scene look like in a palette, wherever they are."""

    fill: np.ndarray
    rim: np.ndarray
    glow: np.ndarray
    shape: np.ndarray
    shining: np.ndarray
    """Brightness, 0 for the muted."""


Points = Lights
"""Dust: the same columns, drawn as small points."""


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
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


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """Hexagons, discs and diamonds in drawing order."""

    x: np.ndarray
    y: np.ndarray
    radius: np.ndarray
    alpha: np.ndarray
    fill: np.ndarray
    rim: np.ndarray
    shape: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Paint:
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


@dataclass(frozen=True, slots=True)
class Lighting:
    """What is lit: nodes and lines at full while the rest is dimmed by `level` 0..1."""

    nodes: frozenset[int] = frozenset()
    edges: frozenset[int] = frozenset()
    level: float = 0.0


@dataclass(frozen=True, slots=True)
class Sight:
    """Everything a frame depends on besides the scene: equal sights give equal pictures."""

    camera: Camera
    detail: Detail
    lighting: Lighting = field(default_factory=Lighting)
    opened: tuple[int, ...] = ()
    """Entities whose rings are shown at any zoom: the selected one and the one dived into."""
    marked: frozenset[int] = frozenset()
    """Lines in the accent colour: the selected entity's and a walk's."""
    moving: bool = False
    fresh: float = 1.0
    """Opacity of entities that have just appeared."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A scene through a camera, in logical pixels; what layers and picking work on.

    `x`, `y`, `radius` are of all entities; `visible` are those in the window. `near` are the
    aspects, values and memories that are drawn, with their own places and sizes.
    """

    scene: Scene
    sight: Sight
    step: float
    x: np.ndarray
    y: np.ndarray
    radius: np.ndarray
    alpha: np.ndarray
    visible: np.ndarray
    near: np.ndarray
    near_x: np.ndarray
    near_y: np.ndarray
    near_radius: np.ndarray
    near_alpha: np.ndarray
    dust: np.ndarray
    dust_alpha: float


def growth(step: float) -> float:
    """How much larger than written things are drawn: less than the world grows when near."""
    share = step / REFERENCE_STEP
    return min(1.22 * share**0.85, 1.0) if share < 1.0 else min(share**0.38, 2.1)


def look(scene: Scene, sight: Sight, fresh: np.ndarray | None = None) -> Frame:
    """Project a scene; `fresh` are entities drawn with `sight.fresh`."""
    camera, count = sight.camera, scene.entities
    step = scene.unit * camera.scale
    scale = np.float32(camera.scale)
    x = (scene.x[:count] - np.float32(camera.x)) * scale + np.float32(camera.width / 2)
    y = (scene.y[:count] - np.float32(camera.y)) * scale + np.float32(camera.height / 2)
    radius = np.maximum(scene.size[:count] * np.float32(growth(step)), np.float32(_SMALLEST))
    margin = 40.0
    visible = np.flatnonzero((x > -margin) & (x < camera.width + margin)
                             & (y > -margin) & (y < camera.height + margin))
    alpha = _alphas(count, sight)
    if fresh is not None and sight.fresh < 1.0:
        alpha[fresh] *= sight.fresh
    near, near_alpha = _near(scene, sight, visible)
    near_x = (scene.x[near] - np.float32(camera.x)) * scale + np.float32(camera.width / 2)
    near_y = (scene.y[near] - np.float32(camera.y)) * scale + np.float32(camera.height / 2)
    near_radius = np.maximum(scene.size[near] * np.float32(min(growth(step), 1.45)), 0.8)
    return Frame(scene, sight, step, x, y, radius, alpha, visible, near, near_x, near_y,
                 near_radius.astype(np.float32), near_alpha, _dust(scene, camera, sight),
                 sight.detail.dust)


def _alphas(count: int, sight: Sight) -> np.ndarray:
    lighting = sight.lighting
    alpha = np.full(count, 1.0 - (1.0 - REST) * lighting.level, np.float32)
    lit = [node for node in lighting.nodes if node < count]
    alpha[lit] = 1.0
    return alpha


def _runs(starts: np.ndarray, owners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows that `owners` own, and the place of each row's owner in `owners`."""
    many = starts[owners + 1] - starts[owners]
    which = np.repeat(np.arange(len(owners)), many)
    ends = np.cumsum(many)
    rows = np.arange(int(ends[-1]) if len(ends) else 0)
    return rows - (ends - many)[which] + starts[owners][which], which


def _near(scene: Scene, sight: Sight, visible: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Aspects and values that are seen, with their opacity."""
    detail, lighting = sight.detail, sight.lighting
    opened = np.array(sorted(set(sight.opened)), np.int64)
    entities = visible if detail.aspects > 0.01 else opened[:0]
    entities = np.union1d(entities, opened).astype(np.int64)
    if not len(entities):
        return np.zeros(0, np.int64), np.zeros(0, np.float32)
    is_open = np.isin(entities, opened)
    rest = 1.0 - (1.0 - REST) * lighting.level
    lit = np.isin(entities, np.fromiter(lighting.nodes, np.int64, len(lighting.nodes)))
    base = np.where(lit, 1.0, rest).astype(np.float32)

    # Beside opened rings the others recede, so that one sees whose aspects these are.
    recede = OTHERS if is_open.any() else 1.0
    aspects, of = _runs(scene.aspect_starts, entities)
    aspect_alpha = np.where(is_open, 1.0, detail.aspects * recede)[of] * base[of]
    values, by = _runs(scene.value_starts, aspects)
    value_alpha = np.where(is_open, 1.0, detail.values * recede)[of][by] * base[of][by]
    seen = np.flatnonzero(value_alpha > 0.02)
    if len(seen) > _MOST_CHILDREN:
        seen = seen[:_MOST_CHILDREN]
    near = np.concatenate((aspects + scene.starts[1], values[seen] + scene.starts[2]))
    return near, np.concatenate((aspect_alpha, value_alpha[seen])).astype(np.float32)


def _dust(scene: Scene, camera: Camera, sight: Sight) -> np.ndarray:
    """Memories in the window."""
    first, end = scene.starts[3], scene.starts[4]
    if end == first or sight.detail.dust <= 0.01:
        return np.zeros(0, np.int64)
    left, top, right, bottom = camera.sees()
    x, y = scene.x[first:end], scene.y[first:end]
    seen = np.flatnonzero((x > left) & (x < right) & (y > top) & (y < bottom))
    return seen + first


def dress(scene: Scene, palette: Palette) -> Dress:
    """The entities' colours and shapes."""
    count = scene.entities
    code = np.maximum(scene.type_code[:count], 0)
    shade = (scene.presence[:count] * (SHADES - 1) + 0.5).astype(np.int64)
    flags = scene.flags[:count]
    muted, task = (flags & MUTED) != 0, (flags & TASK) != 0
    grey = np.uint32(palette.muted)
    return Dress(
        fill=np.where(muted, grey, palette.fill[code, shade]),
        rim=np.where(muted, grey, palette.rim[code]), glow=palette.glow[code],
        shape=np.where(muted, HOLLOW, np.where(task, DASHED, HEXAGON)).astype(np.uint8),
        shining=np.where(muted, np.float32(0.0), scene.brightness[:count]),
    )


def compose(frame: Frame, palette: Palette, worn: Dress, scale: float) -> Paint:
    """The frame's arrays for the raster, `scale` device pixels per pixel."""
    lines = [_edges(frame, palette, scale)]
    if len(frame.near):
        lines.append(_spokes(frame, palette, scale))
    return Paint(palette.top, palette.bottom, palette.light, _lights(frame, worn, scale),
                 _points(frame, palette, scale), tuple(lines),
                 _marks(frame, palette, worn, scale), scale)


def _lights(frame: Frame, worn: Dress, scale: float) -> Lights:
    """Two lights an entity: a wide faint one that makes a nebula of a group, and its own glow."""
    camera, step = frame.sight.camera, frame.step
    wide = np.float32(min(step * _NEBULA_REACH, 190.0))
    x, y = frame.x, frame.y
    seen = np.flatnonzero((x > -wide) & (x < camera.width + wide)
                          & (y > -wide) & (y < camera.height + wide))
    color, alpha, radius = worn.glow[seen], frame.alpha[seen], frame.radius[seen]
    bright = worn.shining[seen]
    nebula = alpha * np.float32(0.05 * min(max(700.0 / max(step, 1.0), 0.2), 1.0))
    own = np.flatnonzero(bright > 0.0)
    b = bright[own]
    glow_radius = radius[own] * (1.7 + 1.5 * b) + 5.0 * min(step / REFERENCE_STEP, 1.0)
    glow = alpha[own] * (0.25 + 1.0 * b * b)
    return Lights(
        np.concatenate((x[seen], x[seen[own]])) * np.float32(scale),
        np.concatenate((y[seen], y[seen[own]])) * np.float32(scale),
        np.concatenate((np.full(len(seen), wide, np.float32), glow_radius)).astype(np.float32)
        * np.float32(scale),
        np.concatenate((nebula, glow)).astype(np.float32),
        np.concatenate((color, color[own])),
    )


def _points(frame: Frame, palette: Palette, scale: float) -> Points:
    scene, camera, rows = frame.scene, frame.sight.camera, frame.dust
    far = camera.scale
    x = (scene.x[rows] - np.float32(camera.x)) * np.float32(far) + np.float32(camera.width / 2)
    y = (scene.y[rows] - np.float32(camera.y)) * np.float32(far) + np.float32(camera.height / 2)
    larger = 1.0 + 0.9 * frame.sight.detail.memories
    # Where there is much of it, each grain is fainter, so that dust never becomes fog.
    crowd = min(1.0, (camera.width * camera.height / 160.0 / max(len(rows), 1)) ** 0.5)
    alpha = np.full(len(rows), 0.5 * frame.dust_alpha * crowd, np.float32)
    lighting = frame.sight.lighting
    if lighting.level > 0.0:
        alpha *= np.float32(1.0 - 0.55 * lighting.level)
        first = scene.starts[3]
        lit = np.array([node for node in lighting.nodes if node >= first], np.int64)
        alpha[np.isin(rows, lit)] = 0.95
    return Points(x * np.float32(scale), y * np.float32(scale),
                  scene.size[rows] * np.float32(larger * scale), alpha,
                  np.full(len(rows), palette.dust, np.uint32))


def _edges(frame: Frame, palette: Palette, scale: float) -> Lines:
    scene, sight, step = frame.scene, frame.sight, frame.step
    count = len(scene.edge_source)
    most = _LINE_PIXELS_MOVING if sight.moving else _LINE_PIXELS
    # Far out each line is fainter and thinner, near it is as written.
    far = min(max((step / 80.0) ** 0.55, 0.16), 1.0)
    if sight.opened and step > _CLOSE:
        # Lines that only pass by an opened entity must not run through its values.
        far *= _PASSING
    alpha = scene.edge_alpha * np.float32(far * (1.0 - (1.0 - REST) * sight.lighting.level))
    color = np.full(count, palette.edge, np.uint32)
    lit = list(sight.lighting.edges)
    if lit:
        level = np.float32(sight.lighting.level)
        alpha[lit] = np.maximum(alpha[lit], level * np.float32(0.9))
        color[lit] = palette.accent
    marked = list(sight.marked)
    if marked:
        alpha[marked] = np.maximum(alpha[marked], np.float32(0.8))
        color[marked] = palette.accent
    shrink = min(max(step / 60.0, 0.45), 1.0)
    gap = 1.0 - 0.8 * min(max((step - 120.0) / 90.0, 0.0), 1.0)
    return Lines(
        frame.x * np.float32(scale), frame.y * np.float32(scale),
        frame.radius * np.float32(0.97 * scale),
        scene.edge_source, scene.edge_target, scene.edge_width * np.float32(shrink), alpha,
        scene.edge_dash, color, most * max(scale, 1.0), max(4.0 * step, 70.0) * scale, gap,
    )


def _spokes(frame: Frame, palette: Palette, scale: float) -> Lines:
    """Fine lines from an entity to its aspects and from an aspect to its values."""
    scene, near = frame.scene, frame.near
    count = len(near)
    parent = scene.parent[near].astype(np.int64)
    # Entities come after the near nodes in the columns of points.
    owners = np.unique(parent[parent < scene.starts[1]])
    place = np.where(parent < scene.starts[1], count + np.searchsorted(owners, parent),
                     np.searchsorted(near, parent))
    x = np.concatenate((frame.near_x, frame.x[owners])) * np.float32(scale)
    y = np.concatenate((frame.near_y, frame.y[owners])) * np.float32(scale)
    rim = np.concatenate((frame.near_radius, frame.radius[owners])) * np.float32(scale)
    return Lines(
        x, y, rim, place.astype(np.int32), np.arange(count, dtype=np.int32),
        np.full(count, 0.9, np.float32), frame.near_alpha * np.float32(0.3),
        np.zeros(count, np.uint8), palette.spoke[np.maximum(scene.type_code[near], 0)], 1e9,
        1e9, 1.0,
    )


def _marks(frame: Frame, palette: Palette, worn: Dress, scale: float) -> Marks:
    scene, near = frame.scene, frame.near
    # The first in the seeds' order lie on top.
    rows = frame.visible[::-1]
    kind = scene.kind[near]
    near_code = np.maximum(scene.type_code[near], 0)
    constraint = kind == CONSTRAINT
    is_aspect = near < scene.starts[2]
    near_color = np.where(constraint, np.uint32(palette.constraint),
                          np.where(is_aspect, palette.aspect[near_code],
                                   np.uint32(palette.value))).astype(np.uint32)
    near_rim = np.where(is_aspect, palette.rim[near_code], near_color).astype(np.uint32)
    return Marks(
        np.concatenate((frame.near_x, frame.x[rows])) * np.float32(scale),
        np.concatenate((frame.near_y, frame.y[rows])) * np.float32(scale),
        np.concatenate((frame.near_radius, frame.radius[rows])) * np.float32(scale),
        np.concatenate((frame.near_alpha * np.float32(0.92), frame.alpha[rows])),
        np.concatenate((near_color, worn.fill[rows])),
        np.concatenate((near_rim, worn.rim[rows])),
        np.concatenate((np.where(constraint, DIAMOND, DISC).astype(np.uint8), worn.shape[rows])),
    )
