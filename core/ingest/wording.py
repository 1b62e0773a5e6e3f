"""Recognises the wording of a decision, and of an update of an earlier value."""

import re

from core.model.tokens import hyphenated_words

_DECISION = re.compile("|".join((
    r"\bcho(?:se|sen|ose)\b.{0,80}\b(?:over|instead)\b",
    r"\bdecided (?:to|on|against)\b",
    r"\bswitch(?:ed|ing) (?:from|to)\b",
    r"\bmigrat(?:e|ed|ing) (?:from|to|away)\b",
    r"\bpick(?:ed|ing)\b.{0,80}\bover\b",
    r"\b(?:went|going|go) with\b",
    r"\b(?:sticking|stick) with\b",
    r"\bcommitted to\b",
    r"\bsettled on\b",
    r"\bwill use\b",
    r"\bprefer(?:s|red)?\b.{0,80}\b(?:over|instead|rather)\b",
    r"\badopted\b",
    r"\b(?:architecture|design) decision\b",
)), re.IGNORECASE | re.DOTALL)

_NUMBERS = frozenset((
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve"))
_UPDATES = ("currently", "now", "recently", "lately", "updated", "changed", "switched", "replaced",
            "no longer", "not anymore", "instead", "previously", "formerly")
_UPDATE = re.compile(rf"\b({'|'.join(_UPDATES)})\b")


def decision_words(content: str) -> str:
    """The words that mark a decision; empty if there are none."""
    match = _DECISION.search(content)
    return " ".join(match[0].split()) if match else ""


def is_update(newer: str, older: str) -> bool:
    """True if the newer text is the same with other numbers, or states a change."""
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
    return [word for word in hyphenated_words(text.lower()) if len(word) > 1 or word.isdigit()]
