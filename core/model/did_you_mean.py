"""The known words that are most like a mistyped one."""

from collections.abc import Iterable
from os.path import splitext

from core.model.names import canonical, spelled_out

_ALIKE = 79
"""How alike two words must be, 0 to 100: `postgress` and `Postgres`, `Yusef` and `Yusuf` (80), not
`a.db` and `b.db` (75). Twenty slips of one or two letters reach it, all but a few other words that
are near do not (`tests/core/model/test_near_names.py`)."""
_LEAST_BEGUN = 2
"""Characters from which a word is a beginning of others."""
_LEAST_OF_MANY = 4
"""Letters from which one word of a name is compared, too: `Yukki` with `Yuki Tanaka`."""
_MOST = 3


def nearest(wanted: str, known: Iterable[str], most: int = _MOST) -> tuple[str, ...]:
    """The known words that are most like `wanted`, best first; also those that begin with it.

    Two letters that changed places are alike however short the word (OSA distance 1).
    """
    # Here, because few who need a name mistype one.
    from rapidfuzz import fuzz, process  # noqa: PLC0415
    from rapidfuzz.distance import OSA  # noqa: PLC0415

    spelled = {_spelling(word): word for word in known}
    sought = _spelling(wanted)
    ending = splitext(sought)[1]

    def own_part(word: str) -> str:
        """A file's name without an ending that both have: that makes nothing alike."""
        return word.removesuffix(ending) if ending else word

    alike = [word for *_, word in process.extract(
        own_part(sought), {word: own_part(word) for word in spelled}, scorer=fuzz.ratio,
        score_cutoff=_ALIKE, limit=most)]
    length, letters = len(sought), sorted(sought)
    alike += [word for word in spelled if len(word) == length and sorted(word) == letters
              and OSA.distance(word, sought) == 1]
    begun = [word for word in spelled
             if len(sought) >= _LEAST_BEGUN and word.startswith(sought)]
    if not alike and len(sought) >= _LEAST_OF_MANY and " " not in sought:
        parts = ((word, part) for word in spelled if " " in word for part in word.split()
                 if abs(len(part) - len(sought)) <= 1 and len(part) >= _LEAST_OF_MANY)
        alike = [word for word, part in parts if OSA.distance(
            part, sought, score_cutoff=1) <= 1]
    return tuple(spelled[word] for word in dict.fromkeys((*alike, *sorted(begun))))[:most]


def _spelling(word: str) -> str:
    """A name as it is compared: `Öztürk` and `Oeztuerk`, `Weiß` and `Weiss` are the same."""
    return spelled_out(canonical(word))


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
