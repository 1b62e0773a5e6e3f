"""The merge wizard, by clicks and keys: pick, choose, look, merge, and take it back whole."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from core.ontology import control
from core.ontology.former_names import lead_to
from core.queries.claims import slot_of, versions
from core.queries.find_by_name_or_id import find_entity
from core.review.merge_conflicts import merge_plan
from core.store.reader_and_writer import Writer
from core.store.sidecar_file import data_folder
from tests.contracts.files import KINDS, make
from tests.core.graphs import Graph
from tests.ui.conftest import settle
from tests.ui.review_scene import press, review_of, wait_card, wait_status
from tests.ui.signet_files import RECORDS, content
from ui.dialogs.merge import MergeWizard
from ui.main_window import MainWindow
from ui.panels.entities import Entities

LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
ASPECTS, CLAIMS = 40, 10
STAYS, GOES = "Aardvark Bay", "Aardvark Bucht"

pytestmark = pytest.mark.usefixtures("only_panels_asked_for")


def _fill(writer: Writer) -> None:
    """Two entities of 40 aspects and 400 claims each, with everything that can hang on them."""
    graph = Graph(writer)
    ends = [graph.entity(f"Neighbour {at}") for at in range(6)]
    for side, name in enumerate((STAYS, GOES)):
        id = graph.entity(name, mentions=900 - side)
        lead_to(writer, f"Bay {side}", id)
        for number in range(ASPECTS):
            aspect = graph.aspect(id, f"Aspect {number if number < 30 else number + 100 * side}")
            for claim in range(CLAIMS):
                # Of the shared aspects every fourth claim differs, the others are alike.
                own = name if claim % 4 == 0 else "both"
                graph.value(aspect, f"{number}.{claim} says {own}", f"claim {claim}",
                            kind="constraint" if claim == 1 else "attribute")
        for at, end in enumerate(ends):
            graph.link(*((id, end) if at % 2 else (end, id)))
        graph.memory(f"Seen at {name}", id)
        graph.memory("Both were there", *([id] if side == 0 else [id]))
        if writer.has_table("task_meta"):
            graph.task(id)
        if writer.has_table("epistemic_assertions"):
            graph.assertion(id, f"{name} is busy")


def _wizard(qtbot: QtBot, window: MainWindow) -> MergeWizard:
    def open_one() -> MergeWizard | None:
        return next((one for one in window.findChildren(MergeWizard) if one.isVisible()), None)

    qtbot.waitUntil(lambda: open_one() is not None)
    wizard = open_one()
    assert wizard is not None
    return wizard


def _click_row(
    qtbot: QtBot, window: MainWindow, name: str, modifier: Qt.KeyboardModifier
) -> None:
    entities = window.panel("entities")
    assert isinstance(entities, Entities)

    def line() -> int:
        rows = (entities.rows.row_at(at) for at in range(entities.rows.rowCount()))
        return next((at for at, row in enumerate(rows) if row and row.name == name), -1)

    qtbot.waitUntil(lambda: line() >= 0)
    index = entities.rows.index(line(), 0)
    entities.list.scrollTo(index)
    where = entities.list.visualRect(index)
    QTest.mouseClick(entities.list.viewport(), LEFT, modifier,
                     QPoint(where.left() + 90, where.center().y()))


def _press(wizard: MergeWizard, button: QPushButton) -> None:
    QTest.mouseClick(button, LEFT)


@pytest.mark.parametrize("kind", KINDS)
def test_two_large_entities_become_one_and_undo_gives_every_row_back(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "graph.db"
    graph = make(kind, path, data_folder())
    graph.write("fill", _fill)
    graph.close()
    with qtbot.waitSignal(window.graph_shown):
        window.open_path(path)
    settle(qtbot, window)
    before = content(path)
    _click_row(qtbot, window, STAYS, Qt.KeyboardModifier.NoModifier)
    settle(qtbot, window)
    _click_row(qtbot, window, GOES, CTRL)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_M, CTRL)
    wizard = _wizard(qtbot, window)
    qtbot.waitUntil(lambda: wizard.page == "choices")
    assert wizard.plan is not None
    slots = kind != "signet-030"
    assert len(wizard.plan.claims) == (90 if slots else 0)
    if slots:
        first, second = wizard.choices.rows[:2]
        QTest.keyClick(first.box, Qt.Key.Key_Down)
        QTest.keyClick(second.box, Qt.Key.Key_End)
        QTest.keyClick(second.text, Qt.Key.Key_A, CTRL)
        QTest.keyClicks(second.text, "Said by hand")
    _press(wizard, wizard.next)
    qtbot.waitUntil(lambda: wizard.page == "result" and wizard.next.isEnabled(), timeout=30_000)
    assert not before.differences(content(path)), "looking at the result changes nothing"
    _press(wizard, wizard.next)
    qtbot.waitUntil(lambda: not window.findChildren(MergeWizard), timeout=30_000)
    settle(qtbot, window)
    _check_merged(window, slots=slots)
    window.session.runner.undo()  # type: ignore[union-attr]
    settle(qtbot, window)
    changed = before.differences(content(path))
    assert changed.keys() <= RECORDS
    assert not any(lost for lost, _ in changed.values())


def _check_merged(window: MainWindow, *, slots: bool) -> None:
    assert window.session is not None
    with window.session.workspace.read() as reader:
        row = find_entity(reader, GOES, field="x")
        assert row["name"] == STAYS, "the name that goes leads to the one that stays"
        count = reader.value(
            "SELECT COUNT(*) FROM entity_aspects WHERE entity_id = :id AND agent_id = :agent",
            id=row["id"])
        assert count == ASPECTS + 10
        if slots:
            said = reader.value("SELECT id FROM entity_attributes WHERE agent_id = :agent"
                                " AND content = 'Said by hand' AND status = 'active'")
            history = versions(reader, slot_of(reader, said))
            assert [one.value.status for one in history] == ["active", *["superseded"] * 2]
            kept = reader.rows(
                "SELECT v.content, v.status FROM entity_attributes v"
                " JOIN entity_aspects s ON s.id = v.aspect_id WHERE s.entity_id = :id"
                " AND v.agent_id = :agent AND s.name = 'Aspect 0' AND v.claim_key = 'claim 0'",
                id=row["id"])
            assert {r["content"].rpartition(" ")[0]: r["status"] for r in kept}


def _say(writer: Writer) -> None:
    for name, hour in (("North Pier", "one"), ("Pier North", "two")):
        control.apply(writer, "set_claim_value", {"entity": name, "aspect": "plan",
                                                  "claim_key": "start", "value": f"At {hour}"})


def test_from_the_menu_a_target_is_searched_and_the_two_can_be_swapped(
    qtbot: QtBot, window: MainWindow, filled_graph: Path
) -> None:
    _prepare(qtbot, window, filled_graph)
    _click_row(qtbot, window, "North Pier", Qt.KeyboardModifier.NoModifier)
    settle(qtbot, window)
    window.session.context.actions.run("entities.merge")  # type: ignore[union-attr]
    wizard = _wizard(qtbot, window)
    qtbot.waitUntil(lambda: wizard.target_page.list.count() > 0)
    assert wizard.target_page.list.item(0).text().startswith("Pier North"), "like names come first"
    QTest.keyClicks(wizard.target_page.search, "pier")
    qtbot.waitUntil(lambda: wizard.target_page.list.count() == 1)
    QTest.keyClick(wizard.target_page.search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: wizard.page == "choices")
    assert wizard.plan is not None
    assert wizard.plan.target.name == "Pier North"
    _press(wizard, wizard.swap)
    qtbot.waitUntil(lambda: wizard.plan.target.name == "North Pier")
    wizard.choices.rows[0].take("own")
    wizard.choices.rows[0].text.clear()
    _press(wizard, wizard.next)
    assert wizard.page == "choices", "own words may not be empty"
    _press(wizard, wizard.choices.all_buttons[1])
    _press(wizard, wizard.next)
    qtbot.waitUntil(lambda: wizard.page == "result" and wizard.next.isEnabled())
    _press(wizard, wizard.back)
    assert wizard.choices.rows[0].option.way == "keep", "what was chosen is still chosen"
    QTest.keyClick(wizard, Qt.Key.Key_Escape)
    assert _plan_of(window), "nothing was merged"


def test_what_changed_meanwhile_is_not_merged_unseen(
    qtbot: QtBot, window: MainWindow, filled_graph: Path
) -> None:
    _prepare(qtbot, window, filled_graph)
    wizard = _open_for(qtbot, window)
    qtbot.waitUntil(lambda: wizard.page == "choices")
    _press(wizard, wizard.next)
    qtbot.waitUntil(lambda: wizard.page == "result" and wizard.next.isEnabled())
    window.session.workspace.write("Change", lambda w: control.apply(  # type: ignore[union-attr]
        w, "set_claim_value", {"entity": "Pier North", "aspect": "plan", "claim_key": "start",
                               "value": "At three"}))
    _press(wizard, wizard.next)
    qtbot.waitUntil(lambda: bool(wizard.error))
    assert "changed since it was shown" in wizard.error
    assert _plan_of(window)
    wizard.close()


def test_a_proposed_merge_is_settled_by_edit_and_is_then_applied(
    qtbot: QtBot, window: MainWindow, filled_graph: Path
) -> None:
    _prepare(qtbot, window, filled_graph)
    id = window.session.workspace.write("Propose", lambda w: control.propose(  # type: ignore[union-attr]
        w, "merge_entities", {"target": "North Pier", "source": "Pier North"})).result
    panel = review_of(window)
    card = wait_card(qtbot, panel, id)
    assert card.colliding == 1
    press(panel, Qt.Key.Key_E)
    wizard = _wizard(qtbot, window)
    qtbot.waitUntil(lambda: wizard.page == "choices")
    wizard.choices.rows[0].take("keep", wizard.plan.sources[0].id)
    _press(wizard, wizard.next)
    qtbot.waitUntil(lambda: wizard.page == "result" and wizard.next.isEnabled())
    _press(wizard, wizard.next)
    wait_status(qtbot, window, id, "applied")
    qtbot.waitUntil(lambda: not window.findChildren(MergeWizard))
    with window.session.workspace.read() as reader:  # type: ignore[union-attr]
        values = reader.rows("SELECT content FROM entity_attributes WHERE agent_id = :agent"
                             " AND status = 'active' AND claim_key = 'start'")
    assert "At two" in [row["content"] for row in values]
    assert "At one" not in [row["content"] for row in values]


def _prepare(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    with qtbot.waitSignal(window.graph_shown):
        window.open_path(path)
    settle(qtbot, window)
    assert window.session is not None
    window.session.workspace.write("Say", _say)
    settle(qtbot, window)


def _open_for(qtbot: QtBot, window: MainWindow) -> MergeWizard:
    _click_row(qtbot, window, "North Pier", Qt.KeyboardModifier.NoModifier)
    settle(qtbot, window)
    _click_row(qtbot, window, "Pier North", CTRL)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_M, CTRL)
    return _wizard(qtbot, window)


def _plan_of(window: MainWindow) -> bool:
    """Whether both are still there."""
    assert window.session is not None
    with window.session.workspace.read() as reader:
        plan = merge_plan(reader, "North Pier", ["Pier North"])
    return plan.target.id != plan.sources[0].id
