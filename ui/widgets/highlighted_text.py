"""Passages of text from the graph in our own rich text: each part escaped, some words lit."""

import html

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPaintEvent

from core.model.text_formatting import clip, one_line
from ui.theme import Theme
from ui.widgets.labels import WrappingLabel

AROUND = 90
"""Characters shown on either side of the words that are lit."""


class RichLabel(WrappingLabel):
    """Rich text of ours in the theme's colours, which can be selected.

    It remembers how high it is at each width: when one of two hundred in a column is added, Qt asks
    each of them again, at two widths, and would break the lines of all of them.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._heights: dict[int, int] = {}
        self._faded = False
        """Whether it has the colours of another theme."""
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        theme.changed.connect(self._follow_theme)

    def setText(self, text: str) -> None:  # noqa: N802
        self._heights.clear()
        super().setText(text)

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        if width not in self._heights:
            self._heights[width] = super().heightForWidth(width)
        return self._heights[width]

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        if event.type() != QEvent.Type.PaletteChange:
            self._heights.clear()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        if self._faded:
            self._faded = False
            self._show()
        super().paintEvent(event)

    def _follow_theme(self) -> None:
        # Of hundreds in a column few are in sight: the others have time until they are.
        self._faded = self.visibleRegion().isEmpty()
        if not self._faded:
            self._show()

    def _show(self) -> None:
        """Set the text anew; the colours may have changed."""


class QuotedText(RichLabel):
    """Words of someone: the supporting sentence lit inside its source."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._quote = self._text = ""
        self._whole = False

    def set_passage(self, quote: str, text: str, *, whole: bool = False) -> None:
        """Light `quote` inside `text`; `whole` shows all of it, not only what is around. Where
        neither says anything, as of an imported fact, there is nothing to see.
        """
        if not (quote.strip() or text.strip()):
            self.hide()
        self._quote, self._text, self._whole = quote, text, whole
        self.setAccessibleName(clip(quote or text, 600))
        self._show()

    def _show(self) -> None:
        before, lit, after = parts(self._quote, self._text, whole=self._whole)
        lamp = self._theme.mix("surface", "proposal", 0.28).name()
        color = self._theme.color("text").name()
        shown = html.escape(before)
        if lit:
            shown += (f'<span style="background-color:{lamp};color:{color}">'
                      f"{html.escape(lit)}</span>")
        shown += html.escape(after)
        self.setText(f'<span style="white-space:pre-wrap">“{shown}”</span>')


class StruckText(RichLabel):
    """A text that goes."""

    def __init__(self, theme: Theme, text: str) -> None:
        super().__init__(theme)
        self._words = clip(text, 6000)
        self.setAccessibleName(f"Removed: {self._words}")
        self._show()

    def _show(self) -> None:
        color = self._theme.mix("text.soft", "bad", 0.75).name()
        self.setText(f'<span style="white-space:pre-wrap;color:{color};'
                     f'text-decoration:line-through">{html.escape(self._words)}</span>')


def parts(quote: str, text: str, *, whole: bool = False) -> tuple[str, str, str]:
    """What stands before, what is lit, what stands after.

    The quote is looked for as it is, then without regard to case. Where the source does not
    hold it, the quote stands alone; where there is none, the source does.
    """
    if not quote:
        return (clip(text, 6000) if whole else one_line(text, 2 * AROUND), "", "")
    at = text.find(quote)
    if at < 0 and len(text.lower()) == len(text):
        at = text.lower().find(quote.lower())
    if at < 0:
        return "", clip(quote, 2000), ""
    before, lit, after = text[:at], text[at:at + len(quote)], text[at + len(quote):]
    if not whole:
        if len(before) > AROUND:
            before = "…" + before[-AROUND:].lstrip()
        if len(after) > AROUND:
            after = after[:AROUND].rstrip() + "…"
    return before, clip(lit, 2000), after
