"""A graph without saved positions is seen before its first picture is computed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest
from pytestqt.qtbot import QtBot

from core.constellation.placing_tasks import laid_out
from core.errors import Cancelled, ConstellationError
from core.projection.worker import Worker
from tests.ui.person import LONG
from ui.constellation import sky_loader
from ui.constellation.sky_loader import Sky
from ui.main_window import MainWindow


@contextmanager
def held_back(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[Event]:
    """A step of loading the sky waits until the event is set, at the latest at the end."""
    go_on, step = Event(), getattr(sky_loader, name)

    def waits(*given, **how):
        assert go_on.wait(LONG / 1000)
        return step(*given, **how)

    monkeypatch.setattr(sky_loader, name, waits)
    try:
        yield go_on
    finally:
        go_on.set()


def opened(qtbot: QtBot, window: MainWindow, graph: Path) -> Sky:
    with qtbot.waitSignal(window.graph_shown):
        window.open_path(graph)
    sky = window.sky()
    assert isinstance(sky, Sky)
    return sky


def test_an_unseen_graph_is_shown_while_its_positions_are_computed(
    qtbot: QtBot, sky_window: MainWindow, graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with held_back(monkeypatch, "positions_at_once") as go_on:
        sky = opened(qtbot, sky_window, graph)
        qtbot.waitUntil(lambda: sky.scene.entities == 3, timeout=LONG)
        glance = sky.scene
        assert not sky._known
        with qtbot.waitSignal(sky.settled, timeout=LONG):
            go_on.set()
    assert sky.scene is not glance
    assert sky.scene.ids[:3] == glance.ids[:3]


def test_what_draws_is_there_before_the_first_scene(
    qtbot: QtBot, sky_window: MainWindow, graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with held_back(monkeypatch, "read_sky"):
        sky = opened(qtbot, sky_window, graph)
        qtbot.waitUntil(sky._picture._raster.ready, timeout=LONG)
        assert sky.scene.entities == 0


def test_vectors_are_made_while_the_first_picture_is_laid_out(
    qtbot: QtBot, sky_window: MainWindow, graph: Path, worker: Worker,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, run = Event(), worker.run
    make = sky_loader.made

    def makes(*given):
        vectors = make(*given)
        made.set()
        return vectors

    def runs(task, *given, **how):
        if not made.is_set():
            assert task is laid_out
        assert made.wait(LONG / 1000)
        return run(task, *given, **how)

    monkeypatch.setattr(sky_loader, "made", makes)
    monkeypatch.setattr(worker, "run", runs)
    sky = opened(qtbot, sky_window, graph)
    qtbot.waitSignal(sky.settled, timeout=LONG).wait()
    assert sky.scene.entities == 3


def test_a_process_that_dies_over_the_first_picture_is_told_once(
    qtbot: QtBot, sky_window: MainWindow, graph: Path, worker: Worker,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[BaseException] = []
    runs: list[object] = []

    def dies(task, *_given, **_how):
        runs.append(task)
        raise ConstellationError("The process that computes positions ended unexpectedly, twice")

    monkeypatch.setattr(worker, "run", dies)
    monkeypatch.setattr(sky_window, "show_error", told.append)
    sky = opened(qtbot, sky_window, graph)
    qtbot.waitUntil(lambda: bool(told) and sky_window.session.runner.idle, timeout=LONG)
    qtbot.wait(300)
    assert len(told) == len(runs) == 1
    assert sky.scene.entities == 3  # Its communities, as they were seen at once.


def test_a_window_is_closed_while_its_first_picture_is_laid_out(
    qtbot: QtBot, sky_window: MainWindow, graph: Path, worker: Worker,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun = Event()

    def lasts(_task, *_given, cancelled, **_how):
        begun.set()
        assert cancelled.wait(LONG / 1000)
        raise Cancelled("Stopped")

    monkeypatch.setattr(worker, "run", lasts)
    opened(qtbot, sky_window, graph)
    qtbot.waitUntil(begun.is_set, timeout=LONG)
    sky_window.close()
    assert sky_window.session is None or sky_window.session.runner.idle


def test_the_values_of_a_large_graph_are_read_once_it_is_in_place(
    qtbot: QtBot, sky_window: MainWindow, graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[tuple[bool, bool]] = []
    read = sky_loader.read_sky

    def counted(reader, **how):
        sky = sky_window.sky()
        if not how.get("alone"):  # The glance before all the rest.
            reads.append((how["values"], isinstance(sky, Sky) and sky._settling is not None))
        return read(reader, **how)

    monkeypatch.setattr(sky_loader, "many_values", lambda _reader: True)
    monkeypatch.setattr(sky_loader, "read_sky", counted)
    monkeypatch.setattr(sky_loader, "BREATH", 0)
    with held_back(monkeypatch, "material_for") as go_on:
        sky = opened(qtbot, sky_window, graph)
        qtbot.waitUntil(lambda: sky._known and sky.scene.starts[3] == sky.scene.starts[2],
                        timeout=LONG)
        qtbot.waitUntil(lambda: sky_window.session.runner.idle or sky._settling is not None)
        assert reads == [(False, False)]
        with qtbot.waitSignal(sky.settled, timeout=LONG):
            go_on.set()
    qtbot.waitUntil(lambda: sky.scene.starts[3] > sky.scene.starts[2], timeout=LONG)
    assert reads == [(False, False), (True, False)]
