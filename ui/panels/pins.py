"""Pins: what the agent always has in mind, and since when."""

from functools import partial
from operator import attrgetter
from typing import ClassVar

from PySide6.QtWidgets import QWidget

from core.model.changes import Changes
from core.model.entity import EntityRow
from core.queries.entities import pinned_entities
from ui.context import Context
from ui.panel import Panel
from ui.panels.entity_list_view import EntityView
from ui.panels.entity_rows import PinDelegate, spoken_pin
from ui.widgets.layouts import column_layout, put
from ui.widgets.line_list_model import LineModel

EMPTY = "Select an entity and press P: it is then always in your agent's context."
EMPTY_THEN = "Nothing was pinned then. Back at now (Esc), P pins what is selected."
LEAST_ROWS, LEAST_WORDS = 32, 66
"""Pixels: of one row, and of the words while nothing is pinned."""


class Pins(Panel):
    """The pinned entities; a click on a star unpins."""

    name: ClassVar[str] = "pins"
    shows: ClassVar[frozenset[str]] = frozenset(("entities",))

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.list = EntityView(context, "Pinned entities")
        self.setMinimumHeight(LEAST_WORDS)
        self.rows = LineModel(attrgetter("id"), spoken_pin, self)
        self.list.setModel(self.rows)
        self.list.setItemDelegate(PinDelegate(self.list))
        put(column_layout(self.body, (0, 2, 0, 0)), self.list)
        context.selection.entity_changed.connect(self._follow)
        self.show_state("loading", "Loading pins…")

    def refresh(self, changes: Changes | None) -> None:
        self.context.runner.read(pinned_entities, self._got, self._failed, key=(id(self), "pins"))

    def focus(self) -> None:
        self.list.setFocus()

    def _got(self, rows: list[EntityRow]) -> None:
        if tuple(rows) != self.rows.lines:
            scrolled = self.list.verticalScrollBar().value()
            self.rows.set_lines(rows)
            selected = self.rows.index_of(self.context.selection.entity_id)
            self.list.go_to(selected.row(), scroll=False)
            self.list.verticalScrollBar().setValue(scrolled)
        self.setMinimumHeight(LEAST_ROWS if rows else LEAST_WORDS)
        self.titled.emit(f"Pins · {len(rows):,}" if rows else "Pins")
        if rows:
            self.show_state("ready")
        else:
            self.show_state("empty", EMPTY_THEN if self.context.workspace.past else EMPTY)

    def _failed(self, error: BaseException) -> None:
        self.show_failure("The pins could not be read", error, partial(self.refresh, None))

    def _follow(self, entity_id: str) -> None:
        self.list.go_to(self.rows.index_of(entity_id).row(), scroll=True)
