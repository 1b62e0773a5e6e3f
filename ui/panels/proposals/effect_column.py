"""What proposals would change: beside the evidence of one, or in a column for several."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout

from core.expectations.forecast import Forecast
from core.model.text_formatting import one_line
from core.review.effects import Effect
from ui.models.proposal_batch import Batch
from ui.models.review_card import Card
from ui.widgets.expectation_forecast_lines import put_forecast
from ui.widgets.labels import SectionHead, label
from ui.widgets.lines_of_text import signed_line
from ui.widgets.link_button import link_button
from ui.widgets.scroll_column import ScrollColumn

ROLES = {"+": "good", "−": "bad", "~": "soft"}


class EffectView(ScrollColumn):
    """What all that are ticked would do together."""

    def __init__(self) -> None:
        super().__init__("If all ticked are applied", margins=(18, 10, 14, 8))

    def show_batch(self, batch: Batch | None, forecast: Forecast | None = None) -> None:
        with self.filling() as column:
            column.addWidget(SectionHead("If all ticked are applied"))
            if batch is None:
                column.addWidget(label("Computing the effect…", "soft"))
                return
            _put_lines(column, batch.effects)
            put_forecast(column, forecast)


def put_effect(
    column: QVBoxLayout, card: Card, go_to: Callable[[str], object] | None = None
) -> None:
    """What is added, removed and changed, and the proposals that want something else there.

    Without `go_to` the others stand elsewhere.
    """
    column.addWidget(SectionHead("If applied"))
    if card.blocked and not card.effects:
        column.addWidget(label("Nothing: it can't be applied as it is", "soft", wrap=True))
    else:
        _put_lines(column, card.effects)
    put_forecast(column, card.forecast)
    if go_to is None:
        if card.rivals:
            others = ("the other proposal is" if len(card.rivals) == 1 else
                      f"the {len(card.rivals)} other proposals are")
            column.addWidget(signed_line("⚠", "proposal", f"{others} then outdated"))
        return
    for rival in card.rivals:
        column.addWidget(signed_line(
            "⚠", "proposal", f"conflicting proposal: {one_line(rival.text, 90)}"))
        button = link_button("show it", partial(go_to, rival.id))
        button.setAccessibleName(f"Show the other: {one_line(rival.text, 60)}")
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)


def _put_lines(column: QVBoxLayout, effects: tuple[Effect, ...]) -> None:
    if not effects:
        column.addWidget(label("Nothing would change", "soft", wrap=True))
    for effect in effects:
        column.addWidget(signed_line(effect.sign, ROLES[effect.sign], effect.text))
