"""Opens the window on the screen that the environment describes and prints where it is.

Run by `test_screen_fit.py` in a process of its own: Qt asks for the screens only once.
"""

import json
import sys
from pathlib import Path

from PySide6.QtCore import QRect, QTimer

from explorer.desktop import make_app, make_window
from ui.preferences import Preferences


def numbers(rect: QRect) -> list[int]:
    return [rect.x(), rect.y(), rect.width(), rect.height()]


def main(graph: Path, ini: Path) -> None:
    app = make_app()
    window = make_window(Preferences(ini))
    window.show()

    def answer() -> None:
        sys.stdout.write(json.dumps({"area": numbers(app.primaryScreen().availableGeometry()),
                          "window": numbers(window.geometry())}))
        window.close()
        app.quit()

    window.graph_shown.connect(lambda _context: QTimer.singleShot(600, answer))
    window.open_path(graph)
    app.exec()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
