"""The window's composition root: the only place where the program meets Qt."""

import logging
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFileOpenEvent, QGuiApplication
from PySide6.QtWidgets import QApplication

from core.embedding.words import WordEmbedder
from core.projection.worker import Worker
from explorer.demo import ready_demo
from explorer.paths import preferences_file, remember_opened
from ui.constellation.sky import Sky
from ui.main_window import MainWindow, Outside
from ui.preferences import Preferences
from ui.theme import dress, load_theme

NAME = "Constellation"
log = logging.getLogger(__name__)


def open_window(path: Path | None = None, agent: str = "") -> int:
    """Show the window until it is closed; returns the exit code.

    Args:
        path: the graph to open at once; the start page without one.
        agent: whose memory to show; who was shown last when empty.
    """
    app = make_app()
    window = make_window(Preferences(preferences_file()), opened=remember_opened)
    hook = _Hook(window)
    app.installEventFilter(hook)
    sys.excepthook = hook.excepthook
    window.show()
    if path is not None:
        window.open_path(path, agent=agent)
    try:
        return app.exec()
    finally:
        sys.excepthook = sys.__excepthook__
        app.removeEventFilter(hook)


def make_app() -> QApplication:
    """The application object, with one look on every system."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        QGuiApplication.setDesktopFileName("constellation")
        app = QApplication([NAME])
    app.setApplicationName(NAME)
    app.setApplicationDisplayName(NAME)
    app.setStyle("Fusion")
    return app


def make_window(
    preferences: Preferences, theme: str = "dusk", opened: Callable[[Path], None] = lambda _: None
) -> MainWindow:
    """The window with everything it needs from outside."""
    app = make_app()
    chosen = load_theme(theme)
    dress(app, chosen)
    worker, embedder = Worker(), WordEmbedder()
    app.aboutToQuit.connect(worker.close)
    return MainWindow(chosen, preferences, Outside(
        make_demo=ready_demo, opened=opened,
        make_sky=lambda context: Sky(context, worker, embedder)))


class _Hook(QObject):
    """Files that the system asks to open, and errors that nobody expected."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if isinstance(event, QFileOpenEvent):
            self._window.open_path(Path(event.file()))
            return True
        return False

    def excepthook(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self._window.close()
            return
        log.error("unexpected", exc_info=(kind, error, trace))
        self._window.show_error(error)
