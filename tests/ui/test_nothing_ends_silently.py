"""A list that stops early says how many of how many, with the rest one key or click away."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.model.changes import Activity
from core.ontology import control
from core.queries.entities import find_entity
from core.queries.memories import count_memories_of
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from tests.templates import copy_graph
from tests.ui.conftest import settle
from tests.ui.review_scene import press
from ui.dialogs.palette_entry_delegate import ENTRY
from ui.main_window import MainWindow
from ui.models import activity_log, review_queue
from ui.models.inspector_facts import MORE_MEMORIES, inspect
from ui.models.inspector_tree import build
from ui.panels.activity import details
from ui.panels.activity import panel as activity_panel
from ui.panels.activity.panel import ActivityPanel
from ui.panels.entities import Entities
from ui.panels.proposals import pending_proposals, queue
from ui.panels.proposals.panel import Proposals

LEFT = Qt.MouseButton.LeftButton
STARS, MEMORIES = 300, 45
NOW = "2026-01-01T00:00:00Z"


def _fill(workspace: Workspace) -> None:
    def fill(writer: object) -> None:
        for at in range(STARS):
            control.apply(writer, "create_entity",  # type: ignore[arg-type]
                          {"name": f"station {at}", "entity_type": "place"})

    workspace.write("Set up", fill)


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return copy_graph(_fill, tmp_path / "many.db")


def test_the_palette_says_how_many_names_fit_and_lists_them_all(
    qtbot: QtBot, opened: MainWindow
) -> None:
    opened.actions_.run("app.palette")
    palette = opened.palette_
    QTest.keyClicks(palette.field, "station")
    entries = palette.list.model()

    def texts() -> list[str]:
        return [entries.index(row, 0).data(ENTRY).text for row in range(entries.rowCount())]

    words = f"12 of {STARS} entities: list them all"
    qtbot.waitUntil(lambda: words in texts())
    while palette.list.currentIndex().row() != texts().index(words):
        QTest.keyClick(palette.field, Qt.Key.Key_Down)
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    settle(qtbot, opened)
    panel = opened.panel("entities")
    assert isinstance(panel, Entities)
    qtbot.waitUntil(lambda: panel.rows.rowCount() == STARS)
    assert opened.top.search.text() == "station"


def test_the_palette_says_when_nothing_is_found_and_knows_other_words(
    qtbot: QtBot, opened: MainWindow
) -> None:
    opened.actions_.run("app.palette")
    palette = opened.palette_
    QTest.keyClicks(palette.field, "qqzzx")
    qtbot.waitUntil(palette.nothing.isVisible)
    assert palette.nothing.text() == "Nothing found"
    for word in ("diff", "compare"):
        palette.field.clear()
        QTest.keyClicks(palette.field, word)
        assert palette.entries()[0].text == "Changes since your last visit"
        assert not palette.nothing.isVisible()
    settle(qtbot, opened)


def test_the_inspector_says_how_many_memories_are_not_shown(tmp_path: Path) -> None:
    workspace = Workspace.open(copy_graph(_fill, tmp_path / "one.db"), data_dir=tmp_path / "data")
    try:
        with workspace.read() as reader:
            row = find_entity(reader, "station 1")
        workspace.write("Remember", lambda writer: _remember(writer, row.id))
        with workspace.read() as reader:
            assert count_memories_of(reader, row.id) == MEMORIES
            tree = build(inspect(row.id, 5, 100, False, reader), {})
    finally:
        workspace.close()
    memories = next(node for node in tree.children if node.key == "memories")
    rest = MEMORIES - 5
    assert memories.children[-1].text == f"{min(rest, MORE_MEMORIES)} more of {rest}"


def _remember(writer: object, entity_id: str) -> None:
    insert = writer.insert_many  # type: ignore[attr-defined]
    ids = [f"m{at}" for at in range(MEMORIES)]
    insert("memories", [{"id": id, "content": f"note {id}", "type": "fact", "agent_id": "default",
                         "created_at": NOW, "updated_at": NOW} for id in ids])
    insert("memory_entity_mentions", [
        {"memory_id": id, "entity_id": entity_id, "created_at": NOW} for id in ids])


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small pages: what holds for seven of three holds for 602 of 400."""
    for module in (activity_log, activity_panel, review_queue, pending_proposals, queue):
        monkeypatch.setattr(module, "PAGE", 3)
    monkeypatch.setattr(activity_log.load_activity, "__defaults__", (3,))
    monkeypatch.setattr(review_queue.load_queue, "__defaults__", (3, ""))


def _propose_seven(writer: Writer) -> None:
    for at in range(7):
        control.propose(writer, "pin_entity", {"entity": f"station {at}"})


def test_the_queue_says_how_many_of_all_and_reads_the_next_page_by_a_key(
    qtbot: QtBot, pages: None, opened: MainWindow
) -> None:
    opened.session.workspace.write("Propose", _propose_seven)  # type: ignore[union-attr]
    panel = opened.show_panel("proposals")
    assert isinstance(panel, Proposals)
    qtbot.waitUntil(lambda: len(panel.queue.order) == 3)
    assert panel.queue.more.accessibleName() == "3 of 7 · show the next 3"
    QTest.mouseClick(panel.queue.more, LEFT)
    qtbot.waitUntil(lambda: len(panel.queue.order) == 6)
    assert panel.queue.more.accessibleName() == "6 of 7 · show the next 1"
    panel.focus()
    press(panel, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: len(panel.queue.order) == 7)
    assert not panel.queue.more.isVisible()


def test_a_proposal_that_was_not_read_is_gone_to_all_the_same(
    qtbot: QtBot, pages: None, opened: MainWindow
) -> None:
    workspace = opened.session.workspace  # type: ignore[union-attr]
    workspace.write("Propose", _propose_seven)
    panel = opened.show_panel("proposals")
    assert isinstance(panel, Proposals)
    qtbot.waitUntil(lambda: len(panel.queue.order) == 3)
    with workspace.read() as reader:
        every = [row["id"] for row in reader.rows(
            "SELECT id FROM ontology_proposals WHERE status = 'pending'"
            " ORDER BY updated_at DESC, id")]
    opened.session.selection.select_proposal(every[-2])  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: panel.current_id == every[-2])
    assert len(panel.queue.order) == 6, "those before it, too"
    assert "decided meanwhile" not in opened.toast.text
    opened.session.selection.select_proposal("nowhere")  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: "decided meanwhile" in opened.toast.text)


def test_more_proposals_are_read_to_be_put_in_another_order(
    qtbot: QtBot, pages: None, opened: MainWindow
) -> None:
    opened.session.workspace.write("Propose", _propose_seven)  # type: ignore[union-attr]
    panel = opened.show_panel("proposals")
    assert isinstance(panel, Proposals)
    qtbot.waitUntil(lambda: len(panel.queue.order) == 3)
    panel.queue._choices["confidence"].trigger()
    qtbot.waitUntil(lambda: len(panel.queue.order) == 7)


def test_activity_says_how_many_of_all_and_reads_the_next_page_by_a_key(
    qtbot: QtBot, pages: None, opened: MainWindow
) -> None:
    for at in range(6):
        opened.session.workspace.write(  # type: ignore[union-attr]
            f"Pin {at}", lambda w, at=at: control.apply(
                w, "pin_entity", {"entity": f"station {at}"}))
    panel = opened.show_panel("activity")
    assert isinstance(panel, ActivityPanel)

    def shown() -> list[str]:
        return [line.label for line in panel.list.lines.lines if isinstance(line, Activity)]

    qtbot.waitUntil(lambda: shown() == ["Pin 5", "Pin 4", "Pin 3"])
    assert panel.more.accessibleName() == "3 of 7 · show the next 3"
    QTest.mouseClick(panel.more, LEFT)
    qtbot.waitUntil(lambda: len(shown()) == 6)
    panel.focus()
    press(panel, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: shown()[-1] == "Set up")
    assert not panel.more.isVisible()


@pytest.mark.usefixtures("every_panel")
def test_a_large_entry_shows_all_of_its_rows_click_by_click(
    qtbot: QtBot, opened: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (activity_log, activity_panel):
        monkeypatch.setattr(module, "LOOKED", 20)
    monkeypatch.setattr(activity_log.load_details, "__defaults__", (20,))
    monkeypatch.setattr(details, "DETAILS", 15)
    panel = opened.show_panel("activity")
    assert isinstance(panel, ActivityPanel)
    qtbot.waitUntil(lambda: "15 of " in texts(panel.details))
    before = len(panel.details.findChildren(QLabel))
    for _ in range(3):
        more = next(one for one in panel.details.findChildren(QPushButton)
                    if one.text().endswith("show more"))
        QTest.mouseClick(more, LEFT)
        settle(qtbot, opened)
    qtbot.waitUntil(lambda: "60 of " in texts(panel.details))
    assert len(panel.details.findChildren(QLabel)) > before


def texts(widget: QWidget) -> str:
    return "\n".join(button.text() for button in widget.findChildren(QPushButton))
