"""A sitting on a file of Signet's, by clicks and keys alone, and all of it taken back."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.model.claims_and_assertions import Slot
from core.queries.claims import slot_of, versions
from core.queries.entities import list_entities
from tests.ui.person import CTRL, LEFT, LONG, NONE, Person
from tests.ui.review_scene import status_of, texts_in
from tests.ui.signet_files import NAMES, RECORDS, content, copy_of, faults
from tests.ui.sky_hand import drag, spot
from ui import ask_write_permission
from ui.dialogs.allow_file_changes import PermissionDialog
from ui.main_window import MainWindow
from ui.models.review_card import Card
from ui.panels.claim_history.panel import ClaimHistory
from ui.panels.entities import Entities
from ui.panels.inspector.panel import Inspector
from ui.panels.pins import Pins
from ui.panels.proposals.panel import Proposals

STAR = 20
"""Where in a row the star is."""


@pytest.fixture
def window(sky_window: MainWindow) -> MainWindow:
    return sky_window


@pytest.fixture
def person(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> Person:
    made = Person(qtbot, window)

    class Noted(PermissionDialog):
        def __init__(self, *args: object) -> None:
            super().__init__(*args)  # type: ignore[arg-type]
            made.questions.append(self)

    monkeypatch.setattr(ask_write_permission, "PermissionDialog", Noted)
    return made


@pytest.mark.parametrize("name", NAMES)
def test_a_sitting_on_a_signet_file_is_taken_back_whole(
    person: Person, name: str, tmp_path: Path
) -> None:
    path = copy_of(name, tmp_path)
    before = content(path)
    assert faults(path) == []
    open_read_only(person, path)
    chosen = an_entity(person)
    browse(person, chosen)
    assert not before.differences(content(path)), "browsing changes nothing"
    pin_and_unpin(person, chosen)
    judge(person)
    restore_a_claim(person)
    archive_and_restore(person, chosen)
    mute_and_unmute(person, chosen)
    place_in_the_sky(person, chosen)
    assert "entity_attributes" in before.differences(content(path)), "the file is written"
    undo_everything(person)
    person.window.close()
    after = content(path)
    assert after.schema == before.schema
    changed = before.differences(after)
    assert changed.keys() <= RECORDS
    assert not any(lost for lost, _ in changed.values())
    assert faults(path) == []
    assert len(person.questions) == 1, "one question for one file"


def open_read_only(person: Person, path: Path) -> None:
    window = person.window
    with person.qtbot.waitSignal(window.graph_shown, timeout=LONG):
        window.open_path(path)
    with person.qtbot.waitSignal(person.sky.settled, timeout=LONG):
        pass
    person.rest()
    assert person.workspace.kind == "signet"
    assert window.banner.isVisible()
    assert not person.workspace.allowed


def an_entity(person: Person) -> str:
    """One that is not pinned, with something to look into."""
    with person.workspace.read() as reader:
        rows = list_entities(reader)
    return next(row.id for row in rows if not row.pinned and not row.muted)


def browse(person: Person, chosen: str) -> None:
    person.find(chosen)
    name = person.row(chosen).name
    inspector = person.panel("inspector")
    assert isinstance(inspector, Inspector)
    assert inspector.face == "ready"
    assert inspector.top.name.text() == name
    assert person.sky.selected == chosen
    QTest.mouseDClick(person.sky, LEFT, NONE, spot(person.sky, chosen))
    person.wait(lambda: person.sky.trail == (chosen,))
    person.rest()
    QTest.keyClick(person.sky, Qt.Key.Key_Escape)
    assert person.sky.trail == ()
    entities = person.panel("entities")
    assert isinstance(entities, Entities)
    for row in (2, 1):
        person.click_row(entities.list, row)
    person.rest()
    person.key(Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    person.rest()
    third = entities.rows.row_at(2)
    assert third is not None
    assert person.context.selection.entity_id == third.id
    assert inspector.top.name.text() == third.name


def pin_and_unpin(person: Person, chosen: str) -> None:
    entities, pins = person.panel("entities"), person.panel("pins")
    assert isinstance(entities, Entities)
    assert isinstance(pins, Pins)
    person.click_row(entities.list, entities.rows.row_of(chosen), STAR)
    person.answer(yes=True)
    person.wait(lambda: person.row(chosen).pinned)
    person.rest()
    assert not person.window.banner.isVisible()
    assert list(person.workspace.backup_folder.glob("*.db"))
    person.click_row(pins.list, pins.rows.index_of(chosen).row(), STAR)
    person.wait(lambda: not person.row(chosen).pinned)
    person.rest()
    assert pins.rows.index_of(chosen).row() < 0


def judge(person: Person) -> None:
    """Apply one proposal and reject the next, where the file has any."""
    person.open_tab("Proposals")
    panel = person.panel("proposals")
    assert isinstance(panel, Proposals)
    if panel.face == "empty":
        assert not _can_hold_proposals(person)
        assert "there is no “Keep both”" in texts_in(panel)
        return
    applied = _decide(person, panel, "apply")
    assert status_of(person.window, applied) == "applied"
    rejected = _decide(person, panel, "reject")
    assert status_of(person.window, rejected) == "rejected"


def _can_hold_proposals(person: Person) -> bool:
    with person.workspace.read() as reader:
        return reader.has_column("ontology_proposals", "status")


def _decide(person: Person, panel: Proposals, verb: str) -> str:
    """Go to the first card that can be applied as it stands, and click."""
    for proposal in panel.queue.order:
        rows = panel.queue.list
        person.click(rows.viewport(), rows.visualRect(rows.lines.index_of(proposal)).center())
        person.rest()
        card = panel.cards.get(proposal)
        assert isinstance(card, Card)
        if verb == "apply" and card.blocked:
            continue
        person.click(panel.bar.buttons[verb])
        if verb == "reject":
            QTest.keyClicks(panel.bar.reason, "not so")
            person.click(panel.bar._reject_button)
        person.wait(lambda p=proposal: status_of(person.window, p) != "pending")
        person.rest()
        return proposal
    pytest.fail("nothing can be applied")


def restore_a_claim(person: Person) -> None:
    slot, old = _replaced(person)
    person.find(slot.entity_id)
    person.open_tab("Claim history")
    panel = person.panel("claim_history")
    assert isinstance(panel, ClaimHistory)
    person.wait(lambda: panel.face == "ready")
    item = panel.tree.item_of(slot)
    assert item is not None
    panel.tree.list.scrollToItem(item)
    person.click(panel.tree.list.viewport(),
                 panel.tree.list.visualItemRect(panel.tree.item_of(slot)).center())
    person.wait(lambda: panel.timeline.row_of(old) is not None)
    row = panel.timeline.row_of(old)
    assert row is not None
    person.wait(row.isVisible)
    panel.timeline.ensureWidgetVisible(row)
    person.click(row)
    person.rest()
    person.click(panel.compare.restore_button)
    person.wait(lambda: _active(person, old))
    person.rest()
    assert not panel.compare.refusal.isVisible()


def _replaced(person: Person) -> tuple[Slot, str]:
    """A value that another has taken the place of, and its slot."""
    with person.workspace.read() as reader:
        for row in reader.rows(
            "SELECT v.id FROM entity_attributes v JOIN entity_aspects a ON a.id = v.aspect_id"
            " JOIN entities e ON e.id = a.entity_id WHERE v.agent_id = :agent"
            " AND v.status = 'superseded' AND a.status = 'active' AND e.status = 'active'"
            " ORDER BY v.id"
        ):
            lineage = versions(reader, slot_of(reader, row["id"]))
            current = next((one for one in lineage if one.value.status == "active"), None)
            if current is not None:
                return slot_of(reader, current.value.id), row["id"]
    pytest.fail("no claim of this file has a version to go back to")


def _active(person: Person, attribute_id: str) -> bool:
    with person.workspace.read() as reader:
        return reader.value("SELECT status FROM entity_attributes WHERE id = :id",
                            id=attribute_id) == "active"


def archive_and_restore(person: Person, chosen: str) -> None:
    """A file that can't hold archived entities says so and stays as it is."""
    person.find(chosen)
    inspector, entities = person.panel("inspector"), person.panel("entities")
    window = person.window
    assert isinstance(inspector, Inspector)
    assert isinstance(entities, Entities)
    # The keyboard may still be in a field of another panel, which keeps Delete for itself.
    person.click_row(entities.list, entities.rows.row_of(chosen))
    person.key(Qt.Key.Key_Delete, CTRL)
    person.wait(lambda: window.error_bar.isVisible() or person.row(chosen).status == "archived")
    person.rest()
    if window.error_bar.isVisible():
        assert "older Signet" in window.error_bar.words.text()
        assert not _can_archive(person)
        person.click(window.error_bar.close_button)
        return
    assert _can_archive(person)
    person.click(inspector.top.banner.restore)
    person.wait(lambda: person.row(chosen).status == "active")
    person.rest()
    assert not inspector.top.banner.isVisible()


def _can_archive(person: Person) -> bool:
    with person.workspace.read() as reader:
        return reader.has_column("entities", "status")


def mute_and_unmute(person: Person, chosen: str) -> None:
    person.find(chosen)
    inspector = person.panel("inspector")
    assert isinstance(inspector, Inspector)
    for muted in (True, False):
        person.click(inspector.top.mute)
        person.wait(lambda m=muted: person.row(chosen).muted == m)
        person.rest()


def place_in_the_sky(person: Person, chosen: str) -> None:
    sky = person.sky
    person.find(chosen)
    start = spot(sky, chosen)
    drag(sky, start, start + QPoint(20, 0), start + QPoint(60, 50))
    person.rest()
    assert (spot(sky, chosen) - start - QPoint(60, 50)).manhattanLength() <= 2
    step = person.workspace.undo_step()
    assert step
    assert step.label == f"Place {person.row(chosen).name}"


def undo_everything(person: Person) -> None:
    runner = person.context.runner
    steps = 0
    while person.workspace.undo_step() is not None:
        with person.qtbot.waitSignal(runner.undone, timeout=LONG):
            person.key(Qt.Key.Key_Z, CTRL)
        person.rest()
        steps += 1
    assert steps >= 6
    assert not person.window.error_bar.isVisible()
