"""The health panel in the real window: what is found, tried, mended, left and taken back."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.health.finding import Finding
from core.store.reader_and_writer import Writer
from tests.ui.browse_scene import settled, write_elsewhere, write_scene
from ui.main_window import MainWindow
from ui.models.health import KindHead
from ui.panels.health.panel import HealthPanel

AT = "2026-03-01T10:00:00.000Z"


def entity(writer: Writer, id: str, name: str, **columns: object) -> None:
    writer.insert("entities", id=id, name=name, canonical_name=name.lower(), agent_id="default",
                  entity_type="project", created_at=AT, updated_at=AT, **columns)


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """Two husks, and two spellings of one name."""
    path = write_scene(tmp_path / "graph.db")

    def fill(writer: Writer) -> None:
        for name in ("Husk one", "Husk two"):
            entity(writer, name, name)
        entity(writer, "dry-dock", "Dry-Dock", mentions=2)
        entity(writer, "dry dock", "Dry Dock", mentions=5)

    write_elsewhere(path, fill)
    return path


@pytest.fixture
def panel(qtbot: QtBot, opened: MainWindow) -> HealthPanel:
    opened.resize(1300, 900)
    shown = opened.show_panel("health")
    assert isinstance(shown, HealthPanel)
    qtbot.waitUntil(lambda: shown.face == "ready")
    settled(qtbot, opened)
    return shown


def press(button: QWidget | None) -> None:
    """Click a button that is there and can be pressed."""
    assert button is not None
    assert button.isEnabled()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def heads(panel: HealthPanel) -> dict[str, int]:
    return {line.kind: line.count for line in panel.list.lines.lines
            if isinstance(line, KindHead)}


def choose(qtbot: QtBot, window: MainWindow, panel: HealthPanel, kind: str) -> Finding:
    """Click the first finding of a kind, and wait until its fix was tried."""
    finding = next(line for line in panel.list.lines.lines
                   if isinstance(line, Finding) and line.kind == kind)
    index = panel.list.lines.index_of(finding.id)
    panel.list.scrollTo(index)
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton,
                     pos=panel.list.visualRect(index).center())
    settled(qtbot, window)
    return finding


def test_findings_stand_under_their_kind_and_a_click_shows_the_entity(
    qtbot: QtBot, opened: MainWindow, panel: HealthPanel
) -> None:
    assert heads(panel)["duplicate_entities"] == 1
    finding = choose(qtbot, opened, panel, "duplicate_entities")
    assert finding.entity_name == "Dry Dock"
    assert panel.context.selection.entity_id == "dry dock"
    assert panel.preview.fix_button is not None
    assert panel.preview.fix_button.isEnabled()


def test_a_fix_is_one_step_that_undo_takes_back(
    qtbot: QtBot, opened: MainWindow, panel: HealthPanel
) -> None:
    choose(qtbot, opened, panel, "duplicate_entities")
    before = heads(panel)
    QTest.keyClick(panel.list, Qt.Key.Key_F)
    qtbot.waitUntil(lambda: "duplicate_entities" not in heads(panel))
    settled(qtbot, opened)
    panel.context.runner.undo()
    qtbot.waitUntil(lambda: heads(panel) == before)
    settled(qtbot, opened)


def test_all_of_a_kind_are_shown_before_they_are_mended(
    qtbot: QtBot, opened: MainWindow, panel: HealthPanel
) -> None:
    choose(qtbot, opened, panel, "no_facts")
    count = sum(one.kind == "no_facts" and one.fix is not None
                for one in panel._report.findings)
    press(panel.preview.all_button)
    settled(qtbot, opened)
    assert "no_facts" in heads(panel), "nothing is changed yet"
    assert panel.preview.fix_button.accessibleName() == f"Fix these {count}"
    press(panel.preview.fix_button)
    qtbot.waitUntil(lambda: not any(
        one.kind == "no_facts" and one.fix for one in panel._report.findings))
    settled(qtbot, opened)


def test_what_is_left_as_it_is_is_not_reported_again_until_it_is_asked_for(
    qtbot: QtBot, opened: MainWindow, panel: HealthPanel
) -> None:
    before = heads(panel)
    finding = choose(qtbot, opened, panel, "duplicate_entities")
    press(panel.preview.leave_button)
    qtbot.waitUntil(lambda: "duplicate_entities" not in heads(panel))
    settled(qtbot, opened)
    panel.refresh(None)
    settled(qtbot, opened)
    assert "duplicate_entities" not in heads(panel)
    QTest.keyClick(panel.list, Qt.Key.Key_U)
    qtbot.waitUntil(lambda: heads(panel) == before)
    assert panel.list.lines.index_of(finding.id).isValid()
    settled(qtbot, opened)


def test_a_laxer_strictness_finds_more_and_a_change_elsewhere_is_followed(
    qtbot: QtBot, opened: MainWindow, panel: HealthPanel
) -> None:
    QTest.keyClick(panel.level, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: "duplicate_entities" not in heads(panel))
    assert panel.level.currentText() == "the same name"
    QTest.keyClick(panel.level, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: "duplicate_entities" in heads(panel))
    panel.context.runner.write("More", lambda writer: entity(writer, "The", "The"))
    qtbot.waitUntil(lambda: "suspicious_name" in heads(panel))
    panel.focus()
    assert panel.list.hasFocus()
    settled(qtbot, opened)
