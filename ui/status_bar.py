"""The bar under everything: which graph, whose, how much, and what is going on."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QProgressBar,
    QSizePolicy,
    QStatusBar,
    QWidget,
)

from core.model.entity import Counts
from core.model.expectation import CheckedExpectation
from core.model.text_formatting import counted, one_line
from core.model.watched_folder import WatchedFolder
from core.workspace import Workspace
from ui.agent_watch import Visits
from ui.models.asked_wording import visit_words
from ui.models.folder_watch_wording import folder_line, watched_words
from ui.runner import Job
from ui.theme import Theme
from ui.widgets.buttons import IconButton
from ui.widgets.labels import ElidedLabel, label, set_tip
from ui.widgets.layouts import put, row_layout
from ui.widgets.link_button import link_button

KINDS = {"native": "A graph of this program", "signet": "A Signet database, open in place"}
BAR_WIDTH = 54
STORE_WIDTH = 420
TOLD = 8
"""Failing expectations that the tooltip names."""


def count_words(counts: Counts) -> str:
    """`51 entities · 1,512 values · 118 constraints`."""
    return " · ".join((
        counted(counts.entities, "entity"), counted(counts.attributes, "value"),
        counted(counts.constraints, "constraint"), counted(counts.memories, "memory")))


class JobProgress(QWidget):
    """Words, a thin bar and a cross for the newest running job."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self._running: list[Job] = []
        self.words = ElidedLabel()
        self.words.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(BAR_WIDTH)
        self.bar.setAccessibleName("Progress")
        self.stop = IconButton(theme, "close", "Stop", self._cancel)
        middle = Qt.AlignmentFlag.AlignVCenter
        put(row_layout(self, (0, 0, 0, 0), 7),
            (self.words, 0, middle), (self.bar, 0, middle), (self.stop, 0, middle))
        self.hide()

    def add(self, job: Job) -> None:
        self._running.append(job)
        job.progressed.connect(self._progressed)
        job.finished.connect(self._finished)
        self._show(job)

    def _show(self, job: Job) -> None:
        self._job = job
        self.words.setText(one_line(job.label, 60))
        self.bar.setRange(0, 0)
        self.show()

    def _progressed(self, fraction: float, text: str) -> None:
        if self.sender() is not self._job or self._job is None:
            return
        words = f"{self._job.label} · {text}" if text else self._job.label
        self.words.setText(one_line(words, 90))
        if fraction < 0:
            self.bar.setRange(0, 0)
        else:
            self.bar.setRange(0, 1000)
            self.bar.setValue(round(fraction * 1000))

    def _finished(self) -> None:
        ended = self.sender()
        self._running = [job for job in self._running if job is not ended]
        if self._running:
            self._show(self._running[-1])
        else:
            self._job = None
            self.hide()

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self.words.setText(f"stopping: {one_line(self._job.label, 60)}")


class StatusBar(QStatusBar):
    """Store, agent and counts at the left; who is let in, jobs and the frame time at the right."""

    failing_wanted = Signal()
    """The person wants to see the expectations that fail."""
    folders_wanted = Signal()
    """The person wants to see the watched folders."""
    visits_wanted = Signal()
    """The person wants to see who is let in."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self.setContentsMargins(6, 0, 12, 0)
        self.store = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle)
        self.agent = label()
        self.counts = ElidedLabel()
        self.counts.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.visitors = link_button("", lambda: self.visits_wanted.emit())
        self.folders = link_button("", lambda: self.folders_wanted.emit())
        self.failing = link_button("", lambda: self.failing_wanted.emit())
        self.failing.setProperty("tone", "bad")
        self.jobs = JobProgress(theme, self)
        self.frame = label()
        self.store.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.store.setMaximumWidth(STORE_WIDTH)
        left = QWidget()
        put(row_layout(left, (8, 0, 0, 0), 18), self.store, self.agent, self.counts, None)
        self.addWidget(left, 1)
        self.addPermanentWidget(self.failing)
        self.addPermanentWidget(self.folders)
        self.addPermanentWidget(self.visitors)
        self.addPermanentWidget(self.jobs)
        self.addPermanentWidget(self.frame)
        self.frame.hide()
        for part in (self.visitors, self.failing, self.folders):
            part.hide()

    def set_graph(self, workspace: Workspace | None) -> None:
        self.failing.hide()
        self.folders.hide()
        if workspace is None:
            for part in (self.store, self.agent, self.counts):
                part.setText("")
            return
        self.store.setText(workspace.path.name)
        set_tip(self.store, f"{workspace.path}\n{KINDS.get(workspace.kind, workspace.kind)}")
        self.agent.setText(f"agent {one_line(workspace.agent, 40)}")

    def set_visits(self, visits: Visits) -> None:
        """Show who is let in; nothing while no door is open."""
        words, lines = visit_words(*visits)
        self.visitors.setText(words.replace("&", "&&"))
        self.visitors.setAccessibleName(words)
        self.visitors.setVisible(bool(words))
        set_tip(self.visitors, "\n".join(lines))

    def set_folders(self, folders: Sequence[WatchedFolder]) -> None:
        """Show which folders are watched; nothing while none is."""
        words = watched_words(folders)
        self.folders.setText(words.replace("&", "&&"))
        self.folders.setAccessibleName(words)
        self.folders.setVisible(bool(words))
        set_tip(self.folders, "\n".join(map(folder_line, folders)))

    def set_expectations(self, checked: Sequence[CheckedExpectation]) -> None:
        """Show how many expectations fail; nothing while all hold."""
        failing = [each for each in checked if not each.holds]
        verb = "fails" if len(failing) == 1 else "fail"
        self.failing.setText(f"✗ {len(failing)} of {counted(len(checked), 'expectation')} {verb}")
        self.failing.setVisible(bool(failing))
        set_tip(self.failing, "\n".join(each.line for each in failing[:TOLD]))

    def set_counts(self, counts: Counts) -> None:
        self.counts.setText(count_words(counts))

    def set_frame_time(self, milliseconds: float) -> None:
        if self.frame.isVisible():
            self.frame.setText(f"{milliseconds:.0f} ms")
