"""The head of the inspector: name, type, and buttons."""

from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QWidget,
)

from core.model.entity import Entity
from ui.context import Context
from ui.models.inspector_facts import Inspection, archived_words, headline, task_words
from ui.panels.entity_list_view import entity_menu
from ui.theme import Theme
from ui.widgets.buttons import ActionButton, IconButton, push_button
from ui.widgets.glyph_paths import draw_star
from ui.widgets.labels import ElidedLabel, label
from ui.widgets.layouts import column_layout, put, row_layout

MARGIN, RIGHT, GAP, LEAST_WIDTH = 16, 10, 8, 240


class PinButton(ActionButton):
    """The pin action, with its star: gold and filled while the entity is pinned."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.actions.action("pins.toggle"))
        self._star = Star(context.theme)
        row = self.layout()
        assert isinstance(row, QHBoxLayout)
        row.insertWidget(0, self._star)

    def set_pinned(self, pinned: bool) -> None:
        self._star.set_filled(pinned)


class Star(QWidget):
    """A small star inside a button."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._filled = theme, False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def set_filled(self, filled: bool) -> None:
        self._filled = filled
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(13, 14)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        token = "pin" if self._filled else "text" if self.isEnabled() else "text.faint"
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        draw_star(QPainter(self), box, self._theme.color(token), filled=self._filled)


class ArchivedBanner(QFrame):
    """Shows that an entity is archived, with a button to restore it."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("role", "banner")
        self.words = label(role="soft", wrap=True)
        self.restore = push_button("Restore", partial(context.actions.run, "entities.restore"))
        put(row_layout(self, (MARGIN, 6, 12, 6)), (self.words, 1), self.restore)

    def show_entity(self, entity: Entity) -> None:
        self.setVisible(entity.status == "archived")
        self.words.setText(archived_words(entity))


class InspectorHead(QWidget):
    """What stays in sight while the tree below scrolls."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.name = ElidedLabel(role="name")
        self.line = ElidedLabel(role="soft")
        self.task = ElidedLabel(role="soft")
        self.pin = PinButton(context)
        self.mute = ActionButton(context.actions.action("mutes.toggle"))
        self.pin.reserve("Pin", "Unpin")
        self.mute.reserve("Mute", "Unmute")
        run = context.actions.run
        self.back = IconButton(context.theme, "back", "Back", partial(run, "go.back"), pixels=15)
        self.forward = IconButton(context.theme, "forward", "Forward", partial(run, "go.forward"),
                                  pixels=15)
        self.more = IconButton(context.theme, "more", "More actions", self._open_menu, pixels=15)
        self.banner = ArchivedBanner(context)
        context.selection.history_changed.connect(self._show_ways)
        self._lay_out()
        self._show_ways()

    def show_inspection(self, inspection: Inspection) -> None:
        entity = inspection.entity
        if entity is None:
            return
        self.name.setText(entity.name)
        self.line.setText(headline(inspection))
        self.task.setText(task_words(entity))
        self.task.setVisible(entity.task is not None)
        self.banner.show_entity(entity)
        active = entity.status == "active"
        self.pin.setVisible(active)
        self.mute.setVisible(active)
        self.pin.set_pinned(entity.pinned)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Where it is narrow keys and arrows go, so that the dock need not grow."""
        return QSize(LEAST_WIDTH, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        for cap, tight, arrows in ((True, False, True), (True, True, True), (False, True, True),
                                   (False, True, False)):
            for part in (self.pin, self.mute):
                part.show_cap(cap)
                part.set_tight(tight)
            for arrow in (self.back, self.forward):
                arrow.setVisible(arrows)
            if self._buttons_width(arrows=arrows) <= self.width():
                return

    def _buttons_width(self, *, arrows: bool) -> int:
        tools = (self.back, self.forward, self.more) if arrows else (self.more,)
        parts = (self.pin, self.mute, *tools)
        return sum(part.sizeHint().width() for part in parts) + MARGIN + RIGHT + 2 * GAP

    def _lay_out(self) -> None:
        tools = put(row_layout(spacing=0), self.back, self.forward, self.more)
        buttons = put(row_layout(margins=(0, 6, 0, 0), spacing=GAP), self.pin, self.mute, None,
                      tools)
        put(column_layout(self, (0, 0, 0, 0), 0), self.banner,
            put(column_layout(margins=(MARGIN, 14, RIGHT, 8), spacing=4),
                self.name, self.line, self.task, buttons))

    def _show_ways(self) -> None:
        selection = self._context.selection
        self.back.setEnabled(selection.can_go_back)
        self.forward.setEnabled(selection.can_go_forward)

    def _open_menu(self) -> None:
        row = self._context.selection.entity
        if row is not None:
            menu = entity_menu(self._context, row, self)
            menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))
