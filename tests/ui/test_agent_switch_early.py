"""Another agent chosen while the first sky is still being laid out has a sky of its own."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.model.changes import Changes
from core.workspace import Workspace
from ui.constellation.sky_loader import SHOWS, Sky
from ui.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("every_panel")


@pytest.fixture
def graph(graph: Path) -> Path:
    """Three entities of the default agent, one of another, and an agent that has nothing yet."""
    for agent, id in (("other", "theirs"),):
        workspace = Workspace.open(graph, agent=agent)
        workspace.write("Set up", lambda w, id=id: w.insert(
            "entities", id=id, name="Tide table", canonical_name="tide table",
            entity_type="source", agent_id=w.agent, created_at=w.now(), updated_at=w.now()))
        workspace.close()
    return graph


def sky_of(window: MainWindow) -> Sky:
    sky = window.sky()
    assert isinstance(sky, Sky)
    return sky


def shows(window: MainWindow, *ids: str) -> bool:
    sky = sky_of(window)
    return sky.isVisible() and set(sky.scene.index) == set(ids)


@pytest.mark.parametrize("painted", [False, True])
def test_what_the_old_sky_still_reads_does_not_take_the_new_ones_place(
    qtbot: QtBot, sky_window: MainWindow, graph: Path, painted: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with qtbot.waitSignal(sky_window.graph_shown):
        sky_window.open_path(graph)
    if painted:
        qtbot.waitUntil(lambda: sky_of(sky_window).scene.entities == 3)
    old = sky_of(sky_window)
    # A widget may outlive the click that took it away: as long as its menu is open, say.
    monkeypatch.setattr(old, "deleteLater", lambda: None)
    sky_window.switch_agent("other")
    # What reaches the old sky now made it read under the new one's name.
    old.refresh(Changes(SHOWS))
    old._next.timeout.emit() if old._next.isActive() else None
    qtbot.waitUntil(lambda: shows(sky_window, "theirs"))
    del old


def test_an_empty_agents_face_does_not_cover_the_next_agents_sky(
    qtbot: QtBot, sky_window: MainWindow, graph: Path
) -> None:
    sky_window._preferences.set_agent_for(graph, "nobody")
    with qtbot.waitSignal(sky_window.graph_shown):
        sky_window.open_path(graph)
    # Its counts are still on their way.
    sky_window.switch_agent("other")
    qtbot.waitUntil(lambda: shows(sky_window, "theirs"))
    qtbot.waitUntil(lambda: "1 entity" in sky_window.status.counts.text())
    assert sky_window.session is not None
    qtbot.waitUntil(lambda: sky_window.session.runner.idle)  # type: ignore[union-attr]
    assert shows(sky_window, "theirs")


def test_an_agent_without_anything_has_the_empty_face(
    qtbot: QtBot, sky_window: MainWindow, graph: Path
) -> None:
    with qtbot.waitSignal(sky_window.graph_shown):
        sky_window.open_path(graph)
    qtbot.waitUntil(lambda: sky_of(sky_window).scene.entities == 3)
    sky_window.switch_agent("nobody")
    qtbot.waitUntil(sky_window.central.empty.isVisible)
    sky_window.switch_agent("default")
    qtbot.waitUntil(lambda: sky_of(sky_window).isVisible()
                    and sky_of(sky_window).scene.entities == 3)
