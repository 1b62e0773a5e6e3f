"""Lines with heads between them as a Qt list."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from core.model.text_formatting import one_line
from ui.widgets.ordered_ids import OrderedKeys

LineRole = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex


class LineModel(QAbstractListModel):
    """Only lines with a key can be selected; those without are heads of groups.

    Args:
        key_of: what a line is known by from one reading to the next; empty for a head.
        spoken: a line in words, for a screen reader.
        tip_of: its tooltip.
    """

    def __init__(
        self, key_of: Callable[[Any], str], spoken: Callable[[Any], str],
        parent: QObject | None = None, tip_of: Callable[[Any], str] | None = None,
    ) -> None:
        super().__init__(parent)
        self._key_of, self._spoken, self._tip_of = key_of, spoken, tip_of
        self.lines: tuple[Any, ...] = ()
        self._order: OrderedKeys[str | int] = OrderedKeys()
        """The key of each line; of a head the place where it stood first."""
        self._heads: list[int] = []
        """Where the heads stood first."""

    def set_lines(self, lines: Sequence[Any]) -> None:
        """Show these lines instead; what begins and ends alike stays as it is."""
        old, new = self.lines, tuple(lines)
        head = common_start(old, new)
        tail = common_start(old[head:][::-1], new[head:][::-1])
        if len(old) > head + tail:
            self.beginRemoveRows(QModelIndex(), head, len(old) - tail - 1)
            self._keep((*old[:head], *old[len(old) - tail:]))
            self.endRemoveRows()
        if len(new) > head + tail:
            self.beginInsertRows(QModelIndex(), head, len(new) - tail - 1)
            self._keep(new)
            self.endInsertRows()

    def take_out(self, key: str, fewer: Callable[[Any], Any | None]) -> None:
        """Take one line away; `fewer` makes of the head above it what is left to be said.

        The head goes as well where that is None.
        """
        head = self._head_above(key)
        self._leave(key)
        at = None if head is None else self._order.place(head)
        if head is None or at is None:
            return
        left = fewer(self.lines[at])
        if left is None:
            self._leave(head)
        else:
            self.lines = (*self.lines[:at], left, *self.lines[at + 1:])
            self.dataChanged.emit(self.index(at), self.index(at))

    def _head_above(self, key: str) -> int | None:
        first = self._order.first_place(key)
        above = bisect_right(self._heads, first)
        return self._heads[above - 1] if above else None

    def _leave(self, key: str | int) -> None:
        at = self._order.place(key)
        assert at is not None, "it was shown"
        self.beginRemoveRows(QModelIndex(), at, at)
        self._order.take_out(key)
        self.lines = self.lines[:at] + self.lines[at + 1:]
        self.endRemoveRows()

    def _keep(self, lines: tuple[Any, ...]) -> None:
        self.lines = lines
        keys = [self._key_of(line) or at for at, line in enumerate(lines)]
        self._order = OrderedKeys(keys)
        self._heads = [key for key in keys if isinstance(key, int)]

    def index_of(self, key: str) -> QModelIndex:
        """The index of a line; an invalid one if it is not shown."""
        at = self._order.place(key)
        return QModelIndex() if at is None else self.index(at)

    def key_at(self, index: Index) -> str:
        """The key of a line; empty for a head or an invalid index."""
        return self._key_of(self.lines[index.row()]) if index.isValid() else ""

    def group_at(self, index: Index) -> list[str]:
        """The keys under the head at this place, or of the group that a line is in."""
        keys = [self._key_of(line) for line in self.lines]
        start = index.row() if index.isValid() else -1
        while start >= 0 and keys[start]:
            start -= 1
        below = keys[start + 1:]
        return below[:below.index("")] if "" in below else below

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        return 0 if parent.isValid() else len(self.lines)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        line = self.lines[index.row()] if index.isValid() else None
        if line is None or role == LineRole:
            return line
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.DisplayRole):
            return one_line(self._spoken(line))
        if role == Qt.ItemDataRole.ToolTipRole and self._tip_of is not None:
            return self._tip_of(line)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if self.key_at(index):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.NoItemFlags


def common_start(first: Sequence[Any], second: Sequence[Any]) -> int:
    """How many lines both begin with."""
    return next((at for at, (line, other) in enumerate(zip(first, second, strict=False))
                 if line is not other and line != other), min(len(first), len(second)))
