"""What a person reads in the window stands in the order in which an agent reads it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from core.model.text_formatting import one_line, unturned
from core.ontology import control
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.ui.review_scene import add_proposals, settled
from ui.main_window import MainWindow
from ui.panels import PANELS
from ui.panels.inspector.panel import Inspector

TURNED = "\u202egnp.evil\u202c \u2067and\u2069 so on"
SHOWN = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)


@pytest.fixture(name="graph")
def turned_graph(graph: Path) -> Path:
    """A graph in which every kind of text turns round."""
    def fill(writer: Writer) -> None:
        made = Graph(writer)
        entity = made.entity(TURNED, "tool", id="turned", mentions=99, pinned=1,
                             description=TURNED, archive_reason=TURNED)
        aspect = made.aspect(entity, TURNED, id="aspect")
        made.history(aspect, TURNED, TURNED, f"{TURNED} now")
        made.value(aspect, TURNED, "rule", kind="constraint")
        made.link(entity, made.entity(f"{TURNED} too"), TURNED, reason=TURNED)
        made.memory(TURNED, entity, who=TURNED, why=TURNED)
        control.propose(writer, "set_claim_value", {
            "entity": TURNED, "aspect": TURNED, "claim_key": TURNED, "value": f"{TURNED} then"},
            reason=TURNED)

    add_proposals(graph)
    with_them = Workspace.open(graph)
    with_them.write("Turn", fill, actor=TURNED)
    with_them.close()
    return graph


def texts(window: QWidget) -> Iterator[tuple[str, str]]:
    """Every text that is shown, and by what."""
    for widget in window.findChildren(QWidget):
        name = type(widget).__name__
        yield f"{name} tip", widget.toolTip()
        if isinstance(widget, QLabel | QAbstractButton | QLineEdit):
            yield name, widget.text()
        elif isinstance(widget, QPlainTextEdit | QTextEdit):
            yield name, widget.toPlainText()
        elif isinstance(widget, QComboBox):
            yield from ((name, widget.itemText(at)) for at in range(widget.count()))
        elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
            yield from ((name, text) for text in items(widget.model(), QModelIndex()))
        for action in widget.actions():
            yield f"{name} action", action.text()


def items(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[str]:
    for row in range(model.rowCount(parent)):
        column = 0
        while (index := model.index(row, column, parent)).isValid():
            yield from (str(index.data(role) or "") for role in SHOWN)
            column += 1
        if not isinstance(model, QAbstractListModel):
            yield from items(model, model.index(row, 0, parent))


def test_no_text_of_the_window_turns_its_letters_round(qtbot: QtBot, opened: MainWindow) -> None:
    assert opened.session is not None
    opened.session.selection.select_entity("turned")
    said, turning = set[str](), set[tuple[str, str, str]]()
    for kind in PANELS:
        panel = opened.show_panel(kind.name)
        settled(qtbot, opened)
        if isinstance(panel, Inspector):
            panel.grab()
        for by, text in texts(opened):
            said.add(text)
            if text != unturned(text):
                turning.add((kind.name, by, text))
    assert any(unturned("\u202egnp.evil\u202c") in text for text in said)
    assert turning == set()


@pytest.mark.parametrize("text", ["שלום עולם", "مرحبا 12 بالعالم", "a\u2068שם\u2069b", "plain"])
def test_what_is_written_from_right_to_left_stays_as_it_is(text: str) -> None:
    assert unturned(text) == text
    assert one_line(text) == text
