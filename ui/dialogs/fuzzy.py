"""How well a few typed letters mean a title."""

from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq

START_OF_TITLE, START_OF_WORD = 40, 20
INSIDE = 0.8
"""What letters inside of a word count beside the first letters of words."""


def score(wanted: str, title: str) -> float | None:
    """A number that is higher the better `wanted` fits, None if it does not.

    Every letter must come in order; letters in a run and the first letters of words count most,
    so that `cph` finds `Claim history panel` and `undo` prefers `Undo` to `Unpin and go`.
    """
    sought, text = " ".join(wanted.casefold().split()), title.casefold()
    letters = sought.replace(" ", "")
    if not letters:
        return 0.0
    if LCSseq.similarity(letters, text) < len(letters):
        return None
    initials = "".join(word[0] for word in text.split())
    best = max(INSIDE * fuzz.partial_ratio(sought, text), fuzz.ratio(letters, initials))
    if text.startswith(sought):
        best += START_OF_TITLE
    elif f" {sought}" in text:
        best += START_OF_WORD
    return best - len(text) / 50
