"""Asks for the permission to write a foreign file, and goes on with what waited for it."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from core.workspace import Workspace
from ui.dialogs.allow_file_changes import PermissionDialog
from ui.runner import Runner

Resume = Callable[[], None]


class Permission(QObject):
    """Of one graph. Several changes may wait; one question is asked for all of them."""

    given = Signal(object)
    """Writing is allowed from now on; carries the backup's path."""

    def __init__(
        self, workspace: Workspace, runner: Runner, window: QWidget, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._workspace, self._runner, self._window = workspace, runner, window
        self._waiting: list[Resume] = []
        self._asking = False
        runner.permission_wanted.connect(self.ask)

    def ask(self, resume: Resume | None = None) -> None:
        """Show the question; `resume` is called once the answer is yes."""
        if resume is not None:
            self._waiting.append(resume)
        if self._runner.may_write:
            # Allowed meanwhile, in another window.
            self._allowed(None)
        elif not self._asking:
            self._asking = True
            dialog = PermissionDialog(self._workspace, self._allow, self._window)
            dialog.rejected.connect(self._refused)
            dialog.open()

    def _allow(self) -> None:
        self._runner.job(
            lambda job: self._workspace.allow_writing(), self._allowed, self._failed,
            label="Backing up the file",
        )

    def _allowed(self, backup: Path | None) -> None:
        self._asking = False
        waiting, self._waiting = self._waiting, []
        self.given.emit(backup)
        for resume in waiting:
            resume()

    def _refused(self) -> None:
        self._asking = False
        self._waiting.clear()

    def _failed(self, error: BaseException) -> None:
        self._refused()
        self._runner.went_wrong.emit(error)
