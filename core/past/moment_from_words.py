"""The one moment that a person names with a date: "3 May 2026", "last Friday", a time of the clock.

A day, a month or a year names its last moment: what changed in it has happened.
"""

import re
from calendar import monthrange
from datetime import UTC, datetime, timedelta

from core.errors import OperationError
from core.model.recall import DateSpan
from core.model.text_formatting import one_line
from core.model.times import day_after, day_words, parse_time
from core.recall.dates import NUMBERS, spans

FORMS = ("2026-05-03, “3 May 2026”, “last Friday”, “an hour ago”, “two weeks ago” or"
         " 2026-05-03T14:30")
_LEAD = re.compile(r"(?:on|in|at|the|of)\s+", re.IGNORECASE)
_A_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
_A_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_AGO = re.compile(rf"(?P<half>half )?(?P<count>\d{{1,4}}|{'|'.join(NUMBERS)})"
                  r" (?P<unit>second|minute|hour)s? ago", re.IGNORECASE)
_LAST = timedelta(milliseconds=1)
_ABOUT_A_DAY, _MOST_OF_A_MONTH = 3, 31


def named_moment(text: str, now: datetime | None = None) -> datetime:
    """The moment that `text` names, in UTC; of today and of now it is now.

    Raises OperationError (400) for a text that names none, or one that is yet to come.
    """
    now = now or datetime.now(UTC)
    words = text.strip()
    if words.casefold() in ("now", "today"):
        return now
    if ago := _AGO.fullmatch(" ".join(words.split())):
        return now - _passed(ago)
    span = None if _A_TIME.match(words) else _named(words, now)
    moment = parse_time(words) if span is None else _last_moment(span, now)
    if moment is None or span is None and not _A_TIME.match(words):
        what = f"“{one_line(words, 60)}” is not a date" if words else "No date was given"
        raise OperationError(400, what, field="asOf", do=f"Write it like {FORMS}")
    if (span.start if span else moment) > now:
        raise OperationError(400, f"{day_words(moment.isoformat())} is yet to come", field="asOf",
                             do="Name a day up to today")
    return min(moment, now)


def _passed(ago: re.Match[str]) -> timedelta:
    """How much time `half an hour ago` and `20 minutes ago` go back."""
    count = ago["count"].lower()
    number = int(count) if count.isdigit() else NUMBERS[count]
    return timedelta(**{f"{ago['unit'].lower()}s": number / (2 if ago["half"] else 1)})


def _named(words: str, now: datetime) -> DateSpan | None:
    """The stretch of time that the words are, if they are nothing else."""
    if _A_DAY.fullmatch(words) and (day := parse_time(words)):
        return DateSpan(words, day, day_after(day))
    bare = _LEAD.sub("", words)
    # A month or a year alone is only read as one beside another word: "in May".
    for text in (bare, f"in {bare}", f"in {bare.capitalize()}"):
        named = spans(text, now)
        if len(named) == 1 and len(named[0].text) >= len(bare):
            return named[0]
    return None


def _last_moment(span: DateSpan, now: datetime) -> datetime:
    """Its last moment; of "two weeks ago" and the like that of the day so long ago."""
    if not span.text.casefold().endswith("ago"):
        return span.end - _LAST
    days = (span.end - span.start).days
    if days <= _ABOUT_A_DAY:
        return span.start + timedelta(days=days // 2 + 1) - _LAST
    month = now.month if days > _MOST_OF_A_MONTH else span.start.month
    day = min(now.day, monthrange(span.start.year, month)[1])
    return datetime(span.start.year, month, day, tzinfo=UTC) + timedelta(days=1) - _LAST
