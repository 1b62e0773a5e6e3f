"""The pinned entities as a Qt list, the last pinned first."""

from collections.abc import Sequence
from datetime import UTC, datetime

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from core.model.entity import EntityRow
from core.model.times import age, parse_time
from core.model.wording import one_line
from ui.models.entity_list import EntityRole

Index = QModelIndex | QPersistentModelIndex
DAY_SECONDS = 86_400


class PinnedList(QAbstractListModel):
    """All of them at once: a person pins a few, never thousands."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[EntityRow, ...] = ()

    def set_rows(self, rows: Sequence[EntityRow]) -> None:
        """Show these instead."""
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def row_of(self, entity_id: str) -> int:
        """An entity's row; -1 if it is not pinned."""
        return next((at for at, row in enumerate(self.rows) if row.id == entity_id), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == EntityRole:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            when = since(row.pinned_at)
            return f"{one_line(row.name)}, pinned" + (f" {when}" if when else "")
        return None


def since(pinned_at: str | None, now: datetime | None = None) -> str:
    """`today`, `2 d`, `3 mo`; empty if unknown."""
    moment = parse_time(pinned_at)
    if moment is None:
        return ""
    seconds = ((now or datetime.now(UTC)) - moment).total_seconds()
    return "today" if seconds < DAY_SECONDS else age(pinned_at, now)
