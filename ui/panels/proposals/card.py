"""The card of one proposal: what would change, why, and on what evidence."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from core.model.dispute import DECISIONS
from core.model.names import spoken
from core.model.proposal import Evidence
from core.model.text_formatting import counted, one_line
from core.model.times import ago
from core.queries.authors import told_name
from core.review.row_differences import Difference, FieldChange
from ui.error_words import told
from ui.models.evidence_wording import OPENABLE, confidence_words, source_words
from ui.models.review_card import Card
from ui.models.review_queue import risk_words
from ui.panels.change_details import field_grid, put_difference, put_fields, put_words
from ui.panels.proposals.effect_column import put_effect
from ui.theme import Theme
from ui.widgets.fitting_row import FittingRow
from ui.widgets.highlighted_text import QuotedText
from ui.widgets.labels import SectionHead, label
from ui.widgets.layouts import Part, column_layout, put, row_layout
from ui.widgets.lines_of_text import shrinking
from ui.widgets.link_button import link_button
from ui.widgets.meter_and_type_glyph import Meter
from ui.widgets.scroll_column import Quote, ScrollColumn

LONG_SOURCE = 260
ROWS = 24
"""Rows that would change that are shown at a time."""
RIVALS = 2
"""Other proposals for the same claim that are shown beside it."""
PART = " · "
"""Between the entity and the rest of a head."""
DOCK_MARGINS, TALL_MARGINS = (18, 8, 18, 6), (26, 20, 26, 12)
BESIDE = (3, 2)
"""How evidence and effect share the width."""
DISPUTE_VERBS = {"apply": "Apply", "reject": "Reject", "both": "Keep both"}
"""The buttons that decide a dispute, as they are called."""


class CardView(ScrollColumn):
    """Fills itself from a `Card`."""

    opened = Signal(object)
    """The person wants to see the source of this piece of evidence."""
    jumped = Signal()
    """The person wants to see the entity that it is about."""
    compare_wanted = Signal()
    """The person wants to see the value in force beside the proposed one."""
    went_to = Signal(str)
    """The person wants to see another proposal for the same slot."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("The proposal", margins=DOCK_MARGINS, spacing=4)
        self._theme = theme
        self._tall = False
        self.card: Card | None = None
        self._refusal = ""
        self._flagged = False
        self._more = False
        self._rows = ROWS
        self._whole: set[int] = set()

    def show_card(self, card: Card, refusal: str = "", *, flagged: bool = False) -> None:
        """Show a proposal; `refusal` is why the last decision on it failed."""
        same = self.card is not None and self.card.proposal.id == card.proposal.id
        scrolled = self.verticalScrollBar().value() if same else 0
        if not same:
            self._more, self._whole, self._rows = False, set(), ROWS
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

    def stretch(self, tall: bool) -> None:
        """Use the height of the whole window, or of a dock."""
        self._tall = tall
        self._margins, self._spacing = (TALL_MARGINS, 8) if tall else (DOCK_MARGINS, 4)
        if self.card is not None:
            self._rebuild()

    def _build(self) -> None:
        card = self.card
        assert card is not None
        # What decides stands before the fold: words, evidence, effect; further rows below.
        first, rest = _split(card.differences)
        with self.filling() as column:
            self._put_head(column, card)
            self._put_cautions(column, card)
            column.addWidget(self._wish(card, first))
            column.addLayout(self._evidence_beside_effect(card))
            if self._tall and card.rivals:
                self._put_wishes(column, card, first)
            for difference in first:
                put_fields(column, difference)
            for difference in rest[:self._rows]:
                put_difference(column, self._theme, difference)
            self._put_rest(column, len(first) + min(len(rest), self._rows),
                           len(card.differences) + card.unshown)
            self._put_bookkeeping(column, card)

    def _put_cautions(self, column: QVBoxLayout, card: Card) -> None:
        lines = [(f"Failed: {self._refusal}", "bad")] if self._refusal else []
        if card.blocked:
            words = "Confirm to apply" if card.forceable else "Can't be applied as it is"
            lines.append((f"{words}: {card.blocked}", "bad"))
        lines += [(f"⚠ {told(text)}", "proposal") for text in card.warnings]
        if card.colliding:
            lines.append((f"⚠ They say different things of {counted(card.colliding, 'claim')}: "
                          "Edit settles what holds, and shows the result first", "proposal"))
        for text, role in lines:
            column.addWidget(label(text, role, wrap=True, selectable=True))

    def _wish(self, card: Card, first: Sequence[Difference]) -> QWidget:
        """What would be said instead of what, on a plate of its own."""
        plate = _plate(tall=self._tall)
        column = column_layout(plate, (18, 14, 18, 14) if self._tall else (12, 5, 12, 5), 5)
        if not card.speaks_for_itself:
            column.addWidget(label(card.sentence, wrap=True, selectable=True))
        if card.dispute is not None:
            column.addWidget(field_grid(tuple(
                FieldChange(DISPUTE_VERBS[verb], None, effect)
                for verb, effect in DECISIONS.items())))
        for difference in first:
            put_words(column, self._theme, difference)
        return plate

    def _evidence_beside_effect(self, card: Card) -> QHBoxLayout:
        evidence = column_layout(margins=(0, 2, 0, 0), spacing=5)
        if card.evidence and self._tall:
            evidence.addWidget(SectionHead("On what evidence"))
        put(evidence, *(self._quote(at, piece) for at, piece in enumerate(card.evidence)))
        if card.proposal.rationale:
            evidence.addWidget(label(f"Reason: {card.proposal.rationale}", "soft", wrap=True,
                                     selectable=True))
        evidence.addStretch(1)
        effect = column_layout(margins=(0, 2, 0, 0), spacing=4)
        put_effect(effect, card, None if self._tall else self.went_to.emit)
        effect.addStretch(1)
        shares = BESIDE if card.evidence or card.proposal.rationale else (0, 1)
        return put(row_layout(spacing=28), (evidence, shares[0]), (effect, shares[1]))

    def _put_wishes(
        self, column: QVBoxLayout, card: Card, first: Sequence[Difference]
    ) -> None:
        """What else is proposed for the same claim, side by side with this."""
        column.addWidget(SectionHead("Proposed for the same claim"))
        own = first[0].new if first else None
        row = row_layout(spacing=12)
        row.addWidget(_wish_plate("this one", card.proposal.confidence, own or card.sentence))
        for rival in card.rivals[:RIVALS]:
            other = _wish_plate("the other", rival.confidence, rival.text)
            show = link_button("show it", partial(self.went_to.emit, rival.id))
            show.setAccessibleName(f"Show the other: {one_line(rival.text, 60)}")
            put(other.layout(), (show, 0, Qt.AlignmentFlag.AlignLeft))  # type: ignore[type-var]
            row.addWidget(other)
        column.addLayout(row)

    def _put_head(self, column: QVBoxLayout, card: Card) -> None:
        """Two lines; in a dock, where height is scarce, one."""
        name, _, where = one_line(card.head, 400).partition(PART)
        parts: list[Part] = [shrinking(name, "name" if self._tall else "head")]
        parts += [shrinking(where)] if where else []
        byline = self._byline(card)
        if not self._tall:
            parts += [(byline, 1)]
        jump = [link_button("show in sky ↗", self.jumped.emit)] if card.entity_id else []
        if card.two is not None:
            self.compare = link_button("compare…", self.compare_wanted.emit)
            self.compare.setAccessibleName("Compare the two values side by side")
            jump.insert(0, self.compare)
        column.addLayout(put(row_layout(spacing=10), *parts, None if self._tall else 0, *jump))
        if self._tall:
            column.addWidget(byline)

    def _byline(self, card: Card) -> QWidget:
        """What it is, whose and how sure; where there is little room, what matters less goes."""
        proposal = card.proposal
        what = spoken(one_line(proposal.operation, 60)).capitalize()
        who = f"{what}, by {one_line(told_name(proposal.created_by), 60) or 'someone'}"
        age = ago(proposal.created_at)
        words = shrinking(f"{who}, {age}" if age else who)
        words.set_more(proposal.operation)
        row = FittingRow(words)
        row.add(label(f"· {confidence_words(proposal.confidence)}", "soft"), 2)
        if proposal.confidence > 0:
            row.add(Meter(self._theme, proposal.confidence, "confidence", token="good"), 0)
        if proposal.risk:
            strong = proposal.risk.lower() in ("high", "critical")
            row.add(label(f"· {risk_words(proposal.risk)}", "bad" if strong else "soft"),
                    4 if strong else 1)
        if self._flagged:
            row.add(label("· flagged for later", "proposal"), 3)
        return row

    def _put_rest(self, column: QVBoxLayout, shown: int, total: int) -> None:
        """How many of the rows that would change are shown, and the way to the next."""
        if shown < total:
            column.addWidget(link_button(f"{shown:,} of {total:,} rows · show more",
                                         self._show_rows), 0, Qt.AlignmentFlag.AlignLeft)

    def _show_rows(self) -> None:
        self._rows += ROWS
        self._rebuild()

    def _put_bookkeeping(self, column: QVBoxLayout, card: Card) -> None:
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
        foot.addWidget(shrinking(
            source_words(piece) + ("" if has_text else " · its words are not in this file"),
            "caption"))
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


def _plate(*, tall: bool) -> QFrame:
    plate = QFrame()
    plate.setProperty("role", "plate")
    plate.setProperty("tall", tall)
    return plate


def _wish_plate(which: str, confidence: float, words: str) -> QFrame:
    """One of several things that are proposed for the same claim."""
    plate = _plate(tall=False)
    put(column_layout(plate, (14, 10, 14, 10), 4),
        label(f"{which} · {confidence_words(confidence)}", "caption"),
        label(one_line(words, 300), wrap=True, selectable=True), None)
    return plate


def _split(
    differences: Sequence[Difference],
) -> tuple[Sequence[Difference], Sequence[Difference]]:
    """The one that says most, if it is in words, and the others in their order."""
    at = next((at for at, difference in enumerate(differences)
               if difference.old or difference.new), None)
    if at is None:
        return (), differences
    return differences[at:at + 1], [*differences[:at], *differences[at + 1:]]
