"""The words of a question or a path by which entities are looked for, in any script."""

import re
from collections.abc import Iterable

from core.model.language import HAN_AND_KANA, HANGUL, SOUTH_EAST_ASIAN, STOP_WORDS
from core.model.names import canonical

_WORD = re.compile(r"[\w-]*\w[\w-]*")
# A name in a script without spaces is a stretch of a longer run.
_RUN = re.compile(f"[{HAN_AND_KANA}{HANGUL}{SOUTH_EAST_ASIAN}]+")
_SEPARATORS = re.compile(r"[/\\]+")
_JOINTS = re.compile(r"[\s_-]+")
_NOT_IN_A_TOKEN = re.compile(r"[^\w-]")

MOST_WORDS = 64
LONGEST_NAME = 5
"""Words of a name that is looked for as a whole."""
LONGEST_RUN = 8
"""Signs of a name in a script without spaces."""


def words_of(question: str) -> tuple[str, ...]:
    """The words to look for: small letters, at least two signs, no stop word if others remain.

    A single sign counts in a script that writes words with one.
    """
    words = [word for word in dict.fromkeys(_WORD.findall(canonical(question.replace("\0", " "))))
             if len(word) > 1 or _RUN.fullmatch(word)]
    telling = [word for word in words if word not in STOP_WORDS]
    return tuple((telling or words)[:MOST_WORDS])


def names_in(question: str) -> tuple[str, ...]:
    """Every stretch of the question that may be a whole name, canonical, the longest first."""
    words = canonical(question.replace("\0", " ")).split()[:MOST_WORDS]
    bare = [word.strip(".,;:!?\"'()[]{}<>“”‘’«»、。？！") for word in words]
    names = dict.fromkeys(_stretches(words))
    names.update(dict.fromkeys(_stretches(bare)))
    names.update(dict.fromkeys(word.removesuffix("'s").removesuffix("’s") for word in bare))
    for run in _RUN.findall(" ".join(words)):
        for length in range(min(LONGEST_RUN, len(run)), 0, -1):
            names.update(dict.fromkeys(
                run[at:at + length] for at in range(len(run) - length + 1)))
    return tuple(sorted((name for name in names if name and name not in STOP_WORDS),
                        key=lambda name: -len(name)))


def _stretches(words: list[str]) -> Iterable[str]:
    for length in range(min(LONGEST_NAME, len(words)), 0, -1):
        for at in range(len(words) - length + 1):
            yield " ".join(words[at:at + length])


def folders_of(path: str) -> tuple[str, ...]:
    """The last two folders of a project's path, as they may stand in an entity's name.

    Each as it is, without the signs that upstream takes out (`my.app` and `myapp`), and with
    its words joined in each usual way: the folder `harbor-ledger` is the project Harbor Ledger.
    """
    parts = [canonical(part.replace("\0", "")) for part in _SEPARATORS.split(path)]
    bare = [(part, _NOT_IN_A_TOKEN.sub("", part), *_joined(part)) for part in parts]
    last = [forms for forms in bare if len(forms[1]) > 1][-2:]
    return tuple(dict.fromkeys(form for forms in last for form in forms))


def _joined(part: str) -> tuple[str, ...]:
    words = [word for word in _JOINTS.split(part) if word]
    return tuple(joint.join(words) for joint in " -_") if len(words) > 1 else ()
