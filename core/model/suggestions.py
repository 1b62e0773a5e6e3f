"""Finds what was meant by a word that is not quite one of the known ones."""

from collections.abc import Iterable
from difflib import get_close_matches

from core.model.names import canonical

_ALIKE = 0.7
"""How alike two words must be, 0 to 1: `postgress` and `Postgres`, not `post` and `Postgres`."""
_MOST = 3


def nearest(wanted: str, known: Iterable[str], most: int = _MOST) -> tuple[str, ...]:
    """The known words that are most like `wanted`, best first; also those that begin with it."""
    spelled = {canonical(word): word for word in known}
    sought = canonical(wanted)
    alike = get_close_matches(sought, spelled, n=most, cutoff=_ALIKE)
    begun = [word for word in spelled if sought and word.startswith(sought)]
    return tuple(spelled[word] for word in dict.fromkeys((*alike, *sorted(begun))))[:most]


def did_you_mean(wanted: str, known: Iterable[str]) -> str:
    """`Did you mean “uv” or “uvx”?`; empty where nothing is near."""
    near = [f"“{word}”" for word in nearest(wanted, known)]
    if not near:
        return ""
    head, last = near[:-1], near[-1]
    said = f"{', '.join(head)} or {last}" if head else last
    return f"Did you mean {said}?"


def choices(wanted: str, known: Iterable[str]) -> str:
    """The nearest of a closed list, else all of it: `Did you mean “uses”?`, `Choose one of …`."""
    words = tuple(known)
    return did_you_mean(wanted, words) or f"Choose one of {', '.join(words)}"
