"""A graph without saved positions is seen before its first picture is computed."""

from pathlib import Path
from threading import Event

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.person import LONG
from ui.constellation import sky_loader
from ui.constellation.sky_loader import Sky
from ui.main_window import MainWindow


def test_an_unseen_graph_is_shown_while_its_positions_are_computed(
    qtbot: QtBot, sky_window: MainWindow, graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, compute = Event(), sky_loader.positions_at_once

    def waits(*given):
        assert go_on.wait(LONG / 1000)
        return compute(*given)

    monkeypatch.setattr(sky_loader, "positions_at_once", waits)
    try:
        with qtbot.waitSignal(sky_window.graph_shown):
            sky_window.open_path(graph)
        sky = sky_window.sky()
        assert isinstance(sky, Sky)
        qtbot.waitUntil(lambda: sky.scene.entities == 3, timeout=LONG)
        glance = sky.scene
        assert not sky._known
        with qtbot.waitSignal(sky.settled, timeout=LONG):
            go_on.set()
    finally:
        go_on.set()
    assert sky.scene is not glance
    assert sky.scene.ids[:3] == glance.ids[:3]
