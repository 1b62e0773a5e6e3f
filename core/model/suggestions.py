"""Finds what was meant by a word that is not quite one of the known ones."""

from collections.abc import Iterable

from rapidfuzz import fuzz, process

from core.model.names import canonical

_ALIKE = 70
"""How alike two words must be, 0 to 100: `postgress` and `Postgres`, not `post` and `Postgres`."""
_MOST = 3


def nearest(wanted: str, known: Iterable[str], most: int = _MOST) -> tuple[str, ...]:
    """The known words that are most like `wanted`, best first; also those that begin with it."""
    spelled = {canonical(word): word for word in known}
    sought = canonical(wanted)
    alike = [word for word, *_ in process.extract(
        sought, spelled.keys(), scorer=fuzz.ratio, score_cutoff=_ALIKE, limit=most)]
    begun = [word for word in spelled if sought and word.startswith(sought)]
    return tuple(spelled[word] for word in dict.fromkeys((*alike, *sorted(begun))))[:most]


def did_you_mean(wanted: str, known: Iterable[str]) -> str:
    """`Did you mean “uv” or “uvx”?`; empty where nothing is near."""
    near = [f"“{word}”" for word in nearest(wanted, known)]
    if not near:
        return ""
    head, last = near[:-1], near[-1]
    return f"Did you mean {', '.join(head)} or {last}?" if head else f"Did you mean {last}?"


def choices(wanted: str, known: Iterable[str]) -> str:
    """The nearest of a closed list, else all of it: `Did you mean “uses”?`, `Choose one of …`."""
    words = tuple(known)
    return did_you_mean(wanted, words) or f"Choose one of {', '.join(words)}"
