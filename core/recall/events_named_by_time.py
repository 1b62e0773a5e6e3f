"""Events that a question names by their time: the May audit is not that of March."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.model.search_words import STOP_WORDS, fold, stem, words
from core.recall.dates import is_recurring, names_weekday

_NAMED = re.compile(r"(?:\b(?:the|that|our|my)|['’]s) (?P<time>\w+) (?=(?P<what>\w+))",
                    re.IGNORECASE)


class NamedEvent(NamedTuple):
    """`time`, a month, weekday or season, says which `what` (its stem) is meant."""

    time: str
    what: str


def named_events(question: str) -> Sequence[NamedEvent]:
    """The events that a question names so; "in March" and "the Friday that" name none."""
    return [NamedEvent(fold(match["time"]), stem(fold(match["what"])))
            for match in _NAMED.finditer(question)
            if is_recurring(match["time"]) and fold(match["what"]) not in STOP_WORDS]


def tells_of(text: str, events: Sequence[NamedEvent], *, then: bool) -> bool:
    """True if a memory may tell of these events: it says the time, or was made then and says no
    other such time.

    One that names such an event by another time tells of that one only.

    Args:
        then: it is of the time that is asked for.
    """
    spoken = words(text)
    for event in events:
        times = {before for before, word in zip(spoken, spoken[1:], strict=False)
                 if stem(word) == event.what and is_recurring(before)}
        if event.time not in (times or spoken) and (
                times or not then or any(map(_is_month, spoken))):
            return False
    return True


def _is_month(word: str) -> bool:
    return is_recurring(word) and not names_weekday(word)
