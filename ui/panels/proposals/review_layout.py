"""The parts of the review side by side, and which of them takes the middle."""

from PySide6.QtWidgets import QApplication, QStackedLayout, QWidget

from ui.context import Context
from ui.panels.proposals.batch_view import BatchView
from ui.panels.proposals.card import CardView
from ui.panels.proposals.decision_bar import DecisionBar
from ui.panels.proposals.edit_form import EditForm
from ui.panels.proposals.effect_column import EffectView
from ui.panels.proposals.queue import QueueColumn
from ui.widgets.empty_states import Act, Placeholder
from ui.widgets.layouts import column_layout, side_by_side

WIDTHS = (320, 878, 300)
SHARES = (0, 1, 0)


class ReviewLayout:
    """Queue and card; a form or several with their effect in the card's place; or the end."""

    def __init__(self, context: Context, inside: QWidget) -> None:
        self.queue = QueueColumn(context.theme, context.actions.key_text("proposals.more"))
        self.card = CardView(context.theme)
        self.form = EditForm()
        self.several = BatchView()
        self.effect = EffectView()
        self.bar = DecisionBar(context.actions)
        self.end = Placeholder(context.theme)
        self._middle = QStackedLayout()
        self._pages = QStackedLayout(inside)

    def lay_out(self) -> None:
        """Put the parts in their places, once they are made: either takes half of the time."""
        self._pages.addWidget(self._side_by_side())
        self._pages.addWidget(self.end)

    @property
    def editing(self) -> bool:
        return self._middle.currentWidget() is self.form

    @property
    def at_end(self) -> bool:
        return self._pages.currentWidget() is self.end

    def take_keyboard(self) -> None:
        """Move the focus to where the review continues."""
        (self.end.button if self.at_end else self.queue.list).setFocus()

    def stretch(self, tall: bool) -> None:
        """Use the height of the whole window, or of a dock."""
        self.queue.stretch(tall)
        self.card.stretch(tall)
        self.bar.stretch(tall)

    def show_card(self) -> None:
        self._show(self.card)

    def show_form(self) -> None:
        self._show(self.form)

    def show_several(self) -> None:
        self._show(self.several)

    def _show(self, page: QWidget) -> None:
        self._middle.setCurrentWidget(page)
        self.bar.setVisible(page is not self.form)
        self.effect.setVisible(page is self.several)

    def show_end(self, text: str, action: Act) -> None:
        """Show that nothing is pending, what was decided, and undo."""
        had_keyboard = _has_keyboard(self._pages.currentWidget())
        self.end.show_state("empty", text, action, title="All caught up")
        self._pages.setCurrentWidget(self.end)
        if had_keyboard:
            self.take_keyboard()

    def leave_end(self) -> None:
        if self.at_end:
            had_keyboard = _has_keyboard(self.end)
            self._pages.setCurrentIndex(0)
            if had_keyboard:
                self.take_keyboard()

    def _side_by_side(self) -> QWidget:
        middle = QWidget()
        column = column_layout(middle, (0, 0, 0, 0), 0)
        column.addLayout(self._middle, 1)
        # Only now: a stack without a parent shows its first page as a window of its own.
        for page in (self.card, self.form, self.several):
            self._middle.addWidget(page)
        column.addWidget(self.bar)
        self.effect.hide()
        return side_by_side(((self.queue, 150), (middle, 368), (self.effect, 120)), WIDTHS, SHARES)


def _has_keyboard(widget: QWidget | None) -> bool:
    focused = QApplication.focusWidget()
    return focused is not None and widget is not None and widget.isAncestorOf(focused)
