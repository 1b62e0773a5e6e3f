"""No word that a person reads is cut: all labels and buttons in sight have the room they need."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QLineEdit,
    QScrollArea,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from core.ontology.operation_catalog import CATALOG
from tests.ui.browse_scene import select
from tests.ui.conftest import settle
from tests.ui.review_scene import review_graph, review_ids  # noqa: F401 - fixtures
from ui.context import Context
from ui.dialogs.key_sheet import KeySheet
from ui.dialogs.operation import OperationDialog
from ui.dialogs.operation_fields import LONG_HEIGHT
from ui.dialogs.settings import SettingsDialog
from ui.main_window import MainWindow
from ui.panels.claim_history.panel import ClaimHistory
from ui.panels.proposals.panel import Proposals
from ui.theme import Theme, dress
from ui.widgets.fitting_row import FittingRow
from ui.widgets.labels import LEAST, ElidedLabel, label
from ui.widgets.link_button import link_button

pytestmark = pytest.mark.usefixtures("every_panel")

SIZES = (QSize(800, 500), QSize(1280, 800), QSize(1440, 900))



def in_sight(root: QWidget) -> Iterator[QWidget]:
    for widget in root.findChildren(QWidget):
        if widget.isVisible() and not widget.visibleRegion().isEmpty():
            yield widget


def needed(part: QWidget) -> QSize:
    """The least room for the words of a label or button; nothing for what has none."""
    if isinstance(part, ElidedLabel):
        return QSize(min(LEAST, part.sizeHint().width()), 0)
    if isinstance(part, QLabel) and part.wordWrap():
        return QSize(0, part.heightForWidth(part.width()))
    if isinstance(part, QLabel) and part.text():
        return part.sizeHint()
    # Qt gives the arrows beside many tabs a width of its own.
    if isinstance(part, QAbstractButton) and not isinstance(part.parent(), QLineEdit | QTabBar):
        return QSize(part.sizeHint().width(), 0)
    return QSize(0, 0)


def cut(root: QWidget) -> list[str]:
    """What lacks room, in words for the message of the failing test."""
    return [f"{part.text()!r} has {part.size().toTuple()}, needs {needed(part).toTuple()}"
            for part in in_sight(root)
            if part.width() < needed(part).width() or part.height() < needed(part).height()]


def cut_at_all_sizes(qtbot: QtBot, window: MainWindow, where: str) -> dict[str, list[str]]:
    short = {}
    for size in SIZES:
        window.resize(size)
        settle(qtbot, window)
        QTest.qWait(1)
        assert window.size() == size
        short[f"{where} at {size.width()} x {size.height()}"] = cut(window)
    return short


def test_no_label_and_no_button_of_the_window_is_cut(qtbot: QtBot, opened: MainWindow) -> None:
    entities = opened.panel("entities")
    QTest.keyClick(entities.list, Qt.Key.Key_Home)
    QTest.keyClick(entities.list, Qt.Key.Key_Return)
    short = {}
    for name in opened.docks.names:
        opened.show_panel(name)
        short |= cut_at_all_sizes(qtbot, opened, name)
    opened.actions_.run("view.review")
    short |= cut_at_all_sizes(qtbot, opened, "review")
    faults = [f"{where}: {words}" for where, words in short.items() if words]
    assert not faults, "\n".join(faults)


def test_every_menu_is_whole_at_800_by_500(qtbot: QtBot, opened: MainWindow) -> None:
    for size in (SIZES[1], SIZES[0]):
        opened.resize(size)
        settle(qtbot, opened)
        QTest.qWait(1)
        bar = opened.top.menus
        boxes = [bar.actionGeometry(action) for action in bar.actions()]
        assert len(boxes) == 6
        assert all(bar.rect().contains(box) for box in boxes)
        assert opened.top.rect().contains(bar.geometry())
    assert opened.top.brand.isHidden(), "the program's name gives way to its menus"
    opened.resize(SIZES[1])
    QTest.qWait(1)
    assert not opened.top.brand.isHidden()


def test_no_field_of_any_form_is_cut_on_a_low_screen(
    qtbot: QtBot, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    low = QRect(0, 0, 800, 500)
    for module in ("ui.screen_fit", "ui.widgets.dialogs"):
        monkeypatch.setattr(f"{module}.free_area", lambda _: low)
    for operation in CATALOG:
        form = OperationDialog(context, operation)
        qtbot.addWidget(form)
        form.show()
        assert form.height() <= low.height(), operation
        boxes = [field.geometry() for field in form.fields.values()]
        assert not any(above.intersects(below) for above, below in pairwise(boxes)), operation
        squeezed = [name for name, field in form.fields.items()
                    if field.height() < min(field.minimumSizeHint().height(), LONG_HEIGHT)]
        assert not squeezed, operation
        assert not cut(form), operation
        form.reject()


def test_the_groups_of_the_settings_are_whole(qtbot: QtBot, opened: MainWindow) -> None:
    opened.actions_.run("app.settings")
    dialog = opened.findChild(SettingsDialog)
    groups, wide = dialog.groups, dialog.groups.fontMetrics().horizontalAdvance
    room = groups.viewport().width() - (0 if groups.verticalScrollBar().isVisible() else 10)
    assert all(wide(groups.item(at).text()) + 8 <= room for at in range(groups.count()))
    dialog.reject()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.width()}x{size.height()}")
def test_the_key_sheet_scrolls_only_up_and_down(
    qtbot: QtBot, opened: MainWindow, size: QSize
) -> None:
    opened.resize(size)
    QTest.keyClick(opened, Qt.Key.Key_Question)
    qtbot.waitUntil(lambda: opened.findChild(KeySheet) is not None)
    sheet = opened.findChild(KeySheet)
    area = sheet.findChild(QScrollArea)
    QTest.qWait(1)
    assert area.widget().width() <= area.viewport().width()
    assert area.horizontalScrollBar().maximum() == 0
    assert not cut(sheet)
    sheet.close()


def test_the_place_in_the_queue_is_whole_where_the_hint_beside_it_has_no_room(
    qtbot: QtBot, opened: MainWindow
) -> None:
    panel = opened.show_panel("proposals")
    assert isinstance(panel, Proposals)
    settle(qtbot, opened)
    panel.focus()
    QTest.keyClick(panel.queue.list, Qt.Key.Key_R)
    QTest.keyClick(panel.bar.reason, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.bar.words.startswith("1 of 5"))
    opened.resize(SIZES[0])
    QTest.qWait(1)
    assert panel.bar.words == "1 of 5"
    opened.resize(1900, 1000)
    QTest.qWait(1)
    assert panel.bar.words == "1 of 5 · Backspace undoes the last decision"


def test_a_message_that_the_bar_has_no_room_for_is_a_toast(
    qtbot: QtBot, opened: MainWindow
) -> None:
    panel = opened.show_panel("proposals")
    assert isinstance(panel, Proposals)
    settle(qtbot, opened)
    opened.resize(SIZES[0])
    QTest.qWait(1)
    text = "This operation is unknown to this version, so it can't be edited"
    panel.bar.say(text, "bad")
    assert opened.toast.text == text


@pytest.mark.parametrize(("width", "shown"), [
    (400, {"sure", "risk", "meter"}), (230, {"sure", "risk"}), (180, {"risk"}), (40, set())])
def test_parts_of_a_row_go_whole_the_least_important_first(
    qtbot: QtBot, width: int, shown: set[str]
) -> None:
    row = FittingRow(ElidedLabel("Pin entity, by dreaming, a day ago"))
    qtbot.addWidget(row)
    for text, weight in (("sure", 2), ("meter", 0), ("risk", 4)):
        part = label(text)
        part.setFixedWidth(60)
        row.add(part, weight)
    row.resize(width, 20)
    row.show()
    assert {part.text() for part in row.findChildren(QLabel)
            if part.isVisible() and not isinstance(part, ElidedLabel)} == shown


def test_a_long_link_is_cut_at_its_end_only_and_told_whole(
    qtbot: QtBot, theme: Theme, qapp: QApplication
) -> None:
    dress(qapp, theme)
    link = link_button("Notes on Harbor Ledger: harbour offices that used to reconcile", print)
    qtbot.addWidget(link)
    link.resize(link.sizeHint())
    link.show()
    assert link.toolTip() == ""
    begins = link.grab(QRect(0, 0, 60, link.height())).toImage()
    link.resize(120, link.height())
    assert "reconcile" in link.toolTip()
    assert link.grab(QRect(0, 0, 60, link.height())).toImage() == begins
    link.resize(link.sizeHint())
    assert link.toolTip() == ""


def test_a_form_asks_for_a_name_and_not_for_its_id_as_well(
    qtbot: QtBot, context: Context
) -> None:
    for operation, fields in (
        ("create_link", ["source_entity", "target_entity"]),
        ("merge_entities", ["target_entity", "source_entities"]),
    ):
        form = OperationDialog(context, operation)
        qtbot.addWidget(form)
        assert [name for name in form.fields if "entit" in name] == fields
        named = form.fields["target_entity"].accessibleName()
        assert "optional" not in named, "it has to be given"


def test_linking_the_selected_entity_asks_only_for_the_other_end(
    qtbot: QtBot, opened: MainWindow
) -> None:
    select(qtbot, opened, "Harbor Ledger")
    opened.actions_.run("links.new")
    form = opened.findChild(OperationDialog)
    assert form.windowTitle() == "Link “Harbor Ledger” to"
    assert "source_entity" not in form.fields
    QTest.keyClicks(form.fields["target_entity"], "Vega Ledger")
    form.fields["reason"].setPlainText("a test")
    form.verb_button.click()
    qtbot.waitUntil(lambda: opened.findChild(OperationDialog) is None)


def test_the_place_in_the_queue_is_whole_in_the_review_of_a_small_window(
    qtbot: QtBot, opened: MainWindow
) -> None:
    opened.resize(SIZES[0])
    opened.actions_.run("view.review")
    panel = opened.panel("proposals")
    assert isinstance(panel, Proposals)
    qtbot.waitUntil(lambda: panel.bar.words.startswith("1"))
    panel.bar.set_place("1,234 of 1,300", " · Backspace undoes the last decision")
    words = next(each for each in panel.bar.findChildren(ElidedLabel)
                 if each.text() == panel.bar.words)
    assert panel.bar.words in ("1,234 of 1,300", "1,234/1,300")
    for place in ("1 of 5", "12 of 56"):
        panel.bar.set_place(place)
        assert words.fontMetrics().horizontalAdvance(words.text()) <= words.contentsRect().width()


def test_the_names_of_claims_have_all_the_room_that_their_counts_leave(
    qtbot: QtBot, opened: MainWindow
) -> None:
    opened.resize(SIZES[0])
    panel = opened.show_panel("claim_history")
    assert isinstance(panel, ClaimHistory)
    select(qtbot, opened, "Harbor Ledger")
    qtbot.waitUntil(lambda: panel.tree.list.topLevelItemCount() > 0)
    assert panel.tree.list.columnWidth(0) == panel.tree.list.viewport().width()
    item = panel.tree.list.topLevelItem(0).child(0)
    box = panel.tree.list.visualItemRect(item)
    wide = panel.tree.list.fontMetrics().horizontalAdvance
    before = panel.tree.list.viewport().grab(box).toImage()
    item.setText(1, "")
    assert panel.tree.list.viewport().grab(box).toImage() != before, "the count is drawn"
    assert wide(item.text(0)) < box.width()


@pytest.mark.parametrize("size", SIZES[:2], ids=lambda size: f"{size.width()}x{size.height()}")
def test_a_long_message_is_wrapped_and_whole(
    qtbot: QtBot, opened: MainWindow, size: QSize
) -> None:
    opened.resize(size)
    for text in ("Pinned", "No backups of this graph yet: one is made before a restore, and before "
                 "a file of another program is written for the first time",
                 "Could not be read: /srv/somebody" + "/a-long-folder" * 12):
        opened.toast.say(text, entry=1)
        qtbot.waitUntil(opened.toast.isVisible)
        assert opened.toast.text == text
        assert not cut(opened.toast)
        assert opened.rect().contains(opened.toast.geometry())
        assert opened.toast.width() <= 620
