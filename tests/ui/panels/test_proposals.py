"""The review in the real window: judge by click and by key, take back, many at once."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTabBar,
)
from pytestqt.qtbot import QtBot

from core.ontology import control
from core.review.proposal_queue import get_proposal
from core.workspace import Workspace
from tests.ui.review_scene import (  # noqa: F401 - fixtures
    HOSTILE,
    QUOTE,
    add_another_lost,
    add_proposals,
    press,
    review_graph,
    review_ids,
    review_of,
    settled,
    status_of,
    texts_in,
    wait_card,
    wait_status,
)
from ui.main_window import MainWindow
from ui.models.review_queue import Arrangement
from ui.panels.proposals.panel import Proposals
from ui.widgets.highlighted_text import QuotedText
from ui.widgets.labels import Badge

LEFT = Qt.MouseButton.LeftButton
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
Ids = dict[str, str]


@pytest.fixture
def panel(qtbot: QtBot, opened: MainWindow, ids: Ids) -> Proposals:
    """The panel with the newest proposal open."""
    opened.resize(1400, 900)
    opened.activateWindow()
    qtbot.waitUntil(opened.isActiveWindow)
    found = review_of(opened)
    wait_card(qtbot, found, ids["hostile"])
    return found


def click_row(qtbot: QtBot, panel: Proposals, proposal_id: str,
              modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    rows = panel.queue.list
    index = rows.lines.index_of(proposal_id)
    rows.scrollTo(index)
    qtbot.mouseClick(rows.viewport(), LEFT, modifier, rows.visualRect(index).center())


def go(qtbot: QtBot, panel: Proposals, proposal_id: str) -> None:
    click_row(qtbot, panel, proposal_id)
    wait_card(qtbot, panel, proposal_id)


def test_the_queue_shows_what_waits_newest_first_with_its_count(
    panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    assert panel.queue.order == [ids[name] for name in reversed(list(ids))]
    assert "1 of 6" in panel.bar.words
    assert opened.docks._docks["proposals"].badge == "6"


def test_the_card_shows_the_real_difference_and_lights_the_evidence(
    qtbot: QtBot, panel: Proposals, ids: Ids
) -> None:
    go(qtbot, panel, ids["start"])
    card = panel.card.card
    assert card is not None
    assert card.head == "Harbor Ledger · schedule · start"
    assert [(d.old, d.new) for d in card.differences] == [
        ("Starts at 02:00", "Starts every night at 03:30")]
    shown = texts_in(panel.card)
    assert f">{QUOTE}</span>" in shown, "the supporting sentence is lit"
    assert "Reason: Because of start" in shown
    assert [(e.sign, e.text) for e in card.effects] == [
        ("+", "version 3 of start of Harbor Ledger"),
        ("−", "version 2 of start of Harbor Ledger becomes superseded")]
    assert "Starts at 04:00" in texts_in(panel.card), "the rival for the slot is named"


def test_apply_by_click_shows_the_next_card_and_writes_the_change(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    go(qtbot, panel, ids["start"])
    below = panel.queue.order[panel.queue.order.index(ids["start"]) - 1]
    qtbot.mouseClick(panel.bar.buttons["apply"], LEFT)
    assert panel.current_id == below, "the decision shows at once"
    wait_status(qtbot, opened, ids["start"], "applied")
    settled(qtbot, opened)
    assert ids["start"] not in panel.queue.order
    assert "of 5" in panel.bar.words


def test_reject_by_key_keeps_the_reason(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    press(panel, Qt.Key.Key_R)
    assert panel.bar.reason.hasFocus()
    qtbot.keyClicks(panel.bar.reason, "a rumour, skip")
    press(panel, Qt.Key.Key_Return)
    assert panel.current_id == ids["lost"]
    wait_status(qtbot, opened, ids["hostile"], "rejected")
    assert opened.session is not None
    with opened.session.workspace.read() as reader:
        found = get_proposal(reader, ids["hostile"])
    assert found is not None
    assert found.result == {"reason": "a rumour, skip"}


def test_escape_leaves_the_reason_without_a_verdict(
    panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    press(panel, Qt.Key.Key_R)
    press(panel, Qt.Key.Key_Escape)
    assert not panel.bar.asking
    assert status_of(opened, ids["hostile"]) == "pending"
    assert panel.queue.list.hasFocus()


def test_backspace_takes_the_last_verdict_back_and_shows_it_again(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    press(panel, Qt.Key.Key_A)
    press(panel, Qt.Key.Key_Backspace)
    wait_status(qtbot, opened, ids["hostile"], "pending")
    wait_card(qtbot, panel, ids["hostile"])
    assert panel.decisions.counts() == (0, 0)
    assert "Undone" in panel.bar.words


def test_arrows_and_letters_browse_without_deciding(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    for key, name in ((Qt.Key.Key_J, "lost"), (Qt.Key.Key_Down, "calendar"),
                      (Qt.Key.Key_K, "lost"), (Qt.Key.Key_Up, "hostile"),
                      (Qt.Key.Key_Space, "lost")):
        press(panel, key)
        assert panel.current_id == ids[name]
    settled(qtbot, opened)
    assert {status_of(opened, one) for one in ids.values()} == {"pending"}


def test_skip_goes_round_to_the_first(panel: Proposals) -> None:
    order = panel.queue.order
    for at in range(1, len(order) + 1):
        press(panel, Qt.Key.Key_Space)
        assert panel.current_id == order[at % len(order)]


def test_what_can_not_be_applied_says_why_and_offers_no_apply(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    go(qtbot, panel, ids["lost"])
    apply = panel.bar.buttons["apply"]
    assert not apply.isEnabled()
    assert "no such aspect" in apply.accessibleDescription()
    assert "no such aspect" in texts_in(panel.card)
    press(panel, Qt.Key.Key_A)
    assert panel.current_id == ids["lost"]
    assert "no such aspect" in panel.bar.words
    settled(qtbot, opened)
    assert status_of(opened, ids["lost"]) == "pending"


def test_a_verdict_that_is_refused_brings_the_card_back_with_the_reason(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids, graph: Path
) -> None:
    other = Workspace.open(graph)
    other.write("Reject", lambda w: w.update("ontology_proposals", ids["hostile"],
                                             status="rejected"))
    other.write("Back", lambda w: w.update("ontology_proposals", ids["link"], status="pending"))
    other.close()
    press(panel, Qt.Key.Key_A)
    assert panel.current_id == ids["lost"]
    qtbot.waitUntil(lambda: ids["hostile"] in panel.decisions.refusals)
    assert "not pending" in panel.decisions.refusals[ids["hostile"]]


def test_a_batch_reports_each_refusal_and_is_undone_as_one(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    click_row(qtbot, panel, ids["hostile"])
    click_row(qtbot, panel, ids["calendar"], SHIFT)
    click_row(qtbot, panel, ids["start"], CONTROL)
    chosen = {ids[name] for name in ("hostile", "lost", "calendar", "start")}
    assert set(panel.chosen_ids) == chosen
    qtbot.waitUntil(lambda: panel.several.head == "4 selected, 2 ticked")
    assert "It changed after this was proposed" in texts_in(panel.several)
    for name, ticked in (("start", 3), ("lost", 4)):
        qtbot.mouseClick(panel.several.boxes[ids[name]], LEFT, pos=QPoint(8, 8))
        qtbot.waitUntil(lambda ticked=ticked: panel.several.head == f"4 selected, {ticked} ticked")
    qtbot.mouseClick(panel.bar.buttons["apply"], LEFT)
    qtbot.waitUntil(lambda: panel.chosen_ids == [ids["lost"]])
    settled(qtbot, opened)
    assert [status_of(opened, ids[name]) for name in ("hostile", "calendar", "start", "lost")] \
        == ["applied", "applied", "applied", "pending"]
    assert "3 of 4 done" in panel.bar.words
    wait_card(qtbot, panel, ids["lost"])
    assert "no such aspect" in texts_in(panel.card)
    press(panel, Qt.Key.Key_Backspace)
    wait_status(qtbot, opened, ids["start"], "pending")
    assert {status_of(opened, one) for one in ids.values()} == {"pending"}


def test_a_batch_leaves_what_is_risky_unticked_and_shows_one_effect(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    panel.review.choose_group()
    qtbot.waitUntil(lambda: panel.review.batch is not None)
    ticks = {name: panel.several.boxes[ids[name]].isChecked() for name in ids}
    assert ticks == {"start": False, "rival": False, "link": True, "calendar": True,
                     "lost": False, "hostile": True}
    words = texts_in(panel.several)
    assert words.count("Another of these wants something else") == 2
    assert "It is of high risk" in words
    assert "bank calendar" in texts_in(panel.effect)
    assert "04:00" not in texts_in(panel.effect)
    qtbot.mouseClick(panel.several.boxes[ids["rival"]], LEFT, pos=QPoint(8, 8))
    qtbot.waitUntil(lambda: len(panel.review.batch.ticked) == 4)
    assert "version 3" in texts_in(panel.effect)
    opened.resize(1900, 1000)
    qtbot.mouseClick(panel.bar.buttons["apply"], LEFT)
    wait_status(qtbot, opened, ids["rival"], "applied")
    settled(qtbot, opened)
    assert {name for name in ids if status_of(opened, ids[name]) == "pending"} == {
        "start", "lost"}
    assert "4 done, 2 left as they were" in panel.bar.words
    opened.actions_.run("edit.undo")
    wait_status(qtbot, opened, ids["rival"], "pending")


def test_a_report_goes_when_its_batch_is_undone(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids, graph: Path
) -> None:
    also_lost = add_another_lost(graph)
    qtbot.waitUntil(lambda: len(panel.queue.order) == len(ids) + 1)
    panel.review.choose_group()
    qtbot.waitUntil(lambda: panel.review.batch is not None)
    for lost in (ids["lost"], also_lost):
        ticked = len(panel.review.batch.ticked)
        qtbot.mouseClick(panel.several.boxes[lost], LEFT, pos=QPoint(8, 8))
        qtbot.waitUntil(lambda ticked=ticked: len(panel.review.batch.ticked) == ticked + 1)
    panel.focus()
    press(panel, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: {ids["lost"], also_lost} <= set(panel.chosen_ids)
                    and panel.several.head.startswith("Done: "))
    settled(qtbot, opened)
    failed = len(panel.chosen_ids)
    opened.actions_.run("edit.undo")
    qtbot.waitUntil(lambda: len(panel.queue.order) == len(ids) + 1)
    qtbot.waitUntil(lambda: panel.several.head.startswith(f"{failed} selected"))
    assert "done" not in panel.bar.words


def test_a_group_is_selected_by_its_head_and_rejected_with_one_reason(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    panel.queue.arrange_as(Arrangement(group="kind"))
    rows = panel.queue.list
    head = rows.lines.index(rows.lines.index_of(ids["hostile"]).row() - 1)
    told: list[list[str]] = []
    rows.chosen.connect(told.append)
    qtbot.mouseClick(rows.viewport(), LEFT, pos=rows.visualRect(head).center())
    assert panel.chosen_ids == [ids["hostile"], ids["rival"], ids["start"]]
    assert told == [panel.chosen_ids], "a batch is tried once, however many it has"
    press(panel, Qt.Key.Key_R)
    qtbot.keyClicks(panel.bar.reason, "not now")
    press(panel, Qt.Key.Key_Return)
    wait_status(qtbot, opened, ids["start"], "rejected")
    assert status_of(opened, ids["rival"]) == "rejected"
    assert status_of(opened, ids["link"]) == "pending"


def test_edit_then_apply_keeps_the_persons_version(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    go(qtbot, panel, ids["start"])
    press(panel, Qt.Key.Key_E)
    field = panel.form.fields["value"]
    assert isinstance(field, QPlainTextEdit)
    assert field.hasFocus()
    field.setPlainText("Starts every night at 03:40")
    press(panel, Qt.Key.Key_Return, CONTROL)
    wait_status(qtbot, opened, ids["start"], "applied")
    assert opened.session is not None
    with opened.session.workspace.read() as reader:
        found = get_proposal(reader, ids["start"])
        now = reader.value("SELECT content FROM entity_attributes WHERE status = 'active'"
                           " AND claim_key = 'start'")
    assert found is not None
    assert found.payload["value"] == "Starts every night at 03:40"
    assert found.result is not None
    assert found.result["proposed"]["value"] == "Starts every night at 03:30", (  # type: ignore[index]
        "what was proposed stays on record")
    assert now == "Starts every night at 03:40"


def test_an_edit_that_is_refused_says_so_at_its_field(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    go(qtbot, panel, ids["link"])
    press(panel, Qt.Key.Key_E)
    field = panel.form.fields["strength"]
    assert isinstance(field, QLineEdit)
    field.setFocus()
    qtbot.keyClicks(field, "very")
    press(panel, Qt.Key.Key_Return)
    assert panel.form.error == "strength must be a number"
    press(panel, Qt.Key.Key_Escape)
    assert status_of(opened, ids["link"]) == "pending"
    assert panel.queue.list.hasFocus()


def test_letters_in_a_form_are_letters(panel: Proposals, opened: MainWindow, ids: Ids,
                                       qtbot: QtBot) -> None:
    go(qtbot, panel, ids["calendar"])
    press(panel, Qt.Key.Key_E)
    field = panel.form.fields["name"]
    assert isinstance(field, QLineEdit)
    field.selectAll()
    for key in (Qt.Key.Key_A, Qt.Key.Key_R, Qt.Key.Key_Space, Qt.Key.Key_F):
        press(panel, key)
    assert field.text() == "ar f"
    settled(qtbot, opened)
    assert status_of(opened, ids["calendar"]) == "pending"


def test_a_flag_is_kept_beside_the_file(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids, graph: Path
) -> None:
    press(panel, Qt.Key.Key_F)
    qtbot.waitUntil(lambda: (row := panel.waiting.row(ids["hostile"])) is not None and row.flagged)
    settled(qtbot, opened)
    with qtbot.waitSignal(opened.graph_shown):
        opened.open_path(graph)
    again = review_of(opened)
    qtbot.waitUntil(lambda: (row := again.waiting.row(ids["hostile"])) is not None and row.flagged)


def test_the_end_says_what_was_decided_and_takes_it_back(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    for _ in ids:
        press(panel, Qt.Key.Key_R)
        press(panel, Qt.Key.Key_Return)
    assert panel.end.isVisible()
    assert "rejected 6" in panel.end.text
    settled(qtbot, opened)
    assert opened.docks._docks["proposals"].badge == ""
    press(panel, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: panel.queue.order == [ids["start"]])
    assert panel.queue.isVisible()


def test_another_writer_loses_neither_selection_nor_scroll(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids, graph: Path
) -> None:
    go(qtbot, panel, ids["link"])
    other = Workspace.open(graph)
    for at in range(30):
        other.write("Add", lambda w, n=at: control.apply(
            w, "create_entity", {"name": f"other {n}", "entity_type": "concept"}))
    new = other.write("Propose", lambda w: control.propose(
        w, "pin_entity", {"entity": "Harbor Ledger"})).result
    other.close()
    assert opened.session is not None
    opened.session.bridge.look()
    qtbot.waitUntil(lambda: new in panel.queue.order)
    assert panel.current_id == ids["link"]
    assert panel.queue.list.chosen_ids == [ids["link"]]


def test_an_undo_from_elsewhere_brings_the_proposal_back(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    press(panel, Qt.Key.Key_A)
    wait_status(qtbot, opened, ids["hostile"], "applied")
    settled(qtbot, opened)
    opened.actions_.run("edit.undo")
    qtbot.waitUntil(lambda: ids["hostile"] in panel.queue.order)
    assert panel.decisions.counts() == (0, 0)
    assert panel.decisions.last is None


def test_what_ctrl_z_brings_back_is_the_proposal_that_is_shown(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    press(panel, Qt.Key.Key_A)
    wait_status(qtbot, opened, ids["hostile"], "applied")
    settled(qtbot, opened)
    go(qtbot, panel, ids["start"])
    undo = opened.actions_.action("edit.undo")
    qtbot.waitUntil(undo.isEnabled)
    qtbot.keyClick(opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: panel.current_id == ids["hostile"])
    assert panel.queue.list.chosen_ids == [ids["hostile"]]
    wait_card(qtbot, panel, ids["hostile"])


def test_hostile_text_is_shown_as_it_is(panel: Proposals) -> None:
    for found in [*panel.card.findChildren(QLabel), *panel.effect.findChildren(QLabel)]:
        if found.textFormat() == Qt.TextFormat.RichText:
            assert "<img" not in found.text()
            assert "<script" not in found.text()
        else:
            assert found.textFormat() == Qt.TextFormat.PlainText or not found.text()
    assert panel.card.card is not None
    assert panel.card.card.differences[0].new == HOSTILE


def test_every_button_has_a_name_and_shows_its_key(panel: Proposals) -> None:
    for button in filter(QPushButton.isVisible, panel.findChildren(QPushButton)):
        assert button.accessibleName() or button.text()
    caps = {verb: button.findChildren(QLabel)[1].text()
            for verb, button in panel.bar.buttons.items()}
    assert caps == {"apply": "A", "anyway": "Shift+A", "reject": "R", "both": "B",
                    "skip": "Space", "edit": "E", "flag": "F"}


def test_space_presses_the_button_that_has_the_keyboard(
    qtbot: QtBot, panel: Proposals, ids: Ids
) -> None:
    panel.bar.buttons["reject"].setFocus(Qt.FocusReason.TabFocusReason)
    press(panel, Qt.Key.Key_Space)
    assert panel.bar.asking
    assert panel.current_id == ids["hostile"]


def test_filters_and_orders_keep_the_current_one(panel: Proposals, ids: Ids) -> None:
    panel.queue.arrange_as(Arrangement(sort="confidence"))
    assert panel.queue.order[0] == ids["hostile"]
    panel.queue.arrange_as(Arrangement(sort="risk"))
    assert panel.queue.order[0] == ids["lost"]
    assert panel.current_id == ids["hostile"]
    panel.queue.arrange_as(Arrangement(operations=("create_link",)))
    assert panel.queue.order == [ids["link"]]
    assert panel.current_id == ids["link"]


def test_an_empty_queue_says_what_it_is_for(qtbot: QtBot, panel: Proposals, opened: MainWindow,
                                            ids: Ids, graph: Path) -> None:
    other = Workspace.open(graph)
    other.write("Clear", lambda w: w.delete_where("ontology_proposals", "status = 'pending'"))
    other.close()
    assert opened.session is not None
    opened.session.bridge.look()
    qtbot.waitUntil(lambda: panel.face == "empty")
    assert QApplication.focusWidget() is None or QApplication.focusWidget().isVisible()


def tab_of(window: MainWindow, title: str) -> tuple[QTabBar, int]:
    bars = [bar for bar in window.findChildren(QTabBar) if bar.isVisible()]
    return next((bar, at) for bar in bars for at in range(bar.count())
                if bar.tabText(at) == title)


def click_tab(window: MainWindow, title: str) -> None:
    bar, at = tab_of(window, title)
    QTest.mouseClick(bar, LEFT, pos=bar.tabRect(at).center())


def badge_of(window: MainWindow) -> str:
    """What the tab of the proposals shows."""
    bar, at = tab_of(window, "Proposals")
    shown = bar.tabButton(at, QTabBar.ButtonPosition.RightSide)
    return shown.text() if isinstance(shown, Badge) and shown.isVisible() else ""


@pytest.mark.parametrize("before", ["Proposals", "Activity"])
def test_a_click_on_the_tab_brings_the_keyboard(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids, before: str
) -> None:
    click_tab(opened, before)
    opened.top.search.setFocus()
    click_tab(opened, "Proposals")
    qtbot.waitUntil(lambda: panel.has_keyboard)
    press(panel, Qt.Key.Key_Space)
    wait_card(qtbot, panel, ids["lost"])


def test_a_click_on_the_card_brings_the_keyboard(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    opened.top.search.setFocus()
    view = panel.card.viewport()
    qtbot.mouseClick(view, LEFT, pos=view.rect().bottomLeft() + QPoint(3, -3))
    assert panel.queue.list.hasFocus()


def test_keys_on_the_buttons_are_dim_while_the_keyboard_is_elsewhere(
    panel: Proposals, opened: MainWindow
) -> None:
    caps = [button._cap for button in panel.bar.buttons.values() if button.isVisible()]
    assert all(cap.isEnabled() for cap in caps)
    opened.top.search.setFocus()
    assert not any(cap.isEnabled() for cap in caps)
    panel.focus()
    assert all(cap.isEnabled() for cap in caps)


def test_the_number_on_the_tab_follows_verdicts_and_undo_also_behind_another_tab(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    press(panel, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: badge_of(opened) == "5")
    press(panel, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: badge_of(opened) == "6")
    wait_card(qtbot, panel, ids["hostile"])
    press(panel, Qt.Key.Key_A)
    wait_status(qtbot, opened, ids["hostile"], "applied")
    click_tab(opened, "Activity")
    qtbot.waitUntil(lambda: badge_of(opened) == "5")
    settled(qtbot, opened)  # What undo would take back is read after the change, too.
    assert opened.session is not None
    opened.session.runner.undo()
    qtbot.waitUntil(lambda: badge_of(opened) == "6")


def test_evidence_can_be_seen_without_scrolling(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    for size in ((1440, 900), (1024, 700)):
        opened.resize(*size)
        opened.reset_places()
        go(qtbot, panel, ids["start"])
        quote = panel.card.findChild(QuotedText)
        qtbot.waitUntil(lambda q=quote: q.isVisible())
        bottom = quote.mapTo(panel.card.viewport(), QPoint(0, quote.height())).y()
        assert bottom <= panel.card.viewport().height()
        caps = [button._cap for button in panel.bar.buttons.values() if button.isVisible()]
        assert all(cap.isVisible() for cap in caps), "the keys are shown"


def test_an_edit_starts_with_the_value_and_shows_how_to_apply(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    opened.resize(1024, 700)
    opened.reset_places()
    go(qtbot, panel, ids["start"])
    press(panel, Qt.Key.Key_E)
    assert next(iter(panel.form.fields)) == "value"
    for part in (panel.form.fields["value"], panel.form.apply_button):
        assert not part.visibleRegion().isEmpty()


def test_what_was_taken_back_is_no_news_after_the_next_undo(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    press(panel, Qt.Key.Key_A)
    wait_status(qtbot, opened, ids["hostile"], "applied")
    settled(qtbot, opened)
    press(panel, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: panel.bar.words.startswith("Undone"))
    settled(qtbot, opened)
    undo = opened.actions_.action("edit.undo")
    qtbot.waitUntil(undo.isEnabled)
    press(panel, Qt.Key.Key_Z, CONTROL)
    qtbot.waitUntil(lambda: "Undone" not in panel.bar.words)


@pytest.mark.parametrize("quote", ["", "…"])
def test_evidence_that_says_nothing_is_no_empty_quote(
    qtbot: QtBot, panel: Proposals, quote: str
) -> None:
    evidence = [{"source_kind": "memory", "quote": quote, "memory_id": "gone"}]
    added = panel.context.workspace.write("empty evidence", lambda w: control.propose(
        w, "create_entity", {"name": f"Saltworks {quote}", "type": "project"},
        evidence=evidence)).result
    qtbot.waitUntil(lambda: added in panel.queue.order)
    go(qtbot, panel, added)
    assert panel.card.findChild(QuotedText) is None
    assert "its words are not in this file" in texts_in(panel.card)


def test_a_narrow_window_keeps_its_menus_and_shortens_the_search(
    qtbot: QtBot, opened: MainWindow
) -> None:
    opened.resize(900, 600)
    qtbot.waitUntil(lambda: opened.top.width() == 900)
    bar = opened.top.menus
    assert all(bar.actionGeometry(action).right() < bar.width() for action in bar.actions())
    assert opened.top.search.width() < 360


def test_ids_are_not_to_be_edited(
    qtbot: QtBot, panel: Proposals, opened: MainWindow, ids: Ids
) -> None:
    assert opened.session is not None
    gone = "090a94b4-0fce-5fce-9e1b-d823def818a4"
    added = panel.context.workspace.write("By id", lambda w: control.propose(
        w, "archive_claim_value", {"attribute_id": gone, "reason": "Nobody needs it"})).result
    alone = panel.context.workspace.write("By id alone", lambda w: control.propose(
        w, "archive_claim_value", {"attribute_id": gone})).result
    qtbot.waitUntil(lambda: {added, alone} <= set(panel.queue.order))
    go(qtbot, panel, added)
    press(panel, Qt.Key.Key_E)
    qtbot.waitUntil(lambda: "reason" in panel.form.fields)
    assert gone not in " ".join(texts_in(panel.form))
    assert panel.form.payload()["attribute_id"] == gone, "it is still about the same value"
    press(panel, Qt.Key.Key_Escape)
    go(qtbot, panel, alone)
    press(panel, Qt.Key.Key_E)
    qtbot.waitUntil(lambda: "Nothing in it can be written otherwise" in " ".join(
        texts_in(panel.form)) or bool(panel.form.fields))
    assert gone not in " ".join(texts_in(panel.form))


def test_a_proposal_that_is_sure_of_nothing_says_so(
    qtbot: QtBot, panel: Proposals, opened: MainWindow
) -> None:
    session = opened.session
    assert session is not None
    unsure = session.workspace.write("Propose", lambda writer: control.propose(
        writer, "pin_entity", {"entity": "Harbor Ledger"}, reason="Perhaps", confidence=0.0)).result
    qtbot.waitUntil(lambda: panel.queue.place(unsure) is not None)
    session.selection.select_proposal(unsure)
    wait_card(qtbot, panel, unsure)
    qtbot.waitUntil(lambda: "· confidence 0, or not said" in texts_in(panel.card))
