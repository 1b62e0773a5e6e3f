"""Asks which backup of a graph to put in its place."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from core.model.text_formatting import one_line
from core.store.restore import Backup, changed_since, difference
from ui.models.time_wording import day_and_time
from ui.widgets.buttons import push_button
from ui.widgets.dialogs import Dialog
from ui.widgets.labels import label
from ui.widgets.layouts import column_layout, put, row_layout
from ui.widgets.list_edges import WholeRows

WIDTH, ROWS, ROW_HEIGHT, LONGEST = 780, 9, 26, 60
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
HEADS = ("Made", "Size", "Entities", "Values", "Memories", "Against now", "Last change")
COUNTED = ("entities", "entity_attributes", "memories")
WORDS = (
    "The graph gets the contents of the backup, and its history of then. What is there now is "
    "kept as a backup first, so that you can go back. The counts are of all agents, with "
    "constraints among the values."
)


class RestoreDialog(Dialog):
    """The backups, newest first, each with what it has more or less than the graph has now.

    Args:
        now: how much the graph has now; empty if its file can't be read.
        restore: called with the backup that was chosen.
    """

    def __init__(
        self, graph: Path, backups: Sequence[Backup], now: Mapping[str, int],
        restore: Callable[[Backup], None], parent: QWidget | None = None,
    ) -> None:
        super().__init__("Restore a backup", parent, width=WIDTH)
        self._backups, self._restore = backups, restore
        self.list = QTreeWidget()
        self.list.setAccessibleName("Backups")
        self.list.setHeaderLabels(list(HEADS))
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        WholeRows(self.list)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.addTopLevelItems([_item(one, now) for one in backups])
        _align(self.list.headerItem())
        self.list.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.list.setFixedHeight(ROW_HEIGHT * (min(len(backups), ROWS) + 1) + 8)
        self.restore_button = push_button("Restore", self._chosen, "primary", default=True)
        cancel = push_button("Cancel", self.reject)
        self.list.header().setStretchLastSection(True)
        put(column_layout(self, (22, 18, 22, 18), 10),
            label(f"Restore a backup of {graph.name}", "head", wrap=True),
            label(WORDS, "soft", wrap=True), self.list,
            4, put(row_layout(), None, cancel, self.restore_button))
        self.list.itemDoubleClicked.connect(self._chosen)
        self.list.setCurrentIndex(self.list.model().index(0, 0))
        self.list.setFocus()

    def _chosen(self, *_: object) -> None:
        self.accept()
        self._restore(self._backups[self.list.currentIndex().row()])


def made_words(backup: Backup) -> str:
    """When it was made: `29 Nov 13:46`."""
    return day_and_time(backup.made_at.isoformat())


def _item(backup: Backup, now: Mapping[str, int]) -> QTreeWidgetItem:
    counts = [f"{backup.counts[table]:,}" if backup.counts else "?" for table in COUNTED]
    item = QTreeWidgetItem([made_words(backup), _size(backup.bytes),
                            *counts, difference(backup.counts, now),
                            one_line(backup.last_change, LONGEST)])
    if since := changed_since(backup, LONGEST):
        for column in range(len(HEADS)):
            item.setToolTip(column, f"Changed since: {since}")
    item.setSizeHint(len(HEADS) - 1, QSize(0, ROW_HEIGHT))
    _align(item)
    return item


def _align(item: QTreeWidgetItem) -> None:
    for column in range(1, 5):
        item.setTextAlignment(column, _RIGHT)


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count >= 100_000 else f"{count / 1e3:,.0f} KB"
