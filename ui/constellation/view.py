"""The sky as a widget: shows a scene, follows the hand, says what was picked."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import monotonic

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.constellation.assembly import assemble
from core.constellation.detail import Detail, follow
from core.constellation.difference import difference
from core.constellation.picking import Grid, toward
from core.constellation.scene import KINDS, Scene
from core.model.sky import Positions, SkyRows
from ui.constellation.camera import Camera
from ui.constellation.frame import Frame, Lighting, Sight, look
from ui.constellation.gestures import Gestures
from ui.constellation.layers import crumbs, minimap, tally
from ui.constellation.layers.canvas import Showing, Walk
from ui.constellation.picture import Picture, paint_image
from ui.constellation.still import dive_camera, opened, whole
from ui.constellation.transitions import (
    FEEDBACK_SECONDS,
    TRAVEL_SECONDS,
    Journey,
    Morph,
    morph,
    moved_one,
)
from ui.theme import Theme

_TICK_MS = 8
_REST_MS = 140
_TEXTS_MS = 120
_REACH_PIXELS = 9.0
_EMPTY = np.zeros((0, 2), np.float32)


class SkyView(QWidget):
    """Draws a `Scene`. Ids go in and out; nodes are numbers only inside.

    Positions belong to the scene: the view moves the camera and, when the person drags one, a
    single entity. A new scene with the same places changes nothing on the screen.
    """

    entity_selected = Signal(str)
    """An entity was clicked or reached by a key; empty when the selection was given up."""
    picked = Signal(str, str)
    """Something finer was clicked: its kind (`aspect`, `attribute`, …) and id."""
    hovered = Signal(str)
    placed = Signal(str, float, float)
    dived = Signal(str)
    went_back = Signal()
    lassoed = Signal(object)
    """Ids of the entities inside a lasso, as a tuple."""
    texts_wanted = Signal(object)
    """Ids of values and memories that are near enough to be read; answer with `set_texts`."""
    counted = Signal(str)
    """The sentence that says how much is in sight, when it comes to rest."""
    _warm = Signal()

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, reduced_motion: bool = False
    ) -> None:
        # First of all: Qt sends events while the widget is being made.
        self._gestures = Gestures(self)
        super().__init__(parent)
        self._theme = theme
        self._reduced = reduced_motion
        self._picture = Picture()
        self._scene = assemble(SkyRows(), Positions(_EMPTY, _EMPTY))
        self._shown = self._scene
        self._grid = Grid(self._scene.x, self._scene.y)
        self._camera = Camera()
        self._fitted = False
        self._touched = False
        self._detail: Detail | None = None
        self._frame: Frame | None = None
        self._journey: Journey | None = None
        self._morph: Morph | None = None
        self._fresh = 1.0
        self._selected = -1
        self._hovered = -1
        self._near_hovered = -1
        self._lit_node = -1
        self._level = 0.0
        self._tick_time = 0.0
        self._trail: list[tuple[str, Camera]] = []
        self._walk = Walk()
        self._texts: dict[int, str] = {}
        self._text_ids: dict[str, str] = {}
        self._lasso: tuple[QPointF, ...] = ()
        self._moving = False
        self._set_up()

    def _set_up(self) -> None:
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.grabGesture(Qt.GestureType.PinchGesture)
        self.setAccessibleName("Sky")
        self._ticker = QTimer(self, interval=_TICK_MS)
        self._ticker.setTimerType(Qt.TimerType.PreciseTimer)
        self._ticker.timeout.connect(self._tick)
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self._come_to_rest)
        self._asking = QTimer(self, interval=_TEXTS_MS, singleShot=True)
        self._asking.timeout.connect(self._ask_for_texts)
        self._theme.changed.connect(self.update)
        self._warm.connect(self.update)
        picture = self._picture
        self.destroyed.connect(lambda: picture.close())
        picture.warm(self._say_warm)

    def _say_warm(self) -> None:
        # The window may be gone by the time the kernels are there.
        with suppress(RuntimeError):
            self._warm.emit()

    # What the host sets

    @property
    def scene(self) -> Scene:
        """The scene that is shown."""
        return self._scene

    @property
    def camera(self) -> Camera:
        """Where the view looks now."""
        return self._camera

    @property
    def selected(self) -> str:
        """The selected entity's id, or empty."""
        return self._scene.ids[self._selected] if self._selected >= 0 else ""

    @property
    def trail(self) -> tuple[str, ...]:
        """The entities dived into, outermost first."""
        return tuple(id for id, _ in self._trail)

    def set_scene(self, scene: Scene) -> None:
        """Show another scene; selection, trail and camera stay, and what moved is seen moving."""
        old, first = self._shown, not self._fitted
        selected, hovered = self.selected, self._id(self._hovered)
        change = difference(old, scene)
        self._scene = self._shown = scene
        self._grid = Grid(scene.x[: scene.entities], scene.y[: scene.entities])
        self._selected = scene.index.get(selected, -1)
        self._hovered = scene.index.get(hovered, -1)
        self._near_hovered = -1
        self._lit_node = self._hovered
        self._trail = [(id, camera) for id, camera in self._trail if id in scene.index]
        self._walk = Walk()
        self._texts = self._nodes_of(self._text_ids)
        self._picture.forget_names()
        self._camera = self._camera.bounded(scene.unit)
        self._morph, self._fresh = None, 1.0
        if first:
            self._fit_at_once()
        elif not change.empty and not self._reduced:
            self._morph = morph(old, scene, change, monotonic(), TRAVEL_SECONDS)
            self._animate()
        self._renew()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme's colours."""
        self._theme.changed.disconnect(self.update)
        self._theme = theme
        theme.changed.connect(self.update)
        self.update()

    def set_reduced_motion(self, reduced: bool) -> None:
        """With less motion, the camera jumps and nothing fades."""
        self._reduced = reduced

    def set_texts(self, texts: Mapping[str, str]) -> None:
        """What values and memories say, by id, as plain text."""
        self._text_ids.update(texts)
        self._texts.update(self._nodes_of(texts))
        self.update()

    def set_highlight(
        self, nodes: Sequence[str] = (), edges: Sequence[str] = (),
        memories: Sequence[str] = (),
    ) -> None:
        """Light a walk: entities and lines by id, memories numbered in their order."""
        scene = self._scene
        place = {id: k for k, id in enumerate(scene.edge_ids)} if edges else {}
        found = self._nodes_of(dict.fromkeys(memories, ""))
        by_id = {scene.ids[node]: node for node in found}
        self._walk = Walk(
            tuple(scene.index[id] for id in nodes if id in scene.index),
            tuple(place[id] for id in edges if id in place),
            tuple(by_id[id] for id in memories if id in by_id),
        )
        self._renew()

    def select(self, id: str) -> None:
        """Select an entity, or nothing; says nothing back."""
        node = self._scene.index.get(id, -1)
        if node != self._selected:
            self._selected = node
            self._describe()
            self._renew()

    def focus(self, id: str) -> None:
        """Select an entity and bring it into the middle part of the window."""
        self.select(id)
        if self._selected < 0:
            return
        x, y = self.screen_of(self._selected)
        room_x, room_y = self.width() * 0.18, self.height() * 0.18
        inside = (room_x <= x <= self.width() - room_x) and (room_y <= y <= self.height() - room_y)
        if not inside:
            node = self._selected
            self._travel(self._camera.centred(float(self._scene.x[node]),
                                              float(self._scene.y[node])))

    def fit(self) -> None:
        """Show every entity."""
        self._trail.clear()
        self._travel(whole(self._scene, self.width(), self.height()))

    def dive(self, id: str) -> None:
        """Travel to an entity until its aspects and values surround it."""
        node = self._scene.index.get(id)
        if node is None:
            return
        ids = [known for known, _ in self._trail]
        if id in ids:
            self._trail = self._trail[: ids.index(id) + 1]
        else:
            self._trail.append((id, self._camera if self._journey is None else self._journey.end))
        self._choose(node)
        self._travel(dive_camera(self._scene, self._camera, node))
        self.dived.emit(id)

    def back(self) -> bool:
        """Leave what was dived into, or give up the selection; False if there was neither."""
        if self._trail:
            _, camera = self._trail.pop()
            self._travel(camera.resized(self.width(), self.height()))
            self.went_back.emit()
            return True
        if self._selected >= 0:
            self._choose(-1)
            return True
        return False

    def render_to_image(self, size: QSize, dpr: float = 1.0, theme: Theme | None = None) -> QImage:
        """What is shown, as a picture of another size, in full detail."""
        self._picture.load()
        camera = self._camera.resized(size.width(), size.height())
        grow = min(size.width() / max(self.width(), 1), size.height() / max(self.height(), 1))
        camera = camera.zoomed(grow, size.width() / 2, size.height() / 2)
        frame = look(self._scene, self._sight(camera, moving=False))
        picture = Picture()
        picture.load()
        image = paint_image(picture, frame, theme or self._theme, self._showing(), dpr)
        picture.close()
        return image

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(900, 640)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(240, 180)

    # What the gestures do

    def node_at(self, at: QPointF) -> int | None:
        """The thing under a point of the window: what is finest first, then entities."""
        frame = self._look()
        fine = self._fine_at(frame, at)
        if fine is not None:
            return fine
        scale = self._camera.scale
        x, y = self._camera.to_world(at.x(), at.y())
        hit = np.maximum(frame.radius + 2.0, _REACH_PIXELS) / scale
        reach = float(hit.max()) if len(hit) else 0.0
        return self._grid.nearest(x, y, reach, hit)

    def _fine_at(self, frame: Frame, at: QPointF) -> int | None:
        if not len(frame.near):
            return self._memory_at(frame, at)
        distance = np.hypot(frame.near_x - at.x(), frame.near_y - at.y())
        hit = np.where(frame.near_alpha > 0.4, np.maximum(frame.near_radius + 1.5, 5.0), -1.0)
        within = np.flatnonzero(distance <= hit)
        if len(within):
            return int(frame.near[within[np.argmin(distance[within])]])
        return self._memory_at(frame, at)

    def _memory_at(self, frame: Frame, at: QPointF) -> int | None:
        if frame.sight.detail.memories < 0.5 or not len(frame.dust):
            return None
        x, y = self._camera.to_world(at.x(), at.y())
        rows = frame.dust
        distance = np.hypot(self._shown.x[rows] - x, self._shown.y[rows] - y) * self._camera.scale
        best = int(np.argmin(distance))
        return int(rows[best]) if distance[best] <= 6.0 else None

    def screen_of(self, node: int) -> tuple[float, float]:
        """Where a node is in the window."""
        return self._camera.to_screen(float(self._shown.x[node]), float(self._shown.y[node]))

    def hover_at(self, at: QPointF | None) -> None:
        """The pointer rests on this point, or on nothing."""
        node = None if at is None else self.node_at(at)
        owner = -1 if node is None else self._scene.owner(node)
        if node is not None or (at is not None and self._crumb_at(at)):
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.unsetCursor()
        near = -1 if node is None else node
        if near != self._near_hovered:
            self._near_hovered = near
            self.update()
        if owner == self._hovered:
            return
        self._hovered = owner
        self.hovered.emit(self._id(owner))
        if owner >= 0:
            self._lit_node = owner
        self._animate()

    def pan(self, dx: float, dy: float) -> None:
        """Move the sky by pixels."""
        moved = self._camera.panned(dx, dy).kept_near(*self._scene.bounds())
        self._move_to(moved)

    def zoom(self, factor: float, x: float, y: float, *, travel: bool = False) -> None:
        """Zoom to a point of the window."""
        base = self._journey.end if travel and self._journey else self._camera
        camera = base.zoomed(factor, x, y).kept_near(*self._scene.bounds())
        if travel:
            self._travel(camera)
        else:
            self._journey = None
            self._move_to(camera)

    def stop(self) -> None:
        """A hand on the sky ends every journey."""
        self._journey = None

    def carry(self, node: int, x: float, y: float) -> None:
        """An entity follows the pointer."""
        self._scene = self._shown = moved_one(self._shown, node, *self._camera.to_world(x, y))
        self._morph = None
        self._renew()

    def put_down(self, node: int) -> None:
        """The entity stays where it is now."""
        scene = self._scene
        self._grid = Grid(scene.x[: scene.entities], scene.y[: scene.entities])
        self.placed.emit(scene.ids[node], float(scene.x[node]), float(scene.y[node]))

    def draw_lasso(self, points: tuple[QPointF, ...]) -> None:
        """Show the lasso as far as it has been drawn."""
        self._lasso = points
        self.update()

    def lassoed_nodes(self, nodes: np.ndarray) -> None:
        """A lasso was closed round these entities."""
        self.lassoed.emit(tuple(self._scene.ids[node] for node in nodes.tolist()))

    def pick(self, node: int | None) -> None:
        """A thing was clicked, or the empty sky."""
        if node is None:
            self._choose(-1)
            return
        if node >= self._scene.entities:
            self.picked.emit(KINDS[int(self._scene.kind[node])], self._scene.ids[node])
        owner = self._scene.owner(node)
        if owner >= 0:
            self._choose(owner)

    def step_toward(self, direction: tuple[float, float]) -> None:
        """Select the next entity in a direction, and keep it in sight."""
        scene = self._shown
        count = scene.entities
        if not count:
            return
        if self._selected < 0:
            x, y = self._camera.x, self._camera.y
            node = int(np.argmin(np.hypot(scene.x[:count] - x, scene.y[:count] - y)))
        else:
            found = toward(scene.x[:count], scene.y[:count], self._selected, direction)
            if found is None:
                return
            node = found
        self._choose(node)
        x, y = self.screen_of(node)
        edge = 60.0
        if not (edge < x < self.width() - edge and edge < y < self.height() - edge):
            self._travel(self._camera.centred(float(scene.x[node]), float(scene.y[node])))

    def dive_selected(self) -> bool:
        """Dive into the selection; False if there is none."""
        if self._selected < 0:
            return False
        self.dive(self.selected)
        return True

    def click_crumb(self, at: QPointF) -> bool:
        """Go to the step of the trail under a point; False if there is none."""
        found = self._crumb_at(at)
        if found is None:
            return False
        if found < 0:
            self.fit()
            self.went_back.emit()
        else:
            self.dive(self._scene.ids[found])
        return True

    def _crumb_at(self, at: QPointF) -> int | None:
        for node, _, box in crumbs.boxes(self._scene, self._trail_nodes()):
            if box.adjusted(-6, -6, 6, 6).contains(at):
                return node
        return None

    def follow_chart(self, at: QPointF, *, inside: bool = True) -> bool:
        """Look where the minimap is pressed; False if the point is not on it."""
        card = minimap.place(self.width(), self.height())
        if card is None or self._scene.entities < 2 or (inside and not card.contains(at)):
            return False
        chart = minimap.chart(self._scene)
        x, y = chart.to_world(at.x() - card.x(), at.y() - card.y())
        self._move_to(self._camera.centred(x, y).kept_near(*self._scene.bounds()))
        return True

    # Time

    def _travel(self, end: Camera) -> None:
        if self._reduced or not self.isVisible():
            self._journey = None
            self._move_to(end)
            return
        self._journey = Journey(self._camera, end, monotonic())
        self._moving = True
        self._animate()

    def _move_to(self, camera: Camera) -> None:
        self._camera, self._touched = camera, True
        self._moving = True
        self._rest.start()
        self._renew()

    def _animate(self) -> None:
        if not self._ticker.isActive():
            self._tick_time = monotonic()
            self._ticker.start()
        self.update()

    def _tick(self) -> None:
        now = monotonic()
        elapsed, self._tick_time = now - self._tick_time, now
        going = False
        if self._journey is not None:
            self._camera, arrived = self._journey.at(now)
            self._touched = True
            if arrived:
                self._journey = None
                self._rest.start()
            going = not arrived
        if self._morph is not None:
            self._shown, self._fresh, over = self._morph.at(now)
            if over:
                self._morph = None
            going = going or not over
        going = self._light(elapsed) or going
        if not (going or not self._picture.settled):
            self._ticker.stop()
        self._renew()

    def _light(self, elapsed: float) -> bool:
        """Bring the hovered surroundings up or down; True while that goes on."""
        target = 1.0 if self._hovered >= 0 and not self._gestures.busy else 0.0
        step = 1.0 if self._reduced else elapsed / FEEDBACK_SECONDS
        if self._level < target:
            self._level = min(self._level + step, target)
        else:
            self._level = max(self._level - step, target)
        if self._level == 0.0:
            self._lit_node = -1
        return self._level != target

    def _come_to_rest(self) -> None:
        if self._journey is not None:
            return
        self._moving = False
        self._renew()
        self._describe()
        self._asking.start()
        self.counted.emit(tally.sentence(self._look()))

    def _ask_for_texts(self) -> None:
        frame = self._look()
        if frame.sight.detail.values < 0.4 and not (frame.sight.opened and frame.step > 240):
            return
        values = frame.near[frame.near >= self._scene.starts[2]][:200].tolist()
        wanted = tuple(self._scene.ids[node] for node in values if node not in self._texts)
        if wanted:
            self.texts_wanted.emit(wanted)

    # The picture

    def _renew(self) -> None:
        self._frame = None
        self.update()

    def _sight(self, camera: Camera, *, moving: bool) -> Sight:
        scene = self._scene
        detail = follow(scene.unit * camera.scale, self._detail)
        marked = set(self._walk.edges)
        if self._selected >= 0:
            marked.update(scene.edges_of(self._selected)[:400].tolist())
        top = scene.index.get(self._trail[-1][0], -1) if self._trail else -1
        return Sight(camera, detail, self._lighting(),
                     opened(scene, camera, self._selected, top), frozenset(marked), moving,
                     self._fresh)

    def _lighting(self) -> Lighting:
        scene, node, walk = self._scene, self._lit_node, self._walk
        if node >= 0 and self._level > 0.0:
            nodes = {node, *scene.neighbours(node).tolist(), *scene.memories_of(node).tolist()}
            return Lighting(frozenset(nodes), frozenset(scene.edges_of(node).tolist()),
                            self._level)
        if walk.nodes or walk.edges:
            return Lighting(frozenset((*walk.nodes, *walk.memories)), frozenset(walk.edges), 1.0)
        return Lighting()

    def _look(self) -> Frame:
        if self._frame is None:
            sight = self._sight(self._camera, moving=self._moving)
            self._detail = sight.detail
            fresh = self._morph.fresh if self._morph is not None else None
            self._frame = look(self._shown, sight, fresh)
        return self._frame

    def _showing(self) -> Showing:
        hovered = self._near_hovered if self._near_hovered >= 0 else self._hovered
        return Showing(self._selected, hovered, self._trail_nodes(), self._walk, self._texts,
                       self._lasso)

    def _trail_nodes(self) -> tuple[int, ...]:
        return tuple(self._scene.index[id] for id, _ in self._trail)

    def _id(self, node: int) -> str:
        return self._scene.ids[node] if node >= 0 else ""

    def _nodes_of(self, texts: Mapping[str, str]) -> dict[int, str]:
        """Texts by node, for the ids that this scene has."""
        if not texts:
            return {}
        scene = self._scene
        first = scene.starts[2]
        return {node: texts[id] for node, id in enumerate(scene.ids[first:], first) if id in texts}

    def _choose(self, node: int) -> None:
        if node != self._selected:
            self._selected = node
            self._describe()
            self._renew()
            self._asking.start()
            self.entity_selected.emit(self._id(node))

    def _describe(self) -> None:
        """What a screen reader says: how much is in sight and what is selected."""
        text = tally.sentence(self._look()) + " in sight"
        if self._selected >= 0:
            name = " ".join(self._scene.labels[self._selected][:200].split())
            kind = self._scene.type_words[int(self._scene.type_code[self._selected])]
            text = f"{name}, {kind}, selected. {text}"
        self.setAccessibleDescription(text)

    def _fit_at_once(self) -> None:
        if self._scene.entities and self.width() > 1:
            self._camera = whole(self._scene, self.width(), self.height())
            self._fitted, self._touched = True, False

    # Qt's events

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        try:
            self._picture.paint(painter, self._look(), self._theme, self._showing(),
                                self.devicePixelRatioF(), monotonic(), fade=not self._reduced)
        finally:
            painter.end()
        if not self._picture.settled and not self._ticker.isActive():
            self._tick_time = monotonic()
            self._ticker.start()

    def resizeEvent(self, _event: QResizeEvent) -> None:  # noqa: N802
        self._camera = self._camera.resized(self.width(), self.height())
        if not self._touched:
            # Until the person has looked anywhere, everything stays in sight.
            self._fit_at_once()
        self._renew()

    def event(self, event: QEvent) -> bool:
        if self._gestures.filter(event):
            return True
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._renew()
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._gestures.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._gestures.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._gestures.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._gestures.double_click(event)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        self._gestures.wheel(event)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        self._gestures.leave()
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if not self._gestures.key(event):
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusInEvent(event)
        self.update()
