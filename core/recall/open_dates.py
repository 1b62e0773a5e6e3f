"""Times with an end that a question leaves open: "since April", "before 2025", "between A and B".

Only a question's: a memory that says "since April" does not tell of all the time from then on.
"""

import re
from datetime import UTC, datetime, timedelta

from core.model.recall import DateSpan
from core.recall.dates import Spoken, spoken

FIRST = datetime(1970, 1, 1, tzinfo=UTC)
"""No memory is older."""
LAST = datetime.max.replace(tzinfo=UTC)
_AHEAD = re.compile(r"\b(?P<word>since|after|before|until|till|up to|between|from)(?: the)?\s+\Z",
                    re.IGNORECASE)
_WITHIN = re.compile(r"(?P<word>since)\b", re.IGNORECASE)
_GLUE = re.compile(r"\s*(?:and|to|until|till|through|[-\u2013\u2014])\s*(?:the\s+)?\Z",
                   re.IGNORECASE)


def asked_times(text: str, moment: datetime) -> list[Spoken]:
    """The times that a question asks for, as asked at `moment`, in order."""
    found: list[Spoken] = []
    times = spoken(text, moment)
    while times:
        first = times.pop(0)
        taken = found[-1].end if found else 0
        ahead = _AHEAD.search(text[taken:first.start])
        start = taken + ahead.start() if ahead else first.start
        word = (ahead or _WITHIN.match(text[first.start:first.end]) or {"word": ""})["word"].lower()
        if word in ("between", "from"):
            if not times or not _GLUE.match(text[first.end:times[0].start]):
                found.append(first)
                continue
            last = times.pop(0)
            reach, end = _ordered(first.span, last.span), last.end
        else:
            reach, end = _opened(word, first.span, moment), first.end
        if reach is None:
            found.append(first)
        else:
            found.append(Spoken(DateSpan(text[start:end].strip(), *reach), start, end))
    return found


def _ordered(first: DateSpan, last: DateSpan) -> tuple[datetime, datetime] | None:
    return (first.start, last.end) if first.start < last.end else None


def _opened(
    word: str, span: DateSpan, moment: datetime
) -> tuple[datetime, datetime] | None:
    """The reach of a time with such a word before it, None where it stays as it is."""
    if word in ("before", "until", "till", "up to"):
        end = span.start if word == "before" else span.end
        return (FIRST, end) if end > FIRST else None
    begin = {"since": span.start, "after": span.end}.get(word)
    if begin is None or begin > moment:
        return None
    return begin, moment.astimezone(UTC) + min(timedelta(days=1), LAST - moment)
