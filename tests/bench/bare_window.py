"""A bare Qt window with a list of names, from the start of the process to painted: prints JSON.

Run as `python -m tests.bench.bare_window ROWS`: what any program in Qt and Python pays at least.
"""

import json
import sys
import time

STARTED = time.perf_counter()

from PySide6.QtCore import QStringListModel  # noqa: E402 - the clock starts before Qt is loaded
from PySide6.QtWidgets import QApplication, QListView, QMainWindow  # noqa: E402


def measure(rows: int) -> dict[str, float]:
    """Seconds until the window is painted, with this many names in its list; and those of the
    processor."""
    app = QApplication([])
    window = QMainWindow()
    window.resize(1440, 860)
    view = QListView(uniformItemSizes=True)
    view.setModel(QStringListModel([f"entity number {n}" for n in range(rows)]))
    window.setCentralWidget(view)
    window.show()
    app.processEvents()
    window.grab()
    return {"window": time.perf_counter() - STARTED, "window own": time.thread_time()}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(int(sys.argv[1]))) + "\n")
