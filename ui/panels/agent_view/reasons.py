"""The right column: both budgets, what the walk took, and what it nearly brought."""

import html
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.model.session import Budget, SessionStart
from ui.models.agent_sight import Sight
from ui.models.let_in import NearMiss
from ui.theme import Theme
from ui.widgets.column import Column, link_button
from ui.widgets.labels import SectionHead, label, one_line
from ui.widgets.shapes import draw_meter

FEW, MANY = 8, 60
NAME_WIDTH, BAR_WIDTH = 76, 72


class BudgetBar(QWidget):
    """How much of its room a part of the text takes: `memories 1,240 of 2,000`."""

    def __init__(self, theme: Theme, name: str, token: str) -> None:
        super().__init__()
        self._theme, self._name, self._token = theme, name, token
        self.budget = Budget(0, 0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def words(self) -> str:
        """The numbers."""
        limit = f"{self.budget.limit:,}" if self.budget.limit else "any number"
        return f"{self.budget.used:,} of {limit}"

    def show_budget(self, budget: Budget) -> None:
        self.budget = budget
        self.setAccessibleName(f"{self._name}: {self.words} characters")
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(200, 24)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        box = QRectF(self.rect())
        painter.setPen(self._theme.color("text"))
        painter.drawText(box, middle, self._name)
        budget = self.budget
        share = budget.used / budget.limit if budget.limit else 0.0
        bar = QRectF(NAME_WIDTH, box.top(), BAR_WIDTH, box.height())
        draw_meter(painter, bar, self._theme, share, "proposal" if budget.exceeded and budget.limit
                   else self._token)
        painter.setPen(self._theme.color("text.soft"))
        painter.drawText(box.adjusted(NAME_WIDTH + BAR_WIDTH + 8, 0, 0, 0), middle, self.words)


class MissRow(QWidget):
    """What nearly came along, by which number it did not, and the menu that lets it in."""

    let_in = Signal(object)
    looked_up = Signal(str)

    def __init__(self, theme: Theme, near: NearMiss) -> None:
        super().__init__()
        self.near = near
        self._theme = theme
        self.words = QLabel()
        self.words.setTextFormat(Qt.TextFormat.RichText)
        self.words.setWordWrap(True)
        self.words.setAccessibleName(f"{near.name}: {near.words}")
        self._menu = QMenu(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 1, 0, 1)
        row.setSpacing(8)
        row.addWidget(self.words, 1)
        self.button = QPushButton("let it in…")
        self.button.setProperty("role", "chip")
        self.button.setAutoDefault(False)
        self.button.setAccessibleName(f"Let {one_line(near.name)} in")
        self.button.setVisible(bool(near.ways))
        self.button.clicked.connect(self.open_menu)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        theme.changed.connect(self._write)
        self._write()

    @property
    def menu(self) -> QMenu:
        return self._menu

    def open_menu(self) -> None:
        """Offer the ways to let it in."""
        self._menu.clear()
        for way in self.near.ways:
            step = way.undo if way.key.startswith("mute") else way.make
            if step is not None:
                action = self._menu.addAction(step.words.replace("&", "&&"))
                action.triggered.connect(partial(self._let_in, way))
        if self.near.entity_id:
            self._menu.addSeparator()
            look = self._menu.addAction("Look at it")
            look.triggered.connect(lambda: self.looked_up.emit(self.near.entity_id))
        self._menu.popup(self.button.mapToGlobal(self.button.rect().bottomLeft()))

    def _let_in(self, way: object, _checked: bool = False) -> None:
        self.let_in.emit(way)

    def _write(self) -> None:
        soft = self._theme.color("text.soft").name()
        self.words.setText(f"{html.escape(self.near.name)} <span style='color:{soft}'>"
                           f"{html.escape(self.near.words)}</span>")


class ReasonsView(QWidget):
    """Budgets above, near misses below."""

    let_in = Signal(object)
    looked_up = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.memories = BudgetBar(theme, "memories", "accent")
        self.constraints = BudgetBar(theme, "constraints", "constraint")
        self.took = label(role="soft", wrap=True)
        self.notes = label(role="proposal", wrap=True)
        self.missed = SectionHead("Just missed")
        self.list = Column("Just missed", margins=(16, 0, 12, 8))
        self._shown: tuple[NearMiss, ...] | None = None
        self._most, self._all = FEW, 0
        self._lay_out()

    @property
    def misses(self) -> list[MissRow]:
        """The rows, from the top."""
        inside = self.list.widget()
        return inside.findChildren(MissRow) if inside is not None else []

    def show_sight(self, sight: Sight, limit_ms: int) -> None:
        """Show the numbers of an answer."""
        started = sight.started
        self.memories.show_budget(started.memory_budget)
        self.constraints.show_budget(started.constraint_budget)
        self.took.setText(_took(started, limit_ms))
        self.notes.setText("\n".join(started.notes))
        self.notes.setVisible(bool(started.notes))
        self._all = sight.missed
        self._show_misses(sight.misses)

    def _show_misses(self, misses: Sequence[NearMiss]) -> None:
        if (shown := tuple(misses)) == self._shown:
            return
        self._shown = shown
        with self.list.filling() as column:
            column.setSpacing(3)
            for near in shown[:self._most]:
                row = MissRow(self._theme, near)
                row.let_in.connect(self.let_in)
                row.looked_up.connect(self.looked_up)
                column.addWidget(row)
            rest = self._all - len(shown[:self._most])
            if rest > 0 and self._most < len(shown):
                column.addWidget(link_button(f"and {rest} more", self._show_more), 0,
                                 Qt.AlignmentFlag.AlignLeft)
            elif rest > 0:
                column.addWidget(label(f"and {rest} more", "soft"))
            if not shown:
                column.addWidget(label("Nothing. All that the walk met came along.", "soft",
                                       wrap=True))

    def _show_more(self) -> None:
        shown, self._most, self._shown = self._shown or (), MANY, None
        self._show_misses(shown)

    def _lay_out(self) -> None:
        top = QVBoxLayout()
        top.setContentsMargins(16, 8, 12, 0)
        top.setSpacing(0)
        top.addWidget(SectionHead("Budgets"))
        for part in (self.memories, self.constraints, self.took, self.notes):
            top.addWidget(part)
        top.addSpacing(6)
        top.addWidget(self.missed)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(top)
        column.addWidget(self.list, 1)


def _took(started: SessionStart, limit_ms: int) -> str:
    walk = started.walk
    entities, links = walk.entity_count, len(walk.dependency_ids)
    end = ", cut short" if walk.timed_out else ""
    return (f"walk {walk.milliseconds:.1f} ms of {limit_ms:,}{end} · "
            f"{entities} {'entity' if entities == 1 else 'entities'} · "
            f"{links} {'link' if links == 1 else 'links'}")
