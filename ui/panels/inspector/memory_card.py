"""One memory in the inspector: its whole text, what it mentions, and what rests on it."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.model.entity import EntityRow
from core.model.text_formatting import one_line
from ui.models.memory_details import MemoryDetails, RestingValue
from ui.models.recall_results import facts_of
from ui.theme import Theme
from ui.widgets.labels import SectionHead, label, set_tip
from ui.widgets.layouts import put, row_layout
from ui.widgets.link_button import link_button
from ui.widgets.meter_and_type_glyph import TypeGlyph
from ui.widgets.scroll_column import ScrollColumn

GONE = "This memory is no longer in the graph, or this agent may not read it."
NAMED = 42
"""Characters of a name or a value on a link."""


class MemoryCard(ScrollColumn):
    """Takes the place of the entity while a memory is selected."""

    closed = Signal()
    entity_chosen = Signal(str)
    value_chosen = Signal(object)
    """A `Value` that rests on the memory."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("The memory in full", margins=(16, 8, 14, 8))
        self._theme = theme
        self.shown: MemoryDetails | None = None

    def show_memory(self, full: MemoryDetails, back: str) -> None:
        """Show it; `back` are the words on the link that leads away from it."""
        self.shown = full
        memory = full.memory
        with self.filling() as column:
            self._link(column, back, self.closed.emit)
            if memory is None:
                column.addWidget(label(GONE, "soft", wrap=True))
                return
            column.addWidget(SectionHead("Deleted memory" if memory.is_deleted else "Memory"))
            put(column, label(full.text, wrap=True, selectable=True),
                label(facts_of(memory), "caption", wrap=True))
            if memory.why:
                put(column, SectionHead("Why"),
                    label(memory.why, "soft", wrap=True, selectable=True))
            if full.values:
                column.addWidget(SectionHead("Values that rest on it"))
            for resting in full.values:
                self._value(column, resting)
            if full.mentioned:
                column.addWidget(SectionHead("Mentions"))
            for entity in full.mentioned:
                self._entity(column, entity)
            put(column, SectionHead("Provenance"), *(
                label(one_line(words, 200), "soft", wrap=True, selectable=True)
                for words in (memory.source_kind, memory.source_path, memory.source_id,
                              f"id {memory.id}") if words))

    def _value(self, column: QVBoxLayout, resting: RestingValue) -> None:
        words = f"{resting.words} ({resting.status})" if resting.status else resting.words
        self._link(column, words, partial(self.value_chosen.emit, resting.value))

    def _entity(self, column: QVBoxLayout, entity: EntityRow) -> None:
        row = QWidget()
        sign = TypeGlyph(self._theme)
        sign.set_type(entity.entity_type)
        line = row_layout(row, (0, 0, 0, 0), 6)
        line.addWidget(sign)
        self._link(line, entity.name, partial(self.entity_chosen.emit, entity.id))
        line.addStretch(1)
        column.addWidget(row)

    def _link(self, column: object, words: str, act: Callable[[], object]) -> None:
        shown = one_line(words, NAMED)
        button = link_button(shown.replace("&", "&&"), act)
        button.setAccessibleName(words)
        if shown != words:
            set_tip(button, words)
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)  # type: ignore[attr-defined]
