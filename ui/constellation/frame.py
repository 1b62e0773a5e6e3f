"""What one frame shows: a scene through a camera, in pixels."""

from collections.abc import Collection, Mapping

import numpy as np
from msgspec import Struct, field

from core.constellation.scene import Scene
from core.constellation.visual_encoding import REFERENCE_STEP
from core.constellation.zoom_detail import Detail
from ui.constellation.camera import Camera

OTHERS = 0.18
"""Opacity of rings beside the opened ones."""

REST = 0.25
"""Opacity of what is not lit while something is."""

DASHED_STEP = 120.0
"""From this step on the lines of some kinds of links turn into dashes."""
_SMALLEST = 0.75
_MOST_CHILDREN = 40_000
_MARGIN = 40.0


class Lighting(Struct, frozen=True):
    """Highlighting: nodes and lines at full brightness while the rest is dimmed by `level` 0..1."""

    nodes: frozenset[int] = frozenset()
    edges: frozenset[int] = frozenset()
    level: float = 0.0


class Found:
    """The entities that a search found, which alone are bright; two are never equal."""

    def __init__(self, ids: Collection[str]) -> None:
        self._ids = ids
        self._index: Mapping[str, int] | None = None
        self._mask = np.zeros(0, bool)

    def mask(self, scene: Scene) -> np.ndarray:
        """For each entity of a scene whether it was found; looked up once for a scene."""
        if self._index is not scene.index:
            mask = np.zeros(scene.entities, bool)
            mask[[scene.index[id] for id in self._ids if id in scene.index]] = True
            self._mask, self._index = mask, scene.index
        return self._mask


class Viewpoint(Struct, frozen=True):
    """Everything a frame depends on besides the scene: equal sights give equal pictures."""

    camera: Camera
    detail: Detail
    lighting: Lighting = field(default_factory=Lighting)
    opened: tuple[int, ...] = ()
    """Entities whose rings are shown at any zoom: the selected one and the one dived into."""
    marked: frozenset[int] = frozenset()
    """Lines in the accent colour: the selected entity's and a walk's."""
    types: frozenset[int] = frozenset()
    """Codes of the types that alone are bright; all if empty."""
    moving: bool = False
    fresh: float = 1.0
    """Opacity of entities that have just appeared."""
    found: Found | None = None
    """What a search found and is alone bright; None while nothing is searched."""

    @property
    def narrowed(self) -> bool:
        """Whether types and search leave only some entities bright."""
        return bool(self.types) or self.found is not None


class Frame(Struct, frozen=True, eq=False):
    """A scene through a camera, in logical pixels; what layers and picking work on.

    `x`, `y`, `radius` are of all entities; `visible` are those in the window. `near` are the
    aspects, values and memories that are drawn, with their own places and sizes.
    """

    scene: Scene
    viewpoint: Viewpoint
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


def shows_dashes(step: float) -> bool:
    """True if the dashes of lines are told from whole ones at this step."""
    return step > DASHED_STEP + 15.0


def project(scene: Scene, viewpoint: Viewpoint, fresh: np.ndarray | None = None) -> Frame:
    """Project a scene; `fresh` are entities drawn with `viewpoint.fresh`."""
    camera, count = viewpoint.camera, scene.entities
    step = scene.unit * camera.scale
    scale = np.float32(camera.scale)
    x = (scene.x[:count] - np.float32(camera.x)) * scale + np.float32(camera.width / 2)
    y = (scene.y[:count] - np.float32(camera.y)) * scale + np.float32(camera.height / 2)
    radius = np.maximum(scene.size[:count] * np.float32(growth(step)), np.float32(_SMALLEST))
    visible = np.flatnonzero((x > -_MARGIN) & (x < camera.width + _MARGIN)
                             & (y > -_MARGIN) & (y < camera.height + _MARGIN))
    alpha = _alphas(scene, viewpoint)
    near, near_alpha = _near(scene, viewpoint, visible, alpha)
    if fresh is not None and viewpoint.fresh < 1.0:
        alpha[fresh] *= viewpoint.fresh
    near_x = (scene.x[near] - np.float32(camera.x)) * scale + np.float32(camera.width / 2)
    near_y = (scene.y[near] - np.float32(camera.y)) * scale + np.float32(camera.height / 2)
    near_radius = np.maximum(scene.size[near] * np.float32(min(growth(step), 1.45)), 0.8)
    return Frame(scene, viewpoint, step, x, y, radius, alpha, visible, near, near_x, near_y,
                 near_radius.astype(np.float32), near_alpha, _dust(scene, camera, viewpoint),
                 viewpoint.detail.dust)


def narrowed(scene: Scene, viewpoint: Viewpoint) -> np.ndarray | None:
    """For each entity whether types and search leave it bright; None if they leave all so."""
    bright = viewpoint.found.mask(scene) if viewpoint.found is not None else None
    if not viewpoint.types:
        return bright
    chosen = np.zeros(len(scene.type_words) + 1, bool)  # The last one is that of no type, -1.
    chosen[list(viewpoint.types)] = True
    of_types = chosen[scene.type_code[: scene.entities]]
    return of_types if bright is None else of_types & bright


def _alphas(scene: Scene, viewpoint: Viewpoint) -> np.ndarray:
    lighting, count = viewpoint.lighting, scene.entities
    alpha = np.full(count, 1.0 - (1.0 - REST) * lighting.level, np.float32)
    lit = [node for node in lighting.nodes if node < count]
    alpha[lit] = 1.0
    bright = narrowed(scene, viewpoint)
    if bright is not None:
        alpha[~bright] *= REST
    return alpha


def _runs(starts: np.ndarray, owners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows that `owners` own, and the place of each row's owner in `owners`."""
    many = starts[owners + 1] - starts[owners]
    which = np.repeat(np.arange(len(owners)), many)
    ends = np.cumsum(many)
    rows = np.arange(int(ends[-1]) if len(ends) else 0)
    return rows - (ends - many)[which] + starts[owners][which], which


def _near(
    scene: Scene, viewpoint: Viewpoint, visible: np.ndarray, alpha: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Aspects and values that are seen, with their opacity; `alpha` is that of the entities."""
    detail = viewpoint.detail
    is_open = np.zeros(scene.entities, bool)
    is_open[list(viewpoint.opened)] = True
    shown = is_open.copy()
    if detail.aspects > 0.01:
        shown[visible] = True
    entities = np.flatnonzero(shown)
    if not len(entities):
        return np.zeros(0, np.int64), np.zeros(0, np.float32)
    is_open = is_open[entities]
    base = alpha[entities]

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


def _dust(scene: Scene, camera: Camera, viewpoint: Viewpoint) -> np.ndarray:
    """Memories in the window."""
    first, end = scene.starts[3], scene.starts[4]
    if end == first or viewpoint.detail.dust <= 0.01:
        return np.zeros(0, np.int64)
    left, top, right, bottom = camera.sees()
    x, y = scene.x[first:end], scene.y[first:end]
    seen = np.flatnonzero((x > left) & (x < right) & (y > top) & (y < bottom))
    return seen + first
