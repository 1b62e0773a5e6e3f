"""Asks, once for a file, whether it may be changed."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from core.workspace import Workspace
from ui.widgets.buttons import push_button
from ui.widgets.dialogs import Dialog
from ui.widgets.labels import label
from ui.widgets.layouts import column_layout, put, row_layout

WIDTH = 440
WORDS = (
    "This file belongs to another program, which may be running. Before the first change the file "
    "is copied to the folder below. After that only the rows that you change are written; the "
    "tables are not altered, and every change can be undone. You are asked once per file."
)


class PermissionDialog(Dialog):
    """Says what will happen: a backup first, and where; then the change."""

    def __init__(
        self, workspace: Workspace, allow: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        super().__init__("Allow writing", parent, width=WIDTH)
        self._allow = allow
        self.allow_button = push_button(
            "Back up and allow", self._allowed, "primary", default=True)
        self.refuse_button = push_button("Keep it read-only", self.reject)
        put(column_layout(self, (22, 18, 22, 18), 10),
            label(f"Allow changes to {workspace.path.name}?", "head", wrap=True),
            label(WORDS, "soft", wrap=True),
            label(str(workspace.backup_folder), "caption", wrap=True, selectable=True),
            4, put(row_layout(), None, self.refuse_button, self.allow_button))
        self.allow_button.setFocus()

    def _allowed(self) -> None:
        self.accept()
        self._allow()
