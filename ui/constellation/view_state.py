"""The state behind the view: the scene, the moving camera, highlights and selection."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from PySide6.QtCore import QPointF

from core.constellation.change_marks import ChangeWords
from core.constellation.picking import Grid, in_polygon, toward
from core.constellation.scene import Scene, difference
from core.constellation.scene_assembly import assemble
from core.constellation.zoom_detail import Detail, follow
from core.model.sky_columns import Positions, SkyRows
from ui.constellation.camera import Camera
from ui.constellation.change_marks import SkyMarks
from ui.constellation.frame import Found, Frame, Lighting, Viewpoint, project
from ui.constellation.highlights import HighlightIds, HoverLight, LitRows
from ui.constellation.layers.paint_context import Box, Overlay, Walk
from ui.constellation.offscreen_frames import dive_camera, opened, whole
from ui.constellation.transitions import (
    FEEDBACK_SECONDS,
    TRAVEL_SECONDS,
    CameraMove,
    SceneMove,
    morph,
    moved_one,
)

_REACH_PIXELS = 9.0
_MEMORY_PIXELS = 6.0
_MOST_MARKED = 400
_MOST_TEXTS = 200
_BELOW = 8.0
"""Pixels between what lies over the sky and the first entity."""
_MOST_KEPT = 20_000


class ViewState:
    """What the view shows. `frame` is rebuilt when anything has changed.

    `scene` has the final positions, `shown` those at this moment of a transition.
    """

    def __init__(self) -> None:
        nowhere = np.zeros((0, 2), np.float32)
        self.scene = self.shown = assemble(SkyRows(), Positions(nowhere, nowhere))
        self.camera = Camera()
        self.reduced = False
        self.moving = False
        self.selected = self.hovered = self.pointed = -1
        """Nodes: the selected entity, the hovered entity, the thing exactly under the pointer."""
        self.trail: list[tuple[str, Camera]] = []
        self.types: frozenset[str] = frozenset()
        """The types that the sky is narrowed to."""
        self.found: Found | None = None
        """What a search found; None while nothing is searched."""
        self.legend_open = False
        self.reserved: Box = (0.0, 0.0, 0.0, 0.0)
        """What something else lies over."""
        self.marks = SkyMarks()
        self.walk = Walk()
        self._walked: HighlightIds = ((), (), ())
        self._lit_rows = LitRows()
        self.touched = False
        """True once the person has looked anywhere: until then everything stays in viewpoint."""
        self.held = False
        """True while a button is held on the sky."""
        self.lasso: tuple[QPointF, ...] = ()
        self._texts = ValueTexts()
        self._grid = Grid(self.scene.x, self.scene.y)
        self._fitted = False
        self._camera_move: CameraMove | None = None
        self._scene_move: SceneMove | None = None
        self._fresh = 1.0
        self._hover_light = HoverLight()
        self._detail: Detail | None = None
        self._frame: Frame | None = None

    # The scene

    def take(self, scene: Scene, now: float, seconds: float = TRAVEL_SECONDS) -> bool:
        """Show another scene; True if moves to new positions must be animated."""
        old, selected, hovered = self.shown, self.id(self.selected), self.id(self.hovered)
        self.scene = self.shown = scene
        stands = scene.ids is old.ids and scene.x is old.x and scene.y is old.y
        if not stands:
            self.index_positions()
        self.selected = scene.index.get(selected, -1)
        self.hovered = self._hover_light.node = scene.index.get(hovered, -1)
        self.pointed = -1
        self.trail = [(id, camera) for id, camera in self.trail if id in scene.index]
        self.set_walk(*self._walked)
        self.outdate_texts()
        self.camera = self.camera.bounded(scene.unit)
        self._scene_move, self._fresh = None, 1.0
        self.renew()
        if not self._fitted:
            self.fit_at_once()
            return False
        if stands:
            return False
        change = difference(old, scene)
        if change.empty or self.reduced:
            return False
        self._scene_move = morph(old, scene, change, now, seconds)
        return True

    def index_positions(self) -> None:
        """What has moved can be picked at its new position."""
        count = self.scene.entities
        self._grid = Grid(self.scene.x[:count], self.scene.y[:count])

    def drag(self, node: int, x: float, y: float) -> None:
        """Put an entity at a position on the screen."""
        self.scene = self.shown = moved_one(self.shown, node, *self.camera.to_world(x, y))
        self._scene_move = None
        self.renew()

    def add_texts(self, texts: Mapping[str, str]) -> None:
        """Add texts of values and memories, by id."""
        self._texts.add(texts)

    def outdate_texts(self) -> None:
        """The graph has changed, though not the scene: each text is to be read again."""
        self._texts.outdate()

    def missing_texts(self) -> tuple[str, ...]:
        """Ids of values that are near enough to be read and whose text is not up to date."""
        frame = self.frame
        viewpoint = frame.viewpoint
        if viewpoint.detail.values < 0.4 and not (viewpoint.opened and frame.step > 240):
            return ()
        clear = frame.near[(frame.near >= self.scene.starts[2]) & (frame.near_alpha > 0.5)]
        return self._texts.missing(self.scene.ids[node] for node in clear[:_MOST_TEXTS].tolist())

    def set_walk(self, nodes: Iterable[str], edges: Iterable[str], memories: Iterable[str]) -> None:
        """Highlight a walk, by ids; it stays when another scene is shown."""
        self._walked = tuple(nodes), tuple(edges), tuple(memories)
        self.walk = self._lit_rows.walk(self.scene, self._walked)
        self.renew()

    def id(self, node: int) -> str:
        """A node's id, empty for none."""
        return self.scene.ids[node] if node >= 0 else ""

    # The camera

    def resize(self, width: float, height: float) -> None:
        """The window has another size."""
        self.camera = self.camera.resized(width, height)
        if not self.touched:
            self.fit_at_once()
        self.renew()

    def fit_at_once(self) -> None:
        """Show every entity, without a journey."""
        if self.scene.entities and self.camera.width > 1.0:
            self.camera = self.whole()
            self._fitted = True
            self.renew()

    def whole(self) -> Camera:
        """The camera that shows every entity, below what lies over the upper edge."""
        left, top, width, height = self.reserved
        below = top + height + _BELOW if height and top < self.camera.height / 3 else 0.0
        return whole(self.scene, self.camera.width, self.camera.height, below)

    def reserve(self, covered: Box) -> None:
        """Something lies over this; a sky not looked at yet moves out of it, and stays after."""
        self.reserved = covered
        if any(covered) and not self.touched:
            self.fit_at_once()

    def fit_gently(self, now: float, seconds: float) -> None:
        """Show every entity by a journey that the person has not asked for."""
        if self.reduced:
            self.fit_at_once()
        elif self.scene.entities and self.camera.width > 1.0:
            end = self.whole()
            self._camera_move = CameraMove(self.camera, end, now, seconds)
            self.moving = True

    def look_from(self, camera: Camera) -> None:
        """Move the camera at once."""
        self._camera_move, self.camera = None, camera
        self.touched = self.moving = True
        self.renew()

    def travel(self, end: Camera, now: float) -> None:
        """Begin a journey."""
        self._camera_move = CameraMove(self.camera, end, now)
        self.touched = self.moving = True

    @property
    def heading(self) -> Camera:
        """Where the camera will be when it has arrived."""
        return self._camera_move.end if self._camera_move is not None else self.camera

    @property
    def travelling(self) -> bool:
        """True while the camera travels."""
        return self._camera_move is not None

    def stop(self) -> None:
        """End a journey where it is."""
        self._camera_move = None

    def dive_to(self, node: int, below: float = 0.0) -> Camera:
        """The camera of `dive_camera`; the trail grows by the entity."""
        id = self.scene.ids[node]
        known = [step for step, _ in self.trail]
        if id in known:
            self.trail = self.trail[: known.index(id) + 1]
        else:
            self.trail.append((id, self.heading))
        return dive_camera(self.scene, self.camera, node, below)

    def in_bounds(self, camera: Camera) -> Camera:
        """A camera that does not lose the sky from viewpoint."""
        return camera.kept_near(*self.scene.bounds())

    # Time

    def tick(self, now: float, elapsed: float) -> bool:
        """Advance animations; True while any is running."""
        going = False
        if self._camera_move is not None:
            self.camera, arrived = self._camera_move.at(now)
            going = not arrived
            if arrived:
                self._camera_move = None
        if self._scene_move is not None:
            self.shown, self._fresh, over = self._scene_move.at(now)
            going = going or not over
            if over:
                self._scene_move = None
        lit = self.hovered >= 0 and not self.held
        step = 1.0 if self.reduced else elapsed / FEEDBACK_SECONDS
        going = self._hover_light.fade(step, 1.0 if lit else 0.0) or going
        self.renew()
        return going

    def hover(self, node: int) -> None:
        """Highlight the neighborhood of an entity, or of none."""
        self.hovered = node
        if node >= 0:
            self._hover_light.node = node

    # The frame

    def renew(self) -> None:
        """Something has changed: the next frame is another one."""
        self._frame = None

    @property
    def frame(self) -> Frame:
        """The frame to show now."""
        if self._frame is None:
            viewpoint = self.viewpoint(self.camera, moving=self.moving)
            self._detail = viewpoint.detail
            fresh = self._scene_move.fresh if self._scene_move is not None else None
            self._frame = project(self.shown, viewpoint, fresh)
        return self._frame

    @property
    def step(self) -> float:
        """Pixels from an entity to its neighbour."""
        return self.shown.unit * self.camera.scale

    def viewpoint(self, camera: Camera, *, moving: bool) -> Viewpoint:
        """What a camera would see."""
        scene = self.scene
        marked = set(self.walk.edges)
        if self.selected >= 0:
            marked.update(scene.edges_of(self.selected)[:_MOST_MARKED].tolist())
        inner = scene.index.get(self.trail[-1][0], -1) if self.trail else -1
        return Viewpoint(camera, follow(scene.unit * camera.scale, self._detail), self._lighting(),
                     opened(scene, camera, self.selected, inner), frozenset(marked),
                     self._codes(), moving, self._fresh, self.found)

    def _codes(self) -> frozenset[int]:
        """The chosen types as codes of this scene."""
        return frozenset(code for code, word in enumerate(self.scene.type_words)
                         if word in self.types)

    def _lighting(self) -> Lighting:
        lighting = self._hover_light.lighting(self.scene)
        walk = self.walk
        if lighting.level == 0.0 and (walk.nodes or walk.edges):
            return Lighting(frozenset((*walk.nodes, *walk.memories)), frozenset(walk.edges), 1.0)
        return lighting

    @property
    def change_words(self) -> ChangeWords:
        """What the legend says of the marks."""
        marks = self.marks.placed(self.scene)
        return marks.words if marks is not None else ()

    def overlay(self) -> Overlay:
        """What the layers draw over the scene."""
        pointed = self.pointed if self.pointed >= 0 else self.hovered
        return Overlay(self.selected, pointed, self.trail_nodes(), self.walk,
                       self._texts.by_id, self.lasso, self.types, self.legend_open,
                       self.reserved, marks=self.marks.placed(self.scene))

    def trail_nodes(self) -> tuple[int, ...]:
        """The entities dived into, outermost first, up to the selected one, which is the last."""
        nodes = [self.scene.index[id] for id, _ in self.trail]
        if self.selected < 0:
            return tuple(nodes)
        steps = nodes[: nodes.index(self.selected)] if self.selected in nodes else nodes
        return (*steps, self.selected)

    def leave_unseen(self) -> bool:
        """Forget the steps of the trail whose entity is not in view; True if there were any."""
        left, top, right, bottom = self.heading.sees()
        x, y, index = self.scene.x, self.scene.y, self.scene.index
        seen = [step for step in self.trail if left <= x[index[step[0]]] <= right
                and top <= y[index[step[0]]] <= bottom]
        gone, self.trail = len(seen) < len(self.trail), seen
        return gone

    # What is where

    def screen_of(self, node: int) -> tuple[float, float]:
        """Where a node is on the screen."""
        return self.camera.to_screen(float(self.shown.x[node]), float(self.shown.y[node]))

    def node_at(self, px: float, py: float) -> int | None:
        """The thing under a point of the screen: the smallest first, then entities."""
        frame = self.frame
        distance = np.hypot(frame.near_x - px, frame.near_y - py)
        hit = np.where(frame.near_alpha > 0.4, np.maximum(frame.near_radius + 1.5, 5.0), -1.0)
        within = np.flatnonzero(distance <= hit)
        if len(within):
            return int(frame.near[within[np.argmin(distance[within])]])
        memory = self._memory_at(frame, px, py)
        if memory is not None:
            return memory
        reach = np.maximum(frame.radius + 2.0, _REACH_PIXELS) / self.camera.scale
        most = float(reach.max()) if len(reach) else 0.0
        return self._grid.nearest(*self.camera.to_world(px, py), most, reach)

    def _memory_at(self, frame: Frame, px: float, py: float) -> int | None:
        if frame.viewpoint.detail.memories < 0.5 or not len(frame.dust):
            return None
        x, y = self.camera.to_world(px, py)
        rows = frame.dust
        distance = np.hypot(self.shown.x[rows] - x, self.shown.y[rows] - y) * self.camera.scale
        best = int(np.argmin(distance))
        return int(rows[best]) if distance[best] <= _MEMORY_PIXELS else None

    def next_toward(self, direction: tuple[float, float]) -> int | None:
        """The entity next to the selected one in a direction; the middlemost if none is."""
        count = self.shown.entities
        x, y = self.shown.x[:count], self.shown.y[:count]
        if not count:
            return None
        if self.selected < 0:
            return int(np.argmin(np.hypot(x - self.camera.x, y - self.camera.y)))
        return toward(x, y, self.selected, direction)

    def inside(self, corners: Sequence[tuple[float, float]]) -> tuple[str, ...]:
        """Ids of the entities inside a polygon on the screen."""
        scene, count = self.scene, self.scene.entities
        polygon = np.array([self.camera.to_world(x, y) for x, y in corners])
        nodes = in_polygon(scene.x[:count], scene.y[:count], polygon)
        return tuple(scene.ids[node] for node in nodes.tolist())


class ValueTexts:
    """Texts of values and memories; old ones are shown until new ones are loaded."""

    def __init__(self) -> None:
        self.by_id: dict[str, str] = {}
        """Another one whenever a text has changed."""
        self._current: set[str] = set()

    def add(self, texts: Mapping[str, str]) -> None:
        known = self.by_id if len(self.by_id) <= _MOST_KEPT else {}
        self.by_id = {**known, **texts}
        self._current.update(texts)

    def outdate(self) -> None:
        """The graph has changed: each text is to be read again."""
        self._current.clear()

    def missing(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Those of the ids whose text is not up to date."""
        return tuple(id for id in ids if id not in self._current)
