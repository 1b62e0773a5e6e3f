"""The selection that every part of the window shares."""

import pytest
from pytestqt.qtbot import QtBot

from core.model.claims_and_assertions import Slot
from ui.selection import Selection

SLOT = Slot("e1", "a1", "attribute", "general", "start")


@pytest.fixture
def selection(qtbot: QtBot) -> Selection:
    return Selection()


def test_selecting_the_same_again_says_nothing(qtbot: QtBot, selection: Selection) -> None:
    selection.select_entity("e1")
    with qtbot.assertNotEmitted(selection.entity_changed):
        selection.select_entity("e1")


def test_a_slot_selects_its_entity(selection: Selection) -> None:
    selection.select_slot(SLOT)
    assert (selection.entity_id, selection.slot) == ("e1", SLOT)


def test_another_entity_gives_the_slot_up(selection: Selection) -> None:
    selection.select_slot(SLOT)
    selection.select_entity("e2")
    assert selection.slot is None


def test_back_and_forward_walk_the_places(selection: Selection) -> None:
    for name in ("e1", "e2", "e3"):
        selection.select_entity(name)
    selection.go_back()
    selection.go_back()
    assert selection.entity_id == "e1"
    assert not selection.can_go_back
    selection.go_forward()
    assert selection.entity_id == "e2"
    selection.select_entity("e4")
    assert not selection.can_go_forward
    selection.go_back()
    assert selection.entity_id == "e2"


def test_back_finds_the_slot_again(selection: Selection) -> None:
    selection.select_slot(SLOT)
    selection.select_entity("e2")
    selection.go_back()
    assert selection.slot == SLOT


def test_clearing_forgets_the_way_back(selection: Selection) -> None:
    selection.select_entity("e1")
    selection.select_entity("e2")
    selection.select_proposal("p1")
    selection.clear()
    assert (selection.entity_id, selection.proposal_id) == ("", "")
    assert not selection.can_go_back
