"""Words of times: a day, a time of day, the head over the things of one day."""

from datetime import UTC, datetime, timedelta

from core.model.text_formatting import one_line
from core.model.times import MONTHS, parse_time

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def day(text: object, now: datetime | None = None) -> str:
    """`24 Nov`, with the year where it is not this one; the text itself if it can't be read."""
    moment = _here(text)
    if moment is None:
        return str(text or "")
    shown = f"{moment.day} {MONTHS[moment.month - 1]}"
    return shown if moment.year == _today(now).year else f"{shown} {moment.year}"


def day_and_time(text: object, now: datetime | None = None) -> str:
    """`24 Nov 18:02`."""
    clock_time = clock(text)
    return f"{day(text, now)} {clock_time}" if clock_time else day(text, now)


TIMESTAMP = len("2026-03-14 21:40:46")


def plain(text: str | None) -> str:
    """A stored value on one line; a time in a person's words, also where it is a field's value."""
    if text and len(text) >= TIMESTAMP and parse_time(text) is not None:
        return day_and_time(text)
    return one_line(text or "", 300)


def clock(text: object) -> str:
    """`18:02` here; empty if the time can't be read."""
    moment = _here(text)
    return f"{moment:%H:%M}" if moment else ""


def day_head(text: object, now: datetime | None = None) -> str:
    """A head over the things of one day: `Today`, `Yesterday`, `Monday 24 Nov`."""
    moment = _here(text)
    if moment is None:
        return "At an unknown time"
    today = _today(now)
    if moment.date() == today.date():
        return "Today"
    if moment.date() == (today - timedelta(days=1)).date():
        return "Yesterday"
    return f"{_DAYS[moment.weekday()]} {day(text, now)}"


def _here(text: object) -> datetime | None:
    moment = parse_time(text)
    try:
        return moment.astimezone() if moment else None
    except (OverflowError, OSError):
        return moment


def _today(now: datetime | None) -> datetime:
    return (now or datetime.now(UTC)).astimezone()
