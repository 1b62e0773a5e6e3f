"""Fits texts into their room: memories until one does not fit, constraints all of them."""

from collections.abc import Sequence

SHORTEST = 24
"""Characters that a constraint always keeps."""
ELLIPSIS = "..."


def taken(lengths: Sequence[int], room: int) -> int:
    """How many texts fit, in order; the first that does not fit ends it."""
    used = 0
    for count, length in enumerate(lengths):
        used += length
        if used > room:
            return count
    return len(lengths)


def shortened(texts: Sequence[str], room: int) -> list[str]:
    """All texts, the longest of them cut to one common length so that together they fit.

    None is cut below `SHORTEST` characters, even if they then take more than `room`.
    """
    if sum(map(len, texts)) <= room:
        return list(texts)
    most = max(_common_length([len(text) for text in texts], room), SHORTEST)
    return [text if len(text) <= most else text[:most - len(ELLIPSIS)].rstrip() + ELLIPSIS
            for text in texts]


def _common_length(lengths: Sequence[int], room: int) -> int:
    """The largest length to which all may be cut so that their sum is within `room`."""
    left = max(room, 0)
    for place, length in enumerate(sorted(lengths)):
        even = left // (len(lengths) - place)
        if length > even:
            return even
        left -= length
    return max(lengths, default=0)
