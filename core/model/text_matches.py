"""Where the words of a search stand in a text."""

import re
from collections.abc import Sequence
from functools import lru_cache

from core.model.unspaced_scripts import has_unspaced

LONGEST = 200_000
"""So many characters of a text are looked through."""
MOST = 200
"""So many matches of a text are told."""

Span = tuple[int, int]


def match_spans(text: str, words: tuple[str, ...]) -> list[Span]:
    """Where each match begins and ends, in order; upper and lower case are the same.

    A match begins where a word begins, as full text finds it; in a script without spaces, and for
    signs, anywhere. If the words stand nowhere so, they are looked for anywhere.
    """
    for pattern in (_pattern(words), _pattern(words, anywhere=True)) if any(words) else ():
        spans = [match.span() for match, _ in zip(pattern.finditer(text[:LONGEST]), range(MOST),
                                                   strict=False)]
        if spans:
            return spans
    return []


def densest(text: str, spans: Sequence[Span], width: int) -> int:
    """Where the first match of those `width` characters begins that hold the most different ones;
    0 if there is no match."""
    def different(start: int) -> int:
        near = (text[at:end] for at, end in spans if start <= at and end <= start + width)
        return len({match.lower() for match in near})

    return max((at for at, _ in spans), key=lambda at: (different(at), -at), default=0)


@lru_cache(maxsize=32)
def _pattern(words: tuple[str, ...], *, anywhere: bool = False) -> re.Pattern[str]:
    longest_first = sorted(filter(None, words), key=len, reverse=True)
    return re.compile("|".join(
        re.escape(word) if anywhere or not _begins_a_word(word) else rf"(?<!\w){re.escape(word)}"
        for word in longest_first), re.IGNORECASE)


def _begins_a_word(word: str) -> bool:
    return word[0].isalnum() and not has_unspaced(word)
