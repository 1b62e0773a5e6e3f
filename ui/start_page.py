"""What the middle of the window shows while no graph is open."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QWidget

from core.errors import ConstellationError
from core.model.text_formatting import one_line
from ui.error_words import what_to_do
from ui.preferences import Preferences
from ui.theme import Theme
from ui.theme.icons import app_icon
from ui.widgets.buttons import ActionButton, push_button
from ui.widgets.empty_states import Placeholder
from ui.widgets.labels import set_role, set_tip
from ui.widgets.layouts import column_layout, put, row_layout

WELCOME = (
    "Open your agent's memory: a Signet database, a graph of this program, or an MCP memory file. "
    "Notes and the files of other programs are imported (File, Import). You can also drop a file "
    "or a folder onto this window."
)
SHOWN_RECENT = 5


class StartPage(QWidget):
    """Welcome, a file being opened, or why one could not be opened; always with the ways on.

    It is empty until it is told which.
    """

    def __init__(
        self,
        theme: Theme,
        preferences: Preferences,
        actions: list[QAction],
        open_path: Callable[[Path], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._open_path = open_path
        self.face = Placeholder(theme, within=self)
        self._buttons = QWidget()
        self._ways = [ActionButton(action) for action in actions]
        put(row_layout(self._buttons, spacing=8), None, *self._ways, None)
        self._recent = column_layout(spacing=2)
        column = column_layout(self, spacing=4)
        column.addStretch(3)
        put(column, self.face, self._buttons, 12, self._recent)
        column.addStretch(4)

    def welcome(self) -> None:
        self.face.show_state("empty", WELCOME, title="Constellation",
                            emblem=app_icon())
        self._show_ways(True)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.face.show_sign()

    def loading(self, path: Path | None) -> None:
        self.face.show_state("loading", f"Opening {path.name}…" if path else "Creating the demo…")
        self._show_ways(False)

    def failed(self, error: ConstellationError, path: Path | None) -> None:
        """What happened, where, what to do; the technical text folded."""
        parts = (error.where or (str(path) if path else ""), _sentence(what_to_do(error)))
        again = ("Try again", partial(self._open_path, path)) if path is not None else None
        self.face.show_state(
            "failed", "\n".join(part for part in parts if part), again,
            title=error.what, detail=error.detail,
        )
        self._show_ways(True)

    def _show_ways(self, shown: bool) -> None:
        self._buttons.setVisible(shown)
        # One button is the next step: trying again where something failed.
        set_role(self._ways[0], kind="" if self.face.button.isVisibleTo(self.face) else "primary")
        while (item := self._recent.takeAt(0)) is not None:
            link = item.widget()
            if link is not None:
                link.hide()
                link.deleteLater()
        if not shown:
            return
        for path in self._preferences.recent[:SHOWN_RECENT]:
            button = push_button(one_line(path.name, 60).replace("&", "&&"),
                                 partial(self._open_path, path), "link")
            set_tip(button, str(path))
            self._recent.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)


def _sentence(text: str) -> str:
    return f"{text}." if text and text[-1] not in ".!?" else text
