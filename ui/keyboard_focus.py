"""The keyboard's way between the search field, the panels and the sky."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from ui.docks import Docks
from ui.panel import Panel
from ui.panels.entities import Entities
from ui.selection import Selection
from ui.top_bar import SearchField


class KeyboardFocus(QObject):
    """Joins the search field to the open graph's selection, and goes from part to part.

    Args:
        window: the window of all parts.
        sky: what is in the middle now.
    """

    def __init__(
        self, window: QWidget, search: SearchField, docks: Docks,
        sky: Callable[[], QWidget | None],
    ) -> None:
        super().__init__(window)
        self._window, self._search, self._docks, self._sky = window, search, docks, sky
        self._selection: Selection | None = None
        search.textChanged.connect(self._search_for)
        search.escaped.connect(self._leave_search)
        search.went_down.connect(partial(self._go_to_hits, False))
        search.entered.connect(partial(self._go_to_hits, True))

    def bind(self, selection: Selection | None) -> None:
        """Search in this graph from now on; None while no graph is open."""
        self._selection = selection
        if selection is not None:
            selection.search_changed.connect(self._show_search)

    def focus_search(self) -> None:
        """Begin another search."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def focus_next_part(self, step: int) -> None:
        """Search, the panels that are shown, and the sky, in a circle."""
        parts: list[QWidget] = [self._search]
        parts += [panel for panel in self._docks.panels if not panel.visibleRegion().isEmpty()]
        sky = self._sky()
        parts += [sky] if sky is not None else []
        focused = self._window.focusWidget()
        index = next((i for i, part in enumerate(parts) if focused is not None
                      and (part is focused or part.isAncestorOf(focused))), 0)
        target = parts[(index + step) % len(parts)]
        if isinstance(target, Panel):
            target.focus()
        else:
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _search_for(self, text: str) -> None:
        if self._selection is not None:
            self._selection.search_for(text)

    def _show_search(self, text: str) -> None:
        if self._search.text() != text:
            self._search.setText(text)

    def _leave_search(self) -> None:
        """Clear the filter; where nothing is narrowed the keyboard goes on to the list."""
        if self._selection is not None and self._selection.narrows:
            self._selection.clear_filter()
        else:
            self.focus_next_part(1)

    def _go_to_hits(self, at_once: bool) -> None:
        """From the search field into the list of hits, or at once to the first."""
        if self._selection is not None and "entities" in self._docks.names:
            panel = self._docks.bring("entities")
            if isinstance(panel, Entities):
                panel.enter_hits(at_once=at_once)
