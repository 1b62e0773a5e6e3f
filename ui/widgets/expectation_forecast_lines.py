"""What a change would do to the expectations, a line each, under what else it would do."""

from PySide6.QtWidgets import QVBoxLayout

from core.expectations.forecast import Forecast
from core.model.text_formatting import counted
from ui.widgets.lines_of_text import signed_line

SHOWN = 3
"""Expectations that are named; the others are counted."""


def put_forecast(column: QVBoxLayout, forecast: Forecast | None) -> None:
    """The expectations that would break or be mended, each on a line."""
    if forecast is None:
        return
    for sign, role, verb, these in (("✗", "bad", "breaks", forecast.breaks),
                                    ("✓", "good", "mends", forecast.mends)):
        lines = list(dict.fromkeys(each.line for each in these))
        for line in lines[:SHOWN]:
            column.addWidget(signed_line(sign, role, f"{verb} an expectation: {line}"))
        if len(lines) > SHOWN:
            more = counted(len(lines) - SHOWN, "more expectation")
            column.addWidget(signed_line(sign, role, f"{verb} {more}"))
