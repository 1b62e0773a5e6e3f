"""Says when something was, as a person would."""

from datetime import UTC, datetime, timedelta

from core.model.times import parse_time

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def day(text: object, now: datetime | None = None) -> str:
    """`24 Nov`, with the year where it is not this one; the text itself if it can't be read."""
    moment = _here(text)
    if moment is None:
        return str(text or "")
    shown = f"{moment.day} {_MONTHS[moment.month - 1]}"
    return shown if moment.year == _today(now).year else f"{shown} {moment.year}"


def day_and_time(text: object, now: datetime | None = None) -> str:
    """`24 Nov 18:02`."""
    clock_time = clock(text)
    return f"{day(text, now)} {clock_time}" if clock_time else day(text, now)


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
