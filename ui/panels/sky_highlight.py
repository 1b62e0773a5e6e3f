"""Highlights what a panel shows in the sky, while that panel is visible."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QDockWidget, QWidget

from core.constellation.change_marks import ChangeMarks
from core.model.walk import Path
from ui.constellation.view import SkyView
from ui.panel import Panel

Light = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
DARK: Light = ((), (), ())
OWNER = "lit_by"


class SkyHighlight(QObject):
    """One panel's highlight. The last panel shown controls the sky."""

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self._panel = panel
        self._light = self._glance = DARK
        self._marks: ChangeMarks | None = None
        self._dock: QDockWidget | None = None
        panel.installEventFilter(self)

    def light(
        self, nodes: Sequence[str] = (), links: Sequence[str] = (), memories: Sequence[str] = ()
    ) -> None:
        """Set what is highlighted."""
        self._light = (tuple(nodes), tuple(links), tuple(memories))
        self._show()

    def mark(self, marks: ChangeMarks | None) -> None:
        """Set what is marked as added, changed or gone."""
        self._marks = marks
        self._show()

    def glance(self, path: Path | None, memory_id: str = "") -> None:
        """Highlight one path instead, until `None`; nothing if the path is empty."""
        self._glance = DARK if path is None else (
            path.entity_ids, path.dependency_ids, (memory_id,) if memory_id else ())
        self._show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Show:
            self._watch_dock()
            self._show()
        elif event.type() == QEvent.Type.Hide:
            self._clear()
        return False

    def _watch_dock(self) -> None:
        """A dock behind another's tab counts as shown; only the dock itself tells."""
        if self._dock is not None:
            return
        parent: QWidget | None = self._panel
        while parent is not None and not isinstance(parent, QDockWidget):
            parent = parent.parentWidget()
        if isinstance(parent, QDockWidget):
            self._dock = parent
            parent.visibilityChanged.connect(self._dock_seen)

    def _dock_seen(self, seen: bool) -> None:
        if seen:
            self._show(seen=True)
        else:
            self._clear()

    def _sky(self) -> SkyView | None:
        sky = self._panel.context.shell.sky()
        return sky if isinstance(sky, SkyView) else None

    def _show(self, *, seen: bool = False) -> None:
        sky, panel = self._sky(), self._panel
        seen = seen or (panel.isVisible() and not panel.visibleRegion().isEmpty())
        if sky is None or not seen:
            return
        sky.setProperty(OWNER, self._panel.name)
        sky.compare(self._marks)
        sky.set_highlight(*(self._light if self._glance == DARK else self._glance))

    def _clear(self) -> None:
        sky = self._sky()
        if sky is not None and sky.property(OWNER) == self._panel.name:
            sky.setProperty(OWNER, "")
            sky.compare(None)
            sky.set_highlight()
