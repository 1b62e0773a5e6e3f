"""Whether a question is about what was, or about what is and will be, by its verbs."""

import math
import re

from core.model.rule_or_event_question import first, happened_at
from core.model.search_words import is_german

_AHEAD = re.compile(
    r"\b(?:is|are|am|will|shall|should|must|can|do|does|happens?|comes?|begins?|starts?|ends?)\b",
    re.IGNORECASE)
_DO_HAVE = re.compile(r"\bdo(?:es)? \w+ have\b", re.IGNORECASE)
"""Where "have" tells of nothing that happened: "What do we have in December?"."""
_PLANNED = re.compile(r"\b(?:due|plan(?:ned)?|scheduled?|book(?:ed)?|agreed?|arranged?|upcoming)\b",
                      re.IGNORECASE)
_GERMAN_AHEAD = re.compile(
    r"\b(?:ist|sind|bin|wird|werden|kommt|kommen|steht|stehen|gibt|passiert|habe|haben|hat|muss"
    r"|soll|beginnt|findet|finden|fällig|geplant)\b", re.IGNORECASE)
_GERMAN_PAST = re.compile(
    r"\b(?:war|waren|wurden?|gab|hatten?|kam|kamen|ging|gingen)\b"
    r"|\b(?:hat|habe|haben)\b.*\b\w*(?:ge\w+(?:t|en)|iert)\b"
    r"|\b(?:ist|sind|bin)\b.*\b(?:passiert|geschehen|gewesen|gekommen|gegangen|gefahren)\b",
    re.IGNORECASE)


def asks_ahead(text: str) -> bool | None:
    """True for a question about what is or will be, False for one about what was, None for one that
    says neither, or both."""
    if is_german(text):
        was, is_so = _GERMAN_PAST.search(text) is not None, _GERMAN_AHEAD.search(text) is not None
        return not was if was or is_so else None
    text = _DO_HAVE.sub("do", text)
    happened, holds = happened_at(text), first(_AHEAD, text)
    if happened < holds:
        return None if _PLANNED.search(text) else False
    return True if holds < happened == math.inf else None
