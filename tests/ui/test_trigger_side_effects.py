"""A step that triggers of the file make much larger asks first in the window."""

import sqlite3
from contextlib import closing
from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.ontology.control import apply
from ui.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton
FACTS = 25


def test_the_rows_and_tables_are_named_and_one_click_goes_on(
    opened: MainWindow, graph: Path, qtbot: QtBot
) -> None:
    assert opened.session is not None
    workspace = opened.session.workspace
    for number in range(FACTS):
        workspace.write("fill", lambda w, n=number: apply(w, "set_claim_value", {
            "entity": "Harbor Ledger", "aspect": "facts", "claim_key": f"fact {n}",
            "value": f"Fact {n}"}))
    with closing(sqlite3.connect(graph)) as other, other:
        other.execute("CREATE TRIGGER harm AFTER UPDATE OF pinned ON entities BEGIN"
                      " UPDATE entity_attributes SET confidence = 0.1; END")
    with qtbot.waitSignal(opened.session.runner.more_than_asked):
        opened.session.runner.write("Pin", lambda w: apply(
            w, "pin_entity", {"entity": "Harbor Ledger"}))
    bar = opened.error_bar
    qtbot.waitUntil(bar.isVisible)
    assert "entity_attributes" in bar.words.text()
    assert _pinned(graph) == []
    (anyway,) = bar.ways
    assert anyway.text() == f"Change all {FACTS + 2} rows too"
    with qtbot.waitSignal(opened.session.runner.wrote):
        qtbot.mouseClick(anyway, LEFT)
    assert _pinned(graph) == ["Harbor Ledger"]
    assert not bar.isVisible()


def _pinned(graph: Path) -> list[str]:
    with closing(sqlite3.connect(graph)) as other:
        return [row[0] for row in other.execute("SELECT name FROM entities WHERE pinned")]
