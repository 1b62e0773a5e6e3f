"""Asks, once for a file, whether it may be changed."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QWidget

from core.workspace import Workspace
from ui.widgets.labels import label
from ui.widgets.layouts import column_layout

WIDTH = 440
WORDS = (
    "This file belongs to another program, which may be running. Before the first change the file "
    "is copied to the folder below. After that only the rows that you change are written; the "
    "tables are not altered, and every change can be undone. You are asked once per file."
)


class PermissionDialog(QDialog):
    """Says what will happen: a backup first, and where; then the change."""

    def __init__(
        self, workspace: Workspace, allow: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self.setWindowTitle("Allow writing")
        self.setFixedWidth(WIDTH)
        self._allow = allow
        self.allow_button = QPushButton("Back up and allow")
        self.allow_button.setProperty("kind", "primary")
        self.allow_button.setDefault(True)
        self.refuse_button = QPushButton("Keep it read-only")
        self.refuse_button.setAutoDefault(False)
        self.allow_button.clicked.connect(self._allowed)
        self.refuse_button.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.refuse_button)
        buttons.addWidget(self.allow_button)
        column = column_layout(self, (22, 18, 22, 18), 10)
        column.addWidget(label(f"Allow changes to {workspace.path.name}?", "head", wrap=True))
        column.addWidget(label(WORDS, "soft", wrap=True))
        column.addWidget(label(str(workspace.backup_folder), "caption", wrap=True,
                               selectable=True))
        column.addSpacing(4)
        column.addLayout(buttons)
        self.allow_button.setFocus()

    def _allowed(self) -> None:
        self.accept()
        self._allow()
