"""The pins in the real window: what is pinned, since when, and the way to unpin."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.errors import ConstellationError
from tests.ui.browse_scene import (
    AT,
    click,
    middle_of,
    names_in,
    pins_of,
    select,
    settled,
    star_of,
    write_elsewhere,
    write_scene,
)
from ui.main_window import MainWindow
from ui.panels.entity_rows import since
from ui.panels.pins import Pins

NOW = datetime(2026, 3, 14, 12, 0, tzinfo=UTC)


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """Two are pinned: Ines first, then the ledger."""
    path = write_scene(tmp_path / "graph.db")
    for entity, at in (("ines", AT), ("ledger", "2026-03-02T10:00:00.000Z")):
        write_elsewhere(path, lambda w, e=entity, t=at: w.update(
            "entities", e, pinned=1, pinned_at=t))
    return path


@pytest.fixture
def panel(qtbot: QtBot, opened: MainWindow) -> Pins:
    opened.resize(1300, 900)
    found = pins_of(opened)
    qtbot.waitUntil(lambda: found.face == "ready")
    settled(qtbot, opened)
    return found


def title_of(window: MainWindow) -> str:
    return window.docks._docks["pins"].title.words.text()


def test_the_last_pinned_comes_first_and_the_title_counts(
    opened: MainWindow, panel: Pins
) -> None:
    assert names_in(panel.list) == ["Harbor Ledger", "Ines Duarte"]
    assert title_of(opened) == "Pins · 2"


def test_a_click_on_the_star_unpins_and_undo_pins_again(
    qtbot: QtBot, opened: MainWindow, panel: Pins
) -> None:
    assert opened.session is not None
    with qtbot.waitSignal(opened.session.runner.wrote):
        click(panel.list, star_of(panel.list, "Harbor Ledger"))
    qtbot.waitUntil(lambda: names_in(panel.list) == ["Ines Duarte"])
    assert title_of(opened) == "Pins · 1"
    opened.actions_.run("edit.undo")
    qtbot.waitUntil(lambda: names_in(panel.list) == ["Harbor Ledger", "Ines Duarte"])


def test_without_pins_it_says_what_they_do(
    qtbot: QtBot, opened: MainWindow, panel: Pins, graph: Path
) -> None:
    write_elsewhere(graph, lambda w: [w.update("entities", one, pinned=0, pinned_at=None)
                                      for one in ("ines", "ledger")])
    qtbot.waitUntil(lambda: panel.face == "empty")
    assert panel._face is not None
    assert "always in your agent's context" in panel._face.text
    assert title_of(opened) == "Pins"


def test_a_click_selects_and_the_selection_comes_back(
    qtbot: QtBot, opened: MainWindow, panel: Pins
) -> None:
    click(panel.list, middle_of(panel.list, "Ines Duarte"))
    assert panel.context.selection.entity_id == "ines"
    select(qtbot, opened, "Harbor Ledger")
    assert panel.list.currentIndex().row() == 0
    select(qtbot, opened, "NAS")
    assert not panel.list.currentIndex().isValid()


def test_p_in_the_list_unpins(qtbot: QtBot, opened: MainWindow, panel: Pins) -> None:
    click(panel.list, middle_of(panel.list, "Ines Duarte"))
    panel.focus()
    QTest.keyClick(panel.list, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: names_in(panel.list) == ["Harbor Ledger"])


def test_a_failure_is_said_and_can_be_tried_again(qtbot: QtBot, panel: Pins) -> None:
    panel._failed(ConstellationError("The file is locked"))
    assert panel.face == "failed"
    assert panel._face is not None
    panel._face.button.click()
    qtbot.waitUntil(lambda: panel.face == "ready")


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ("2026-03-14T09:00:00.000Z", "today"), ("2026-03-13 13:00:00", "today"),
        ("2026-03-12T09:00:00.000Z", "2 d"), ("2027-01-01T00:00:00.000Z", "today"),
        (None, ""), ("long ago", ""),
    ],
)
def test_since_when_is_said_in_few_letters(at: str | None, words: str) -> None:
    assert since(at, NOW) == words
