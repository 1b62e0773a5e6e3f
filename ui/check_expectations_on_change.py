"""Watches whether a person's expectations hold, while the graph changes."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.embedding.choose_embedder import choose
from core.expectations.recheck import EVERYTHING, concerns, follow, together
from core.expectations.store import any_expectations
from core.model.changes import Changes
from core.model.expectation import CheckedExpectation
from core.store.reader_and_writer import Reader, Writer
from ui.engine_settings import Engine
from ui.runner import Done, Failed, Job, Runner

FIRST_MS, SOON_MS = 1500, 250
"""How long the first check waits for the window, and each later one for further changes."""

Checked = tuple[CheckedExpectation, ...]


class ExpectationWatch(QObject):
    """Checks the expectations on a pool thread: all once, then those that a change touches."""

    changed = Signal(object)
    """They have been checked again; all of them, as they stand."""

    def __init__(self, runner: Runner, engine: Engine, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.checked: Checked = ()
        self.ready = False
        """Whether they have been checked at all."""
        self._runner, self._engine = runner, engine
        self._changes: Changes | None = EVERYTHING
        self._trial: Job | None = None
        """The dry run that is under way."""
        self._pause = QTimer(self, singleShot=True, interval=SOON_MS)
        self._pause.timeout.connect(self.look)
        engine.changed.connect(partial(self.follow, EVERYTHING))

    @property
    def failing(self) -> Checked:
        """Those that do not hold."""
        return tuple(each for each in self.checked if not each.holds)

    def start(self) -> None:
        """Check all of them, once the window had time for itself."""
        self._pause.start(FIRST_MS)

    def close(self) -> None:
        """Check no more."""
        self._pause.stop()

    @Slot(object)
    def follow(self, changes: Changes) -> None:
        """Check those that a change touches, soon."""
        if concerns(changes):
            self._changes = together(self._changes, changes)
            if not self._pause.isActive():
                self._pause.start(SOON_MS)

    @Slot()
    def look(self) -> None:
        """Check now what has changed since the last look."""
        changes, before = self._changes, self.checked
        # What must hold now is not held against the past; the return from it is a change.
        if changes is None or self._runner.workspace.past is not None:
            return

        def read(reader: Reader) -> Checked:
            if not any_expectations(reader):
                return ()
            settings = self._engine.settings  # loaded here, so that the window does not wait
            return follow(reader, before, changes, settings, choose(settings.embedding))

        self._runner.read(read, partial(self._got, changes), self._failed, key="expectations",
                          question=self.look, long=True)

    def foresee(self, change: Callable[[Writer], object], done: Done, failed: Failed) -> None:
        """What a change would do to them, from a dry run in the background; nothing is run where
        there are none.

        Args:
            change: the function of a Writer.
            done: gets a `Forecast`.
        """
        # What shows a forecast has it loaded; the window stands before.
        from core.expectations.forecast import Forecast, forecast  # noqa: PLC0415

        if self.ready and not self.checked:
            done(Forecast())
            return
        before, settings = self.checked if self.ready else None, self._engine.settings
        workspace = self._runner.workspace
        self.stop_trial()
        self._trial = self._runner.job(lambda job: forecast(
            workspace, change, settings, choose(settings.embedding), before, job.check),
            done, failed)
        self._trial.finished.connect(partial(self._trial_ended, self._trial))

    def stop_trial(self) -> None:
        """End the dry run that is under way: nobody waits for it any more."""
        if self._trial is not None:
            self._trial.cancel()

    def _trial_ended(self, trial: Job) -> None:
        if self._trial is trial:
            self._trial = None

    def _got(self, changes: Changes, checked: Checked) -> None:
        if self._changes is changes:
            self._changes = None
        news = not self.ready or checked != self.checked
        self.checked, self.ready = checked, True
        if news:
            self.changed.emit(checked)

    def _failed(self, _error: BaseException) -> None:
        """The next change asks again; what else can't be read says so itself."""
