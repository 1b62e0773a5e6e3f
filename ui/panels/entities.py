"""Entities: everything the agent knows about, pinned first, narrowed by type and by search."""

from functools import partial
from typing import ClassVar

from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QStackedLayout, QWidget

from core.model.changes import Changes
from core.model.text_formatting import one_line
from core.queries.entities import position_of
from ui.context import Context
from ui.models.entity_list import EntityList, Filter, Listing
from ui.panel import Panel
from ui.panels.entity_list_view import EntityView
from ui.panels.entity_rows import EntityDelegate
from ui.widgets.empty_states import Placeholder
from ui.widgets.filter_chips import ChipRow
from ui.widgets.glyph_paths import type_icon
from ui.widgets.labels import isolate, label, set_tip
from ui.widgets.layouts import column_layout, put

TITLE = "Entities"
EMPTY = "No entities yet. The people, projects and tools that your agent knows about are " \
        "listed here."
CHIP_ROWS = 3
ROOM_FOR_CHIPS = 220
"""Pixels of height from which the chips may take all of their rows."""


class Entities(Panel):
    """The list on the left: it shows and sets the selection."""

    name: ClassVar[str] = "entities"
    shows: ClassVar[frozenset[str]] = frozenset(
        ("entities", "entity_attributes", "entity_aliases", "entity_aspects", "inbox_seen",
         "inbox_since", "inbox_holds"))

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.chips = ChipRow(sign=partial(type_icon, context.theme))
        self.list = EntityView(context, "Entities")
        self.rows = EntityList(context.runner, self)
        self.nothing = Placeholder(context.theme)
        self.note = label("", "soft", wrap=True)
        self._notes: tuple[str, ...] = ()
        self.archived = QAction("Show archived", self)
        self._delegate = EntityDelegate(self.list)
        self._types: list[str] = []
        self._chased = self._entering = ""
        self._started = self._fresh_filter = False
        self._lay_out()
        self._connect()
        self.show_state("loading", "Loading entities…")

    def refresh(self, changes: Changes | None) -> None:
        if not self._started:
            self._started = True
            self._show_filter()
        elif (changes is None or self.rows.filter.text.strip()
                or changes.touches("entities")):
            self.rows.refresh()

    def glance(self, changes: Changes | None) -> None:
        """The sky shows what is found also while the list is hidden."""
        if self.context.selection.search.strip():
            self.refresh(changes)

    def focus(self) -> None:
        self.list.setFocus()

    def rows_shown(self) -> int:
        """How many loaded rows are visible."""
        if not self.isVisible() or self.face != "ready":
            return 0
        first, last = self.list.visible_rows()
        return sum(self.rows.row_at(at) is not None for at in range(first, last + 1))

    def enter_hits(self, *, at_once: bool) -> None:
        """Put the keyboard on the first hit, or open it, as soon as the hits are read."""
        self._entering = "open" if at_once else "list"
        if self.rows.listed == self._wanted_filter():
            self._enter()

    def _enter(self) -> None:
        """Go to the first hit; where nothing was found the keyboard stays where it is."""
        wanted, self._entering = self._entering, ""
        if not wanted or not self.rows.rowCount():
            return
        self.list.setFocus()
        self.list.go_to(0, scroll=True)
        self.list.choose(self.list.currentIndex())
        if wanted == "open":
            self.list.show_in_sky()

    def clear_filter(self) -> None:
        """List everything again."""
        self.chips.choose()
        self.context.selection.clear_filter()

    def narrow(self, types: tuple[str, ...], *, archived: bool) -> None:
        """List these types, none for all of them, with archived entities or without."""
        self._types = list(types)
        self.chips.set_chips([(key, key) for key in types])
        self.chips.choose(*types)
        self.archived.setChecked(archived)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """In a low window the rows of the list need the height more than the chips."""
        super().resizeEvent(event)
        self.chips.set_rows(CHIP_ROWS if self.height() >= ROOM_FOR_CHIPS else 1)
        self._show_notes()

    def _show_notes(self) -> None:
        """What was looked for in place of mistyped words; in a low window no more than that."""
        low = self.height() < ROOM_FOR_CHIPS
        self.note.setWordWrap(not low)
        self.note.setMinimumHeight(self.note.fontMetrics().height() if low else 0)
        self.note.setText(isolate("\n".join(
            note.rpartition(": ")[2] if low else note for note in self._notes)))
        self.note.setVisible(bool(self._notes))
        set_tip(self.note, "\n".join(self._notes) if low else "")

    def _lay_out(self) -> None:
        self.archived.setCheckable(True)
        self.chips.set_extras([self.archived])
        self.list.setModel(self.rows)
        self.list.setItemDelegate(self._delegate)
        self._middle = QStackedLayout()
        put(column_layout(self.body, (0, 0, 0, 0), 0),
            put(column_layout(margins=(14, 2, 10, 6), spacing=6), self.chips, self.note),
            (self._middle, 1))
        self.note.hide()
        # Only now: a stack without a parent shows its first page as a window of its own.
        self._middle.addWidget(self.list)
        self._middle.addWidget(self.nothing)

    def _connect(self) -> None:
        selection = self.context.selection
        selection.search_changed.connect(self._show_filter)
        selection.entity_changed.connect(self._follow)
        self.chips.chosen.connect(selection.filter_types)
        self.chips.chosen.connect(self._show_filter)
        selection.types_changed.connect(self._follow_types)
        self.context.theme.changed.connect(self.chips.retint)
        self.archived.toggled.connect(self._show_filter)
        self.list.looked.connect(self._look)
        self.rows.began.connect(self._begin)
        self.rows.found.connect(self._found)
        self.rows.filled.connect(self._filled)
        self.rows.failed.connect(self._failed)

    # -- what is listed --------------------------------------------------------------------------

    def _show_filter(self, *_: object) -> None:
        wanted = self._wanted_filter()
        self._started = self._started or bool(wanted.text.strip())
        if self._started and (wanted != self.rows.filter or not self.rows.rowCount()):
            self._fresh_filter, self._entering = True, ""
            self.rows.show_filter(wanted)

    def _follow_types(self, types: tuple[str, ...]) -> None:
        if set(types) != set(self.chips.keys):
            # Followed, not chosen here: a list without such a type takes no other's choice back.
            self.chips.blockSignals(True)
            self.chips.choose(*types)
            self.chips.blockSignals(False)
            self._show_filter()

    def _wanted_filter(self) -> Filter:
        return Filter(self.context.selection.search, self.chips.keys, self.archived.isChecked())

    def _begin(self, sought: tuple[str, ...]) -> None:
        """Show the first hits; how many there are comes with the rest."""
        self._delegate.search(sought)
        self._middle.setCurrentWidget(self.list)
        self.show_state("ready")
        self._show_top()
        self._enter()

    def _show_top(self) -> None:
        """Show a new list from its beginning, and the selection in it."""
        if self._fresh_filter:
            self._fresh_filter = False
            self.list.scrollToTop()
        self._settle()

    def _found(self, listing: Listing) -> None:
        if listing.filter.text == self.context.selection.search:
            self.context.selection.show_found(listing.found)
        self._delegate.search(listing.sought)
        self._notes = listing.notes
        self._show_notes()
        self._show_chips(listing)
        whole = sum(listing.types.values()) + (listing.archived if self.archived.isChecked() else 0)
        self.titled.emit(f"{TITLE} · {listing.count:,} of {whole:,}"
                         if listing.filter.narrow else TITLE)
        self._show_middle(listing)
        self._show_top()
        if listing.filter == self._wanted_filter():
            self._enter()

    def _settle(self) -> None:
        """Keep the selection on its entity, wherever that stands now."""
        selected = self.context.selection.entity_id
        row = self.rows.row_of(selected)
        if self.list.awaited >= 0:
            self._look()
            return
        self.list.go_to(row, scroll=bool(selected) and selected == self._chased)
        if row >= 0:
            self._chased = ""
        self._look()

    def _filled(self) -> None:
        awaited = self.rows.index(self.list.awaited)
        if self.list.row_at(awaited) is not None:
            self.list.awaited = -1
            self.list.choose(awaited)
        self._settle()

    def _look(self) -> None:
        first, last = self.list.visible_rows()
        if last >= first:
            self.rows.look(first, last)

    def _show_chips(self, listing: Listing) -> None:
        types = listing.types
        chosen = [key for key in self.chips.keys if key not in types]
        kept = [key for key in self._types if key in types or key in chosen]
        self._types = kept + [key for key in types if key not in kept]
        self.chips.set_every(f"all {sum(types.values()):,}")
        self.chips.set_chips([(key, f"{key} {types.get(key, 0):,}") for key in self._types])

    def _show_middle(self, listing: Listing) -> None:
        if listing.count:
            self._middle.setCurrentWidget(self.list)
            self.show_state("ready")
        elif listing.filter.narrow:
            self._show_nothing(listing)
            self._middle.setCurrentWidget(self.nothing)
            self.show_state("ready")
        elif listing.archived and not listing.filter.archived:
            self.show_state("empty", f"All {listing.archived:,} entities are archived.",
                          ("Show archived", partial(self.archived.setChecked, True)))
        else:
            self.show_state("empty", EMPTY)

    def _show_nothing(self, listing: Listing) -> None:
        wanted = listing.filter
        words = listing.refused or "No entities of this type."
        if wanted.text.strip() and not listing.refused:
            words = f"Nothing matches “{isolate(one_line(wanted.text, 60))}”"
            words += f" among {', '.join(wanted.types)}." if wanted.types else "."
        self.nothing.show_state("empty", words, ("Clear", self.clear_filter))

    def _failed(self, error: BaseException) -> None:
        self.show_failure("The entities could not be read", error, self._try_again)

    def _try_again(self) -> None:
        self.show_state("loading", "Loading entities…")
        self.rows.show_filter(self.rows.filter)

    # -- the selection ---------------------------------------------------------------------------

    def _follow(self, entity_id: str) -> None:
        """Show what was selected elsewhere, however far down it stands."""
        row = self.rows.row_of(entity_id)
        self._chased, self.list.awaited = "", -1
        self.list.go_to(row, scroll=True)
        wanted = self.rows.filter
        if entity_id and row < 0 and not wanted.text.strip() and self._started:
            self._chased = entity_id
            find = partial(position_of, entity_id=entity_id, types=wanted.types,
                           status=wanted.status)
            self.context.runner.read(find, self._scroll_to, key=(id(self), "row"))

    def _scroll_to(self, row: int | None) -> None:
        if row is None or row >= self.rows.rowCount():
            self._chased = ""
            return
        self.list.scrollTo(self.rows.index(row), QAbstractItemView.ScrollHint.PositionAtCenter)
        self._look()
        self._settle()
