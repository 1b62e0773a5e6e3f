"""Near misses: each with its rule and numbers, and a menu that includes it."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QMenu,
    QSizePolicy,
    QWidget,
)

from core.model.text_formatting import one_line
from ui.models.near_miss_fixes import NearMiss
from ui.models.near_miss_trials import TriedFix
from ui.models.what_if import Thing
from ui.widgets.filter_chips import chip_button
from ui.widgets.labels import ElidedLabel, label
from ui.widgets.layouts import column_layout, row_layout
from ui.widgets.link_button import link_button

FEW, PAGE = 8, 60
NOTHING = "No near misses: everything that the walk reached was included."


class MissRow(QWidget):
    """One near miss. Rows are reused when the question changes."""

    let_in = Signal(object)
    looked_up = Signal(object)
    more_wanted = Signal()
    try_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._near: NearMiss | None = None
        self._tried: tuple[TriedFix, ...] | None = None
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
        """Offer what a dry run says would include it."""
        self._tried = None
        if self.near.ways:
            self.try_wanted.emit(self.near)
        self._fill_menu()
        self.menu.popup(self.button.mapToGlobal(self.button.rect().bottomLeft()))

    def show_tried(self, tried: tuple[TriedFix, ...]) -> None:
        """What the dry run of each change gave."""
        self._tried = tried
        if self.menu.isVisible():
            self._fill_menu()

    def _fill_menu(self) -> None:
        menu, near, tried = self.menu, self.near, self._tried
        menu.clear()
        if near.why:
            menu.addAction(f"{near.why}.").setEnabled(False)
        if near.ways and tried is None:
            menu.addAction("Trying what would include it…").setEnabled(False)
        for fix in tried or ():
            self._offer_fix(fix)
        works = any(fix.works for fix in tried or ())
        if (near.limited and not near.ways) or (
                not works and any(fix.limited for fix in tried or ())):
            menu.addAction("Change the limit…").triggered.connect(self.more_wanted)
        if not menu.isEmpty() and (near.slot or near.entity_id):
            menu.addSeparator()
        if near.slot is not None:
            self._offer("Open its history", near.slot)
        if near.entity_id:
            self._offer("Show it", near.entity_id)

    def _offer_fix(self, fix: TriedFix) -> None:
        """A change that works; one that does not says what still keeps it out."""
        step = fix.thing.entering
        if step is None:
            return
        words = step.words.replace("&", "&&")
        if fix.works:
            self.menu.addAction(words).triggered.connect(partial(self._let_in, fix.thing))
        else:
            still = fix.still.replace("&", "&&")
            self.menu.addAction(f"{words}: still left out, {still}").setEnabled(False)

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
    rest_wanted = Signal(int)
    """Near misses are to be looked into that have not been: so many in all."""
    try_wanted = Signal(object)
    """The `NearMiss` whose changes are to be tried in a dry run."""

    def __init__(self) -> None:
        super().__init__()
        self._made: list[MissRow] = []
        self._misses: tuple[NearMiss, ...] = ()
        self._most, self._all = FEW, 0
        self.nothing = label(NOTHING, "soft", wrap=True)
        self.more = link_button("", self._show_more)
        self._column = column_layout(self, (0, 0, 0, 0), 2)
        self._column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addWidget(self.nothing)

    @property
    def rows(self) -> list[MissRow]:
        """The rows that are shown, from the top."""
        return self._made[:min(self._most, len(self._misses))]

    def show_misses(self, misses: Sequence[NearMiss], all_of_them: int) -> None:
        """Show these of all that there are."""
        self._misses, self._all = tuple(misses), all_of_them
        self._fill()

    def show_tried(self, near: NearMiss, tried: tuple[TriedFix, ...]) -> None:
        """What the dry run of each change gave, unless the near miss has changed meanwhile."""
        for row in self.rows:
            if row.near == near:
                row.show_tried(tried)

    def _fill(self) -> None:
        shown = self._misses[:self._most]
        while len(self._made) < len(shown):
            self._add_row()
        for row, near in zip(self._made, shown, strict=False):
            row.show_near(near)
        for at, row in enumerate(self._made):
            row.setVisible(at < len(shown))
        self.more.setText(f"{len(shown):,} of {self._all:,} · show more")
        self.more.setVisible(len(shown) < self._all)
        self.nothing.setVisible(not shown)

    def _add_row(self) -> None:
        row = MissRow()
        row.let_in.connect(self.let_in)
        row.looked_up.connect(self.looked_up)
        row.more_wanted.connect(self.more_wanted)
        row.try_wanted.connect(self.try_wanted)
        self._column.insertWidget(len(self._made), row)
        self._made.append(row)

    def _show_more(self) -> None:
        """Show the next ones, of which some may have to be looked into first."""
        self._most += PAGE
        self._fill()
        if self._most > len(self._misses) < self._all:
            self.rest_wanted.emit(self._most)
