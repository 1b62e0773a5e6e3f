"""What this program is, which versions run, and what the open file could not give."""

import platform
import sqlite3
from importlib.metadata import PackageNotFoundError, version

import numpy
import PySide6
from PySide6.QtGui import QGuiApplication

from core.store.unreadable_rows import Problem
from core.workspace import Workspace
from ui.context import Context, Desk
from ui.widgets.dialogs import TextDialog
from ui.widgets.labels import label

LISTED_PROBLEMS = 500

KINDS = {"native": "A graph of this program", "signet": "A Signet database"}


def own_version() -> str:
    """The installed version, or a word for a tree that is not installed."""
    try:
        return version("constellation-explorer")
    except PackageNotFoundError:
        return "from a working tree"


def diagnostics(workspace: Workspace | None) -> str:
    """Lines to copy into a report: versions and the file, nothing from inside the graph."""
    lines = [
        f"Constellation Explorer {own_version()}",
        f"Python {platform.python_version()} on {platform.system()} {platform.release()}",
        f"Qt {PySide6.__version__}, {QGuiApplication.platformName()}",
        f"SQLite {sqlite3.sqlite_version}, numpy {numpy.__version__}",
    ]
    screen = QGuiApplication.primaryScreen()
    if screen is not None:
        size = screen.size()
        lines.append(f"Screen {size.width()}×{size.height()} at {screen.devicePixelRatio():g}")
    if workspace is not None:
        lines += [
            f"File {workspace.path}",
            f"{KINDS[workspace.kind]}, agent {workspace.agent}, "
            f"{'writable' if workspace.writable else 'read-only'}",
            f"Backups {workspace.backup_folder}",
        ]
    return "\n".join(lines)


class AboutDialog(TextDialog):
    """Versions at once; the file's problems when they have been looked for."""

    def __init__(self, desk: Desk) -> None:
        workspace = desk.workspace if isinstance(desk, Context) else None
        super().__init__(
            "About Constellation Explorer", desk.shell.window(), diagnostics(workspace),
            "Versions and problems", label("Constellation Explorer", "name"),
            label("Explore what your agent knows.", "soft", wrap=True))
        self.resize(560, 380)
        if isinstance(desk, Context):
            desk.runner.job(
                lambda job: desk.workspace.find_problems(), self._found,
                label="Checking the file",
            )

    def _found(self, problems: tuple[Problem, ...]) -> None:
        head = f"{len(problems):,} problems in the file" if problems else "No problems in the file"
        lines = [f"{p.table} {p.row} · {p.field}: {p.what}" for p in problems[:LISTED_PROBLEMS]]
        self.text.appendPlainText("\n".join(["", head, *lines]))
