"""Tells whether one value of a claim reads like an update of another."""

import re

_NUMBERS = frozenset((
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve"))
_UPDATES = ("currently", "now", "recently", "lately", "updated", "changed", "switched", "replaced",
            "no longer", "not anymore", "instead", "previously", "formerly")
_UPDATE = re.compile(rf"\b({'|'.join(_UPDATES)})\b")
_WORD = re.compile(r"[^\W_][^\W_-]*(?:-[^\W_]+)*")


def is_update(newer: str, older: str) -> bool:
    """True if the newer text tells the same with other numbers, or says that things changed."""
    new, old = _words(newer), _words(older)
    overlap = sum(word in set(old) for word in new)
    if overlap < 3:
        return False
    numbers = [{word for word in words if word.isdigit() or word in _NUMBERS}
               for words in (new, old)]
    if all(numbers) and numbers[0] != numbers[1]:
        return True
    return overlap >= 4 and _UPDATE.search(newer.lower()) is not None


def _words(text: str) -> list[str]:
    """Words of two signs or more, and numbers of any length."""
    return [word for word in _WORD.findall(text.lower()) if len(word) > 1 or word.isdigit()]
