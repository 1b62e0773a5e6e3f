"""Shows in the window what agents ask: the sky lights up, Activity and the status bar follow."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from core.model.asked import Asked
from core.model.changes import Changes
from ui.asked_watch import AskedWatch, Visits
from ui.constellation.view import SkyView
from ui.preferences import Preferences

ASKED = Changes(frozenset(("asked",)), initiator="asked")
"""What panels hear of a new question. It is no change of the graph."""


class AgentsAtWork(QObject):
    """Passes on what the watch of the open graph tells.

    Args:
        sky: the widget in the middle, if there is one.
        panels_changed: told that there are new questions.
        show_visits: shows who is let in.
    """

    def __init__(
        self, preferences: Preferences, sky: Callable[[], QWidget | None],
        panels_changed: Callable[[Changes], None], show_visits: Callable[[Visits], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._preferences, self._sky = preferences, sky
        self._panels_changed, self._show_visits = panels_changed, show_visits

    def follow(self, watch: AskedWatch) -> None:
        """Show what this watch tells, as long as it lasts."""
        watch.asked.connect(self._asked)
        watch.visits_changed.connect(self._show_visits)
        self._show_visits(watch.visits)

    def stop(self) -> None:
        """The graph is closed."""
        self._show_visits(((), ()))

    def _asked(self, news: Sequence[Asked]) -> None:
        sky = self._sky()
        if self._preferences.asked_lights and isinstance(sky, SkyView):
            for each in news:
                sky.light_asked(each.focal_ids, each.entity_ids, each.link_ids, each.memory_ids)
        self._panels_changed(ASKED)
