"""The right column of the review: what there would be if the proposal were applied."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout

from core.model.text_format import one_line
from ui.models.batch_preview import Batch
from ui.models.review_card import Card
from ui.widgets.labels import SectionHead, label
from ui.widgets.scroll_column import ScrollColumn, link_button, signed_line

ROLES = {"+": "good", "−": "bad", "~": "soft"}


class EffectView(ScrollColumn):
    """What is added, removed and changed; and conflicting proposals."""

    went_to = Signal(str)
    """The person wants to see another proposal for the same slot."""

    def __init__(self) -> None:
        super().__init__("If applied", margins=(18, 10, 14, 8))

    def show_batch(self, batch: Batch | None) -> None:
        """What all that are ticked would do together."""
        with self.filling() as column:
            column.addWidget(SectionHead("If all ticked are applied"))
            if batch is None:
                column.addWidget(label("Computing the effect…", "soft"))
                return
            if not batch.effects:
                column.addWidget(label("Nothing would change", "soft", wrap=True))
            for effect in batch.effects:
                column.addWidget(signed_line(effect.sign, ROLES[effect.sign], effect.text))

    def show_card(self, card: Card | None) -> None:
        with self.filling() as column:
            if card is not None:
                column.addWidget(SectionHead("If applied"))
                self._put_effects(column, card)
                for rival in card.rivals:
                    words = f"conflicting proposal: {one_line(rival.text, 90)}"
                    column.addWidget(signed_line("⚠", "proposal", words))
                    button = link_button("show it", partial(self.went_to.emit, rival.id))
                    button.setAccessibleName(f"Show the other: {one_line(rival.text, 60)}")
                    column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)

    def _put_effects(self, column: QVBoxLayout, card: Card) -> None:
        if card.blocked and not card.effects:
            column.addWidget(label("Nothing: it can't be applied as it is", "soft", wrap=True))
        elif not card.effects:
            column.addWidget(label("Nothing would change", "soft", wrap=True))
        for effect in card.effects:
            column.addWidget(signed_line(effect.sign, ROLES[effect.sign], effect.text))
