"""No form asks for an id: a row is chosen by what a person knows of it, by keys alone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.ontology.operation_catalog import CATALOG, find_operation
from core.ontology.row_reference_fields import row_kind
from core.queries.find_by_name_or_id import value_or_none
from core.queries.find_rows_to_choose import RowChoice, row_choices
from tests.contracts.files import make
from tests.contracts.samples import SAMPLES
from tests.ui.browse_scene import OPENS_A_MENU
from tests.ui.conftest import settle
from ui.dialogs.operation import HIDDEN, OperationDialog
from ui.dialogs.row_field import RowField, RowsField
from ui.main_window import MainWindow

WANTS_AN_ID = re.compile(r"\bids?\b", re.IGNORECASE)
NO_NAME_DOES = ("value", "link", "memory", "assertion", "source")


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "graph.db"
    make("native", path, tmp_path / "data of the window").close()
    return path


def form_of(window: MainWindow, operation: str) -> OperationDialog:
    window.actions_.run(f"operation.{operation}")
    return [form for form in window.findChildren(OperationDialog) if form.isVisible()][-1]


@OPENS_A_MENU
def test_no_field_that_wants_an_id_is_a_bare_line(qtbot: QtBot, opened: MainWindow) -> None:
    bare = []
    for name, operation in CATALOG.items():
        form = form_of(opened, name)
        for field, info in operation.fields.model_fields.items():
            assert field in HIDDEN or bool(row_kind(info)) >= bool(
                WANTS_AN_ID.search(info.description or "")), f"{name}.{field}: mark its kind"
            widget = form.fields.get(field)
            if row_kind(info) and widget is not None and not isinstance(
                    widget, RowField | RowsField):
                bare.append(f"{name}.{field}")
            assert widget is None or not re.search(r"\b(id|ids)\b", widget.accessibleName())
        form.reject()
    assert bare == []


def rows_named() -> Iterator[tuple[str, str, str]]:
    """Each operation with a field that only an id can fill, and the sample's id for it."""
    for name, operation in CATALOG.items():
        payload = SAMPLES[name].payload
        for field, info in operation.fields.model_fields.items():
            given = next((payload[alias] for alias in operation.fields.names_of(field)
                          if alias in payload), None)
            if given is not None and row_kind(info) in NO_NAME_DOES:
                yield name, field, str(given[0] if isinstance(given, list) else given)


def words_of(window: MainWindow, operation: str, field: str, id: str) -> RowChoice:
    """How the row is offered."""
    assert window.session is not None
    kind = row_kind(find_operation(operation).fields.model_fields[field])
    with window.session.workspace.read() as reader:
        row = value_or_none(reader, id) if kind == "value" else None
        gone = operation.startswith("restore")
        of = str(SAMPLES[operation].payload.get("attribute_id", ""))
        near = str(row["entity_id"]) if row is not None else "e-harbor"
        return next(each for each in row_choices(reader, str(kind), entity=near, of=of, gone=gone)
                    if each.id == id)


def choose(qtbot: QtBot, field: QWidget, wanted: RowChoice, typed: str) -> None:
    """Type words of it, go down to it, and take it."""
    line = field.field if isinstance(field, RowsField) else field
    assert isinstance(line, RowField)
    line.setFocus()
    qtbot.waitUntil(line.hasFocus)
    line.clear()
    if typed:
        QTest.keyClicks(line, typed)
    else:
        QTest.keyClick(line, Qt.Key.Key_Down)

    def found() -> bool:
        model = line.offer.completionModel()
        return line.popup.isVisible() and any(
            model.index(at, 0).data() == wanted.words for at in range(model.rowCount()))

    qtbot.waitUntil(found)
    for _ in range(line.offer.completionModel().rowCount()):
        if line.popup.currentIndex().data() == wanted.words:
            break
        QTest.keyClick(line.popup, Qt.Key.Key_Down)
    QTest.keyClick(line.popup, Qt.Key.Key_Return)
    assert not line.popup.isVisible()


@OPENS_A_MENU
def test_every_row_of_the_catalogue_is_chosen_by_its_words_with_keys(
    qtbot: QtBot, opened: MainWindow
) -> None:
    seen = set()
    for name, field, id in rows_named():
        form = form_of(opened, name)
        of = form.fields.get("attribute_id")
        if field == "source" and isinstance(of, RowField):
            of.setText(str(SAMPLES[name].payload["attribute_id"]))
        wanted = words_of(opened, name, field, id)
        typed = "" if field == "source" else " ".join(
            re.findall(r"\w+", wanted.words)[-1:] + re.findall(r"\w+", wanted.words)[:1])
        choose(qtbot, form.fields[field], wanted, typed)
        given = form.payload()[field]
        assert given in (id, [id]), f"{name}.{field}"
        seen.add(row_kind(find_operation(name).fields.model_fields[field]))
        form.reject()
    assert seen == set(NO_NAME_DOES)


@OPENS_A_MENU
def test_a_claim_that_was_chosen_is_moved_and_its_form_names_it(
    qtbot: QtBot, opened: MainWindow
) -> None:
    form = form_of(opened, "move_claim")
    wanted = words_of(opened, "move_claim", "attribute_id", "v-seven")
    assert wanted.words == "Harbor Ledger › Schedule · start time: seven"
    choose(qtbot, form.fields["attribute_id"], wanted, "harbor seven")
    assert form.fields["attribute_id"].text() == wanted.words
    QTest.keyClicks(form.fields["aspect"], "Timing")
    with qtbot.waitSignal(form.finished):
        QTest.keyClick(form, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert opened.session is not None
    with opened.session.workspace.read() as reader:
        row = value_or_none(reader, "v-seven")
        assert row is not None
        assert row["aspect"] == "Timing"


@OPENS_A_MENU
def test_the_form_begins_with_the_value_that_is_selected(qtbot: QtBot, opened: MainWindow) -> None:
    assert opened.session is not None
    opened.session.selection.select_entity("e-harbor")
    settle(qtbot, opened)
    with opened.session.workspace.read() as reader:
        from core.queries.claims import slot_of  # noqa: PLC0415

        slot = slot_of(reader, "v-seven")
    opened.session.selection.select_slot(slot, "v-seven")
    settle(qtbot, opened)
    for name in ("set_review_date", "weigh_claim", "move_claim", "archive_claim_value"):
        form = form_of(opened, name)
        field = form.fields["attribute_id"]
        assert isinstance(field, RowField)
        qtbot.waitUntil(lambda field=field: field.text().endswith("start time: seven"))
        assert form.payload()["attribute_id"] == "v-seven"
        form.reject()


@OPENS_A_MENU
def test_an_id_may_still_be_typed_and_escape_only_closes_the_offer(
    qtbot: QtBot, opened: MainWindow
) -> None:
    form = form_of(opened, "archive_link")
    field = form.fields["id"]
    assert isinstance(field, RowField)
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    QTest.keyClicks(field, "harbor")
    qtbot.waitUntil(field.popup.isVisible)
    QTest.keyClick(field.popup, Qt.Key.Key_Escape)
    assert not field.popup.isVisible()
    assert form.isVisible()
    field.clear()
    QTest.keyClicks(field, "d-uses")
    assert form.payload()["id"] == "d-uses"
    form.reject()


@OPENS_A_MENU
def test_several_rows_are_chosen_and_taken_out_again(qtbot: QtBot, opened: MainWindow) -> None:
    form = form_of(opened, "split_entity")
    field = form.fields["values"]
    assert isinstance(field, RowsField)
    for id in ("v-seven", "v-raw"):
        wanted = words_of(opened, "split_entity", "values", id)
        choose(qtbot, field, wanted, " ".join(re.findall(r"\w+", wanted.words)[-2:]))
    assert form.payload()["values"] == ["v-seven", "v-raw"]
    chip = [chip for chip in field.findChildren(QWidget) if "seven" in chip.accessibleName()][-1]
    qtbot.waitUntil(chip.isVisible)
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert form.payload()["values"] == ["v-raw"]
    form.reject()
