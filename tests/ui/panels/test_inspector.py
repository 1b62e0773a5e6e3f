"""The inspector in the real window: what is shown of an entity, and how it is edited."""

import sqlite3
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from core.errors import ConstellationError
from core.learning.aspect_weights import Bounds, move_weights
from core.model.claims_and_assertions import Aspect, Claim
from core.model.session_start_and_end import WeightChange
from core.model.text_formatting import unturned
from core.ontology import control
from core.queries.claims import versions
from core.queries.knowledge import aspects_of
from core.recall.hybrid import recall
from core.store.reader_and_writer import Writer
from tests.core.graphs import Graph
from tests.ui.browse_scene import (
    AT,
    HOSTILE,
    OPENS_A_MENU,
    inspector_of,
    select,
    settled,
    write_elsewhere,
    write_scene,
)
from ui.dialogs.operation import OperationDialog
from ui.main_window import MainWindow
from ui.models.claim_history import is_version_of
from ui.models.inspector_facts import weight_line
from ui.models.inspector_tree import FIRST_ROWS, GONE, Node, spoken_node
from ui.models.time_wording import day
from ui.panels.claim_history.panel import ClaimHistory
from ui.panels.inspector.panel import Inspector
from ui.panels.inspector.rows import InlineEditor, parts_of
from ui.widgets.labels import isolate

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return write_scene(tmp_path / "graph.db")


@pytest.fixture
def panel(qtbot: QtBot, opened: MainWindow) -> Inspector:
    """With the settlement job in it."""
    opened.resize(1300, 1400)
    found = inspector_of(opened)
    select(qtbot, opened, "settlement job")
    qtbot.waitUntil(lambda: found.face == "ready")
    return found


def rows(panel: Inspector, kind: str = "") -> list[Node]:
    return [node for node in panel.view.tree.walk() if kind in ("", node.kind)]


def row(panel: Inspector, key: str) -> Node:
    found = panel.view.tree.find(key)
    assert found is not None, f"no row {key} among {[one.key for one in rows(panel)]}"
    return found


def place_of(panel: Inspector, key: str) -> QPoint:
    """The middle of a row, with everything above it unfolded."""
    view, node = panel.view, row(panel, key)
    index = view.tree.index_of(node)
    above = index.parent()
    while above.isValid():
        view.expand(above)
        above = above.parent()
    view.scrollTo(index)
    return view.visualRect(index).center()


def click(panel: Inspector, key: str) -> None:
    QTest.mouseClick(panel.view.viewport(), LEFT, pos=place_of(panel, key))


def double_click(panel: Inspector, key: str) -> None:
    at = place_of(panel, key)
    QTest.mouseClick(panel.view.viewport(), LEFT, pos=at)
    QTest.mouseDClick(panel.view.viewport(), LEFT, pos=at)


def editor_of(panel: Inspector) -> InlineEditor:
    found = panel.view.viewport().findChildren(InlineEditor)
    assert panel.view.editing
    return found[-1]


def retype(editor: InlineEditor, text: str) -> None:
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)


def contents(panel: Inspector, key: str) -> list[str]:
    """The active values of a claim of the settlement job, in the graph itself."""
    with panel.context.workspace.read() as reader:
        claims = [claim for aspect in aspects_of(reader, "job") for group in aspect.groups
                  for claim in group.claims if claim.claim_key == key]
    return sorted(value.content for claim in claims for value in claim.values)


def menu_of(panel: Inspector, key: str) -> dict[str, QAction]:
    """The context menu of a row by its words."""
    panel.view.menu_wanted.emit(row(panel, key), QPoint(10, 10))
    menu = panel.view.findChildren(QMenu)[-1]
    return {action.text(): action for action in menu.actions() if action.text()}


def dialog_of(window: MainWindow) -> OperationDialog:
    return next(one for one in window.findChildren(OperationDialog) if one.isVisible())


# -- what is shown -----------------------------------------------------------------------------


def test_nothing_selected_says_what_the_place_is_for(opened: MainWindow) -> None:
    assert inspector_of(opened).face == "empty"


def test_the_head_says_what_the_entity_is(panel: Inspector) -> None:
    assert panel.top.name.text() == "settlement job"
    line = panel.top.line.text()
    assert line.startswith("system · 14 mentions · part of ")
    assert "Harbor Ledger" in line
    assert not panel.top.task.isVisible()
    assert not panel.top.banner.isVisible()


def test_the_sections_stand_in_their_order(panel: Inspector) -> None:
    assert [node.text for node in rows(panel, "section")] == [
        "Constraints", "Aspects", "Links", "Memories", "In the sky and in sessions",
        "Provenance"]
    assert [node.text for node in rows(panel, "words")] == [
        "The nightly run that pays out.", "also called the settler"]


def test_constraints_always_stand_on_top_and_only_there(panel: Inspector) -> None:
    assert [node.text for node in rows(panel, "constraint")] == [
        "Never settle before the bank file is signed"]
    assert [node.text for node in row(panel, "failure").children] == ["Pages Ines"]


def test_aspects_stand_by_weight_with_their_claims(panel: Inspector) -> None:
    assert [node.text for node in rows(panel, "aspect")] == ["schedule", "failure"]
    schedule = row(panel, "schedule")
    start = next(node for node in schedule.children if node.label == "start time")
    assert (start.text, start.versions) == ("at 02:00 UTC", 3)
    assert spoken_node(start) == "start time: at 02:00 UTC, version 3"
    assert row(panel, "window").pending == 1
    assert spoken_node(row(panel, "window")) == "window: 40 minutes, 1 pending"


def test_the_general_group_is_not_shown_and_others_are(panel: Inspector) -> None:
    assert [node.text for node in rows(panel, "group")] == ["clock"]
    group = row(panel, "zone").parent
    assert group is not None
    assert group.text == "clock"


def test_values_without_a_key_are_shown_without_one(panel: Inspector) -> None:
    assert row(panel, "loose").label == ""
    assert row(panel, "loose").text == "It was once an hour later"


def test_links_go_out_and_come_in(panel: Inspector) -> None:
    assert [(spoken_node(node)) for node in rows(panel, "link")] == [
        "to Harbor Ledger, part of, strength 0.90", "to Postgres, depends on, strength 0.80",
        "from Ines Duarte, maintains, strength 0.70"]


def test_a_dangling_end_is_shown_and_not_followed(
    qtbot: QtBot, opened: MainWindow, panel: Inspector, tmp_path: Path
) -> None:
    path = tmp_path / "foreign.db"
    write_scene(path)
    other = sqlite3.connect(path)
    with other:
        other.execute("PRAGMA foreign_keys = OFF")
        other.execute("DELETE FROM entities WHERE id = 'postgres'")
    other.close()
    with qtbot.waitSignal(opened.graph_shown):
        opened.open_path(path)
    panel = inspector_of(opened)
    select(qtbot, opened, "settlement job")
    lost = next(node for node in rows(panel, "link") if node.text == GONE)
    assert spoken_node(lost) == f"to {GONE}, depends on, strength 0.80"
    click(panel, lost.key)
    assert panel.context.selection.entity_id == "job"


def test_provenance_is_folded_until_it_is_asked_for_and_stays_as_it_was_left(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    index = panel.view.tree.index_of(row(panel, "provenance"))
    assert not panel.view.isExpanded(index)
    click(panel, "provenance")
    click(panel, "links")
    select(qtbot, opened, "NAS")
    select(qtbot, opened, "settlement job")
    assert panel.view.isExpanded(panel.view.tree.index_of(row(panel, "provenance")))
    assert not panel.view.isExpanded(panel.view.tree.index_of(row(panel, "links")))
    assert "inspector" not in panel.context.preferences.text("inspector.folded")


def test_memories_come_newest_first_and_more_on_demand(
    qtbot: QtBot, opened: MainWindow, panel: Inspector, graph: Path
) -> None:
    def remember(writer: Writer) -> None:
        for n in range(5):
            Graph(writer, f"2026-03-0{n + 2}T10:00:00.000Z").memory(f"Note {n}", "job", who="you")

    write_elsewhere(graph, remember)
    qtbot.waitUntil(lambda: len(rows(panel, "memory")) == 3)
    assert [node.text for node in rows(panel, "memory")] == ["Note 4", "Note 3", "Note 2"]
    assert rows(panel, "memory")[0].label.startswith("you · ")
    click(panel, "more/memories")
    qtbot.waitUntil(lambda: len(rows(panel, "memory")) == 6)
    assert panel.view.tree.find("more/memories") is None


def test_an_entity_of_which_nothing_is_known_says_so(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    select(qtbot, opened, "printer")
    assert [node.key for node in rows(panel, "words")] == ["nothing"]
    assert [node.key for node in rows(panel, "section")] == ["shine", "provenance"]


def test_it_says_why_it_shines_what_sessions_told_of_it_and_how_a_weight_was_learned(
    qtbot: QtBot, opened: MainWindow, panel: Inspector, graph: Path
) -> None:
    def learn(writer: Writer) -> None:
        memory = writer.value("SELECT id FROM memories WHERE content LIKE 'Ines moved%'")
        writer.insert("session_memories", id="told", session_key="s-1", agent_id=writer.agent,
                      memory_id=memory, source="ka_traversal", rank=1, was_injected=1,
                      final_score=0.9, fts_hit_count=2, created_at=AT)
        move_weights(writer, {"schedule": 0.1}, Bounds(0.1, 1.0), by="test", why="used",
                     session_key="s-1")

    write_elsewhere(graph, learn)
    qtbot.waitUntil(lambda: len(row(panel, "schedule").line) == 2)
    assert row(panel, "schedule").line == pytest.approx((0.82, 0.92))
    said = {node.label: node.text for node in row(panel, "shine").children}
    assert said["light"] == "glow 32% from 1 constraint · fill 45% from 14 mentions"
    assert said["injected in"] == f"{isolate('s-1')} · {day(AT)} · 1 memory about it, 1 used"


@pytest.mark.parametrize(("steps", "now", "line"), [
    ([(0.5, 0.52), (0.52, 0.54)], 0.54, (0.5, 0.52, 0.54)),
    ([(0.5, 0.52), (0.7, 0.72)], 0.3, (0.5, 0.52, 0.7, 0.72, 0.3)),
    ([(0.5, 0.52), (0.52, 0.5)], 0.5, (0.5, 0.52, 0.5))])
def test_the_line_of_a_weight_takes_in_what_another_program_did(
    steps: list[tuple[float, float]], now: float, line: tuple[float, ...]
) -> None:
    told = [WeightChange(AT, before, after, "used") for before, after in steps]
    assert weight_line(told, now) == line


def test_a_task_says_how_it_stands_and_when_it_is_due(
    qtbot: QtBot, opened: MainWindow, panel: Inspector, graph: Path
) -> None:
    def plan(writer: Writer) -> None:
        task = Graph(writer).entity("move the NAS", "task", id="task")
        writer.insert("task_meta", entity_id=task, agent_id=writer.agent, status="in_progress",
                      expires_at="2031-04-03T10:00:00.000Z", updated_at=AT)

    write_elsewhere(graph, plan)
    select(qtbot, opened, "move the NAS")
    assert panel.top.task.text() == "Task in progress · due 3 Apr 2031"


def test_an_archived_entity_says_why_and_can_be_restored(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    select(qtbot, opened, "old sandbox")
    assert panel.top.banner.isVisible()
    assert panel.top.banner.words.text().endswith("no longer used")
    assert not panel.top.pin.isVisible()
    qtbot.mouseClick(panel.top.banner.restore, LEFT)
    qtbot.waitUntil(lambda: not panel.top.banner.isVisible())
    assert panel.top.pin.isVisible()


def test_an_entity_that_is_gone_is_said_to_be(
    qtbot: QtBot, opened: MainWindow, panel: Inspector, graph: Path
) -> None:
    select(qtbot, opened, "printer")
    write_elsewhere(graph, lambda w: w.delete_where("entities", "id = :id", id="printer"))
    qtbot.waitUntil(lambda: panel.face == "empty")
    select(qtbot, opened, "NAS")
    assert panel.face == "ready"


def test_a_failure_is_said_and_can_be_tried_again(qtbot: QtBot, panel: Inspector) -> None:
    panel._failed(ConstellationError("The file is locked"))
    assert panel.face == "failed"
    assert panel._face is not None
    panel._face.button.click()
    qtbot.waitUntil(lambda: panel.face == "ready")


def test_hostile_text_is_plain_text(
    qtbot: QtBot, opened: MainWindow, panel: Inspector, graph: Path
) -> None:
    def press(writer: Writer) -> None:
        made = Graph(writer)
        aspect = made.aspect("hostile", HOSTILE)
        made.value(aspect, HOSTILE * 2000, HOSTILE)
        made.value(aspect, "\U0001f9d1\u200d\U0001f680 is an emoji of two units", "who")
        made.link("hostile", "job", HOSTILE, reason=HOSTILE)

    write_elsewhere(graph, press)
    select(qtbot, opened, HOSTILE)
    assert panel.top.name.text() == unturned(HOSTILE)
    assert row(panel, rows(panel, "aspect")[0].key).text == HOSTILE
    assert not panel.grab().isNull()


# -- the way through ---------------------------------------------------------------------------


def test_a_click_on_a_claim_selects_its_slot(panel: Inspector) -> None:
    click(panel, "window")
    slot = panel.context.selection.slot
    assert slot is not None
    assert (slot.aspect_id, slot.claim_key) == ("schedule", "window")
    assert panel.context.selection.attribute_id == "window"


def test_a_click_on_a_link_jumps_and_back_returns(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    click(panel, "whole")
    settled(qtbot, opened)
    assert panel.top.name.text() == "Harbor Ledger"
    qtbot.mouseClick(panel.top.back, LEFT)
    settled(qtbot, opened)
    assert panel.top.name.text() == "settlement job"
    assert not panel.top.back.isEnabled()
    qtbot.mouseClick(panel.top.forward, LEFT)
    settled(qtbot, opened)
    assert panel.top.name.text() == "Harbor Ledger"


def test_hovering_a_link_lights_its_far_end(panel: Inspector) -> None:
    lit: list[str] = []
    panel.context.selection.hovered.connect(lit.append)
    QTest.mouseMove(panel.view.viewport(), place_of(panel, "whole"))
    assert lit == ["ledger"]


def test_enter_does_what_a_click_does(qtbot: QtBot, panel: Inspector) -> None:
    panel.focus()
    panel.view.setCurrentIndex(panel.view.tree.index_of(row(panel, "whole")))
    QTest.keyClick(panel.view, Qt.Key.Key_Return)
    assert panel.context.selection.entity_id == "ledger"


def test_the_arrows_fold(panel: Inspector) -> None:
    panel.focus()
    index = panel.view.tree.index_of(row(panel, "schedule"))
    panel.view.setCurrentIndex(index)
    assert panel.view.isExpanded(index)
    QTest.keyClick(panel.view, Qt.Key.Key_Left)
    assert not panel.view.isExpanded(index)
    QTest.keyClick(panel.view, Qt.Key.Key_Right)
    assert panel.view.isExpanded(index)


def test_what_is_unfolded_and_where_one_is_stays_when_others_write(
    qtbot: QtBot, opened: MainWindow, panel: Inspector, graph: Path
) -> None:
    opened.resize(1300, 620)
    click(panel, "failure")
    panel.view.setCurrentIndex(panel.view.tree.index_of(row(panel, "page")))
    bar = panel.view.verticalScrollBar()
    bar.setValue(60)
    write_elsewhere(graph, lambda w: Graph(w).value("failure", "Retries twice", "retry"))
    qtbot.waitUntil(lambda: "Retries twice" in [node.text for node in rows(panel)])
    current = panel.view.current()
    assert current is not None
    assert current.key == "page"
    assert panel.view.isExpanded(panel.view.tree.index_of(row(panel, "failure")))
    assert bar.value() == 60


# -- edits -------------------------------------------------------------------------------------


def test_a_value_is_edited_in_place_and_undone(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    assert opened.session is not None
    double_click(panel, "window")
    with qtbot.waitSignal(opened.session.runner.wrote):
        retype(editor_of(panel), "45 minutes")
    assert contents(panel, "window") == ["45 minutes"]
    qtbot.waitUntil(lambda: "45 minutes" in [node.text for node in rows(panel, "claim")])
    with panel.context.workspace.read() as reader:
        slot = panel.context.selection.slot
        assert slot is not None
        assert len(versions(reader, slot)) == 2
    opened.actions_.run("edit.undo")
    qtbot.waitUntil(lambda: contents(panel, "window") == ["40 minutes"])
    qtbot.waitUntil(lambda: panel.view.tree.find("window") is not None)


def test_e_edits_the_current_value_and_escape_leaves_it(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    panel.focus()
    place_of(panel, "page")
    panel.view.setCurrentIndex(panel.view.tree.index_of(row(panel, "page")))
    QTest.keyClick(panel.view, Qt.Key.Key_E)
    editor = editor_of(panel)
    QTest.keyClicks(editor, "something else")
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert not panel.view.editing
    assert contents(panel, "page") == ["Pages Ines"]


def test_the_same_words_change_nothing(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    assert opened.session is not None
    double_click(panel, "window")
    with qtbot.assertNotEmitted(opened.session.runner.wrote):
        retype(editor_of(panel), " 40 minutes ")
        settled(qtbot, opened)


def test_an_empty_value_is_refused_in_words(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    assert opened.session is not None
    double_click(panel, "window")
    with qtbot.assertNotEmitted(opened.session.runner.wrote):
        retype(editor_of(panel), "   ")
        settled(qtbot, opened)
    assert contents(panel, "window") == ["40 minutes"]
    assert "can't be empty" in opened.error_bar.words.text()
    assert "Archive it" in opened.error_bar.words.text()


def test_another_value_of_the_same_claim_stays_beside_the_edited_one(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    assert opened.session is not None
    double_click(panel, "tuesday")
    with qtbot.waitSignal(opened.session.runner.wrote):
        retype(editor_of(panel), "Fridays")
    assert contents(panel, "days") == ["Fridays", "Mondays"]
    opened.actions_.run("edit.undo")
    qtbot.waitUntil(lambda: contents(panel, "days") == ["Mondays", "Tuesdays"])


def test_a_constraint_can_be_given_other_words(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    assert opened.session is not None
    double_click(panel, "always/signed")
    with qtbot.waitSignal(opened.session.runner.wrote):
        retype(editor_of(panel), "Never settle on a Friday")
    qtbot.waitUntil(lambda: [node.text for node in rows(panel, "constraint")]
                    == ["Never settle on a Friday"])


@pytest.mark.parametrize("by_key", [True, False])
def test_a_value_without_a_key_is_corrected_in_place_and_undone(
    qtbot: QtBot, opened: MainWindow, panel: Inspector, by_key: bool
) -> None:
    def facts() -> list[str]:
        return [node.text for node in rows(panel, "claim") if not node.label]

    opened.show_panel("claim_history")
    assert opened.session is not None
    old, new = "It was once an hour later", "It was once two hours later"
    if by_key:
        click(panel, "loose")
        QTest.keyClick(panel.view, Qt.Key.Key_E)
    else:
        double_click(panel, "loose")
    with qtbot.waitSignal(opened.session.runner.wrote):
        retype(editor_of(panel), new)
    qtbot.waitUntil(lambda: facts() == [new])
    with panel.context.workspace.read() as reader:
        slot = panel.context.selection.slot
        assert slot is not None
        assert [one.value.content for one in versions(reader, slot)] == [new, old]
        told = " ".join(hit.memory.content for hit in recall(reader, "settlement hours later").hits)
    assert new in told
    assert old not in told
    history = opened.panel("claim_history")
    assert isinstance(history, ClaimHistory)
    qtbot.waitUntil(lambda: len(history.timeline.rows) == 2)
    assert history.tree.list.currentItem().text(0) == f"“{new}”"
    changed = next(node for node in rows(panel, "claim") if node.text == new)
    assert is_version_of(changed.value, slot), "the fact that was edited stays the selected one"
    opened.actions_.run("edit.undo")
    qtbot.waitUntil(lambda: facts() == [old])
    left = opened.session.workspace.undo_step()
    assert left is not None
    assert left.label == "Set up", "it was one step"


@OPENS_A_MENU
def test_a_value_without_a_key_gets_one_by_its_menu_in_one_step(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    assert "Set another value" in menu_of(panel, "loose")
    menu_of(panel, "loose")["Turn into a claim…"].trigger()
    dialog = dialog_of(opened)
    assert set(dialog.fields) == {"claim_key", "value"}
    qtbot.mouseClick(dialog.verb_button, LEFT)
    qtbot.waitUntil(lambda: dialog.error != "")
    assert dialog.error == "“What the claim is about” is needed"
    value = dialog.fields["value"]
    qtbot.waitUntil(lambda: value.visibleRegion().boundingRect() == value.rect())
    QTest.keyClicks(dialog.fields["claim_key"], "History")
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(dialog.verb_button, LEFT)
    qtbot.waitUntil(lambda: panel.view.tree.find("loose") is None)
    assert contents(panel, "history") == ["It was once an hour later"]
    settled(qtbot, opened)
    assert "without a claim key" not in opened.toast.text, "it is archived in this same step"
    opened.actions_.run("edit.undo")
    qtbot.waitUntil(lambda: panel.view.tree.find("loose") is not None)
    assert contents(panel, "history") == []


def test_what_others_write_waits_until_the_edit_is_over(
    qtbot: QtBot, opened: MainWindow, panel: Inspector, graph: Path
) -> None:
    double_click(panel, "window")
    editor = editor_of(panel)
    write_elsewhere(graph, lambda w: Graph(w).value("failure", "Retries twice", "retry"))
    qtbot.waitUntil(lambda: panel._waiting is not None)
    assert panel.view.editing
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: "Retries twice" in [node.text for node in rows(panel)])


def test_an_archived_entity_is_not_edited(
    qtbot: QtBot, opened: MainWindow, panel: Inspector, graph: Path
) -> None:
    write_elsewhere(graph, lambda w: w.update("entities", "job", status="archived"))
    qtbot.waitUntil(lambda: panel.top.banner.isVisible())
    panel.edit_node(row(panel, "window"))
    assert not panel.view.editing


@OPENS_A_MENU
def test_a_value_is_archived_by_its_menu_and_listed_on_demand(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    menu_of(panel, "window")["Archive"].trigger()
    qtbot.waitUntil(lambda: panel.view.tree.find("window") is None)
    panel.show_archived(True)
    qtbot.waitUntil(lambda: panel.view.tree.find("window") is not None)
    assert row(panel, "window").gone
    assert spoken_node(row(panel, "window")).endswith("archived")
    menu_of(panel, "window")["Restore"].trigger()
    qtbot.waitUntil(lambda: not row(panel, "window").gone)


@OPENS_A_MENU
def test_an_aspect_is_renamed_and_archived_by_its_menu(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    menu_of(panel, "schedule")["Rename…"].trigger()
    dialog = dialog_of(opened)
    dialog.fields["new_name"].setText("times")  # type: ignore[attr-defined]
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(dialog.verb_button, LEFT)
    qtbot.waitUntil(lambda: row(panel, "schedule").text == "times")
    aspect = row(panel, "failure").thing
    assert isinstance(aspect, Aspect)
    menu_of(panel, "failure")["Archive with its constraints"].trigger()
    qtbot.waitUntil(lambda: panel.view.tree.find("failure") is None)
    assert rows(panel, "constraint") == []


@OPENS_A_MENU
def test_what_is_said_of_a_claim_is_recorded_promoted_and_archived_by_menus(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    before = contents(panel, "window")
    for predicate, words in (("prefers", "Done within half an hour"), ("denies", "It takes long")):
        menu_of(panel, "window")["Record what is said of it…"].trigger()
        dialog = dialog_of(opened)
        dialog.fields["predicate"].setCurrentText(predicate)  # type: ignore[attr-defined]
        dialog.fields["content"].setPlainText(words)  # type: ignore[attr-defined]
        dialog.fields["speaker"].setText("Tomas")  # type: ignore[attr-defined]
        with qtbot.waitSignal(dialog.accepted):
            qtbot.mouseClick(dialog.verb_button, LEFT)
        qtbot.waitUntil(lambda words=words: words in [n.text for n in rows(panel, "voice")])
    assert row(panel, "window").voices == "1 agrees, 1 against"
    denied, preferred = rows(panel, "voice")
    assert denied.label.startswith("Tomas denies · ")
    assert "Promote to the claim's value" not in menu_of(panel, denied.key)
    menu_of(panel, preferred.key)["Promote to the claim's value"].trigger()
    qtbot.waitUntil(lambda: contents(panel, "window") == ["Done within half an hour"])
    settled(qtbot, opened)
    menu_of(panel, denied.key)["Archive"].trigger()
    qtbot.waitUntil(lambda: [n.key for n in rows(panel, "voice")] == [preferred.key])
    for _ in range(4):
        settled(qtbot, opened)
        opened.actions_.run("edit.undo")
    qtbot.waitUntil(lambda: not rows(panel, "voice") and contents(panel, "window") == before)


@OPENS_A_MENU
def test_a_fact_asks_to_be_confirmed_after_its_day(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    for typed, words, due in (("2999-01-05", "confirm after 5 Jan 2999", False),
                              ("2026-01-05", "to confirm since 5 Jan", True)):
        menu_of(panel, "window")["Confirm later…"].trigger()
        dialog = dialog_of(opened)
        dialog.fields["review_after"].setText(typed)  # type: ignore[attr-defined]
        with qtbot.waitSignal(dialog.accepted):
            qtbot.mouseClick(dialog.verb_button, LEFT)
        qtbot.waitUntil(lambda words=words: row(panel, "window").review.startswith(words))
        assert row(panel, "window").due == due
        settled(qtbot, opened)
    assert "to confirm since" in parts_text(panel, "window")


def parts_text(panel: Inspector, key: str) -> str:
    """A row's words as they are painted."""
    return "".join(part.text for part in parts_of(row(panel, key)))


@OPENS_A_MENU
def test_a_link_is_changed_and_archived_by_its_menu(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    for typed, strength in (("0.4", 0.4), ("1", 1.0), ("0,25", 0.25)):
        menu_of(panel, "whole")["Change…"].trigger()
        dialog = dialog_of(opened)
        dialog.fields["strength"].setText(typed)  # type: ignore[attr-defined]
        with qtbot.waitSignal(dialog.accepted):
            qtbot.mouseClick(dialog.verb_button, LEFT)
        qtbot.waitUntil(lambda wanted=strength: row(panel, "whole").weight == wanted)
        settled(qtbot, opened)
    menu_of(panel, "whole")["Archive the link"].trigger()
    qtbot.waitUntil(lambda: panel.view.tree.find("whole") is None)


@OPENS_A_MENU
@pytest.mark.parametrize("key", ["schedule", "window", "whole"])
def test_a_part_moves_to_a_new_entity_by_its_menu_and_comes_back_by_undo(
    qtbot: QtBot, opened: MainWindow, panel: Inspector, key: str
) -> None:
    menu_of(panel, key)["Move to another entity…"].trigger()
    dialog = dialog_of(opened)
    dialog.fields["new_name"].setText("Night shift")  # type: ignore[attr-defined]
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(dialog.verb_button, LEFT)
    qtbot.waitUntil(lambda: panel.view.tree.find(key) is None)
    settled(qtbot, opened)
    panel.context.workspace.undo()
    qtbot.waitUntil(lambda: panel.view.tree.find(key) is not None)


@OPENS_A_MENU
def test_the_menus_of_sections_add_to_them(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    menu_of(panel, "constraints")["New constraint…"].trigger()
    dialog = dialog_of(opened)
    for name, text in (("aspect", "failure"), ("claim_key", "fridays")):
        dialog.fields[name].setText(text)  # type: ignore[attr-defined]
    dialog.fields["value"].setPlainText("No deploys on Fridays")  # type: ignore[attr-defined]
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(dialog.verb_button, LEFT)
    qtbot.waitUntil(lambda: len(rows(panel, "constraint")) == 2)
    assert "New aspect…" in menu_of(panel, "aspects")
    assert "Link to…" in menu_of(panel, "links")


@OPENS_A_MENU
def test_the_plus_of_a_section_opens_its_menu(panel: Inspector) -> None:
    view = panel.view
    at = place_of(panel, "links")
    at.setX(view.viewport().width() - 12)
    QTest.mouseClick(view.viewport(), LEFT, pos=at)
    menu = next(menu for menu in view.findChildren(QMenu) if menu.isVisible())
    assert [action.text() for action in menu.actions()] == ["Link to…"]
    assert view.isExpanded(view.tree.index_of(row(panel, "links")))
    menu.close()


@OPENS_A_MENU
def test_history_is_one_step_away(qtbot: QtBot, opened: MainWindow, panel: Inspector) -> None:
    menu_of(panel, "window")["Show history"].trigger()
    assert opened.panel("claim_history").isVisible()
    assert panel.context.selection.attribute_id == "window"


# -- much ---------------------------------------------------------------------------------------


def test_a_large_entity_is_shown_in_parts(
    qtbot: QtBot, opened: MainWindow, panel: Inspector, graph: Path
) -> None:
    def grow(writer: Writer) -> None:
        made = Graph(writer)
        aspect = made.aspect("nas", "files", 0.9, id="files")
        for n in range(FIRST_ROWS * 2 + 5):
            made.value(aspect, f"File {n}", f"file_{n}")
        for n in range(FIRST_ROWS + 3):
            made.link("nas", made.entity(f"Disk {n}", "tool"), "uses")

    write_elsewhere(graph, grow)
    select(qtbot, opened, "NAS")
    files = row(panel, "files")
    assert len(files.children) == FIRST_ROWS + 1
    assert files.children[-1].text == "100 more of 105"
    assert len(read_of(panel, "files")) == FIRST_ROWS, "no more is read than is shown"
    click(panel, "more/files")
    qtbot.waitUntil(lambda: row(panel, "files").children[-1].text == "5 more")
    click(panel, "more/files")
    qtbot.waitUntil(lambda: len(row(panel, "files").children) == FIRST_ROWS * 2 + 5)
    assert row(panel, "links").children[-1].text == "3 more"


def read_of(panel: Inspector, aspect: str) -> list[Claim]:
    assert panel.inspection is not None
    return [claim for one in panel.inspection.aspects if one.id == aspect
            for group in one.groups for claim in group.claims]


def test_constraints_that_were_not_read_are_counted_and_come_by_a_click(
    qtbot: QtBot, opened: MainWindow, panel: Inspector, graph: Path
) -> None:
    def grow(writer: Writer) -> None:
        made = Graph(writer)
        aspect = made.aspect("nas", "rules", 0.9, id="rules")
        for n in range(FIRST_ROWS + 5):
            made.value(aspect, f"Never {n}", f"rule_{n}", kind="constraint")

    write_elsewhere(graph, grow)
    select(qtbot, opened, "NAS")
    before = len(row(panel, "constraints").children)
    rest = int(row(panel, "constraints").children[-1].text.split()[0])
    assert before == FIRST_ROWS + 1
    assert rest >= 5
    click(panel, "more/constraints")
    qtbot.waitUntil(lambda: len(row(panel, "constraints").children) == FIRST_ROWS + rest)


def test_a_click_on_a_voice_goes_to_its_claim_also_where_that_was_not_read(
    qtbot: QtBot, opened: MainWindow, panel: Inspector, graph: Path
) -> None:
    def grow(writer: Writer) -> None:
        made = Graph(writer)
        aspect = made.aspect("nas", "files", 0.9, id="files")
        for n in range(FIRST_ROWS + 5):
            made.value(aspect, f"File {n}", f"file_{n}", id=f"file{n}")
        made.assertion("nas", "It is the last", claim_attribute_id=f"file{FIRST_ROWS + 4}",
                       id="voice")

    write_elsewhere(graph, grow)
    select(qtbot, opened, "NAS")
    qtbot.waitUntil(lambda: panel.view.tree.find("voice") is not None)
    assert panel.view.tree.find(f"file{FIRST_ROWS + 4}") is None
    click(panel, "voice")
    qtbot.waitUntil(
        lambda: panel.context.selection.attribute_id == f"file{FIRST_ROWS + 4}")


def in_front(window: MainWindow, name: str) -> bool:
    return window.docks._docks[name].in_sight


def test_a_click_on_a_claim_brings_up_its_history(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    for _ in range(2):
        opened.show_panel("activity")
        QTest.mouseClick(panel.view.viewport(), LEFT, pos=place_of(panel, "window"))
        qtbot.waitUntil(lambda: in_front(opened, "claim_history"))
    assert panel.view.hasFocus(), "the keyboard stays where one is"


def test_who_judges_by_keyboard_keeps_the_proposals_in_front(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    value = row(panel, "window").value
    assert value is not None
    assert opened.session is not None
    opened.show_panel("proposals")
    opened.session.selection.select_slot(value.slot, value.id)
    settled(qtbot, opened)
    assert in_front(opened, "proposals")


def test_a_claim_keeps_its_place_and_says_its_own_version(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    def claims() -> list[str]:
        return [node.label for node in rows(panel, "claim")]

    before = claims()
    assert opened.session is not None
    runner = opened.session.runner
    with opened.session.workspace.read() as reader:
        slot = next(node.value.slot for node in rows(panel, "claim")
                    if node.value is not None and node.label == "start time")
        oldest = versions(reader, slot)[-1].value.id
    runner.write("Restore", lambda writer: control.apply(
        writer, "restore_claim_version", {"attribute_id": oldest}))
    qtbot.waitUntil(lambda: any(node.text == "at 00:00" for node in rows(panel, "claim")))
    shown = next(node for node in rows(panel, "claim") if node.text == "at 00:00")
    assert shown.value is not None
    assert "".join(part.text for part in parts_of(shown)).endswith(f"v{shown.value.version}")
    runner.write("Set", lambda writer: control.apply(writer, "set_claim_value", {
        "entity": "settlement job", "aspect": "schedule", "claim_key": "window",
        "value": "1 hour", "importance": 0.05}))
    qtbot.waitUntil(lambda: any(node.text == "1 hour" for node in rows(panel, "claim")))
    assert claims() == before


def test_a_new_entity_is_selected(qtbot: QtBot, opened: MainWindow, panel: Inspector) -> None:
    opened.actions_.run("entities.new")
    dialog = next(one for one in opened.findChildren(OperationDialog) if one.isVisible())
    QTest.keyClicks(dialog.fields["name"], "night ferry")
    QTest.mouseClick(dialog.verb_button, LEFT)
    assert opened.session is not None
    selection = opened.session.selection
    qtbot.waitUntil(lambda: selection.entity is not None and selection.entity.name == "night ferry")
    qtbot.waitUntil(lambda: opened.toast.text == "Created night ferry")


def test_a_form_that_is_refused_for_a_constraint_asks_for_a_second_word(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    def beside(writer: Writer) -> None:
        control.apply(writer, "set_claim_value", {
            "entity": "settlement job", "aspect": "schedule", "claim_key": "friday",
            "value": "never on a Friday", "kind": "constraint"})

    assert opened.session is not None
    opened.session.runner.write("Rule", beside)
    settled(qtbot, opened)
    dialog = OperationDialog(opened.session.context, "set_claim_value", {
        "entity": "settlement job", "aspect": "schedule", "claim_key": "friday"},
        {"value": "whenever"}, only=("value",))
    dialog.open()
    qtbot.mouseClick(dialog.verb_button, LEFT)
    qtbot.waitUntil(lambda: dialog.verb_button.text() == "Set anyway")
    assert "“never on a Friday” is active here" in dialog.error
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(dialog.verb_button, LEFT)
    qtbot.waitUntil(lambda: "is active here" in opened.toast.text)


def test_a_constraint_put_in_the_place_of_another_by_the_form_is_said_with_an_undo(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    slot = {"entity": "settlement job", "aspect": "schedule", "claim_key": "friday",
            "kind": "constraint"}

    def rule(writer: Writer) -> None:
        control.apply(writer, "set_claim_value", {**slot, "value": "never on a Friday"})

    def in_force() -> list[str]:
        with opened.session.workspace.read() as reader:
            return [row["content"] for row in reader.rows(
                "SELECT content FROM entity_attributes WHERE claim_key = 'friday'"
                " AND status = 'active' AND agent_id = :agent")]

    assert opened.session is not None
    opened.session.runner.write("Rule", rule)
    settled(qtbot, opened)
    dialog = OperationDialog(opened.session.context, "set_claim_value", slot,
                             {"value": "Fridays until noon"}, only=("value",))
    dialog.open()
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(dialog.verb_button, LEFT)
    qtbot.waitUntil(lambda: "Replaced the constraint" in opened.toast.text)
    assert opened.toast.text == "Replaced the constraint “never on a Friday”."
    assert in_force() == ["Fridays until noon"]
    qtbot.mouseClick(opened.toast.undo_button, LEFT)
    qtbot.waitUntil(lambda: in_force() == ["never on a Friday"])


def test_a_new_value_names_the_link_that_still_says_otherwise(
    opened: MainWindow, qtbot: QtBot
) -> None:
    slot = {"entity": "settlement job", "aspect": "schedule", "claim_key": "place"}

    def linked(writer: Writer) -> None:
        control.apply(writer, "set_claim_value", {**slot, "value": "requires the old hall"})
        control.apply(writer, "create_link", {
            "source_entity": "settlement job", "target_entity": "NAS", "dependency_type":
            "requires", "reason": "It reads from there"})

    assert opened.session is not None
    opened.session.runner.write("Link", linked)
    settled(qtbot, opened)
    dialog = OperationDialog(opened.session.context, "set_claim_value", slot,
                             {"value": "requires the new hall"}, only=("value",))
    dialog.open()
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(dialog.verb_button, LEFT)
    qtbot.waitUntil(lambda: "The link “requires NAS” still says" in opened.toast.text)
    assert "constellation" not in opened.toast.text


def test_nothing_moves_when_an_entity_is_pinned_or_muted(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    def places() -> list[tuple[int, ...]]:
        parts = (panel, panel.view, panel.top.pin, panel.top.mute, opened.central)
        return [part.geometry().getRect() for part in parts]

    before, seen = places(), {panel.top.pin.accessibleName(), panel.top.mute.accessibleName()}
    for action in ("pins.toggle", "mutes.toggle", "pins.toggle", "mutes.toggle"):
        words = panel.top.pin.accessibleName(), panel.top.mute.accessibleName()
        opened.actions_.run(action)
        qtbot.waitUntil(lambda words=words: words != (
            panel.top.pin.accessibleName(), panel.top.mute.accessibleName()))
        settled(qtbot, opened)
        seen |= {panel.top.pin.accessibleName(), panel.top.mute.accessibleName()}
        assert places() == before
    assert seen == {"Pin", "Unpin", "Mute", "Unmute"}


@pytest.mark.parametrize("narrower", [40, 120])
def test_no_line_is_painted_over_the_next_when_the_width_changes(
    panel: Inspector, narrower: int
) -> None:
    view = panel.view
    view.resize(view.width() - narrower, view.height())
    view.grab()  # Paints at once, before any timer.
    index = view.model().index(0, 0)
    rows = 0
    while index.isValid():
        assert view.visualRect(index).height() == view.sizeHintForIndex(index).height()
        index, rows = view.indexBelow(index), rows + 1
    assert rows > 5


def test_that_an_entity_is_muted_is_not_what_a_narrow_line_cuts(
    qtbot: QtBot, panel: Inspector
) -> None:
    QTest.keyClick(panel.window(), Qt.Key.Key_M)
    qtbot.waitUntil(lambda: panel.top.line.text().startswith("system · muted · 14 mentions"))


def test_a_value_set_beside_one_without_a_claim_key_is_told_with_the_menu_entries(
    qtbot: QtBot, opened: MainWindow, panel: Inspector
) -> None:
    assert opened.session is not None
    dialog = OperationDialog(opened.session.context, "set_claim_value", {
        "entity": "settlement job", "aspect": "schedule", "claim_key": "former"},
        {"value": "It was once two hours later"}, only=("value",))
    dialog.open()
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(dialog.verb_button, LEFT)
    qtbot.waitUntil(lambda: "without a claim key" in opened.toast.text)
    assert opened.toast.text == (
        "Set schedule · former · settlement job. “It was once an hour later” (schedule) stands"
        " beside it without a claim key: choose “Archive” or “Turn into a claim…” in its menu")
