"""The middle of the window: the sky, or the face that stands in its place."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QStackedWidget, QWidget

from core.model.entity import Counts
from ui.constellation.the_sky import as_sky
from ui.preferences import Preferences
from ui.start_page import StartPage
from ui.theme import Theme
from ui.widgets.empty_states import Placeholder

EMPTY = (
    "This graph is empty. Import a memory file, create an entity, or let your agent write to it: "
    "new entries appear automatically."
)


class CentralArea(QStackedWidget):
    """Start page, empty graph, or sky."""

    def __init__(
        self,
        theme: Theme,
        preferences: Preferences,
        ways: list[QAction],
        start_with: QAction,
        open_path: Callable[[Path], None],
    ) -> None:
        super().__init__()
        self.start = StartPage(theme, preferences, ways, open_path)
        self._theme, self._start_with = theme, start_with
        self.sky: QWidget | None = None
        """The sky of the open graph, also while its empty face is shown."""
        self.addWidget(self.start)

    @cached_property
    def empty(self) -> Placeholder:
        """The face of a graph that has nothing in it, made for the first one."""
        made = Placeholder(self._theme)
        made.show_state("empty", EMPTY, (self._start_with.text(), self._start_with.trigger),
                        title="An empty sky")
        self.addWidget(made)
        return made

    def show_sky(self, sky: QWidget) -> None:
        self.sky = sky
        self.addWidget(sky)
        self.setCurrentWidget(sky)

    def covered(self) -> int:
        """Pixels at the foot that the legend of a shown sky takes."""
        sky = as_sky(self.sky) if self.currentWidget() is self.sky else None
        return sky.navigation.legend_height if sky is not None else 0

    def close_sky(self) -> None:
        """Back to the start page."""
        self.setCurrentWidget(self.start)
        if self.sky is not None:
            sky, self.sky = self.sky, None
            self.removeWidget(sky)
            sky.close()
            sky.deleteLater()

    def follow(self, counts: Counts) -> None:
        """An empty graph has a face, not an empty sky."""
        if self.sky is not None:
            nothing = counts.entities + counts.archived + counts.memories + counts.pending == 0
            self.setCurrentWidget(self.empty if nothing else self.sky)
