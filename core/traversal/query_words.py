"""The words of a question or a path by which entities are looked for, in any script."""

import re

from core.model.names import name_key
from core.model.search_words import STOP_WORDS, genitives
from core.model.split_words import has_unspaced_script, hyphenated_words

_SEPARATORS = re.compile(r"[/\\]+")
_JOINTS = re.compile(r"[\s_-]+")
_NOT_IN_A_TOKEN = re.compile(r"[^\w-]")

MOST_WORDS = 64
LAST_FOLDERS = 2


def words_of(question: str) -> tuple[str, ...]:
    """The words to look for: small letters, at least two signs, no stop word if others remain.

    A single sign counts in a script that writes words with one.
    """
    words = [word for word in dict.fromkeys(
                 (*hyphenated_words(name_key(question)), *map(name_key, genitives(question))))
             if len(word) > 1 or has_unspaced_script(word)]
    telling = [word for word in words if word not in STOP_WORDS]
    return tuple((telling or words)[:MOST_WORDS])


def folders_of(path: str) -> tuple[str, ...]:
    """The last two folders of a project's path, as they may stand in an entity's name.

    Each as it is, without the signs that upstream takes out (`my.app` and `myapp`), and with
    its words joined in each usual way: the folder `harbor-ledger` is the project Harbor Ledger.
    """
    last: list[tuple[str, ...]] = []
    for part in reversed(_SEPARATORS.split(path)):
        forms = _forms(name_key(part.replace("\0", "")))
        if len(forms[1]) > 1:
            last.append(forms)
        if len(last) == LAST_FOLDERS:
            break
    return tuple(dict.fromkeys(form for forms in reversed(last) for form in forms))


def _forms(part: str) -> tuple[str, ...]:
    """A folder as it is, without signs, and joined otherwise."""
    if part.isascii() and part.isalnum():
        return part, part
    return (part, _NOT_IN_A_TOKEN.sub("", part), *_joined(part))


def _joined(part: str) -> tuple[str, ...]:
    words = [word for word in _JOINTS.split(part) if word]
    return tuple(joint.join(words) for joint in " -_") if len(words) > 1 else ()
