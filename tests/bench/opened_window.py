"""The real window on one file, for benchmarks that work in it."""

from pathlib import Path

from PySide6.QtWidgets import QApplication

from explorer.desktop import make_app, make_window
from ui.constellation.sky_loader import Sky
from ui.main_window import MainWindow
from ui.preferences import Preferences


def open_window(path: Path) -> tuple[QApplication, MainWindow, list[bool]]:
    """The program and its window, which begins to open the file; the list is filled when the sky
    is in its place."""
    app = make_app()
    preferences = Preferences(path.with_suffix(".ini"))
    preferences.motion = "reduced"
    window = make_window(preferences)
    window.resize(1440, 900)
    settled: list[bool] = []

    def shown(_context: object) -> None:
        sky = window.sky()
        assert isinstance(sky, Sky)
        sky.settled.connect(lambda: settled.append(True))

    window.graph_shown.connect(shown)
    window.show()
    window.open_path(path)
    return app, window, settled
