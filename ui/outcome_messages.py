"""Says in the window what a graph's runner has done, or why it could not."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from core.errors import UndoRefused, WritesMore
from ui.models.past_tense_wording import deed
from ui.runner import Runner
from ui.theme import Theme
from ui.widgets.banners import ErrorBar, Ways
from ui.widgets.toast import Toast


class OutcomeMessages(QObject):
    """The toast with its Undo, and the bar with the last error that nothing else showed."""

    def __init__(self, theme: Theme, window: QWidget, over: QWidget) -> None:
        super().__init__(window)
        self.toast = Toast(theme, window, over, self._undo)
        self.error_bar = ErrorBar()
        self._runner: Runner | None = None

    def follow(self, runner: Runner) -> None:
        """Announce what this graph's runner does from now on."""
        self._runner = runner
        runner.wrote.connect(lambda label, entry: self.toast.say(deed(label), entry))
        runner.kept.connect(
            lambda label: self.toast.say(f"No change needed: {label}"))
        runner.stopped.connect(
            lambda label: self.toast.say(f"Stopped, nothing was changed: {label}"))
        runner.undone.connect(lambda label: self.toast.say(f"Undone: {label}"))
        runner.redone.connect(lambda label: self.toast.say(f"Redone: {label}"))
        runner.went_wrong.connect(self._went_wrong)
        runner.more_than_asked.connect(self._ask_for_more)

    def stop(self) -> None:
        """The graph is closed: what the toast offers to undo is gone with it, and what failed is
        no news."""
        self._runner = None
        self.toast.hide()
        self.error_bar.hide()

    def _went_wrong(self, error: BaseException) -> None:
        self.error_bar.show_error(error, self._ways_past(error))

    def _ask_for_more(self, error: WritesMore, anyway: Callable[[], None]) -> None:
        """Triggers of the file would change more than was asked for: the person decides."""
        self.error_bar.show_error(error, ((f"Change all {error.rows:,} rows too", anyway),))

    def _ways_past(self, error: BaseException) -> Ways:
        """What a person can do about a step that others have changed since."""
        runner = self._runner
        if runner is None or not isinstance(error, UndoRefused) or not error.by_force:
            return ()
        return (("Take it back anyway", partial(runner.undo, error.entry, force=True)),
                ("Undo the step before", partial(runner.undo, before=error.entry)))

    def _undo(self, entry: int) -> None:
        if self._runner is not None:
            self._runner.undo(entry)
