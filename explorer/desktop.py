"""The window's composition root: the only place where the program meets Qt."""

import ui.remove_pyside_import_hook  # noqa: F401  before all that it makes load faster

# isort: split
import gc
import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent, QGuiApplication
from PySide6.QtWidgets import QApplication

from core.embedding.choose_embedder import offline
from core.errors import Cancelled
from core.garbage_collection import collect_rarely
from core.projection.worker import Worker
from core.release_memory import keep_large_apart
from core.workspace import Workspace
from explorer.closed_by_interrupt import ClosedByInterrupt
from explorer.default_graph import preferences_file, remember_opened
from explorer.demo import ready_demo
from explorer.streams import stop_at_once
from explorer.window_doors import WindowDoors
from ui.main_window import MainWindow
from ui.preferences import Preferences
from ui.theme import dress, load_theme
from ui.theme.icons import app_icon
from ui.window_services import WindowServices

if TYPE_CHECKING:
    from ui.constellation.sky_loader import Sky

NAME = "Constellation"
log = logging.getLogger(__name__)


def open_window(path: Path | None = None, agent: str = "") -> int:
    """Show the window until it is closed; returns the exit code.

    Args:
        path: the graph to open at once; the start page without one.
        agent: whose memory to show; the last one shown if empty.
    """
    app = make_app()
    window = make_window(Preferences(preferences_file()), opened=remember_opened)
    if isinstance(app, App):
        app.file_asked.connect(window.open_path)
    sys.excepthook = ExceptionHook(window)
    window.show()
    if path is not None:
        window.open_path(path, agent=agent)
    try:
        with ClosedByInterrupt(window) as interrupt:
            code = app.exec()
        if interrupt.came:
            stop_at_once()  # All is saved; what is still being read has nobody to be shown to.
        return code
    finally:
        sys.excepthook = sys.__excepthook__


def make_app() -> QApplication:
    """The application object, with one look on every system."""
    app = QApplication.instance()
    if isinstance(app, App):
        return app
    if not isinstance(app, QApplication):
        keep_large_apart()
        QGuiApplication.setDesktopFileName("constellation")
        app = App([NAME])
        gc.freeze()  # The program itself never is garbage.
        collect_rarely()
    app.setApplicationName(NAME)
    app.setApplicationDisplayName(NAME)
    app.setWindowIcon(app_icon())
    app.setStyle("Fusion")
    # While others work, the window's thread waits so long for its turn after each call into Qt,
    # some hundreds of times for a panel. What the others are given to do takes no longer by it.
    sys.setswitchinterval(0.0001)
    return app


def make_window(
    preferences: Preferences, theme: str = "dusk", opened: Callable[[Path], None] = lambda _: None
) -> MainWindow:
    """The window with everything it needs from outside."""
    app = make_app()
    chosen = load_theme(theme)
    dress(app, chosen)
    worker = Worker()
    app.aboutToQuit.connect(worker.close)
    return MainWindow(chosen, preferences, WindowServices(
        make_demo=ready_demo, opened=opened, make_doors=WindowDoors,
        load_sky=partial(_load_sky, worker),
        make_sky=lambda context: _sky()(context, worker, offline())))


def _load_sky(worker: Worker, workspace: Workspace) -> None:
    if not workspace.sidecar.has_positions:
        # It loads beside what is loaded here. Who needs it says why it could not be started.
        with suppress(OSError, Cancelled):
            worker.prewarm()
    _sky()


def _sky() -> "type[Sky]":
    # The window stands without: it is loaded while the first file is opened.
    from ui.constellation.sky_loader import Sky  # noqa: PLC0415

    offline()
    return Sky


class App(QApplication):
    """The application; receives files that the system asks it to open."""

    file_asked = Signal(Path)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent):
            self.file_asked.emit(Path(event.file()))
            return True
        return super().event(event)


class ExceptionHook:
    """Handles unexpected errors: logs them in full, shows a message in the window."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def __call__(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        log.error("unexpected", exc_info=(kind, error, trace))
        self._window.show_error(error)
