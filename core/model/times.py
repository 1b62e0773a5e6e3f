"""Reads the two time formats that memory files hold, and says them as a person would."""

from datetime import UTC, datetime

_STEPS = ((3600, 60, "min"), (86400, 3600, "h"), (86400 * 30, 86400, "d"),
          (86400 * 365, 86400 * 30, "mo"))


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


def later(one: object, other: object) -> bool:
    """True if `one` is certainly after `other`; False if either can't be read."""
    first, second = parse_time(one), parse_time(other)
    return first is not None and second is not None and first > second


def age(text: object, now: datetime | None = None) -> str:
    """How long ago in few letters: `now`, `5 min`, `3 h`, `12 d`, `4 mo`, `2 y`; empty if unknown.

    A time in the future (a clock that runs ahead) counts as now.
    """
    moment = parse_time(text)
    if moment is None:
        return ""
    seconds = ((now or datetime.now(UTC)) - moment).total_seconds()
    if seconds < 60:
        return "now"
    for limit, unit, word in _STEPS:
        if seconds < limit:
            return f"{int(seconds // unit)} {word}"
    return f"{int(seconds // (86400 * 365))} y"
