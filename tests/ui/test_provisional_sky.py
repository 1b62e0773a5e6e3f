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


def test_the_values_of_a_large_graph_are_read_once_it_is_in_place(
    qtbot: QtBot, sky_window: MainWindow, graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[tuple[bool, bool]] = []
    read, places = sky_loader.read_sky, Event()
    monkeypatch.setattr(sky_loader, "many_values", lambda _reader: True)

    def counts(reader, **how):
        sky = sky_window.sky()
        reads.append((how["values"], isinstance(sky, Sky) and sky._settling is not None))
        return read(reader, **how)

    monkeypatch.setattr(sky_loader, "read_sky", counts)
    monkeypatch.setattr(sky_loader, "BREATH", 0)
    material = sky_loader.material_for

    def waits(*given):
        assert places.wait(LONG / 1000)
        return material(*given)

    monkeypatch.setattr(sky_loader, "material_for", waits)
    try:
        with qtbot.waitSignal(sky_window.graph_shown):
            sky_window.open_path(graph)
        sky = sky_window.sky()
        assert isinstance(sky, Sky)
        qtbot.waitUntil(lambda: sky._known and sky.scene.starts[3] == sky.scene.starts[2],
                        timeout=LONG)
        qtbot.waitUntil(lambda: sky_window.session.runner.idle or sky._settling is not None)
        assert reads == [(False, False)]
        with qtbot.waitSignal(sky.settled, timeout=LONG):
            places.set()
    finally:
        places.set()
    qtbot.waitUntil(lambda: sky.scene.starts[3] > sky.scene.starts[2], timeout=LONG)
    assert reads == [(False, False), (True, False)]
