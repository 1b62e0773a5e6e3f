"""What differs between two texts, word by word."""

import html
import re
from difflib import SequenceMatcher
from typing import Literal

from msgspec import Struct

from core.model.text_formatting import clip
from ui.theme import Theme
from ui.widgets.highlighted_text import RichLabel
from ui.widgets.line_list_model import common_start

Kind = Literal["same", "gone", "new"]

WORD = re.compile(r"\s+|\w+(?:[:.'’-]\w+)*|[^\w\s]")
COMPARED_WORDS = 1500
"""Beyond this many differing words a comparison takes too long to wait for."""
SHOWN_CHARACTERS = 6000


class Span(Struct, frozen=True):
    """A stretch of text that is in both, only in the older or only in the newer one."""

    kind: Kind
    text: str


def word_diff(before: str, after: str) -> tuple[Span, ...]:
    """The way from `before` to `after` in words.

    The spans that are not `new` read as `before`, those that are not `gone` read as `after`. Of
    texts that differ in very many words only the common beginning and end are kept apart.
    """
    old, new = WORD.findall(before), WORD.findall(after)
    head = common_start(old, new)
    tail = common_start(old[head:][::-1], new[head:][::-1])
    old_end, new_end = len(old) - tail, len(new) - tail
    spans = [Span("same", "".join(old[:head]))]
    spans += _middle(old[head:old_end], new[head:new_end])
    spans.append(Span("same", "".join(old[old_end:])))
    return _join(spans)


def to_html(spans: tuple[Span, ...], theme: Theme, *, gone: bool = True) -> str:
    """The spans as rich text of ours: what is new is lit, what is gone is struck."""
    new_style = (
        f"color:{theme.color('text').name()};font-weight:600;"
        f"background-color:{theme.mix('surface', 'good', 0.26).name()}"
    )
    gone_style = f"color:{theme.color('bad').name()};text-decoration:line-through"
    parts = []
    for span in spans:
        text = html.escape(span.text)
        if span.kind == "new":
            parts.append(_lit(span.text, new_style))
        elif span.kind == "gone" and gone:
            parts.append(f'<span style="{gone_style}">{text}</span>')
            parts.append(" " if text and not text[-1].isspace() else "")
        elif span.kind == "same":
            parts.append(text)
    return f'<span style="white-space:pre-wrap">{"".join(parts)}</span>'


class DiffLabel(RichLabel):
    """A text with its word-level difference to an older one."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._spans: tuple[Span, ...] = ()
        self._gone = True

    def set_texts(self, before: str | None, after: str, *, gone: bool = True) -> None:
        """Show `after`; with `before` None nothing is marked. `gone` False hides struck words."""
        after = clip(after, SHOWN_CHARACTERS)
        self._gone = gone
        if before is None:
            self._spans = (Span("same", after),)
        else:
            self._spans = word_diff(clip(before, SHOWN_CHARACTERS), after)
        self.setAccessibleName(after)
        self._show()

    def _show(self) -> None:
        self.setText(to_html(self._spans, self._theme, gone=self._gone))


def _lit(text: str, style: str) -> str:
    """Only the words are lit, not the space round them."""
    words = text.strip()
    before, _, after = text.partition(words) if words else (text, "", "")
    return f'{before}<span style="{style}">{html.escape(words)}</span>{after}'


def _middle(old: list[str], new: list[str]) -> list[Span]:
    if len(old) + len(new) > COMPARED_WORDS:
        return [Span("gone", "".join(old)), Span("new", "".join(new))]
    spans: list[Span] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            spans.append(Span("same", "".join(old[i1:i2])))
        else:
            spans += [Span("gone", "".join(old[i1:i2])), Span("new", "".join(new[j1:j2]))]
    return spans


def _join(spans: list[Span]) -> tuple[Span, ...]:
    """Neighbours of one kind become one; a lone space between two changes belongs to both."""
    runs: list[tuple[str, str]] = []
    result: list[Span] = []
    full = [span for span in spans if span.text]

    def flush() -> None:
        gone = "".join(text for text, _ in runs)
        new = "".join(text for _, text in runs)
        result.extend(span for span in (Span("gone", gone), Span("new", new)) if span.text)
        runs.clear()

    for at, span in enumerate(full):
        if span.kind == "gone":
            runs.append((span.text, ""))
        elif span.kind == "new":
            runs.append(("", span.text))
        elif runs and span.text.isspace() and at + 1 < len(full):
            runs.append((span.text, span.text))
        else:
            flush()
            result.append(span)
    flush()
    return tuple(result)
