"""Opens a graph in the window, without a screen, walks over its panels and closes it."""

import sys
import tempfile
import time
import traceback
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from core.errors import ConstellationError
from explorer.desktop import make_app, make_window
from ui.preferences import Preferences

PATIENCE_S = 6.0
"""How long a window is given to come to rest; a slow one is no failure."""


def show(path: Path) -> list[str]:
    """The tracebacks that it gave rise to."""
    errors: list[str] = []
    make_app()
    before, sys.excepthook = sys.excepthook, lambda kind, error, trace: errors.append(
        "".join(traceback.format_exception(kind, error, trace)))
    with tempfile.TemporaryDirectory(prefix="fuzz-window-") as folder:
        preferences = Preferences(Path(folder, "window.ini"))
        preferences.motion = "reduced"
        window = make_window(preferences)
        failed = window.show_error
        window.show_error = lambda error: (_note(error, errors), failed(error))  # type: ignore
        window.resize(1440, 900)
        window.show()
        window.open_path(path)
        _wait(lambda: window.session is not None and window.session.runner.idle)
        if window.session is not None:
            _look_around(window)
        window.close()
        window.deleteLater()
        _wait(lambda: True)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    sys.excepthook = before
    return errors


def _note(error: BaseException, errors: list[str]) -> None:
    if not isinstance(error, ConstellationError):
        errors.append("".join(traceback.format_exception(error)))


def _look_around(window: object) -> None:
    session = window.session  # type: ignore[attr-defined]
    try:
        with session.workspace.read() as reader:
            rows = reader.rows("SELECT id FROM entities WHERE agent_id = :agent LIMIT 3")
    except ConstellationError:  # The window has said so by itself.
        return
    for row in rows:
        session.context.selection.select_entity(row["id"])
        _wait(lambda: session.runner.idle)


def _wait(ready: object) -> None:
    end = time.monotonic() + PATIENCE_S
    calm = 0
    while time.monotonic() < end and calm < 5:
        QApplication.processEvents()
        calm = calm + 1 if ready() else 0  # type: ignore[operator]
        time.sleep(0.01)
