"""The exact injected text, and in a comparison its differences line by line."""

from PySide6.QtGui import (
    QFont,
    QGuiApplication,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from ui.models.agent_view import GAINS, LOSES, Comparison
from ui.theme import Theme, fixed_font
from ui.widgets.labels import ElidedLabel, label
from ui.widgets.layouts import column_layout, put, row_layout
from ui.widgets.link_button import link_button
from ui.widgets.list_edges import Fades

NOTHING = "Nothing is injected: no memories or constraints were found."
TITLE = "The exact injected text"
ROOM_FOR_LENGTH = 400
"""Pixels from which the length stands beside the head."""


class InjectedText(QWidget):
    """The text with its length and a way to copy it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.source = ""
        """The text as the agent gets it now."""
        self.head = ElidedLabel(TITLE, "section")
        self.length = label(role="caption")
        self.copy = link_button("copy", self._copy)
        self.view = QPlainTextEdit()
        self.view.setReadOnly(True)
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setProperty("role", "paper")
        self.view.setFont(fixed_font())
        self.view.setPlaceholderText(NOTHING)
        self.view.setAccessibleName("The injected text")
        Fades(self.view)
        self._ink = _Ink(self.view.document(), theme)
        self._lay_out()

    def show_text(self, text: str, compared: Comparison | None = None) -> None:
        """Show it, in a comparison line by line."""
        self.source = text
        self.length.setText(f"{len(text):,} characters" if text else "")
        self.head.set_more(self.length.text())
        self.copy.setEnabled(bool(text))
        shown, head = text, TITLE
        if compared is not None:
            shown = "\n".join(compared.lines)
            head = f"With the {compared.word}, line by line"
        self.head.setText(head)
        self._ink.comparing = compared is not None
        if shown != self.view.toPlainText():
            place = self.view.verticalScrollBar().value()
            self.view.setPlainText(shown)
            self.view.verticalScrollBar().setValue(place)
        self.copy.setText("copy")

    def go_to_difference(self) -> None:
        """Scroll to the first line that differs."""
        for at, line in enumerate(self.view.toPlainText().split("\n")):
            if line.startswith((GAINS, LOSES)):
                self.view.verticalScrollBar().setValue(0)
                self.view.setTextCursor(QTextCursor(self.view.document().findBlockByNumber(at)))
                self.view.centerCursor()
                return

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """If it is narrow, hide the length for the head."""
        super().resizeEvent(event)
        self.length.setVisible(self.width() >= ROOM_FOR_LENGTH)

    def put_beside_copy(self, way: QWidget) -> None:
        """Put another thing to do with the text into the line of its head."""
        self._top.addWidget(way)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.source)
        self.copy.setText("copied")

    def _lay_out(self) -> None:
        self._top = put(row_layout(margins=(16, 4, 8, 0), spacing=8), (self.head, 1),
                        self.length, self.copy)
        column = column_layout(self, (0, 0, 0, 0), 2)
        column.addLayout(self._top)
        column.addWidget(self.view, 1)


class _Ink(QSyntaxHighlighter):
    """Heads are soft; what a comparison gains or loses has its colour."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        self.comparing = False
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:  # noqa: N802
        shape = QTextCharFormat()
        if self.comparing and text.startswith((GAINS, LOSES)):
            token = "good" if text.startswith(GAINS) else "bad"
            shape.setForeground(self._theme.color(token))
            shape.setBackground(self._theme.mix("surface", token, 0.12))
        elif text.lstrip().startswith(("## ", "[memory active")):
            shape.setForeground(self._theme.color("text.soft"))
            shape.setFontWeight(QFont.Weight.DemiBold)
        else:
            return
        self.setFormat(0, len(text.encode("utf-16-le", "surrogatepass")) // 2, shape)
