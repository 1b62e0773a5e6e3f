"""The arranged queue as a Qt list."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from core.model.wording import one_line
from ui.models.review_queue import Heading, Line, QueueRow

LineRole = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex


class QueueModel(QAbstractListModel):
    """Rows and group heads; only rows can be selected."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[Line, ...] = ()
        self._places: dict[str, int] = {}

    def set_lines(self, lines: Sequence[Line]) -> None:
        """Show these lines instead; what begins and ends alike stays as it is."""
        old, new = self._lines, tuple(lines)
        head = _common(old, new)
        tail = _common(old[head:][::-1], new[head:][::-1])
        if len(old) > head + tail:
            self.beginRemoveRows(QModelIndex(), head, len(old) - tail - 1)
            self._keep((*old[:head], *old[len(old) - tail:]))
            self.endRemoveRows()
        if len(new) > head + tail:
            self.beginInsertRows(QModelIndex(), head, len(new) - tail - 1)
            self._keep(new)
            self.endInsertRows()

    def _keep(self, lines: tuple[Line, ...]) -> None:
        self._lines = lines
        self._places = {
            line.id: at for at, line in enumerate(lines) if isinstance(line, QueueRow)
        }

    @property
    def lines(self) -> tuple[Line, ...]:
        return self._lines

    def index_of(self, proposal_id: str) -> QModelIndex:
        """Where a proposal stands; an invalid index if it is not shown."""
        at = self._places.get(proposal_id)
        return QModelIndex() if at is None else self.index(at)

    def id_at(self, index: Index) -> str:
        """The proposal at a place, empty for a head and for nothing."""
        if not index.isValid():
            return ""
        line = self._lines[index.row()]
        return line.id if isinstance(line, QueueRow) else ""

    def group_at(self, index: Index) -> list[str]:
        """The proposals under the head at this place, or of the group that a row is in."""
        rows = range(index.row(), -1, -1)
        start = next((at for at in rows if isinstance(self._lines[at], Heading)), -1)
        found = []
        for line in self._lines[start + 1:]:
            if isinstance(line, Heading):
                break
            found.append(line.id)
        return found

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        return 0 if parent.isValid() else len(self._lines)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        line = self._lines[index.row()] if index.isValid() else None
        if line is None:
            return None
        if role == LineRole:
            return line
        if role == Qt.ItemDataRole.AccessibleTextRole or role == Qt.ItemDataRole.DisplayRole:
            return one_line(_spoken(line))
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if self.id_at(index):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.NoItemFlags


def _common(first: Sequence[Line], second: Sequence[Line]) -> int:
    count = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        count += 1
    return count


def _spoken(line: Line) -> str:
    if isinstance(line, Heading):
        return f"{line.text}, {line.count}"
    flag = ", flagged" if line.flagged else ""
    return f"{line.title}, {line.target}, confidence {line.confidence:.2f}, {line.about}{flag}"
