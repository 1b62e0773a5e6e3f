"""Recognises the wording of a decision."""

import re

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


def decision_words(content: str) -> str:
    """The words that mark a decision; empty if there are none."""
    match = _DECISION.search(content)
    return " ".join(match[0].split()) if match else ""
