"""Recognises the wording of a decision, which binds the agent from then on."""

import re

_WORDING = re.compile("|".join((
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


def wording(content: str) -> str:
    """The words that tell of a decision, empty where there are none."""
    found = _WORDING.search(content)
    return " ".join(found[0].split()) if found else ""


def is_decision(content: str) -> bool:
    """True if a memory tells of something that was decided."""
    return bool(wording(content))
