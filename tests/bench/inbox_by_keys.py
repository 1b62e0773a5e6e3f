"""Works off 1,000 inbox items by keys in the real window, and prints how fast and how right.

`python -m tests.bench.inbox_by_keys [ITEMS]`: items per minute, keys per item, the time of a key
until the next item is there, and how many items were decided otherwise than the key says.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from core.review import inbox_acts
from core.review.unseen_writes_inbox import inbox
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from explorer.desktop import make_app
from tests.core.graphs import Graph
from tests.ui.browse_scene import write_scene
from ui.main_window import MainWindow
from ui.panels.inbox import InboxPanel
from ui.preferences import Preferences
from ui.theme import dress, load_theme
from ui.window_services import WindowServices

BOT = "claude via MCP"
KEYS = (Qt.Key.Key_S, Qt.Key.Key_S, Qt.Key.Key_F, Qt.Key.Key_S)
LONGEST_S = 120


def fill(writer: Writer, items: int) -> None:
    """That many memories by an agent, about five entities, in sessions of twenty."""
    made = Graph(writer, "2099-01-01T10:00:00.000Z")
    entities = ("ines", "nas", "job", "ledger", "postgres")
    for number in range(items):
        made.memory(f"Note {number:04d}: the pump was seen running at {number % 24:02d}:00",
                    entities[number % 5], id=f"m{number:05d}", updated_by=BOT,
                    source_id=f"session-{number // 20}")


def wait(until: Callable[[], bool]) -> None:
    began = time.monotonic()
    while not until():
        if time.monotonic() - began > LONGEST_S:
            raise SystemExit("the window did not come to rest")
        QTest.qWait(10)


def work_off(panel: InboxPanel) -> tuple[list[float], dict[str, bool]]:
    """Decide every item; the milliseconds of each key, and which were forgotten."""
    took: list[float] = []
    decided: dict[str, bool] = {}
    while (item := panel.current) is not None:
        key = KEYS[len(decided) % len(KEYS)]
        if item.key in decided:
            raise SystemExit(f"{item.key} came twice")
        decided[item.key] = key == Qt.Key.Key_F
        began = time.perf_counter()
        QTest.keyClick(panel.list, key)
        took.append((time.perf_counter() - began) * 1000)
    return took, decided


def main(items: int) -> None:
    app = make_app()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        os.environ["CONSTELLATION_DATA"] = name
        path = write_scene(Path(name) / "graph.db")
        workspace = Workspace.open(path)
        workspace.write("look", inbox_acts.keep_all)
        workspace.write("remember", lambda writer: fill(writer, items), actor=BOT)
        workspace.close()
        theme = load_theme("dusk")
        dress(app, theme)
        window = MainWindow(theme, Preferences(Path(name) / "window.ini"), WindowServices(
            make_demo=lambda: path, make_sky=lambda _context: QWidget()))
        window.resize(1440, 900)
        window.show()
        window.activateWindow()
        wait(window.isActiveWindow)
        window.open_path(path)
        wait(lambda: window.session is not None)
        panel = window.show_panel("inbox")
        assert isinstance(panel, InboxPanel)
        wait(lambda: panel.face == "ready")
        panel.focus()
        began = time.perf_counter()
        took, decided = work_off(panel)
        wait(lambda: panel.context.runner.idle and not panel.context.runner.unfinished)
        seconds = time.perf_counter() - began
        report(panel.context.workspace, took, decided, seconds)
        window.close()


def report(
    workspace: Workspace, took: list[float], decided: dict[str, bool], seconds: float
) -> None:
    with workspace.read() as reader:
        left = {one.key for one in inbox(reader).items}
        forgotten = {f"memory {row['id']}" for row in reader.rows(
            "SELECT id FROM memories WHERE agent_id = :agent AND is_deleted = 1")}
    wrong = [key for key, gone in decided.items() if (key in forgotten) != gone or key in left]
    say = sys.stdout.write
    say(f"{len(decided)} items, {len(took) / len(decided):.2f} keys an item, "
        f"{len(decided) / seconds * 60:,.0f} items a minute until all is written\n")
    say(f"a key: median {median(took):.1f} ms, p95 {quantiles(took, n=20)[-1]:.1f} ms; "
        f"wrong: {len(wrong)}, left over: {len(left)}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
