"""How well a few typed letters mean a title."""

WORD_START, RUN, SKIP = 8, 5, 1
NEAR_START = 6


def score(wanted: str, title: str) -> float | None:
    """A number that is higher the better `wanted` fits, None if it does not.

    Every letter must come in order; letters at the beginnings of words and in a run count most,
    so that `cph` finds `Claim history panel` and `undo` prefers `Undo` to `Unpin and go`.
    """
    letters = [letter for letter in wanted.casefold() if not letter.isspace()]
    if not letters:
        return 0.0
    text = title.casefold()
    best = _walk(letters, text)
    if best is None:
        return None
    whole = wanted.strip().casefold()
    if text.startswith(whole):
        best += 3 * NEAR_START
    elif f" {whole}" in f" {text}":
        best += 2 * NEAR_START
    elif whole in text:
        best += NEAR_START
    return best - len(text) / 50


def _walk(letters: list[str], text: str) -> float | None:
    total, at, before = 0.0, 0, -2
    for letter in letters:
        found = _next(letter, text, at, before)
        if found < 0:
            return None
        if found == before + 1:
            total += RUN
        if found == 0 or not text[found - 1].isalnum():
            total += WORD_START
        total -= min(found - at, 8) * SKIP / 4
        before, at = found, found + 1
    return total


def _next(letter: str, text: str, start: int, before: int) -> int:
    """The next place of a letter: right after the last, else at a word's start, else anywhere."""
    first = text.find(letter, start)
    if first < 0 or first == before + 1:
        return first
    place = first
    while place >= 0:
        if place == 0 or not text[place - 1].isalnum():
            return place
        place = text.find(letter, place + 1)
    return first
