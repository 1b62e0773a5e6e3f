"""Asks before an unfinished import is stopped by closing its graph."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from ui.runner import Job
from ui.widgets.buttons import push_button
from ui.widgets.dialogs import Dialog
from ui.widgets.labels import label
from ui.widgets.layouts import column_layout, put, row_layout

WIDTH = 440
WORDS = (
    "If you stop it, nothing of it is kept, and the graph stays as it was. Otherwise wait: once it "
    "is done, this goes on by itself."
)


class CloseDuringImport(Dialog):
    """Stop the job and leave, stay, or wait: when the job ends the person's wish is carried out.

    Args:
        job: what still writes.
        wish: what the person was about to do, as a verb: `close the graph`.
        leave: does it.
    """

    def __init__(
        self, job: Job, wish: str, leave: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        super().__init__("Not finished", parent, width=WIDTH)
        self._job, self._leave = job, leave
        self.stop_button = push_button(f"Stop and {wish}", self._stop)
        self.stay_button = push_button("Stay", self.reject, "primary", default=True)
        put(column_layout(self, (22, 18, 22, 18), 10),
            label(f"{job.label} isn't finished", "head", wrap=True),
            label(WORDS, "soft", wrap=True),
            4, put(row_layout(), None, self.stop_button, self.stay_button))
        job.finished.connect(self._go)
        self.stay_button.setFocus()

    def _stop(self) -> None:
        self._job.cancel()
        self._go()

    def _go(self) -> None:
        if self.isVisible():
            self._job.finished.disconnect(self._go)
            self.accept()
            self._leave()
