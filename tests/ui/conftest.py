"""Guards and fixtures for tests with widgets: nothing stays behind, nothing warns."""

import gc
import os
import random
import sys
import threading
import traceback
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.embedding.word_vectors import WordEmbedder
from core.ontology import control
from core.projection.worker import Worker, warm_up
from core.store.reader_and_writer import Reader
from core.workspace import Workspace
from explorer.desktop import App
from tests.templates import copy_graph, nothing
from ui.action import Actions
from ui.action_catalogue import ACTIONS
from ui.check_expectations_on_change import ExpectationWatch
from ui.constellation.sky_loader import Sky
from ui.context import Context
from ui.docks import Docks
from ui.engine_settings import Engine
from ui.main_window import MainWindow
from ui.panel import Panel
from ui.preferences import Preferences
from ui.runner import LONG_THREADS, POOL_THREADS, Runner
from ui.selection import Selection
from ui.theme import Theme, dress, load_theme
from ui.widgets import toast
from ui.window_services import WindowServices

# Said by Qt's offscreen platform whenever a window's least size changes; means nothing.
HARMLESS = ["This plugin does not support propagateSizeHints"]
OURS = ("reader", "long", "writer", "opener")

LATEST_MS = int(os.environ.get("CONSTELLATION_LATE_MS", "0"))
"""How late an answer may come to the window (`make late`)."""

# A wait ends as soon as what is waited for is there; pytest-qt's five seconds are too few on a
# machine that does much else.
WAIT_MS = 30_000
for _wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals, QtBot.waitCallback,
              QtBot.waitActive, QtBot.waitExposed):
    assert "timeout" in _wait.__kwdefaults__
    _wait.__kwdefaults__["timeout"] = WAIT_MS


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.qt_log_ignore(*HARMLESS, extend=True))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where a test fails, its report says what the windows show and what each thread does."""
    report = yield
    if report.failed and not isinstance(item, pytest.DoctestItem):
        report.sections.append(("Windows", "\n".join(_words_shown())))
        report.sections.append(("Threads", _threads()))
    return report


def _words_shown() -> Iterator[str]:
    for window in _windows():
        if window.isVisible():
            yield repr(window)
            yield from (f"  {label.text()}" for label in window.findChildren(QLabel)
                        if label.isVisible() and label.text())


def _threads() -> str:
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    return "\n".join(
        f"{names.get(ident)}:\n{''.join(traceback.format_stack(frame)[-12:])}"
        for ident, frame in sys._current_frames().items() if ident != threading.get_ident())


@pytest.fixture(autouse=True)
def _only_panels_that_show(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A panel behind a tab is made when it is asked for; making all takes half of a test's time.

    A test that is about all of them asks for `every_panel`.
    """
    if "every_panel" in request.fixturenames:
        return
    make_next = Docks._make_next

    def make_shown(docks: Docks) -> None:
        if any(dock.panel is None and dock.in_sight for dock in docks._docks.values()):
            make_next(docks)

    monkeypatch.setattr(Docks, "_make_next", make_shown)


@pytest.fixture
def every_panel() -> None:
    """The window makes all panels while nothing else is to do, as it does for a person."""


@pytest.fixture
def only_panels_asked_for(
    monkeypatch: pytest.MonkeyPatch, _only_panels_that_show: None
) -> None:
    """Of the panels that show, too, only those are made that the test asks for."""
    monkeypatch.setattr(Docks, "_make_next", lambda docks: None)


@pytest.fixture(scope="session")
def qapp_cls() -> type[QApplication]:
    return App


@pytest.fixture(scope="session")
def qapp_args() -> list[str]:
    return ["Constellation"]


@pytest.fixture(scope="session", autouse=True)
def _style(qapp: QApplication) -> str:
    """The stylesheet that every test begins with."""
    qapp.setStyle("Fusion")
    dress(qapp, load_theme("dusk"))
    return qapp.styleSheet()


@pytest.fixture(autouse=True)
def _look(qapp: QApplication, _style: str) -> None:
    """No test is shown in the theme that another one has changed to."""
    if qapp.styleSheet() != _style:
        dress(qapp, load_theme("dusk"))


@pytest.fixture(autouse=True)
def _a_data_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test finds backups, marks or positions that another one has left."""
    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path / "data of the window"))


@pytest.fixture(autouse=True)
def _no_pause_between_panels(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits for the panels that are made in peace."""
    monkeypatch.setattr("ui.docks.PAUSE_MS", 0)


@pytest.fixture(autouse=True)
def _time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, too, a question is answered whole, and a notice can still be clicked.

    The half second of a question is tested in core.
    """
    monkeypatch.setattr(toast, "SHOWN_MS", 4 * WAIT_MS)
    interrupting = Reader.interrupting
    monkeypatch.setattr(Reader, "interrupting", lambda reader, deadline: interrupting(
        reader, deadline + WAIT_MS / 1000))


@pytest.fixture(autouse=True)
def _late_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """With `make late` what the window reads comes at a moment of its own.

    A test that waits for one panel and then asserts about another passes on a quiet machine and
    fails on a busy one; here it fails everywhere.
    """
    if LATEST_MS:
        watch, close = Runner._watch, Runner.close
        coming: list[threading.Timer] = []

        def watch_late(runner: Runner, future: Future, answer: Any) -> None:
            late: Future = Future()
            wait = random.choice((0, 0.1, 1)) * LATEST_MS / 1000

            def start(done: Future) -> None:
                timer = threading.Timer(wait, _hand_over, ([done, late],))
                timer.start()
                coming.append(timer)

            watch(runner, late, answer)
            future.add_done_callback(start)

        def close_after_all(runner: Runner) -> None:
            close(runner)
            while coming:  # As the threads themselves: none of them outlives the runner.
                coming.pop().join()

        monkeypatch.setattr(Runner, "_watch", watch_late)
        monkeypatch.setattr(Runner, "close", close_after_all)


def _hand_over(pair: list[Future]) -> None:
    """What the first gave becomes what the second gives; a timer, which is kept, keeps neither."""
    late, done = pair.pop(), pair.pop()
    if done.cancelled():
        late.cancel()
    elif (error := done.exception()) is not None:
        late.set_exception(error)
    else:
        late.set_result(done.result())


@pytest.fixture(autouse=True)
def _no_collection_while_qt_runs(qapp: QApplication) -> Iterator[None]:
    """The collector may free a widget inside one of Qt's own calls, which crashes Qt.

    What outlives a test is not looked at again: that took a third of a second after each.
    """
    gc.disable()
    yield
    flush_deletions()
    gc.enable()
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _nothing_stays_behind(
    qapp: QApplication, _no_collection_while_qt_runs: None
) -> Iterator[None]:
    before, running = set(map(id, _windows())), set(threading.enumerate())
    yield
    flush_deletions()
    left = [repr(w) for w in _windows() if id(w) not in before and w.isVisible()]
    assert not left, f"windows left open: {left}"
    # What a test without a window has left, which the collector has not come to yet, is not ours.
    threads = [t.name for t in threading.enumerate()
               if t.name.startswith(OURS) and t not in running]
    assert not threads, f"threads left running: {threads}"


def flush_deletions() -> None:
    """Carry out every `deleteLater`, as the event loop would."""
    for _ in range(3):
        QApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _windows() -> list[QWidget]:
    return QApplication.topLevelWidgets()


@pytest.fixture
def theme() -> Theme:
    return load_theme("dusk")


@pytest.fixture
def preferences(tmp_path: Path) -> Preferences:
    made = Preferences(tmp_path / "window.ini")
    made.theme = "dusk"
    made.motion = "reduced"
    return made


@pytest.fixture
def empty_graph(tmp_path: Path) -> Path:
    """A native graph with nothing in it."""
    return copy_graph(nothing, tmp_path / "empty.db")


@pytest.fixture
def graph(filled_graph: Path) -> Path:
    """The graph that `context` and `opened` show; a test file may put another in its place."""
    return filled_graph


@pytest.fixture
def filled_graph(tmp_path: Path) -> Path:
    """A small native graph: three entities, an aspect, a claim with two versions, a link."""
    return copy_graph(_fill, tmp_path / "graph.db")


def _fill(workspace: Workspace) -> None:
    for operation, payload in (
        ("create_entity", {"name": "Harbor Ledger", "entity_type": "project"}),
        ("create_entity", {"name": "Ines Duarte", "entity_type": "person"}),
        ("create_entity", {"name": "<b>uv</b> & co", "entity_type": "tool"}),
        ("create_aspect", {"entity": "Harbor Ledger", "aspect": "schedule"}),
        ("set_claim_value", {"entity": "Harbor Ledger", "aspect": "schedule",
                             "claim_key": "start", "value": "Starts at 01:00"}),
        ("set_claim_value", {"entity": "Harbor Ledger", "aspect": "schedule",
                             "claim_key": "start", "value": "Starts at 02:00"}),
        ("create_link", {"source": "Harbor Ledger", "target": "Ines Duarte",
                         "link_type": "owned_by"}),
    ):
        workspace.write("Set up", lambda w, o=operation, p=payload: control.apply(w, o, p))


class FakeShell:
    """A window around a panel that only notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, ...]] = []
        self.parent = QWidget()

    def window(self) -> QWidget:
        return self.parent

    def panel(self, name: str) -> Panel:
        raise KeyError(name)

    def sky(self) -> QWidget | None:
        return None

    def reviewing(self) -> bool:
        return False

    def time_travels(self) -> bool:
        return False

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *args, **rest: self.asked.append((name, *args))


@pytest.fixture
def context(
    qtbot: QtBot, graph: Path, theme: Theme, preferences: Preferences
) -> Iterator[Context]:
    """A context on `graph` without a window, for tests of one panel."""
    workspace = Workspace.open(graph)
    shell = FakeShell()
    runner = Runner(workspace)
    actions = Actions(ACTIONS)
    said: list[str] = []
    made = Context(
        workspace=workspace, selection=Selection(), runner=runner, actions=actions, theme=theme,
        preferences=preferences, say=lambda text, entry=None: said.append(text), shell=shell,
        expectations=ExpectationWatch(runner, Engine()),
    )
    actions.bind(made)
    yield made
    runner.close()
    workspace.close()
    shell.parent.deleteLater()
    actions.deleteLater()


@pytest.fixture
def window(
    qtbot: QtBot, theme: Theme, preferences: Preferences, tmp_path: Path
) -> Iterator[MainWindow]:
    """The window with no graph open."""
    with shown(qtbot, MainWindow(theme, preferences, WindowServices(
            make_demo=lambda: tmp_path / "graph.db"))) as made:
        yield made


@contextmanager
def shown(qtbot: QtBot, made: MainWindow) -> Iterator[MainWindow]:
    """A window that has the keyboard; gone at the end."""
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    yield made
    made.close()
    made.deleteLater()
    flush_deletions()


@pytest.fixture(scope="session")
def worker() -> Iterator[Worker]:
    """One process for all tests: beginning anew takes it seconds, a minute on a busy machine."""
    with closing(Worker()) as worker:
        worker.run(warm_up)
        yield worker


@pytest.fixture
def sky_window(
    qtbot: QtBot, theme: Theme, preferences: Preferences, worker: Worker, tmp_path: Path
) -> Iterator[MainWindow]:
    """The window with its sky, as the program makes it."""
    embedder = WordEmbedder()
    made = MainWindow(theme, preferences, WindowServices(
        make_demo=lambda: tmp_path, make_sky=lambda context: Sky(context, worker, embedder)))
    made.resize(1440, 900)
    with shown(qtbot, made):
        yield made


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow, graph: Path) -> MainWindow:
    """The window with `graph` open and everything loaded."""
    with qtbot.waitSignal(window.graph_shown):
        window.open_path(graph)
    settle(qtbot, window)
    return window


@pytest.fixture(scope="module")
def read_only(
    request: pytest.FixtureRequest, qapp: QApplication, _style: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[MainWindow]:
    """One window with the small graph, for the tests of a module that leave it as it was."""
    folder, qtbot = tmp_path_factory.mktemp("read-only"), QtBot(request)
    preferences = Preferences(folder / "window.ini")
    preferences.theme, preferences.motion = "dusk", "reduced"
    graph = copy_graph(_fill, folder / "graph.db")
    gc.disable()
    with shown(qtbot, MainWindow(load_theme("dusk"), preferences, WindowServices(
            make_demo=lambda: graph))) as made:
        with qtbot.waitSignal(made.graph_shown):
            made.open_path(graph)
        settle(qtbot, made)
        _begin_all_readers(made.session.runner)
        yield made
        gc.disable()
    gc.enable()


def _begin_all_readers(runner: Runner) -> None:
    """A pool begins each thread when there is work for it: in the midst of some later test."""
    for pool, threads in ((runner._pool, POOL_THREADS), (runner._long_pool, LONG_THREADS)):
        together = threading.Barrier(threads + 1)
        for _ in range(threads):
            pool.submit(together.wait)
        together.wait()


def settle(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until nothing runs in the background."""
    assert window.session is not None
    runner = window.session.runner
    docks = window.docks
    qtbot.waitUntil(lambda: not docks._making.isActive() and not docks._looking.isActive()
                    and runner.idle and window.session.counts is not None)
