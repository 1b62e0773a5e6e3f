"""The sky as a widget: shows a scene, follows the hand, says what was picked."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import monotonic

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.constellation.scene import KINDS, Scene
from core.model.wording import one_line
from ui.constellation.camera import Camera
from ui.constellation.frame import look
from ui.constellation.gestures import Gestures
from ui.constellation.layers import breadcrumbs, counts, minimap
from ui.constellation.picture import Picture, paint_image
from ui.constellation.still_frames import whole
from ui.constellation.view_state import Stage
from ui.theme import Theme

_TICK_MS = 8
_REST_MS = 140
_TEXTS_MS = 120
_EDGE = 60.0
_MIDDLE = 0.18


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
    """Ids of values that are near enough to be read; answer with `set_texts`."""
    counted = Signal(str)
    """The sentence that says how much is in sight, when the view comes to rest."""
    _warm = Signal()

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, reduced_motion: bool = False
    ) -> None:
        # First of all: Qt sends events while the widget is being made.
        self._gestures = Gestures(self)
        super().__init__(parent)
        self._theme = theme
        self._stage = Stage()
        self._stage.reduced = reduced_motion
        self._picture = Picture()
        self._lasso: tuple[QPointF, ...] = ()
        self._tick_time = 0.0
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.grabGesture(Qt.GestureType.PinchGesture)
        self.setAccessibleName("Sky")
        self._set_up_time()
        theme.changed.connect(self.update)

    def _set_up_time(self) -> None:
        self._ticker = QTimer(self, interval=_TICK_MS)
        self._ticker.setTimerType(Qt.TimerType.PreciseTimer)
        self._ticker.timeout.connect(self._tick)
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self._come_to_rest)
        self._asking = QTimer(self, interval=_TEXTS_MS, singleShot=True)
        self._asking.timeout.connect(self._ask_for_texts)
        self._warm.connect(self.update)
        picture = self._picture
        self.destroyed.connect(lambda: picture.close())

    def _say_warm(self) -> None:
        # The window may be gone by the time the kernels are there.
        with suppress(RuntimeError):
            self._warm.emit()

    # What the host sets

    @property
    def scene(self) -> Scene:
        """The scene that is shown."""
        return self._stage.scene

    @property
    def camera(self) -> Camera:
        """Where the view looks now."""
        return self._stage.camera

    @property
    def selected(self) -> str:
        """The selected entity's id, or empty."""
        return self._stage.id(self._stage.selected)

    @property
    def trail(self) -> tuple[str, ...]:
        """The entities dived into, outermost first."""
        return tuple(id for id, _ in self._stage.trail)

    def set_scene(self, scene: Scene) -> None:
        """Show another scene; selection, trail and camera stay, and what moved is seen moving."""
        self._picture.forget_names()
        if self._stage.take(scene, monotonic()):
            self._animate()
        # Not before there is something to draw: loading the kernels slows down what reads it.
        self._picture.warm(self._say_warm)
        self._asking.start()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme's colours."""
        self._theme.changed.disconnect(self.update)
        self._theme = theme
        theme.changed.connect(self.update)
        self.update()

    def set_reduced_motion(self, reduced: bool) -> None:
        """With less motion, the camera jumps and nothing fades."""
        self._stage.reduced = reduced

    def set_texts(self, texts: Mapping[str, str]) -> None:
        """What values and memories say, by id, as plain text."""
        self._stage.tell(texts)
        self.update()

    def set_highlight(
        self, nodes: Sequence[str] = (), edges: Sequence[str] = (), memories: Sequence[str] = ()
    ) -> None:
        """Light a walk: entities and lines by id, memories numbered in their order."""
        self._stage.set_walk(nodes, edges, memories)
        self.update()

    def select(self, id: str) -> None:
        """Select an entity, or nothing; says nothing back."""
        node = self.scene.index.get(id, -1)
        if node != self._stage.selected:
            self._stage.selected = node
            self._renew()
            self._describe()
            self._asking.start()

    def reveal(self, id: str) -> None:
        """Select an entity and travel to it, unless it is in sight already."""
        self.select(id)
        if self._stage.selected >= 0:
            self._bring_in(self._stage.selected, _EDGE, _EDGE)

    def focus(self, id: str) -> None:
        """Select an entity and bring it into the middle part of the window."""
        self.select(id)
        if self._stage.selected >= 0:
            self._bring_in(self._stage.selected, self.width() * _MIDDLE, self.height() * _MIDDLE)

    def fit(self) -> None:
        """Show every entity, also when the window's size changes from now on."""
        self._stage.trail.clear()
        self._travel(whole(self.scene, self.width(), self.height()))
        self._stage.touched = False

    def dive(self, id: str) -> None:
        """Travel to an entity until its aspects and values surround it."""
        node = self.scene.index.get(id)
        if node is not None:
            end = self._stage.dive_to(node)
            self._choose(node)
            self._travel(end)
            self.dived.emit(id)

    def back(self) -> bool:
        """Leave what was dived into, or give up the selection; False if there was neither."""
        if self._stage.trail:
            _, camera = self._stage.trail.pop()
            self._travel(camera.resized(self.width(), self.height()))
            self.went_back.emit()
            return True
        if self._stage.selected >= 0:
            self._choose(-1)
            return True
        return False

    def render_to_image(self, size: QSize, dpr: float = 1.0, theme: Theme | None = None) -> QImage:
        """What is shown, as a picture of another size, in full detail."""
        grow = min(size.width() / max(self.width(), 1), size.height() / max(self.height(), 1))
        camera = self.camera.resized(size.width(), size.height())
        camera = camera.zoomed(grow, size.width() / 2, size.height() / 2)
        frame = look(self.scene, self._stage.sight(camera, moving=False))
        picture = Picture()
        picture.load()
        image = paint_image(picture, frame, theme or self._theme, self._stage.showing(), dpr)
        picture.close()
        return image

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(900, 640)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(240, 180)

    # What the gestures do

    def node_at(self, at: QPointF) -> int | None:
        """The thing under a point of the window."""
        return self._stage.node_at(at.x(), at.y())

    def screen_of(self, node: int) -> tuple[float, float]:
        """Where a node is in the window."""
        return self._stage.screen_of(node)

    def hover_at(self, at: QPointF | None) -> None:
        """The pointer rests on this point, or on nothing."""
        node = None if at is None else self.node_at(at)
        owner = -1 if node is None else self.scene.owner(node)
        if node is not None or (at is not None and self._crumb_at(at) is not None):
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.unsetCursor()
        pointed = -1 if node is None else node
        if pointed != self._stage.pointed:
            self._stage.pointed = pointed
            self.update()
        if owner != self._stage.hovered:
            self._stage.hover(owner)
            self.hovered.emit(self._stage.id(owner))
            self._animate()

    def pan(self, dx: float, dy: float) -> None:
        """Move the sky by pixels."""
        self._move_to(self._stage.kept(self.camera.panned(dx, dy)))

    def zoom(self, factor: float, x: float, y: float, *, travel: bool = False) -> None:
        """Zoom to a point of the window."""
        base = self._stage.heading if travel else self.camera
        camera = self._stage.kept(base.zoomed(factor, x, y))
        if travel:
            self._travel(camera)
        else:
            self._move_to(camera)

    def stop(self) -> None:
        """A hand on the sky ends every journey."""
        if self._stage.travelling:
            self._stage.stop()
            self._rest.start()

    def carry(self, node: int, x: float, y: float) -> None:
        """An entity follows the pointer."""
        self._stage.carry(node, x, y)
        self.update()

    def put_down(self, node: int) -> None:
        """The entity stays where it is now."""
        self._stage.put_down()
        scene = self.scene
        self.placed.emit(scene.ids[node], float(scene.x[node]), float(scene.y[node]))

    def draw_lasso(self, points: tuple[QPointF, ...]) -> None:
        """Show the lasso as far as it has been drawn."""
        self._lasso = points
        self.update()

    def lassoed_nodes(self, nodes: np.ndarray) -> None:
        """A lasso was closed round these entities."""
        self.lassoed.emit(tuple(self.scene.ids[node] for node in nodes.tolist()))

    def pick(self, node: int | None) -> None:
        """A thing was clicked, or the empty sky."""
        if node is None:
            self._choose(-1)
            return
        if node >= self.scene.entities:
            self.picked.emit(KINDS[int(self.scene.kind[node])], self.scene.ids[node])
        owner = self.scene.owner(node)
        if owner >= 0:
            self._choose(owner)

    def step_toward(self, direction: tuple[float, float]) -> None:
        """Select the next entity in a direction, and keep it in sight."""
        node = self._stage.next_toward(direction)
        if node is not None:
            self._choose(node)
            self._bring_in(node, _EDGE, _EDGE)

    def dive_selected(self) -> bool:
        """Dive into the selection; False if there is none."""
        if self._stage.selected < 0:
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
            self.dive(self.scene.ids[found])
        return True

    def _crumb_at(self, at: QPointF) -> int | None:
        for node, _, box in breadcrumbs.boxes(self.scene, self._stage.trail_nodes()):
            if box.adjusted(-6, -6, 6, 6).contains(at):
                return node
        return None

    def follow_chart(self, at: QPointF, *, inside: bool = True) -> bool:
        """Look where the minimap is pressed; False if the point is not on it."""
        card = minimap.place(self.width(), self.height())
        if card is None or self.scene.entities < 2 or (inside and not card.contains(at)):
            return False
        x, y = minimap.chart(self.scene).to_world(at.x() - card.x(), at.y() - card.y())
        self._move_to(self._stage.kept(self.camera.centred(x, y)))
        return True

    # Time

    def _bring_in(self, node: int, room_x: float, room_y: float) -> None:
        """Travel until an entity is not nearer to an edge than this, nor behind the minimap."""
        x, y = self.screen_of(node)
        card = minimap.place(self.width(), self.height())
        inside = room_x <= x <= self.width() - room_x and room_y <= y <= self.height() - room_y
        if not inside or (card is not None and card.contains(x, y)):
            scene = self.scene
            self._travel(self.camera.centred(float(scene.x[node]), float(scene.y[node])))

    def _travel(self, end: Camera) -> None:
        if self._stage.reduced or not self.isVisible():
            self._move_to(end)
            return
        self._stage.travel(end, monotonic())
        self._animate()

    def _move_to(self, camera: Camera) -> None:
        self._stage.look_from(camera)
        self._rest.start()
        self.update()

    def _animate(self) -> None:
        if not self._ticker.isActive():
            self._tick_time = monotonic()
            self._ticker.start()
        self.update()

    def _tick(self) -> None:
        now = monotonic()
        elapsed, self._tick_time = now - self._tick_time, now
        travelled = self._stage.travelling
        going = self._stage.tick(now, elapsed, lit=not self._gestures.busy)
        if travelled and not self._stage.travelling:
            self._rest.start()
        if not going and self._picture.settled:
            self._ticker.stop()
        self.update()

    def _come_to_rest(self) -> None:
        if self._stage.travelling:
            return
        self._stage.moving = False
        self._renew()
        self._describe()
        self._asking.start()
        self.counted.emit(counts.sentence(self._stage.frame))

    def _ask_for_texts(self) -> None:
        wanted = self._stage.untold()
        if wanted:
            self.texts_wanted.emit(wanted)

    def _renew(self) -> None:
        self._stage.renew()
        self.update()

    def _choose(self, node: int) -> None:
        if node != self._stage.selected:
            self.select(self._stage.id(node))
            self.entity_selected.emit(self.selected)

    def _describe(self) -> None:
        """What a screen reader says: how much is in sight and what is selected."""
        text = counts.sentence(self._stage.frame) + " in sight"
        node = self._stage.selected
        if node >= 0:
            name = one_line(self.scene.labels[node], 200)
            kind = self.scene.type_words[int(self.scene.type_code[node])]
            text = f"{name}, {kind}, selected. {text}"
        self.setAccessibleDescription(text)

    # Qt's events

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        try:
            self._picture.paint(
                painter, self._stage.frame, self._theme, self._stage.showing(self._lasso),
                self.devicePixelRatioF(), monotonic(), fade=not self._stage.reduced)
        finally:
            painter.end()
        if not self._picture.settled and not self._ticker.isActive():
            self._tick_time = monotonic()
            self._ticker.start()

    def resizeEvent(self, _event: QResizeEvent) -> None:  # noqa: N802
        self._stage.resize(self.width(), self.height())
        self.update()

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
