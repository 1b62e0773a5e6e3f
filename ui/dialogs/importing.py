"""Where an imported file goes, and what of it could not be taken."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from core.model.wording import one_line
from core.transfer.mcp import ImportReport
from ui.theme import fixed_font
from ui.widgets.labels import label
from ui.widgets.layouts import column_layout

WIDTH = 460
LISTED = 5000


class ImportDialog(QDialog):
    """The open graph, or a new one."""

    def __init__(
        self,
        path: Path,
        graph: Path,
        here: Callable[[], None],
        new: Callable[[], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self.setWindowTitle("Import")
        self.setFixedWidth(WIDTH)
        self.here_button = QPushButton(f"Into {graph.name}".replace("&", "&&"))
        self.here_button.setProperty("kind", "primary")
        self.new_button = QPushButton("Into a new graph…")
        self.here_button.clicked.connect(lambda: self._choose(here))
        self.new_button.clicked.connect(lambda: self._choose(new))
        buttons = QHBoxLayout()
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.clicked.connect(self.reject)
        for button in (self.cancel_button, self.new_button):
            button.setAutoDefault(False)
        buttons.addWidget(self.cancel_button)
        buttons.addStretch(1)
        buttons.addWidget(self.new_button)
        buttons.addWidget(self.here_button)
        column = column_layout(self, (22, 18, 22, 18), 10)
        column.addWidget(label(f"Import {path.name}", "head", wrap=True))
        column.addWidget(label(
            "Existing entries are not changed; importing the same file again adds nothing. The "
            "import can be undone in one step.", "soft", wrap=True,
        ))
        column.addLayout(buttons)
        self.here_button.setFocus()

    def _choose(self, way: Callable[[], None]) -> None:
        self.accept()
        way()


class ReportDialog(QDialog):
    """Each line that was left out, and why."""

    def __init__(self, path: Path, report: ImportReport, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Imported {path.name}")
        self.resize(620, 420)
        self.text = QPlainTextEdit("\n".join(lines(report)))
        self.text.setReadOnly(True)
        self.text.setFont(fixed_font())
        self.text.setAccessibleName("Skipped")
        copy = QPushButton("Copy")
        copy.clicked.connect(self._copy)
        close = QPushButton("Close")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.addWidget(copy)
        buttons.addStretch(1)
        buttons.addWidget(close)
        column = column_layout(self, (22, 18, 22, 16), 10)
        column.addWidget(label(_head(report), "head", wrap=True))
        column.addWidget(self.text)
        column.addLayout(buttons)
        close.setFocus()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())


def lines(report: ImportReport) -> list[str]:
    """One line of text for each problem and each end that only a relation names."""
    texts = [
        f"line {p.line}{f', {p.field}' if p.field else ''}: {p.what}"
        for p in report.problems[:LISTED]
    ]
    texts += [
        f"“{name}” appears only in a relation: added as an entity of unknown type"
        for name in report.dangling[:LISTED]
    ]
    texts += [f"“{one_line(words, 60)}” is not a link type: imported as “related to” with these "
              "words"
              for words in report.kept_words[:LISTED]]
    if report.skipped:
        texts.append(f"{report.skipped:,} were archived or deleted before and are not imported")
    return texts


def _head(report: ImportReport) -> str:
    if not report.problems:
        return "Everything was imported; some names appear only in relations"
    n = len(report.problems)
    what = "1 line or field was" if n == 1 else f"{n:,} lines or fields were"
    return f"{what} left out; the rest was imported"
