"""Ids, times and shares that look like chance and are the same each time."""

import hashlib
import uuid
from datetime import UTC, datetime, timedelta

from core.store.handles import stamp

_DEMO = uuid.UUID("5b8f2f6e-6a0d-5f53-9a52-7c1f0e6a2b11")
"""The name space of the demo's ids."""


def id_of(*names: object) -> str:
    """The id of what these names mean."""
    return str(uuid.uuid5(_DEMO, "\n".join(map(str, names))))


def draw(low: float, high: float, *names: object) -> float:
    """A number between two others, always the same for the same names."""
    digest = hashlib.sha256("\n".join(map(str, names)).encode()).digest()
    return low + (high - low) * int.from_bytes(digest[:6], "big") / float(1 << 48)


def share(low: float, high: float, *names: object) -> float:
    """The same, rounded to hundredths and kept between 0 and 1."""
    return round(min(1.0, max(0.0, draw(low, high, *names))), 2)


def moment(on: str, *names: object) -> datetime:
    """The moment that a date means; a bare day gets an hour between eight and ten at night."""
    if "T" in on:
        return datetime.fromisoformat(on).replace(tzinfo=UTC)
    day = datetime.fromisoformat(on).replace(tzinfo=UTC)
    return day + timedelta(seconds=int(draw(8 * 3600, 21.8 * 3600, on, *names)),
                           milliseconds=int(draw(0, 999, "ms", on, *names)))


def later_by(at: datetime, low: float, high: float, *names: object) -> datetime:
    """A moment some seconds after another (before it, for negative seconds)."""
    return at + timedelta(seconds=round(draw(low, high, *names), 3))


def iso(at: datetime) -> str:
    """As it is stored."""
    return stamp(at)
