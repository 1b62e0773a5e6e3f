"""Shows the open graph as it stood at another moment: the strip, what is read, and the time-lapse.

Everything in the window reads through the workspace, so it follows by itself; nothing can be
changed meanwhile, and the actions that would say why not.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

from PySide6.QtCore import QObject, QTimer, Signal

from core.errors import ConstellationError
from core.model.times import day_words
from core.queries.first_moment import first_moment
from core.store.past_file import Past
from ui.error_words import words_of
from ui.graph_session import Session
from ui.runner import Job
from ui.widgets.time_bar import TimeBar

STEPS = 90
"""About as many pictures a time-lapse of the whole time has."""
STEP_MS = 700
"""How long each is seen, at least, at the slowest speed."""


class TimeTravel(QObject):
    """Of the window; follows one open graph at a time.

    Args:
        say: shows one line.
        lock: has the actions that change something say this instead; empty for none.
        show_changes: shows what is different since.
    """

    shown = Signal(object)
    """Another moment is shown: a `Past`, None for now."""

    def __init__(
        self, bar: TimeBar, say: Callable[[str], None], lock: Callable[[str], None],
        show_changes: Callable[[], object], parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bar, self._say, self._lock, self._show_changes = bar, say, lock, show_changes
        self._session: Session | None = None
        self._reading = False
        self._waiting: list[datetime | None] = []
        """The moment that is wanted after the one that is being read."""
        self._playing = QTimer(self, singleShot=True)
        self._playing.timeout.connect(self._step)
        self._plays = False
        bar.wanted.connect(self._want)
        bar.left.connect(self.leave)
        bar.play_clicked.connect(self.play)
        bar.since_clicked.connect(self.since_last_visit)

    @property
    def is_open(self) -> bool:
        """Whether the strip is there."""
        return not self._bar.isHidden()

    @property
    def playing(self) -> bool:
        """Whether the time-lapse runs."""
        return self._plays

    def follow(self, session: Session) -> None:
        """The graph that is open from now on."""
        self._session = session

    def stop(self) -> None:
        """The graph is closed, or another agent's is shown."""
        self._stop_playing()
        self._session, self._waiting = None, []
        self._bar.hide()
        self._lock("")

    def toggle(self) -> None:
        """Show the strip, or go back to now."""
        if self.is_open:
            self.leave()
        elif self._session is not None:
            self._session.runner.read(first_moment, self._open, key="time.span")

    def leave(self) -> None:
        """Back to now; the strip goes."""
        self._stop_playing()
        self._bar.hide()
        if self._session is not None and (self._session.workspace.past or self._reading):
            self._want(None)

    def show_moment(self, moment: datetime) -> None:
        """Show the strip with the slider at a moment."""
        if self._session is not None:
            def open_at(first: datetime | None) -> None:
                self._open(first)
                self._bar.go_to(moment)
            self._session.runner.read(first_moment, open_at, key="time.span")

    def since_last_visit(self) -> None:
        """Show what is different since the graph was last looked at."""
        self.leave()
        self._show_changes()

    def play(self) -> None:
        """Start the time-lapse where the slider stands, from the first day if that is now."""
        if self._plays:
            self._stop_playing()
            return
        self._plays = True
        self._bar.show_playing(True)
        if self._bar.is_now:
            self._bar.slider.setValue(0)
        else:
            self._step()

    def _open(self, first: datetime | None) -> None:
        if first is None:
            self._say("There is nothing in this graph yet")
            return
        self._bar.set_span(first.date())
        self._bar.show()
        self._bar.slider.setFocus()
        self._make_ready()

    def _want(self, moment: datetime | None) -> None:
        """Read the newest moment that is wanted; those between are left out."""
        self._waiting = [moment]
        if not self._reading:
            self._read_next()

    def _read_next(self) -> None:
        session = self._session
        if session is None or not self._waiting:
            return
        moment = self._waiting.pop()
        self._reading = True

        def work(_job: Job) -> Past | None:
            return session.workspace.show_as_of(moment)

        session.runner.job(work, self._arrived, self._failed)

    def _arrived(self, past: Past | None) -> None:
        self._reading = False
        self._make_ready()
        if self._waiting:
            self._read_next()
            return
        if past is None:
            self._lock("")
        else:
            self._lock(f"this is the graph as of {day_words(past.moment.isoformat())}; "
                       "Esc returns to now")
        self.shown.emit(past)
        if self._plays:
            self._playing.start(STEP_MS // self._bar.factor)

    def _make_ready(self) -> None:
        """Have what the next moment is made of lie ready, while this one is looked at."""
        session = self._session
        if session is None or not self.is_open:
            return

        def work(_job: Job) -> None:
            with suppress(ConstellationError, OSError):  # Then it takes a little longer.
                session.workspace.make_past_ready()

        session.runner.job(work)

    def _failed(self, error: BaseException) -> None:
        self._reading = False
        self._stop_playing()
        self._say(words_of(error))

    def _step(self) -> None:
        """One picture further; at now the time-lapse ends."""
        slider = self._bar.slider
        slider.setValue(slider.value() + max(1, slider.maximum() // STEPS))
        if self._bar.is_now:
            self._stop_playing()

    def _stop_playing(self) -> None:
        self._plays = False
        self._playing.stop()
        self._bar.show_playing(False)
