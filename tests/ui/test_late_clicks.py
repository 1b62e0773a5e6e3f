"""A click on something that another window has changed meanwhile does nothing else instead.

Each test shows something, changes it by a second connection, and clicks at once: before the window
has looked again. The click is refused in words, and the new state is shown.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from core.ontology import control
from core.ontology.proposals import apply_proposal, reject_proposal
from core.queries.entities import find_entity
from core.queries.knowledge import aspects_of
from core.queries.links import links_of
from core.workspace import Workspace
from tests.ui.conftest import settle
from tests.ui.review_scene import (  # noqa: F401 - fixtures
    START,
    add_proposals,
    press,
    review_graph,
    review_ids,
    review_of,
    status_of,
    texts_in,
    wait_card,
)
from tests.ui.test_review_journeys import foreign
from ui.dialogs.allow_file_changes import PermissionDialog
from ui.main_window import MainWindow
from ui.models.inspector_tree import Node
from ui.panels.activity.panel import ActivityPanel
from ui.panels.claim_history.panel import ClaimHistory
from ui.panels.inspector.panel import Inspector
from ui.panels.proposals.panel import Proposals
from ui.panels.proposals.pending_proposals import FLAGS

LEFT = Qt.MouseButton.LeftButton
SINCE = "changed since it was shown"


@pytest.fixture
def other(qtbot: QtBot, graph: Path, opened: MainWindow) -> Iterator[Workspace]:
    """Another window's connection to the same file; ours does not look before the click."""
    assert opened.session is not None
    bridge = opened.session.bridge
    bridge._poll.stop()
    qtbot.waitUntil(lambda: not bridge._looking)
    workspace = Workspace.open(graph)
    yield workspace
    workspace.close()


def operate(workspace: Workspace, operation: str, **payload: object) -> None:
    workspace.write(f"Elsewhere: {operation}", lambda w: control.apply(w, operation, payload))


def reviewing(qtbot: QtBot, window: MainWindow, id: str) -> Proposals:
    window.resize(1400, 900)
    panel = review_of(window)
    qtbot.waitUntil(lambda: id in panel.queue.order)
    panel.review.go(id)
    wait_card(qtbot, panel, id)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: bool(panel.review.card and panel.review.card.effects))
    return panel


def in_force(window: MainWindow) -> list[str]:
    """What the claim of the tests says."""
    assert window.session is not None
    with window.session.workspace.read() as reader:
        entity = find_entity(reader, "Harbor Ledger")
        return [value.content for aspect in aspects_of(reader, entity.id)
                for group in aspect.groups for claim in group.claims for value in claim.values
                if value.status == "active"]


@pytest.mark.parametrize("by_mouse", [True, False])
def test_a_card_that_would_replace_another_value_now_is_shown_anew_instead(
    qtbot: QtBot, opened: MainWindow, ids: dict[str, str], other: Workspace, by_mouse: bool
) -> None:
    panel = reviewing(qtbot, opened, ids["start"])
    operate(other, "set_claim_value", **START, value="Starts at noon")
    if by_mouse:
        QTest.mouseClick(panel.bar.buttons["apply"], LEFT)
    else:
        press(panel, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: SINCE in panel.bar.words)
    assert in_force(opened) == ["Starts at noon"]
    assert status_of(opened, ids["start"]) == "pending"
    wait_card(qtbot, panel, ids["start"])
    qtbot.waitUntil(lambda: "Starts at noon" in texts_in(panel.card))
    panel.focus()
    press(panel, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: status_of(opened, ids["start"]) == "applied")


@pytest.mark.parametrize("verb", ["apply", "reject"])
def test_a_card_that_was_decided_elsewhere_says_so_and_goes(
    qtbot: QtBot, opened: MainWindow, ids: dict[str, str], other: Workspace, verb: str
) -> None:
    panel = reviewing(qtbot, opened, ids["link"])
    decide = reject_proposal if verb == "apply" else apply_proposal
    other.write("Decide", lambda w: decide(w, ids["link"]))  # type: ignore[operator]
    QTest.mouseClick(panel.bar.buttons[verb], LEFT)
    if verb == "reject":
        press(panel, Qt.Key.Key_Return)
    word = "rejected" if verb == "apply" else "applied"
    qtbot.waitUntil(lambda: word in panel.bar.words)
    qtbot.waitUntil(lambda: ids["link"] not in panel.queue.order)
    assert status_of(opened, ids["link"]) == word


def test_several_that_would_meet_another_value_are_tried_again_instead(
    qtbot: QtBot, opened: MainWindow, ids: dict[str, str], other: Workspace
) -> None:
    panel = reviewing(qtbot, opened, ids["start"])
    panel.queue.list._select(ids["start"], [ids["start"], ids["link"]])
    qtbot.waitUntil(lambda: panel.review.batch is not None)
    if ids["start"] not in panel.review.batch.ticked:  # type: ignore[union-attr]
        QTest.mouseClick(panel.several.boxes[ids["start"]], LEFT,
                         pos=QPoint(12, panel.several.boxes[ids["start"]].height() // 2))
    qtbot.waitUntil(lambda: panel.review.batch is not None
                    and set(panel.review.batch.ticked) == {ids["start"], ids["link"]})
    settle(qtbot, opened)
    operate(other, "set_claim_value", **START, value="Starts at noon")
    QTest.mouseClick(panel.bar.buttons["apply"], LEFT)
    qtbot.waitUntil(lambda: SINCE in panel.bar.words)
    assert {status_of(opened, ids[name]) for name in ("start", "link")} == {"pending"}
    assert in_force(opened) == ["Starts at noon"]


def test_an_entry_of_the_activity_that_was_undone_elsewhere_is_not_done_again(
    qtbot: QtBot, opened: MainWindow, other: Workspace
) -> None:
    operate(other, "pin_entity", entity="Ines Duarte")
    opened.session.bridge.look()  # type: ignore[union-attr]
    panel = opened.show_panel("activity")
    assert isinstance(panel, ActivityPanel)
    qtbot.waitUntil(lambda: panel.current is not None and "pin" in panel.current.label)
    settle(qtbot, opened)
    other.undo()
    assert panel.details.button is not None
    assert panel.details.button.accessibleName() == "Undo this"
    QTest.mouseClick(panel.details.button, LEFT)
    qtbot.waitUntil(lambda: panel.details.refusal.startswith("Can't be undone"))
    with other.read() as reader:
        assert not find_entity(reader, "Ines Duarte").pinned
    qtbot.waitUntil(lambda: panel.current is not None and panel.current.state == "undone")


def test_undo_takes_back_what_its_menu_says_and_not_what_came_in_between(
    qtbot: QtBot, opened: MainWindow, other: Workspace
) -> None:
    operate(other, "pin_entity", entity="Ines Duarte")
    opened.session.bridge.look()  # type: ignore[union-attr]
    undo = opened.actions_.action("edit.undo")
    qtbot.waitUntil(lambda: "pin_entity" in undo.text())
    operate(other, "mute_entity", entity="Harbor Ledger")
    undo.trigger()
    qtbot.waitUntil(lambda: "came in between" in opened.error_bar.words.text())
    qtbot.waitUntil(lambda: "mute_entity" in undo.text())
    undo.trigger()
    undo.trigger()
    settle(qtbot, opened)

    def both_undone() -> bool:
        with other.read() as reader:
            return not (find_entity(reader, "Ines Duarte").pinned
                        or find_entity(reader, "Harbor Ledger").muted)

    qtbot.waitUntil(both_undone)


def history_of_start(qtbot: QtBot, window: MainWindow) -> ClaimHistory:
    assert window.session is not None
    with window.session.workspace.read() as reader:
        entity = find_entity(reader, "Harbor Ledger")
        value = aspects_of(reader, entity.id)[0].groups[0].claims[0].values[0]
    window.session.selection.select_slot(value.slot)
    panel = window.show_panel("claim_history")
    assert isinstance(panel, ClaimHistory)
    qtbot.waitUntil(lambda: panel.compare.restore_button.isEnabled())
    settle(qtbot, window)
    return panel


@pytest.mark.parametrize("by_mouse", [True, False])
def test_restore_puts_no_version_over_one_that_was_not_shown(
    qtbot: QtBot, opened: MainWindow, other: Workspace, by_mouse: bool
) -> None:
    panel = history_of_start(qtbot, opened)
    assert panel.compare.restore_button.text() == "Restore version 1"
    operate(other, "set_claim_value", **START, value="Starts at noon")
    if by_mouse:
        QTest.mouseClick(panel.compare.restore_button, LEFT)
    else:
        panel.focus()
        press(panel, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: SINCE in panel.compare.refusal.text())
    assert in_force(opened) == ["Starts at noon"]
    qtbot.waitUntil(lambda: "noon" in texts_in(panel.timeline))
    QTest.mouseClick(panel.compare.restore_button, LEFT)
    qtbot.waitUntil(lambda: in_force(opened) != ["Starts at noon"])


def node_of(panel: Inspector, words: str) -> Node:
    return next(node for node in panel.view.tree.walk()
                if node.value is not None and node.value.content == words)


def inspecting(qtbot: QtBot, window: MainWindow, name: str) -> Inspector:
    assert window.session is not None
    with window.session.workspace.read() as reader:
        window.session.selection.select_entity(find_entity(reader, name).id)
    panel = window.panel("inspector")
    assert isinstance(panel, Inspector)
    qtbot.waitUntil(lambda: panel.inspection is not None and panel.face == "ready")
    settle(qtbot, window)
    return panel


def test_words_typed_over_a_value_that_has_changed_meanwhile_are_not_saved_nor_lost(
    qtbot: QtBot, opened: MainWindow, other: Workspace
) -> None:
    panel = inspecting(qtbot, opened, "Harbor Ledger")
    panel.edit_node(node_of(panel, "Starts at 02:00"))
    editor = opened.focusWidget()
    assert editor is not None
    operate(other, "set_claim_value", **START, value="Starts at noon")
    QTest.keyClick(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(editor, "Starts at dusk")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: SINCE in opened.error_bar.words.text())
    assert "Starts at dusk" in opened.error_bar.words.text()
    assert in_force(opened) == ["Starts at noon"]


def test_a_row_of_the_inspector_that_was_archived_elsewhere_is_refused_in_words(
    qtbot: QtBot, opened: MainWindow, other: Workspace
) -> None:
    panel = inspecting(qtbot, opened, "Harbor Ledger")
    assert opened.session is not None
    with opened.session.workspace.read() as reader:
        link = links_of(reader, panel.inspection.entity_id)[0]  # type: ignore[union-attr]
    node = next(one for one in panel.view.tree.walk()
                if getattr(one.thing, "id", "") == link.id)
    menu = panel._menu.make(panel.inspection.entity, node, panel.view)  # type: ignore[union-attr,arg-type]
    assert menu is not None
    operate(other, "archive_link", id=link.id)
    next(line for line in menu.actions() if line.text() == "Archive the link").trigger()
    qtbot.waitUntil(lambda: bool(opened.error_bar.words.text() or opened.toast.text))
    menu.deleteLater()
    settle(qtbot, opened)
    entries = opened.session.workspace.history()
    assert entries[0].label.startswith("Elsewhere"), "nothing was written on top"


def test_pin_and_restore_of_what_is_so_already_say_that_nothing_was_needed(
    qtbot: QtBot, opened: MainWindow, other: Workspace
) -> None:
    inspecting(qtbot, opened, "Ines Duarte")
    operate(other, "pin_entity", entity="Ines Duarte")
    opened.actions_.run("pins.toggle")
    qtbot.waitUntil(lambda: opened.toast.text.startswith("No change needed"))
    with other.read() as reader:
        assert find_entity(reader, "Ines Duarte").pinned, "Pin never unpins"


def test_a_link_to_a_proposal_that_was_decided_elsewhere_says_so(
    qtbot: QtBot, opened: MainWindow, ids: dict[str, str], other: Workspace
) -> None:
    panel = reviewing(qtbot, opened, ids["start"])
    other.write("Decide", lambda w: reject_proposal(w, ids["rival"]))
    show = next(one for one in panel.card.findChildren(QPushButton) if one.text() == "show it")
    QTest.mouseClick(show, LEFT)
    qtbot.waitUntil(lambda: "decided meanwhile" in panel.bar.words)
    qtbot.waitUntil(lambda: ids["rival"] not in panel.queue.order)


def test_a_flag_leaves_those_of_another_window(
    qtbot: QtBot, opened: MainWindow, ids: dict[str, str], other: Workspace
) -> None:
    panel = reviewing(qtbot, opened, ids["link"])
    press(panel, Qt.Key.Key_F)
    settle(qtbot, opened)
    other.sidecar.put(FLAGS, json.dumps([ids["link"], ids["start"]]).encode())
    panel.review.go(ids["rival"])
    wait_card(qtbot, panel, ids["rival"])
    QTest.mouseClick(panel.bar.buttons["flag"], LEFT)
    settle(qtbot, opened)
    assert set(json.loads(other.sidecar.get(FLAGS) or b"[]")) == {
        ids["link"], ids["start"], ids["rival"]}


def test_the_banner_asks_nothing_that_was_allowed_in_another_window(
    qtbot: QtBot, window: MainWindow, graph: Path, tmp_path: Path
) -> None:
    path = foreign(tmp_path, graph)
    with qtbot.waitSignal(window.graph_shown):
        window.open_path(path)
    settle(qtbot, window)
    assert window.banner.isVisible()
    workspace = Workspace.open(path)
    workspace.allow_writing()
    workspace.close()
    QTest.mouseClick(window.banner.allow, LEFT)
    assert not window.banner.isVisible()
    assert not [one for one in window.findChildren(PermissionDialog) if one.isVisible()]
