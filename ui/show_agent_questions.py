"""Shows in the window what agents ask: the sky lights up, Activity and the status bar follow."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QSystemTrayIcon, QWidget

from core.model.asked import Asked
from core.model.changes import Changes
from core.model.entity import Counts
from core.model.text_formatting import counted
from ui.agent_watch import Visits
from ui.constellation.the_sky import as_sky
from ui.dialogs.let_agents_in import LetAgentsIn
from ui.graph_session import Session
from ui.preferences import Preferences
from ui.theme.icons import app_icon

ASKED = Changes(frozenset(("asked",)), initiator="asked")
"""What panels hear of a new question. It is no change of the graph."""


class AgentsAtWork(QObject):
    """Passes on what the watch of the open graph tells.

    Args:
        sky: the widget in the middle, if there is one.
        panels_changed: told that there are new questions.
        show_visits: shows who is let in.
        window: the parent of the dialog.
    """

    def __init__(
        self, preferences: Preferences, sky: Callable[[], QWidget | None],
        panels_changed: Callable[[Changes], None], show_visits: Callable[[Visits], None],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session: Session | None = None
        self._waiting: int | None = None
        """Proposals that waited when they were counted last."""
        self._tray: QSystemTrayIcon | None = None
        self._preferences, self._sky = preferences, sky
        self._panels_changed, self._show_visits = panels_changed, show_visits

    def follow(self, session: Session) -> None:
        """Show what the watch of this graph tells, as long as it is open."""
        self._session, watch = session, session.watch
        watch.asked.connect(self._asked)
        watch.visits_changed.connect(self._show_visits)
        session.counted.connect(self._counted)
        self._show_visits(watch.visits)

    def stop(self) -> None:
        """The graph is closed."""
        self._session = self._waiting = None
        for dialog in self._window.findChildren(LetAgentsIn):
            dialog.close()
        self._show_visits(((), ()))

    def show_dialog(self) -> None:
        """Show how agents come in; the dialog that is there already, if there is one."""
        if self._session is None:
            return
        for dialog in self._window.findChildren(LetAgentsIn):
            dialog.raise_()
            dialog.activateWindow()
            return
        LetAgentsIn(self._session.context, self._session.doors, self._window).show()

    def notify(self, words: str) -> None:
        """Say something on the desktop, where it has a place for that."""
        if self._tray is None:
            self._tray = QSystemTrayIcon(app_icon(), self)
        self._tray.show()
        self._tray.showMessage("Constellation", words, app_icon())

    def _counted(self, counts: Counts) -> None:
        """Tell of proposals that have come while the person is elsewhere."""
        before, self._waiting = self._waiting, counts.pending
        news = 0 if before is None else counts.pending - before
        if news > 0 and self._preferences.waiting_notices and not self._window.isActiveWindow():
            waits = "waits" if counts.pending == 1 else "wait"
            self.notify(f"{counted(counts.pending, 'proposal')} {waits} for you")

    def _asked(self, news: Sequence[Asked]) -> None:
        sky = as_sky(self._sky())
        if self._preferences.asked_lights and sky is not None:
            for each in news:
                sky.light_asked(each.focal_ids, each.entity_ids, each.link_ids, each.memory_ids)
        self._panels_changed(ASKED)
