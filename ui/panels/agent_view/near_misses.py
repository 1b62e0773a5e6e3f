"""Near misses: each with its rule and numbers, and a menu that includes it."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QMenu,
    QSizePolicy,
    QWidget,
)

from core.model.text_format import one_line
from ui.models.near_miss_fixes import NearMiss
from ui.models.what_if import Thing
from ui.widgets.filter_chips import chip_button
from ui.widgets.labels import ElidedLabel, label
from ui.widgets.layouts import column_layout, row_layout
from ui.widgets.scroll_column import link_button

FEW, MANY = 8, 60
NOTHING = "No near misses: everything that the walk reached was included."


class MissRow(QWidget):
    """One near miss. Rows are reused when the question changes."""

    let_in = Signal(object)
    looked_up = Signal(object)
    more_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._near: NearMiss | None = None
        self._menu: QMenu | None = None
        self.name, self.words = ElidedLabel(), ElidedLabel(role="caption")
        self.button = chip_button()
        self.button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.button.clicked.connect(self.open_menu)
        lines = column_layout(spacing=0)
        lines.addWidget(self.name)
        lines.addWidget(self.words)
        row = row_layout(self, (0, 2, 0, 2), 8)
        row.addLayout(lines, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)

    @property
    def near(self) -> NearMiss:
        """The near miss that is shown."""
        assert self._near is not None
        return self._near

    def show_near(self, near: NearMiss) -> None:
        """Show this one from now on."""
        if near == self._near:
            return
        self._near = near
        name = one_line(near.name)
        self.name.setText(near.name)
        self.words.setText(near.words)
        self.words.set_more(near.why)
        self.button.setText("include…" if near.ways else "why?")
        self.button.setAccessibleName(
            f"Include {name}" if near.ways else f"Why {name} can't be included")
        self.setAccessibleName(f"{name}: {near.words}")

    @property
    def menu(self) -> QMenu:
        """Changes that include it, or why there are none, and links to details."""
        if self._menu is None:
            self._menu = QMenu(self)
        return self._menu

    def open_menu(self) -> None:
        """Offer what can be done."""
        menu, near = self.menu, self.near
        menu.clear()
        if near.why:
            menu.addAction(f"{near.why}.").setEnabled(False)
        for way in near.ways:
            step = way.entering
            if step is not None:
                action = menu.addAction(step.words.replace("&", "&&"))
                action.triggered.connect(partial(self._let_in, way))
        if near.limited and not near.ways:
            menu.addAction("Change the limit…").triggered.connect(self.more_wanted)
        if not menu.isEmpty() and (near.slot or near.entity_id):
            menu.addSeparator()
        if near.slot is not None:
            self._offer("Open its history", near.slot)
        if near.entity_id:
            self._offer("Show it", near.entity_id)
        menu.popup(self.button.mapToGlobal(self.button.rect().bottomLeft()))

    def _offer(self, words: str, where: object) -> None:
        self.menu.addAction(words).triggered.connect(lambda: self.looked_up.emit(where))

    def _let_in(self, way: Thing, _checked: bool = False) -> None:
        self.let_in.emit(way)


class MissList(QWidget):
    """The near misses, those first that a person can do something about."""

    let_in = Signal(object)
    """The `Thing` that lets one in."""
    looked_up = Signal(object)
    """The id of an entity, or the slot of a claim, to look at."""
    more_wanted = Signal()
    """A limit of the settings keeps one out."""

    def __init__(self) -> None:
        super().__init__()
        self._made: list[MissRow] = []
        self._misses: tuple[NearMiss, ...] = ()
        self._most, self._all = FEW, 0
        self.nothing = label(NOTHING, "soft", wrap=True)
        self.more = link_button("", self._show_more)
        self.rest = label(role="soft")
        self._column = column_layout(self, (0, 0, 0, 0), 2)
        self._column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        for part in (self.rest, self.nothing):
            self._column.addWidget(part)

    @property
    def rows(self) -> list[MissRow]:
        """The rows that are shown, from the top."""
        return self._made[:min(self._most, len(self._misses))]

    def show_misses(self, misses: Sequence[NearMiss], all_of_them: int) -> None:
        """Show these of all that there are."""
        self._misses, self._all = tuple(misses), all_of_them
        self._fill()

    def _fill(self) -> None:
        shown = self._misses[:self._most]
        while len(self._made) < len(shown):
            self._add_row()
        for row, near in zip(self._made, shown, strict=False):
            row.show_near(near)
        for at, row in enumerate(self._made):
            row.setVisible(at < len(shown))
        rest = self._all - len(shown)
        further = rest > 0 and len(shown) < len(self._misses)
        for part in (self.more, self.rest):
            part.setText(f"and {rest:,} more")
        self.more.setVisible(further)
        self.rest.setVisible(rest > 0 and not further)
        self.nothing.setVisible(not shown)

    def _add_row(self) -> None:
        row = MissRow()
        row.let_in.connect(self.let_in)
        row.looked_up.connect(self.looked_up)
        row.more_wanted.connect(self.more_wanted)
        self._column.insertWidget(len(self._made), row)
        self._made.append(row)

    def _show_more(self) -> None:
        self._most = MANY
        self._fill()
