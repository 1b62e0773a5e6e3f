"""Journeys on a real X screen: run by `make journeys`, which starts the screen."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from core.embedding.word_vectors import WordEmbedder
from core.projection.worker import Worker
from explorer.demo import build_demo
from explorer.demo_positions import put_places
from tests.screens.hand import Hand
from tests.ui.conftest import (  # noqa: F401 - fixtures are found by their names
    _look,
    _no_collection_while_qt_runs,
    _nothing_stays_behind,
    _style,
    preferences,
    qapp_args,
    qapp_cls,
    settle,
    theme,
)
from ui.constellation.sky_loader import Sky
from ui.main_window import MainWindow
from ui.preferences import Preferences
from ui.theme import THEMES, dress, load_theme
from ui.window_services import WindowServices


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.screen)


@pytest.fixture(scope="session")
def worker() -> Iterator[Worker]:
    with closing(Worker()) as made:
        yield made


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = build_demo(tmp_path_factory.mktemp("demo") / "demo.db")
    put_places(path)
    return path


@pytest.fixture(params=THEMES)
def window(
    request: pytest.FixtureRequest, qtbot: QtBot, preferences: Preferences,  # noqa: F811
    worker: Worker, demo: Path,
) -> Iterator[MainWindow]:
    """The window as the program makes it, with the demo open and its sky at rest."""
    name = getattr(request, "param", "dusk")
    preferences.theme = name
    look = load_theme(name)
    dress(QGuiApplication.instance(), look)
    embedder = WordEmbedder()
    made = MainWindow(look, preferences, WindowServices(
        make_demo=lambda: demo, make_sky=lambda context: Sky(context, worker, embedder)))
    made.show()
    qtbot.waitUntil(made.isActiveWindow)
    with qtbot.waitSignal(made.graph_shown):
        made.open_path(demo)
    qtbot.waitUntil(lambda: isinstance(made.sky(), Sky) and made.sky().scene.entities > 0)
    settle(qtbot, made)
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def hand(qtbot: QtBot, window: MainWindow, request: pytest.FixtureRequest) -> Hand:
    return Hand(qtbot, window, request.node.name)
