"""Fits texts into their budgets: as many memories as fit, all constraints."""

from collections.abc import Iterable, Mapping, Sequence

SHORTEST = 24
"""Characters that a shortened constraint keeps."""
ELLIPSIS = "…"


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


def fitting_by_part(
    lengths: Sequence[int], room: int, parts: Sequence[str], shares: Mapping[str, float]
) -> tuple[int, ...]:
    """The indices of the texts that fit, in order, after some have had a share of the room.

    Args:
        parts: for each text of which part it is.
        shares: the share of each part that has one; what it leaves is for all.
    """
    chosen: set[int] = set()
    for part, share in shares.items():
        own = [place for place, of_part in enumerate(parts) if of_part == part]
        inside = fitting([lengths[place] for place in own], round(room * share))
        chosen |= {own[at] for at in inside}
    others = [place for place in range(len(lengths)) if place not in chosen]
    left = room - sum(lengths[place] for place in chosen)
    chosen |= {others[at] for at in fitting([lengths[place] for place in others], left)}
    return tuple(sorted(chosen))


def cut(text: str, most: int) -> str:
    """The text in at most so many characters, after a whole word where one ends near enough."""
    if len(text) <= most:
        return text
    kept = text[:max(most - len(ELLIPSIS), 0)]
    end = kept.rfind(" ") if text[len(kept)] != " " else len(kept)
    return (kept[:end] if end > most // 2 else kept).rstrip(" ,;:–-") + ELLIPSIS


def shortened(texts: Sequence[str], order: Iterable[int], excess: int) -> list[str]:
    """The texts, shorter by `excess` characters in all if that is possible.

    One after another is cut, each only as far as is needed and not below `SHORTEST`: few rules that
    are cut do less harm than many, as half a rule may mean something else.

    Args:
        order: the indices of the texts, first what is cut first.
        excess: characters to save.
    """
    shorter = list(texts)
    for place in order:
        if excess <= 0:
            break
        text = texts[place]
        shorter[place] = cut(text, max(len(text) - excess, SHORTEST))
        excess -= len(text) - len(shorter[place])
    return shorter
