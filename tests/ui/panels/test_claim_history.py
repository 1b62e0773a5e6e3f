"""The claim history in the real window: read the versions, compare them, put one back."""

from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.model.claims_and_assertions import Aspect, Claim, Group, Slot, Value
from core.ontology import control
from core.queries.claims import slot_of
from core.queries.entities import find_entity
from core.store.reader_and_writer import Writer, new_id
from core.workspace import Workspace
from tests.ui.review_scene import HOSTILE, add_proposals, press, settled, texts_in
from ui.main_window import MainWindow
from ui.models.claim_history import Tree, byline
from ui.panels.claim_history.panel import ClaimHistory
from ui.panels.claim_history.timeline import AT_ONCE, PAGE, VersionRow
from ui.panels.claim_history.tree import ClaimTree
from ui.theme import Theme
from ui.widgets.highlighted_text import QuotedText

LEFT = Qt.MouseButton.LeftButton
VALUES = ("Starts at 01:00", "Starts at 02:00", "Starts every night at 02:00")


def fill(writer: Writer) -> None:
    """A third version, a constraint, two values side by side, values without a claim key."""
    claim = {"entity": "Harbor Ledger", "aspect": "schedule"}
    control.apply(writer, "set_claim_value", {**claim, "claim_key": "start", "value": VALUES[2]},
                  reason="The export comes later", confidence=0.8)
    control.apply(writer, "set_claim_value", {**claim, "claim_key": "freeze", "value": HOSTILE,
                                              "kind": "constraint"})
    for value in ("Mondays", "Fridays"):
        control.apply(writer, "add_claim_value", {**claim, "claim_key": "days", "value": value})
    aspect = writer.value("SELECT id FROM entity_aspects WHERE canonical_name = 'schedule'")
    for content in ("A loose remark", "Another remark"):
        key = new_id()
        writer.insert("entity_attributes", id=key, aspect_id=aspect, agent_id=writer.agent,
                      kind="attribute", content=content, normalized_content=content.lower(),
                      confidence=0.6, version_root_id=key, created_at=writer.now(),
                      updated_at=writer.now())


@pytest.fixture
def graph(graph: Path) -> Path:
    workspace = Workspace.open(graph)
    workspace.write("Fill", fill)
    workspace.close()
    add_proposals(graph, ("rival",))
    return graph


@pytest.fixture
def panel(qtbot: QtBot, opened: MainWindow) -> ClaimHistory:
    """The panel with the start of Harbor Ledger's schedule."""
    opened.resize(1400, 900)
    opened.activateWindow()
    qtbot.waitUntil(opened.isActiveWindow)
    found = opened.show_panel("claim_history")
    assert isinstance(found, ClaimHistory)
    session = opened.session
    assert session is not None
    with session.workspace.read() as reader:
        row = find_entity(reader, "Harbor Ledger")
        slot = slot_of(reader, attribute_id(opened, VALUES[2]))
    session.selection.select_entity(row.id)
    session.selection.select_slot(slot)
    wait_versions(qtbot, found, 3)
    settled(qtbot, opened)
    return found


def attribute_id(window: MainWindow, content: str) -> str:
    assert window.session is not None
    with window.session.workspace.read() as reader:
        return str(reader.value("SELECT id FROM entity_attributes WHERE content = :c", c=content))


def wait_versions(qtbot: QtBot, panel: ClaimHistory, count: int) -> None:
    qtbot.waitUntil(lambda: panel.face == "ready" and len(panel.timeline.rows) == count)


def in_force(window: MainWindow) -> list[str]:
    assert window.session is not None
    with window.session.workspace.read() as reader:
        return [row["content"] for row in reader.rows(
            "SELECT content FROM entity_attributes WHERE claim_key = 'start'"
            " AND status = 'active'")]


def slot_with(window: MainWindow, content: str) -> Slot:
    assert window.session is not None
    with window.session.workspace.read() as reader:
        return slot_of(reader, attribute_id(window, content))


@pytest.mark.parametrize("width", [210, 250, 550])
def test_the_head_of_a_version_goes_on_in_the_next_line_where_it_has_no_room(
    qtbot: QtBot, panel: ClaimHistory, theme: Theme, width: int
) -> None:
    history = panel._history
    assert history is not None
    one = history.versions[1]
    rule = replace(one, who="dreaming", value=replace(one.value, kind="constraint"))
    row = VersionRow(theme, rule, None)
    qtbot.addWidget(row)
    row.resize(width, row.heightForWidth(width))
    row.show()
    shown = [part for part in row.findChildren(QLabel) if part is not row.words]
    cut = [part.text() for part in shown if part.width() < part.sizeHint().width()]
    assert cut in ([], [byline(rule)])
    for part in shown:
        assert part.geometry().right() <= width
        assert part.width() > 100 or part.text() not in cut


def test_versions_stand_newest_first_with_status_and_what_differs(panel: ClaimHistory) -> None:
    names = [row.accessibleName() for row in panel.timeline.rows]
    assert [name.split(",")[:2] for name in names] == [
        ["version 3", " current"], ["version 2", " superseded"], ["version 1", " superseded"]]
    newest = panel.timeline.rows[0].words.text()
    assert "every night" in newest
    assert "font-weight:600" in newest, "what is new is lit"
    assert "line-through" not in panel.timeline.rows[2].words.text(), "the first replaces nothing"


def test_the_ground_of_a_version_names_its_proposal(panel: ClaimHistory) -> None:
    shown = texts_in(panel.ground)
    assert "Evidence for version 3" in shown
    assert "The export comes later" in shown
    assert "proposal 0.80 · applied by you" in shown


def test_what_waits_for_the_claim_leads_to_its_review(
    qtbot: QtBot, panel: ClaimHistory, opened: MainWindow
) -> None:
    assert "1 pending change" in texts_in(panel.timeline)
    item = panel.tree.item_of(panel.slot)
    assert item is not None
    assert item.text(1) == "1 pending"
    panel.timeline.review_wanted.emit(panel.timeline._history.pending[0])  # type: ignore[union-attr]
    qtbot.waitUntil(opened.docks.panel("proposals").isVisible)


def test_restore_by_click_and_undo(
    qtbot: QtBot, panel: ClaimHistory, opened: MainWindow
) -> None:
    row = panel.timeline.rows[2]
    qtbot.mouseClick(row, LEFT)
    assert panel.compare.restore_button.text() == "Restore version 1"
    qtbot.mouseClick(panel.compare.restore_button, LEFT)
    qtbot.waitUntil(lambda: in_force(opened) == [VALUES[0]])
    qtbot.waitUntil(lambda: panel.timeline.rows[2].accessibleName().startswith(
        "version 1, current"))
    assert panel.chosen_id == attribute_id(opened, VALUES[0])
    settled(qtbot, opened)
    opened.actions_.run("edit.undo")
    qtbot.waitUntil(lambda: in_force(opened) == [VALUES[2]])


def test_the_current_version_offers_the_one_before(panel: ClaimHistory) -> None:
    assert panel.compare.restore_button.text() == "Restore version 2"


def test_keys_go_through_the_versions_and_restore(
    qtbot: QtBot, panel: ClaimHistory, opened: MainWindow
) -> None:
    panel.timeline.setFocus()
    press(panel, Qt.Key.Key_Down)
    assert panel.chosen_id == attribute_id(opened, VALUES[1])
    press(panel, Qt.Key.Key_End)
    assert panel.chosen_id == attribute_id(opened, VALUES[0])
    press(panel, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: in_force(opened) == [VALUES[0]])


def test_a_refused_restore_says_why_in_place(
    qtbot: QtBot, panel: ClaimHistory, opened: MainWindow
) -> None:
    session = opened.session
    assert session is not None
    session.workspace.write("Remove", lambda w: w.delete_where(
        "entity_attributes", "content = :gone", gone=VALUES[1]))
    qtbot.mouseClick(panel.compare.restore_button, LEFT)
    qtbot.waitUntil(lambda: "changed since it was shown" in panel.compare.refusal.text())
    settled(qtbot, opened)
    assert panel.compare.refusal.isVisible()


def test_any_two_versions_are_compared_by_words(panel: ClaimHistory) -> None:
    button = panel.compare.restore_button
    assert button.text() == "Restore version 2"
    assert panel.compare.others.currentText().startswith("v2"), "what the button would change"
    assert "01:00" not in panel.compare.words
    assert "every night" in panel.compare.words
    first = panel.compare.others.count() - 1
    panel.compare.others.setCurrentIndex(first)
    panel.compare.others.activated.emit(first)
    assert "01:00" in panel.compare.words


def test_an_old_version_is_compared_with_the_one_in_force(
    qtbot: QtBot, panel: ClaimHistory
) -> None:
    qtbot.mouseClick(panel.timeline.rows[-1], LEFT)
    qtbot.waitUntil(lambda: panel.compare.restore_button.text() == "Restore version 1")
    assert panel.compare.others.currentText().startswith("v3"), "which it would replace"


def test_a_click_in_the_tree_selects_the_slot(
    qtbot: QtBot, panel: ClaimHistory, opened: MainWindow
) -> None:
    slot = slot_with(opened, "Mondays")
    spot = panel.tree.list.visualItemRect(panel.tree.item_of(slot)).center()
    qtbot.mouseClick(panel.tree.list.viewport(), LEFT, pos=spot)
    assert not panel.compare.isEnabled(), "it still shows a version of the claim before"
    wait_versions(qtbot, panel, 2)
    assert panel.compare.isEnabled()
    assert opened.session is not None
    assert opened.session.selection.slot is not None
    assert opened.session.selection.slot.claim_key == "days"
    assert {row.accessibleName().split(",")[1] for row in panel.timeline.rows} == {" current"}
    assert all("line-through" not in row.words.text() for row in panel.timeline.rows), (
        "values that stand side by side replace nothing")


def test_a_value_without_a_claim_stands_alone(
    qtbot: QtBot, panel: ClaimHistory, opened: MainWindow
) -> None:
    assert opened.session is not None
    opened.session.selection.select_slot(slot_with(opened, "A loose remark"))
    wait_versions(qtbot, panel, 1)
    assert "A loose remark" in panel.timeline.rows[0].accessibleName()
    assert not panel.compare.restore_button.isEnabled()
    assert panel.compare._comparing.isHidden()


def test_an_imported_value_has_no_empty_quotation_marks(
    qtbot: QtBot, panel: ClaimHistory, opened: MainWindow
) -> None:
    assert opened.session is not None
    loose = attribute_id(opened, "A loose remark")
    opened.session.workspace.write("Imported", lambda writer: writer.update(
        "entity_attributes", loose, source_kind="import", source_path="memories.jsonl"))
    opened.session.selection.select_slot(slot_with(opened, "A loose remark"))
    wait_versions(qtbot, panel, 1)
    qtbot.waitUntil(lambda: "import" in texts_in(panel.ground))
    assert not [quote for quote in panel.ground.findChildren(QuotedText)
                if quote.isVisible() and "“”" in quote.text()]


def test_an_entity_without_a_slot_shows_its_richest_claim(
    qtbot: QtBot, panel: ClaimHistory, opened: MainWindow
) -> None:
    selection = opened.session.selection  # type: ignore[union-attr]
    with opened.session.workspace.read() as reader:  # type: ignore[union-attr]
        other = find_entity(reader, "Ines Duarte")
    entity = selection.entity_id
    selection.select_entity(other.id)
    qtbot.waitUntil(lambda: panel.face == "empty")
    selection.select_entity(entity)
    wait_versions(qtbot, panel, 3)
    assert panel.slot is not None
    assert panel.slot.claim_key == "start"


def test_a_new_version_from_elsewhere_keeps_what_is_looked_at(
    qtbot: QtBot, panel: ClaimHistory, opened: MainWindow
) -> None:
    qtbot.mouseClick(panel.timeline.rows[1], LEFT)
    chosen = panel.chosen_id
    session = opened.session
    assert session is not None
    session.workspace.write("Set", lambda w: control.apply(w, "set_claim_value", {
        "entity": "Harbor Ledger", "aspect": "schedule", "claim_key": "start", "value": "Never"}))
    wait_versions(qtbot, panel, 4)
    assert panel.chosen_id == chosen
    assert panel.timeline.rows[2].attribute_id == chosen


def test_hostile_text_is_shown_as_it_is(
    qtbot: QtBot, panel: ClaimHistory, opened: MainWindow
) -> None:
    assert opened.session is not None
    opened.session.selection.select_slot(slot_with(opened, HOSTILE))
    wait_versions(qtbot, panel, 1)
    settled(qtbot, opened)
    for found in panel.findChildren(QLabel):
        if found.textFormat() == Qt.TextFormat.RichText:
            assert "<img" not in found.text()
            assert "<script" not in found.text()
    assert "&lt;img" in panel.timeline.rows[0].words.text()


def test_no_entity_says_what_the_place_is_for(panel: ClaimHistory, opened: MainWindow,
                                              qtbot: QtBot) -> None:
    assert opened.session is not None
    opened.session.selection.clear()
    qtbot.waitUntil(lambda: panel.face == "empty")


def claim(at: int, group: str) -> Claim:
    value = Value(f"v{at}", "a", "e", "attribute", f"value {at}", group, f"claim_{at}", "active", 1,
                  f"v{at}", None, None, 0.8, 0.5, None, None, None, None, None, None, None, None,
                  "2026-05-01T10:00:00Z", "2026-05-01T10:00:00Z")
    return Claim(f"claim_{at}", group, "attribute", (value,), 1)


def test_only_the_claims_that_are_shown_have_rows_and_any_can_be_gone_to(
    qtbot: QtBot, theme: Theme
) -> None:
    groups = tuple(Group(name, tuple(claim(at, name) for at in range(start, start + 1500)))
                   for name, start in (("general", 0), ("more", 1500)))
    tree = ClaimTree(theme)
    qtbot.addWidget(tree)
    tree.resize(300, 400)
    tree.show()
    aspect = Aspect("a", "e", "big", 0.5, "active", "2026-05-01T10:00:00Z", groups)
    tree.show_tree(Tree("e", "Big", (aspect,)), None)
    top = tree.list.topLevelItem(0)
    assert top.childCount() == 0, "closed at first"

    wanted = groups[1].claims[700].values[0].slot
    tree.show_slot(wanted)
    shown = tree.list.currentItem()
    assert shown.text(0) == "claim 2200"
    assert tree.list.visualItemRect(shown).isValid()
    assert shown.parent().text(0) == "more"
    assert shown.parent().childCount() == 702, "these, and a row that offers more"

    more = shown.parent().child(701)
    assert more.text(0) == "200 more of 799"
    tree.list.scrollToItem(more)
    qtbot.mouseClick(tree.list.viewport(), LEFT, pos=tree.list.visualItemRect(more).center())
    qtbot.waitUntil(lambda: shown.parent().childCount() == 902)
    assert tree.list.currentItem().text(0) == "claim 2201"
    assert top.childCount() == 202, "200 of the general ones, more of them, and the group"


def _grow(writer: Writer) -> None:
    aspect = writer.value("SELECT id FROM entity_aspects WHERE canonical_name = 'schedule'")
    row = {"aspect_id": aspect, "agent_id": writer.agent, "kind": "attribute", "confidence": 0.6,
           "group_key": "general", "created_at": writer.now(), "updated_at": writer.now()}
    writer.insert_many("entity_attributes", [
        {**row, "id": f"many{n:03d}", "version_root_id": f"many{n:03d}", "content": f"value {n}",
         "normalized_content": f"value {n}", "claim_key": f"many {n}", "importance": 0.4}
        for n in range(450)])


def test_claims_that_were_not_read_are_counted_and_come_by_a_click(
    qtbot: QtBot, panel: ClaimHistory, opened: MainWindow
) -> None:
    assert opened.session is not None
    opened.session.workspace.write("Grow", _grow)

    def lines() -> list[str]:
        top = panel.tree.list.topLevelItem(0)
        return [top.child(at).text(0) for at in range(top.childCount())] if top else []

    def read() -> int:
        assert panel._tree is not None
        return sum(len(claim.values) for group in panel._tree.aspects[0].groups
                   for claim in group.claims)

    qtbot.waitUntil(lambda: bool(lines()) and "more of" in lines()[-1])
    every = read() + int(lines()[-1].split()[-1])
    assert every > 450 > read()
    for _ in range(3):
        more = panel.tree.list.topLevelItem(0).child(len(lines()) - 1)
        before, first = len(lines()), panel.tree._claims
        panel.tree.list.scrollToItem(more)
        qtbot.mouseClick(panel.tree.list.viewport(), LEFT,
                         pos=panel.tree.list.visualItemRect(more).center())
        qtbot.waitUntil(lambda before=before: len(lines()) > before)
        assert first is not panel.tree._claims, "they are read when they are asked for"
        shown = panel.tree.list.currentItem()
        assert shown.text(0) == lines()[before - 1], "the keyboard goes to the first of them"
        if " more" not in lines()[-1]:
            break
    assert read() == every


def test_a_claim_far_down_is_listed_when_it_is_gone_to(
    qtbot: QtBot, panel: ClaimHistory, opened: MainWindow
) -> None:
    assert opened.session is not None
    opened.session.workspace.write("Grow", _grow)
    qtbot.waitUntil(lambda: panel._tree is not None and any(
        group.unread for aspect in panel._tree.aspects for group in aspect.groups))
    with opened.session.workspace.read() as reader:
        slot = slot_of(reader, "many449")
    opened.session.selection.select_slot(slot)
    qtbot.waitUntil(lambda: panel.tree.list.currentItem() is not None
                    and panel.tree.list.currentItem().text(0) == "many 449")
    wait_versions(qtbot, panel, 1)
    assert panel._tree is not None
    assert any(group.unread for aspect in panel._tree.aspects for group in aspect.groups)


def test_of_thousands_of_versions_only_those_that_are_shown_are_made(
    qtbot: QtBot, panel: ClaimHistory, opened: MainWindow
) -> None:
    def grow(writer: Writer) -> None:
        row = dict(writer.row("SELECT * FROM entity_attributes WHERE content = :c", c=VALUES[2])
                   or {})
        writer.insert_many("entity_attributes", [
            {**{name: row[name] for name in ("aspect_id", "agent_id", "kind", "confidence",
                                             "group_key", "claim_key", "created_at")},
             "id": f"old{n:03d}", "content": f"old {n}", "normalized_content": f"old {n}",
             "status": "superseded", "superseded_by": row["id"], "version": n + 10,
             "updated_at": writer.now()} for n in range(400)])

    assert opened.session is not None
    opened.session.workspace.write("Grow", grow)
    wait_versions(qtbot, panel, PAGE)
    settled(qtbot, opened)
    assert panel._history is not None
    assert panel.compare.others.count() > 400
    assert panel.compare.others.isVisible()
    assert len(panel._history.versions._made) < PAGE + 10


def test_a_long_history_is_shown_a_few_versions_at_a_time(
    qtbot: QtBot, panel: ClaimHistory, opened: MainWindow
) -> None:
    """So that the window never stands still for it; what is as it was is not made again."""
    assert opened.session is not None
    workspace = opened.session.workspace
    workspace.write("Set", lambda writer: [control.apply(writer, "set_claim_value", {
        "entity": "Harbor Ledger", "aspect": "schedule", "claim_key": "start",
        "value": f"at {at:02d}"}) for at in range(60)])
    made: list[int] = []
    go_on = panel.timeline._go_on
    panel.timeline._next.timeout.disconnect()
    panel.timeline._next.timeout.connect(lambda: (go_on(), made.append(len(panel.timeline.rows))))
    wait_versions(qtbot, panel, PAGE)
    assert max(after - before for before, after in pairwise((0, *made))) <= 2 * AT_ONCE
    assert panel.timeline._below is not None
    assert panel.timeline._below.text() == "show 23 of 23 older versions"
    assert panel.compare.others.count() == 62
    assert panel.compare.others.currentText().startswith("v63 "), "the one in force"
    before = list(panel.timeline.rows)
    workspace.write("Set", lambda writer: control.apply(writer, "set_claim_value", {
        "entity": "Harbor Ledger", "aspect": "schedule", "claim_key": "start", "value": "last"}))
    qtbot.waitUntil(lambda: "last" in panel.timeline.rows[0].accessibleName())
    qtbot.waitUntil(lambda: len(panel.timeline.rows) == PAGE)
    assert panel.timeline.rows[2:] == before[1:PAGE - 1]
    panel.timeline._show_more()
    qtbot.waitUntil(lambda: len(panel.timeline.rows) == 64)
