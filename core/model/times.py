"""Reads the two time formats of memory files, and formats ages."""

from datetime import UTC, datetime, timedelta

_HOUR, _DAY, _MONTH, _YEAR = 3600, 86400, 86400 * 30, 86400 * 365
_UNITS = ((_HOUR, 60, "minute", "min"), (_DAY, _HOUR, "hour", "h"), (_MONTH, _DAY, "day", "d"),
          (_YEAR, _MONTH, "month", "mo"), (float("inf"), _YEAR, "year", "y"))
"""Below how many seconds a unit is used, its seconds, its name and its short form."""

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def parse_time(text: object) -> datetime | None:
    """The moment that `text` names, or None.

    Takes ISO 8601 (`2026-03-14T21:40:46.123Z`) and SQLite's form (`2026-03-14 21:40:46`, which is
    UTC). The two must never be compared as plain text: `T` sorts after the space.
    """
    if not isinstance(text, str):
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError:
        return None


def day_after(moment: datetime) -> datetime:
    """The same time of the next day; of the last day that there is, its own end."""
    last = datetime.max.replace(tzinfo=moment.tzinfo)
    return last if moment > last - timedelta(days=1) else moment + timedelta(days=1)


def later(one: object, other: object) -> bool:
    """True if `one` is certainly after `other`; False if either can't be read."""
    first, second = parse_time(one), parse_time(other)
    return first is not None and second is not None and first > second


def not_ahead(text: object, now: str) -> object:
    """The time, or `now` where it is yet to come: a clock that has been set back wrote it."""
    return now if later(text, now) else text


def day_words(text: object) -> str:
    """`20 Mar 2027`; the text itself if it can't be read."""
    moment = parse_time(text)
    return f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}" if moment else str(text or "")


def age(text: object, now: datetime | None = None) -> str:
    """How long ago in few letters: `now`, `5 min`, `3 h`, `12 d`, `4 mo`, `2 y`; empty if unknown.

    A time in the future (a clock that runs ahead) counts as now.
    """
    number, _, short = _elapsed(text, now)
    return f"{number} {short}" if number else short


def ago(text: object, now: datetime | None = None) -> str:
    """`2 hours ago`; `just now` within a minute and in the future; empty if unknown."""
    number, unit, _ = _elapsed(text, now)
    return f"{number} {unit}{'' if number == 1 else 's'} ago" if number else unit


def _elapsed(text: object, now: datetime | None) -> tuple[int, str, str]:
    """How many of which unit have passed, the unit in full and short; 0 for a moment ago."""
    moment = parse_time(text)
    if moment is None:
        return 0, "", ""
    seconds = ((now or datetime.now(UTC)) - moment).total_seconds()
    if seconds < 60:
        return 0, "just now", "now"
    return next((int(seconds // size), name, short)
                for limit, size, name, short in _UNITS if seconds < limit)
