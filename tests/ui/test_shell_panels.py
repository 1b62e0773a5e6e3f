"""What every panel keeps: named, opened, refreshed, empty and closed without a trace."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from core.model.changes import Changes
from core.queries.entities import list_entities
from tests.ui.conftest import flush_deletions
from ui.context import Context
from ui.main_window import MainWindow
from ui.panel import Panel, PanelKind
from ui.panels import PANELS
from ui.theme.icons import ICONS

every_panel = pytest.mark.parametrize("kind", PANELS, ids=lambda kind: kind.name)


def shown(qtbot: QtBot, context: Context, kind: PanelKind) -> Panel:
    panel = kind.make(context)
    panel.lay_out()
    qtbot.addWidget(panel)
    panel.resize(500, 320)
    panel.show()
    panel.refresh(None)
    qtbot.waitUntil(lambda: context.runner.idle)
    return panel


def test_panels_have_names_of_their_own() -> None:
    assert len({kind.name for kind in PANELS}) == len(PANELS)
    assert len({kind.title for kind in PANELS}) == len(PANELS)


@every_panel
def test_a_panel_says_what_it_is(kind: PanelKind) -> None:
    panel = kind.load()
    assert kind.name.isidentifier()
    assert kind.name == panel.name
    assert kind.title
    assert kind.icon in ICONS
    assert panel.shows
    assert kind.area in ("left", "right", "bottom")
    assert panel.refresh is not Panel.refresh


@every_panel
def test_a_panel_loads_and_follows(qtbot: QtBot, context: Context, kind: PanelKind) -> None:
    panel = shown(qtbot, context, kind)
    assert panel.face != "failed"
    assert panel.face != "loading"
    for changes in (Changes(kind.load().shows), Changes(frozenset(), external=True)):
        panel.refresh(changes)
        qtbot.waitUntil(lambda: context.runner.idle)
    assert panel.face != "failed"


@every_panel
@pytest.mark.parametrize("graph", ["empty"], indirect=True)
def test_a_panel_of_an_empty_graph_says_so(
    qtbot: QtBot, context: Context, kind: PanelKind
) -> None:
    panel = shown(qtbot, context, kind)
    assert panel.face not in ("failed", "loading")
    assert any(label.text() for label in panel.findChildren(QLabel) if label.isVisible())


@every_panel
def test_a_panel_that_closes_while_it_loads_leaves_nothing(
    qtbot: QtBot, context: Context, kind: PanelKind
) -> None:
    panel = kind.make(context)
    panel.lay_out()
    panel.show()
    panel.refresh(None)
    panel.close()
    panel.deleteLater()
    flush_deletions()
    qtbot.waitUntil(lambda: context.runner.idle)


@every_panel
def test_a_panel_that_is_still_to_be_laid_out_shows_no_part_as_a_window(
    qtbot: QtBot, context: Context, kind: PanelKind
) -> None:
    with context.workspace.read() as reader:
        rows = list_entities(reader)
    context.selection.load_entity(rows[0])
    before = set(QApplication.topLevelWidgets())
    panel = kind.make(context)
    qtbot.addWidget(panel)
    context.selection.load_entity(rows[1])
    new = set(QApplication.topLevelWidgets()) - before
    assert not [widget for widget in new if widget.isVisible()]


@every_panel
def test_a_panel_has_a_name_and_takes_the_keyboard(
    qtbot: QtBot, context: Context, kind: PanelKind
) -> None:
    panel = shown(qtbot, context, kind)
    panel.activateWindow()
    qtbot.waitUntil(panel.isActiveWindow)
    panel.focus()
    focused = QApplication.focusWidget()
    assert panel.accessibleName()
    assert focused is panel or panel.isAncestorOf(focused)


@every_panel
def test_a_panel_works_very_small(qtbot: QtBot, context: Context, kind: PanelKind) -> None:
    panel = shown(qtbot, context, kind)
    panel.resize(90, 60)
    assert not panel.grab().isNull()


@pytest.fixture
def graph(request: pytest.FixtureRequest, filled_graph: Path, empty_graph: Path) -> Path:
    return empty_graph if getattr(request, "param", "") == "empty" else filled_graph


def test_a_panel_out_of_sight_is_made_later_and_at_once_when_its_tab_is_chosen(
    qtbot: QtBot, window: MainWindow, graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.docks.PAUSE_MS", 3_600_000)
    with qtbot.waitSignal(window.graph_shown):
        window.open_path(graph)
    docks = window.docks._docks
    qtbot.waitUntil(lambda: all(dock.panel is not None for dock in docks.values() if dock.in_sight)
                    and docks["proposals"].panel is not None)
    assert docks["activity"].panel is None
    docks["activity"].raise_()
    qtbot.waitUntil(lambda: docks["activity"].panel is not None)
