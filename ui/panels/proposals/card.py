"""The card of one proposal: what would change, why, and on what evidence."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.model.dispute import DECISIONS
from core.model.names import spoken
from core.model.proposal import Evidence
from core.model.text_format import one_line
from core.model.times import ago
from core.review.differences import Difference, FieldChange
from ui.models.review_card import Card
from ui.models.review_queue import risk_words
from ui.models.wording import OPENABLE, source_words
from ui.panels.change_details import field_grid, put_difference, put_fields, put_words
from ui.theme import Theme
from ui.widgets.highlighted_text import QuotedText
from ui.widgets.indicators import Meter
from ui.widgets.labels import label
from ui.widgets.layouts import put, row_layout
from ui.widgets.scroll_column import Quote, ScrollColumn, link_button, shrinking

LONG_SOURCE = 260
DISPUTE_VERBS = {"apply": "Apply", "reject": "Reject", "both": "Keep both"}
"""The buttons that decide a dispute, as they are called."""


class CardView(ScrollColumn):
    """Fills itself from a `Card`."""

    opened = Signal(object)
    """The person wants to see the source of this piece of evidence."""
    jumped = Signal()
    """The person wants to see the entity that it is about."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("The proposal", margins=(18, 8, 18, 6), spacing=4)
        self._theme = theme
        self.card: Card | None = None
        self._refusal = ""
        self._flagged = False
        self._more = False
        self._whole: set[int] = set()

    def show_card(self, card: Card, refusal: str = "", *, flagged: bool = False) -> None:
        """Show a proposal; `refusal` is why the last decision on it failed."""
        same = self.card is not None and self.card.proposal.id == card.proposal.id
        scrolled = self.verticalScrollBar().value() if same else 0
        if not same:
            self._more, self._whole = False, set()
        self.card, self._refusal, self._flagged = card, refusal, flagged
        self._build()
        self.verticalScrollBar().setValue(scrolled)

    def show_flag(self, flagged: bool) -> None:
        """Show whether it is flagged, if that has changed."""
        if flagged != self._flagged and self.card is not None:
            self._flagged = flagged
            self._rebuild()

    def show_note(self, text: str) -> None:
        """Words in the card's place while it is read, or when it could not be."""
        self.card = None
        with self.filling() as column:
            column.addWidget(label(text, "soft", wrap=True, selectable=True))

    def _build(self) -> None:
        card = self.card
        assert card is not None
        with self.filling() as column:
            put(column, self._head(card), self._byline(card))
            if self._refusal:
                column.addWidget(label(f"Failed: {self._refusal}", "bad", wrap=True,
                                       selectable=True))
            if card.blocked:
                words = "Confirm to apply" if card.forceable else (
                    "Can't be applied as it is")
                column.addWidget(label(f"{words}: {card.blocked}", "bad", wrap=True,
                                       selectable=True))
            for text in card.warnings:
                column.addWidget(label(f"⚠ {text}", "proposal", wrap=True, selectable=True))
            if not card.speaks_for_itself:
                column.addWidget(label(card.sentence, wrap=True, selectable=True))
            if card.dispute is not None:
                column.addWidget(field_grid(tuple(
                    FieldChange(DISPUTE_VERBS[verb], None, effect)
                    for verb, effect in DECISIONS.items())))
            # What decides stands before the fold: words, evidence, reason; further rows below.
            first, rest = _split(card.differences)
            for difference in first:
                put_words(column, self._theme, difference)
            put(column, *(self._quote(at, piece) for at, piece in enumerate(card.evidence)))
            if card.proposal.rationale:
                column.addWidget(label(f"Reason: {card.proposal.rationale}", "soft", wrap=True,
                                       selectable=True))
            for difference in first:
                put_fields(column, difference)
            for difference in rest:
                put_difference(column, self._theme, difference)
            self._put_bookkeeping(column, card)

    def _head(self, card: Card) -> QWidget:
        row = QWidget()
        line = row_layout(row, (0, 0, 0, 0))
        line.addWidget(label(one_line(card.head, 400), "head", wrap=True, selectable=True), 1)
        if card.entity_id:
            jump = link_button("show in sky ↗", self.jumped.emit)
            line.addWidget(jump, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _byline(self, card: Card) -> QWidget:
        proposal = card.proposal
        row = QWidget()
        line = row_layout(row, (0, 0, 0, 2), 4)
        what = spoken(one_line(proposal.operation, 60)).capitalize()
        who = f"{what}, by {one_line(proposal.created_by, 60) or 'someone'}"
        age = ago(proposal.created_at)
        words = shrinking(f"{who}, {age}" if age else who)
        words.set_more(proposal.operation)
        put(line, words, label(f"· confidence {proposal.confidence:.2f}", "soft"),
            Meter(self._theme, proposal.confidence, "confidence", token="good"))
        if proposal.risk:
            strong = proposal.risk.lower() in ("high", "critical")
            line.addWidget(label(f"· {risk_words(proposal.risk)}", "bad" if strong else "soft"))
        if self._flagged:
            line.addWidget(label("· flagged for later", "proposal"))
        line.addStretch(1)
        row.setMinimumWidth(1)
        return row

    def _put_bookkeeping(self, column: QVBoxLayout, card: Card) -> None:
        if card.unshown:
            column.addWidget(label(f"and {card.unshown} more rows", "soft"))
        more = tuple(field for difference in card.differences for field in difference.more)
        if more:
            words = "Hide internal fields" if self._more else "Show internal fields"
            column.addWidget(link_button(words, self._toggle_more), 0,
                             Qt.AlignmentFlag.AlignLeft)
        if more and self._more:
            column.addWidget(field_grid(more))

    def _quote(self, at: int, piece: Evidence) -> QWidget:
        quote = Quote()
        has_text = bool(piece.quote.strip(" …") or piece.text.strip())
        if has_text:
            passage = QuotedText(self._theme)
            passage.set_passage(piece.quote, piece.text, whole=at in self._whole)
            quote.column.addWidget(passage)
        foot = row_layout(spacing=6)
        foot.addWidget(label(
            source_words(piece) + ("" if has_text else " · no text"), "caption"))
        if piece.kind in OPENABLE and piece.source_id:
            foot.addWidget(link_button("open ↗", partial(self.opened.emit, piece)))
        if len(piece.text) > LONG_SOURCE:
            words = "less" if at in self._whole else "show all"
            foot.addWidget(link_button(words, partial(self._toggle_whole, at)))
        foot.addStretch(1)
        quote.column.addLayout(foot)
        return quote

    def _toggle_more(self) -> None:
        self._more = not self._more
        self._rebuild()

    def _toggle_whole(self, at: int) -> None:
        self._whole ^= {at}
        self._rebuild()

    def _rebuild(self) -> None:
        scrolled = self.verticalScrollBar().value()
        self._build()
        self.verticalScrollBar().setValue(scrolled)


def _split(
    differences: Sequence[Difference],
) -> tuple[Sequence[Difference], Sequence[Difference]]:
    """The one that says most, if it is in words, and the others in their order."""
    at = next((at for at, difference in enumerate(differences)
               if difference.old or difference.new), None)
    if at is None:
        return (), differences
    return differences[at:at + 1], [*differences[:at], *differences[at + 1:]]
