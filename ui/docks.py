"""The docks round the sky: each panel in one, titled or tabbed, in the place it was left in."""

from collections.abc import Iterable

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QTabWidget, QWidget

from core.model.changes import Changes
from ui.context import Context
from ui.dock import Dock, DockTabs
from ui.dock_sizes import DockSizes
from ui.panel import Panel, PanelKind
from ui.preferences import Preferences
from ui.theme import Theme
from ui.thread_bridge import merge

STATE_VERSION = 1
GLANCE_MS = 500
"""While commits follow each other, hidden panels look at them together, this far apart."""
CALM_MS = 2000
"""So long at most no panel is loaded while the sky is still to come: it and the list come first."""
GLIMPSED_MS = 1000
"""The same once its communities are seen: on two cores its picture comes a fifth later while panels
are loaded."""
PAUSE_MS = 200
"""Before each panel that is made out of sight, so that what is in sight does not wait for it."""
AREAS = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}


class Docks(QObject):
    """Makes the docks, fills them for a graph, remembers their layout, refreshes their panels."""

    made = Signal(Panel)
    """A panel has been made for the open graph."""

    def __init__(
        self,
        window: QMainWindow,
        kinds: Iterable[PanelKind],
        theme: Theme,
        preferences: Preferences,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._preferences = preferences
        self._docks = {kind.name: Dock(kind, theme, window) for kind in kinds}
        self._sizes = DockSizes(window, self._docks.values(), self._in_area,
                                lambda: self.alone)
        self._stale: dict[str, Changes | None] = {}
        self._unglanced: dict[str, Changes] = {}
        """What hidden panels have not looked at yet."""
        self._glances = QTimer(self, singleShot=True, interval=GLANCE_MS)
        self._glances.timeout.connect(self._glance)
        self._unread: set[str] = set()
        """Panels that have not looked into this graph yet."""
        self._context: Context | None = None
        """The open graph's."""
        self._before: QByteArray | None = None
        """Where the docks were before one got the window for itself."""
        self._ahead: dict[str, Panel] = {}
        """A panel that is made and not in its dock yet."""
        self._loose: Panel | None = None
        """The one of them that is not laid out yet."""
        self._loading: PanelKind | None = None
        self._calm = QTimer(self, singleShot=True)
        """While it runs no panel is loaded."""
        self._calm.timeout.connect(self._make_next)
        self._making = QTimer(self, singleShot=True, interval=0)
        self._making.timeout.connect(self._make_next)
        self._tabs_timer = QTimer(self, singleShot=True, interval=0)
        self._tabs_timer.timeout.connect(DockTabs(window, self._docks.values()).refresh)
        self._looking = QTimer(self, singleShot=True, interval=0)
        self._looking.timeout.connect(self._refresh_shown)
        window.setTabPosition(Qt.DockWidgetArea.BottomDockWidgetArea,
                              QTabWidget.TabPosition.North)
        window.setDockOptions(
            QMainWindow.DockOption.AllowTabbedDocks | QMainWindow.DockOption.AllowNestedDocks
        )
        window.setDocumentMode(True)
        for dock in self._docks.values():
            for signal in (dock.visibilityChanged, dock.topLevelChanged, dock.dockLocationChanged):
                signal.connect(self._refresh_tabs_soon)
            dock.hide()
        self._put_in_areas()
        # Put back from this: moving docks one by one widens the window.
        self._first = window.saveState(STATE_VERSION)
        self._hide_all()

    @property
    def panels(self) -> list[Panel]:
        """The panels that have been made."""
        return [dock.panel for dock in self._docks.values() if dock.panel is not None]

    @property
    def names(self) -> frozenset[str]:
        """The panels that this window has, open or not."""
        return frozenset(self._docks)

    def panel(self, name: str) -> Panel:
        """The open graph's panel of this name, made now if it is still to be made."""
        return self._docks[name].panel or self._make(name)

    def toggles(self) -> list[QAction]:
        """A checkable menu entry for each dock."""
        return [dock.toggleViewAction() for dock in self._docks.values()]

    def fill(self, context: Context) -> None:
        """Put the docks where they were left, and panels for this graph into them.

        One panel at a time, those in sight first, the others with a pause before each, so that the
        window keeps answering.
        """
        self._context = context
        state = self._preferences.bytes("docks")
        if state.isEmpty() or not self._window.restoreState(state, STATE_VERSION):
            self.reset()
        else:
            QTimer.singleShot(0, self, self._sizes.check_kept)
        self._making.start(0)
        self._calm.start(CALM_MS)
        self._refresh_tabs_soon()

    def load_soon(self) -> None:
        """The sky's communities are there: its picture has a while for itself."""
        if self._calm.remainingTime() > GLIMPSED_MS:
            self._calm.start(GLIMPSED_MS)

    def load_now(self) -> None:
        """The sky is there: what panels need may be loaded."""
        if self._calm.isActive():
            self._calm.start(0)

    def empty(self) -> None:
        """Take the panels out: the graph is closed."""
        if self._context is None:
            return
        self.put_back()
        self.save()
        self._context = self._loading = None
        self._making.stop()
        self._calm.stop()
        self._glances.stop()
        self._unglanced.clear()
        for ahead in self._ahead.values():
            ahead.deleteLater()
        self._ahead.clear()
        self._loose = None
        self._stale.clear()
        self._unread.clear()
        self._hide_all()
        for dock in self._docks.values():
            panel = dock.panel
            if panel is not None:
                panel.removeEventFilter(self)
                dock.setWidget(QWidget())
                panel.hide()
                panel.deleteLater()
            dock.badge = ""

    def save(self) -> None:
        if self._context is not None:
            state = self._before or self._window.saveState(STATE_VERSION)
            self._preferences.put_bytes("docks", state)

    @property
    def alone(self) -> bool:
        """True while one panel has the window for itself."""
        return self._before is not None

    def show_alone(self, name: str, width: int) -> Panel:
        """Only this panel, at the left of the sky, as high as the window and that wide."""
        dock = self._docks[name]
        self._before = self._window.saveState(STATE_VERSION)
        self._hide_all()
        self._window.addDockWidget(AREAS["left"], dock)
        dock.alone = True
        dock.show()
        self._window.resizeDocks([dock], [width], Qt.Orientation.Horizontal)
        self._refresh_tabs_soon()
        return self.panel(name)

    def put_back(self) -> None:
        """All docks where they were before one had the window for itself."""
        if self._before is not None:
            before, self._before = self._before, None
            for dock in self._docks.values():
                dock.alone = False
            self._window.restoreState(before, STATE_VERSION)
            self._refresh_tabs_soon()

    def reset(self) -> None:
        """The layout of a first start."""
        self._before = None
        self._window.restoreState(self._first, STATE_VERSION)
        for dock in self._docks.values():
            dock.setVisible(not dock.kind.on_demand)
        self._sizes.put()
        first = self._in_area("bottom")
        if first:
            first[0].raise_()
        self._refresh_tabs_soon()

    def show_panel(self, name: str) -> Panel:
        panel = self.bring(name)
        panel.focus()
        return panel

    def bring(self, name: str) -> Panel:
        """The panel in front, the keyboard where it was."""
        dock = self._docks[name]
        dock.show()
        dock.raise_()
        return self.panel(name)

    def uncover(self, name: str, *, unless_busy: str) -> None:
        """Bring a panel in front of the tabs that cover it; one that was closed stays closed.

        Nothing is moved while the keyboard is in a panel of the area `unless_busy`.
        """
        dock = self._docks.get(name)
        busy = any(each.panel is not None and each.panel.has_keyboard
                   for each in self._in_area(unless_busy))
        if dock is not None and not dock.isHidden() and not busy:
            dock.raise_()

    def changed(self, changes: Changes) -> None:
        """Refresh what shows a touched table; what is hidden is refreshed when it is shown."""
        for name, dock in self._docks.items():
            panel = dock.panel
            if panel is None or not changes.touches(*panel.shows):
                continue
            if dock.in_sight and name not in self._stale:
                panel.refresh(changes)
                continue
            self._unglanced[name] = (merge(self._unglanced[name], changes)
                                     if name in self._unglanced else changes)
            if name not in self._stale:
                self._stale[name] = changes
            else:
                before = self._stale[name]
                self._stale[name] = merge(before, changes) if before else None
        if changes.external or not self._glances.isActive():
            self._glance()

    def _glance(self) -> None:
        """Have hidden panels look at what was written, at once where that was a lone commit."""
        unglanced, self._unglanced = self._unglanced, {}
        for name, changes in unglanced.items():
            panel = self._docks[name].panel
            if panel is not None and name in self._stale:  # Shown since: it has read all of it.
                panel.glance(changes)
        if unglanced:
            self._glances.start()

    def _make_next(self) -> None:
        missing = [name for name, dock in self._docks.items() if dock.panel is None]
        if not missing:
            return
        missing.sort(key=lambda name: not self._docks[name].kind.counts)
        seen = [name for name in missing if self._docks[name].in_sight]
        # A large panel takes as long to make as to lay out and to fit in: the window answers in
        # between.
        if self._loose is not None:
            self._lay_out()
            self._making.start(0)
            return
        if not self._ahead:
            name = (seen or missing)[0]
            if self._docks[name].kind.is_loaded:
                self.make_ahead(name)
                self._making.start(0)
            else:
                self._load(self._docks[name].kind)
            return
        for name in [*self._ahead]:
            self._make(name)
        self._making.start(0 if len(seen) > 1 else PAUSE_MS)

    def make_ahead(self, name: str) -> bool:
        """Make a panel that is put into its dock in a later turn of the event loop; False where it
        has been made."""
        if self._docks[name].panel is not None or name in self._ahead:
            return False
        self._lay_out()
        self._ahead[name] = self._loose = self._made_panel(name)
        return True

    def _load(self, kind: PanelKind) -> None:
        """Load a panel on a pool thread, so that the window keeps answering; then it is made."""
        if self._context is not None and self._loading != kind and not self._calm.isActive():
            self._loading = kind
            self._context.runner.job(lambda _job: kind.load(), lambda _: self._making.start(0))

    def _made_panel(self, name: str) -> Panel:
        assert self._context is not None, f"no graph is open, so there is no panel {name}"
        return self._docks[name].kind.make(self._context)

    def _lay_out(self) -> None:
        loose, self._loose = self._loose, None
        if loose is not None:
            loose.lay_out()

    def _make(self, name: str) -> Panel:
        dock = self._docks[name]
        self._lay_out()
        panel = self._ahead.pop(name, None)
        if panel is None:
            panel = self._made_panel(name)
            panel.lay_out()
        panel.badged.connect(self._badged)
        panel.titled.connect(self._titled)
        panel.installEventFilter(self)
        self._stale[name] = None
        self._unread.add(name)
        dock.setWidget(panel)
        self.made.emit(panel)
        self._looking.start()
        return panel

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in (QEvent.Type.Show, QEvent.Type.Resize):
            self._looking.start()
        return False

    def _refresh_shown(self) -> None:
        for name, dock in self._docks.items():
            panel = dock.panel
            if panel is None and dock.in_sight and self._context is not None:
                self._making.start(0)
            if name not in self._stale or panel is None:
                continue
            if dock.in_sight:
                self._unread.discard(name)
                panel.refresh(self._stale.pop(name))
            elif name in self._unread:
                self._unread.discard(name)
                panel.glance(None)

    def _in_area(self, area: str) -> list[Dock]:
        return [dock for dock in self._docks.values() if dock.kind.area == area]

    def _put_in_areas(self) -> None:
        for area, qt_area in AREAS.items():
            docks = self._in_area(area)
            for index, dock in enumerate(docks):
                self._window.addDockWidget(qt_area, dock)
                if index and area == "bottom":
                    self._window.tabifyDockWidget(docks[0], dock)
                elif index:
                    self._window.splitDockWidget(docks[index - 1], dock, Qt.Orientation.Vertical)

    def _hide_all(self) -> None:
        for dock in self._docks.values():
            dock.hide()

    def _refresh_tabs_soon(self, *_: object) -> None:
        self._tabs_timer.start()
        self._looking.start()

    def _badged(self, text: str) -> None:
        dock = self._dock_of(self.sender())
        if dock is not None and dock.badge != text:
            dock.badge = text
            self._refresh_tabs_soon()

    def _titled(self, text: str) -> None:
        dock = self._dock_of(self.sender())
        if dock is not None:
            dock.title.words.setText(text)

    def _dock_of(self, panel: QObject | None) -> Dock | None:
        return next((dock for dock in self._docks.values() if dock.panel is panel), None)
