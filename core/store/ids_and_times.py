"""Makes the ids of new rows, and writes times as all rows have them."""

import uuid
from datetime import UTC, datetime


def new_id() -> str:
    """A fresh row id (uuid4, as every id of the seeds)."""
    return str(uuid.uuid4())


def stamp(moment: datetime | None = None) -> str:
    """ISO-8601 UTC with milliseconds, the one way this program writes a time."""
    moment = (moment or datetime.now(UTC)).astimezone(UTC)
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
