"""Quiet strips under the top bar: permission to write, and an error in words."""

from collections.abc import Callable, Sequence
from functools import cached_property, partial

from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from core.errors import ConstellationError, without_number
from ui.error_words import words_of
from ui.widgets.buttons import push_button
from ui.widgets.empty_states import TechnicalDetails
from ui.widgets.labels import ElidedLabel, label
from ui.widgets.layouts import column_layout, put, row_layout


class WriteBanner(QFrame):
    """Says that another program's file is shown read-only, with the button that changes it."""

    def __init__(self, allow: Callable[[], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "banner")
        self.allow = push_button("Allow writing…", allow)
        self.dismiss = push_button("Keep it read-only", self.hide, "link")
        words = ElidedLabel("Read-only until you allow writing. You can browse it safely.")
        put(row_layout(self, (14, 5, 10, 5), 10), (words, 1), self.dismiss, self.allow)
        self.hide()


Ways = Sequence[tuple[str, Callable[[], None]]]
"""Buttons beside an error: what each says, and what it does."""


class ErrorBar(QFrame):
    """The last error that nothing else showed: what, where, what to do; technical text folded."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "errorbar")
        self.words = label(wrap=True, selectable=True)
        self.ways: list[QPushButton] = []
        self.close_button = push_button("Close", self.hide, "link")
        self._ways = row_layout(spacing=6)
        first = put(row_layout(spacing=10), (self.words, 1), self._ways, self.close_button)
        self._column = put(column_layout(self, (14, 5, 10, 5), 4), first)
        self.hide()

    @cached_property
    def _detail(self) -> TechnicalDetails:
        """The folded text, made for the first error."""
        made = TechnicalDetails(centred=False)
        self._column.addWidget(made)
        return made

    def show_error(self, error: BaseException, ways: Ways = ()) -> None:
        """Show an error, with a button for each way on."""
        self._offer(ways)
        if isinstance(error, ConstellationError):
            self.words.setText(words_of(error))
            self._detail.set_text(error.detail)
        else:
            self.words.setText(
                "An unexpected error occurred. Your graph is unchanged since the last announced "
                "change."
            )
            self._detail.set_text(without_number(f"{type(error).__name__}: {error}"))
        self.setAccessibleName(self.words.text())
        self.show()

    def _offer(self, ways: Ways) -> None:
        for button in self.ways:
            button.hide()
            button.deleteLater()
        self.ways = [push_button(words, partial(self._go, act), "link") for words, act in ways]
        put(self._ways, *self.ways)

    def _go(self, act: Callable[[], None]) -> None:
        self.hide()
        act()
