"""What a person can do in the sky: look elsewhere, point, select, dive, move an entity."""

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtWidgets import QWidget

from core.constellation.scene import KINDS, Scene
from ui.constellation.frame import Found, shows_dashes
from ui.constellation.layers import breadcrumbs, minimap
from ui.constellation.layers.legend import Entry, Legend
from ui.constellation.view_animation import Motion
from ui.constellation.view_state import ViewState

_EDGE = 60.0
_MIDDLE = 0.18


class Navigation(QObject):
    """Changes a view's state and reports picks; independent of gestures and painting.

    Points are pixels of the widget, nodes are numbers of the scene; ids go out.
    """

    entity_selected = Signal(str)
    """An entity was clicked or reached by a key; empty when the selection was given up."""
    picked = Signal(str, str)
    """Something finer was clicked: its kind (`aspect`, `attribute`, …) and id."""
    hovered = Signal(str)
    positioned = Signal(str, float, float)
    """An entity was dragged to a position of the scene: its id, x, y."""
    dived = Signal(str)
    went_back = Signal()
    lassoed = Signal(object)
    """Ids of the entities inside a lasso, as a tuple."""
    type_clicked = Signal(str)
    """A type of the legend was clicked."""
    menu_asked = Signal(str, object)
    """The menu of an entity is wanted: its id, and where on the screen."""
    selection_changed = Signal()
    """Another entity is selected, by a person or by the program."""
    bright_changed = Signal()
    """A search or types leave other entities bright."""

    def __init__(self, state: ViewState, motion: Motion, widget: QWidget) -> None:
        super().__init__(widget)
        self._state, self._motion, self._widget = state, motion, widget
        self._legend = Legend()

    @property
    def scene(self) -> Scene:
        return self._state.scene

    # The selection

    def select(self, id: str) -> None:
        """Select an entity, or nothing; emits no `entity_selected`."""
        node = self.scene.index.get(id, -1)
        if node != self._state.selected:
            self._state.selected = node
            self._state.renew()
            self._widget.update()
            self._motion.ask_soon()
            self.selection_changed.emit()

    def reveal(self, id: str) -> None:
        """Select an entity and travel to it, unless it is in sight already."""
        self.select(id)
        self._bring_in(self._state.selected, _EDGE, _EDGE)

    def focus(self, id: str) -> None:
        """Select an entity and move it into the middle of the view."""
        self.select(id)
        self._bring_in(self._state.selected, self._widget.width() * _MIDDLE,
                       self._widget.height() * _MIDDLE)

    def pick(self, node: int | None) -> None:
        """A thing was clicked, or the empty sky."""
        if node is None:
            self._choose(-1)
            self._leave_unseen()
            return
        if node >= self.scene.entities:
            self.picked.emit(KINDS[int(self.scene.kind[node])], self.scene.ids[node])
        owner = self.scene.owner(node)
        if owner >= 0:
            self._choose(owner)

    def _leave_unseen(self) -> None:
        """The path says where the view is: what was dived into and is out of sight goes."""
        if self._state.leave_unseen():
            self.went_back.emit()
            self._widget.update()

    def select_inside(self, corners: list[QPointF]) -> None:
        """A lasso was closed: report the entities inside."""
        self.lassoed.emit(self._state.inside([(p.x(), p.y()) for p in corners]))

    def step_toward(self, direction: tuple[float, float]) -> None:
        """Select the next entity in a direction, and keep it visible."""
        node = self._state.next_toward(direction)
        if node is not None:
            self._choose(node)
            self._bring_in(node, _EDGE, _EDGE)

    def _choose(self, node: int) -> None:
        if node != self._state.selected:
            self.select(self._state.id(node))
            self.entity_selected.emit(self._state.id(node))

    def ask_menu(self, at: QPointF | None) -> bool:
        """Select the entity under a point, or keep the selected one, and ask for its menu."""
        node = self._state.selected
        if at is not None:
            under = self.node_at(at)
            node = -1 if under is None else self.scene.owner(under)
        if node < 0:
            return False
        self._choose(node)
        where = at.toPoint() if at is not None else QPointF(*self._state.screen_of(node)).toPoint()
        self.menu_asked.emit(self._state.id(node), self._widget.mapToGlobal(where))
        return True

    # The camera

    def fit(self) -> None:
        """Show every entity, also when the window's size changes from now on."""
        self._state.trail.clear()
        self._motion.travel(self._state.whole())
        self._state.touched = False

    def pan(self, dx: float, dy: float) -> None:
        """Move the sky by pixels."""
        self._motion.move_to(self._state.in_bounds(self._state.camera.panned(dx, dy)))

    def zoom(self, factor: float, x: float, y: float, *, travel: bool = False) -> None:
        """Zoom to a point of the window."""
        base = self._state.heading if travel else self._state.camera
        camera = self._state.in_bounds(base.zoomed(factor, x, y))
        (self._motion.travel if travel else self._motion.move_to)(camera)

    def stop(self) -> None:
        """Stop camera moves when the person acts on the sky."""
        self._motion.stop()

    def follow_minimap(self, at: QPointF, *, inside: bool = True) -> bool:
        """Look where the minimap is pressed; False if the point is not on it."""
        card = minimap.card_rect(self._widget.width(), self._widget.height())
        if card is None or self.scene.entities < 2 or (inside and not card.contains(at)):
            return False
        x, y = minimap.chart(self.scene).to_world(at.x() - card.x(), at.y() - card.y())
        self._motion.move_to(self._state.in_bounds(self._state.camera.centred(x, y)))
        return True

    def _bring_in(self, node: int, room_x: float, room_y: float) -> None:
        """Travel until an entity is not nearer to an edge than this, nor behind the minimap."""
        if node < 0:
            return
        width, height = self._widget.width(), self._widget.height()
        x, y = self._state.screen_of(node)
        card = minimap.card_rect(width, height)
        inside = room_x <= x <= width - room_x and room_y <= y <= height - room_y
        if not inside or (card is not None and card.contains(x, y)):
            scene = self.scene
            self._motion.travel(
                self._state.camera.centred(float(scene.x[node]), float(scene.y[node])))

    # Diving

    def dive(self, id: str) -> None:
        """Travel to an entity until its aspects and values surround it."""
        node = self.scene.index.get(id)
        if node is not None:
            end = self._state.dive_to(node, self.legend_height)
            self._choose(node)
            self._motion.travel(end)
            self.dived.emit(id)

    def dive_selected(self) -> bool:
        """Dive into the selection; False if there is none."""
        if self._state.selected < 0:
            return False
        self.dive(self._state.id(self._state.selected))
        return True

    def dive_at(self, at: QPointF) -> None:
        """Zoom in on the entity under a point, or on the empty sky."""
        node = self.node_at(at)
        owner = self.scene.owner(node) if node is not None else -1
        if self.on_legend(at):
            return
        if owner >= 0:
            self.dive(self.scene.ids[owner])
        else:
            self.zoom(2.0, at.x(), at.y(), travel=True)

    def back(self) -> bool:
        """Leave the entity zoomed in on, or clear the selection; False if there was neither."""
        if self._state.trail:
            _, camera = self._state.trail.pop()
            self._motion.travel(camera.resized(self._widget.width(), self._widget.height()))
            self.went_back.emit()
            return True
        if self._state.selected >= 0:
            self._choose(-1)
            return True
        return False

    def click_crumb(self, at: QPointF) -> bool:
        """Go to the step of the trail under a point; False if there is none."""
        node = self._crumb_at(at)
        if node is None:
            return False
        if node < 0:
            self.fit()
            self.went_back.emit()
        else:
            self.dive(self.scene.ids[node])
        return True

    def _crumb_at(self, at: QPointF) -> int | None:
        for node, _, box in breadcrumbs.boxes(self.scene, self._state.trail_nodes()):
            if box.adjusted(-6, -6, 6, 6).contains(at):
                return node
        return None

    # The legend

    def show_types(self, types: frozenset[str]) -> None:
        """Dim what is not of these types; nothing if there are none."""
        if types != self._state.types:
            self._state.types = types
            self._state.renew()
            self._widget.update()
            self.bright_changed.emit()

    def show_found(self, found: Found | None) -> None:
        """Dim what a search did not find; nothing while nothing is searched."""
        if found is not self._state.found:
            self._state.found = found
            self._state.renew()
            self._widget.update()
            self.bright_changed.emit()

    def on_legend(self, at: QPointF) -> bool:
        """True if the legend lies under a point: no star there is meant."""
        return self._plate().contains(at)

    @property
    def legend_height(self) -> int:
        """Pixels from the upper edge of the legend to the foot of the sky; 0 without one."""
        plate = self._plate()
        return 0 if plate.isEmpty() else round(self._widget.height() - plate.top())

    def _plate(self) -> QRectF:
        return self._legend.plate(*self._legend_size(), opened=self._state.legend_open,
                                  changes=self._state.change_words,
                                  dashed=shows_dashes(self._state.step))

    def click_legend(self, at: QPointF) -> bool:
        """Filter by the type under a point, or show all types; False outside of the legend."""
        entry = self._entry_at(at)
        if entry is not None and entry.kind == "more":
            self._state.legend_open = not self._state.legend_open
            self._widget.update()
        elif entry is not None:
            self.type_clicked.emit(entry.word)
        return self.on_legend(at)

    def _entry_at(self, at: QPointF) -> Entry | None:
        """What can be clicked there."""
        entries = self._legend.entries(*self._legend_size(), opened=self._state.legend_open,
                                       changes=self._state.change_words,
                                       dashed=shows_dashes(self._state.step))
        return next((entry for entry in entries if entry.kind != "mark"
                     and entry.box.adjusted(-5, 0, 5, 0).contains(at)), None)

    def _legend_size(self) -> tuple[Scene, float, float]:
        return self._state.shown, self._widget.width(), self._widget.height()

    # Pointing and dragging

    def node_at(self, at: QPointF) -> int | None:
        """The thing under a point of the window."""
        return None if self.on_legend(at) else self._state.node_at(at.x(), at.y())

    def hover_at(self, at: QPointF | None) -> None:
        """The pointer rests on this point, or on nothing."""
        node = None if at is None else self.node_at(at)
        owner = -1 if node is None else self.scene.owner(node)
        if node is not None or (at is not None and (
                self._crumb_at(at) is not None or self._entry_at(at) is not None)):
            self._widget.setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self._widget.unsetCursor()
        pointed = -1 if node is None else node
        if pointed != self._state.pointed:
            self._state.pointed = pointed
            self._widget.update()
        if owner != self._state.hovered:
            self._state.hover(owner)
            self.hovered.emit(self._state.id(owner))
            self._motion.animate()

    def hold(self, held: bool) -> None:
        """A button is pressed on the sky or released: hovering is off meanwhile."""
        self._state.held = held

    def grip(
        self, node: int | None, at: QPointF, *, held: bool = False
    ) -> tuple[float, float] | None:
        """How far an entity's centre is from where it is gripped; None for what stays.

        Only the selected entity and one that was `held` follow: a drag over a dense sky pans.
        """
        if node is None or node >= self.scene.entities:
            return None
        if not held and node != self._state.selected:
            return None
        x, y = self._state.screen_of(node)
        return x - at.x(), y - at.y()

    def drag(self, node: int, x: float, y: float) -> None:
        """An entity follows the pointer."""
        self._state.drag(node, x, y)
        self._widget.update()

    def drop(self, node: int) -> None:
        """The entity stays where it is now."""
        self._state.index_positions()
        scene = self.scene
        self.positioned.emit(scene.ids[node], float(scene.x[node]), float(scene.y[node]))

    def draw_lasso(self, points: tuple[QPointF, ...]) -> None:
        """Show the lasso as far as it has been drawn."""
        self._state.lasso = points
        self._widget.update()
