"""Fits texts into their budgets: as many memories as fit, all constraints."""

from collections.abc import Sequence

SHORTEST = 24
"""Characters that a constraint always keeps."""
ELLIPSIS = "…"


def taken(lengths: Sequence[int], room: int) -> int:
    """How many texts fit, in order; the first that does not fit ends it."""
    used = 0
    for count, length in enumerate(lengths):
        used += length
        if used > room:
            return count
    return len(lengths)


def fitting(lengths: Sequence[int], room: int) -> tuple[int, ...]:
    """The indices of the texts that fit, in order; one that does not fit is skipped.

    Upstream the first that does not fit ends the list, so that one long memory excludes every short
    one after it.
    """
    fitting_places: list[int] = []
    for place, length in enumerate(lengths):
        if length <= room:
            fitting_places.append(place)
            room -= length
    return tuple(fitting_places)


def cut(text: str, most: int) -> str:
    """The text in at most so many characters, after a whole word where one ends near enough."""
    if len(text) <= most:
        return text
    kept = text[:max(most - len(ELLIPSIS), 0)]
    end = kept.rfind(" ") if text[len(kept)] != " " else len(kept)
    return (kept[:end] if end > most // 2 else kept).rstrip(" ,;:–-") + ELLIPSIS


def shortened(texts: Sequence[str], room: int) -> list[str]:
    """All texts, the longest of them cut to one common length so that together they fit, each
    after a whole word.

    None is cut below `SHORTEST` characters, even if they then exceed `room`.
    """
    if sum(map(len, texts)) <= room:
        return list(texts)
    longest = max(map(len, texts), default=0)
    most = max(_common_length([len(text) for text in texts], room), SHORTEST)
    shorter = [cut(text, most) for text in texts]
    # Ending after whole words leaves room over, in which some end a word later.
    while most < longest:
        most += 1
        longer = [cut(text, most) for text in texts]
        if sum(map(len, longer)) > room:
            break
        shorter = longer
    return shorter


def _common_length(lengths: Sequence[int], room: int) -> int:
    """The largest length to which all may be cut so that their sum is within `room`."""
    left = max(room, 0)
    for place, length in enumerate(sorted(lengths)):
        even = left // (len(lengths) - place)
        if length > even:
            return even
        left -= length
    return max(lengths, default=0)
