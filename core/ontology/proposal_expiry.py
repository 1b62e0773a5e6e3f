"""Proposals that nobody has decided for long: they are rejected as expired."""

from datetime import datetime, timedelta

from core.model.times import parse_time
from core.ontology.change_provenance import encode
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer, stamp

EXPIRED = "expired"
"""In a result: nobody has decided on it, so that the same may be proposed again."""
_PENDING = """
SELECT id, operation, created_at, updated_at FROM ontology_proposals
WHERE agent_id = :agent AND status = 'pending' ORDER BY created_at, id"""


def overdue(reader: Reader, days: float, now: datetime | None = None) -> list[Row]:
    """The pending proposals that nobody has touched for so many days, the oldest first."""
    moment = now or parse_time(stamp())
    assert moment is not None
    limit = moment - timedelta(days=days)
    touched = ((parse_time(row["updated_at"]) or parse_time(row["created_at"]), row)
               for row in reader.rows(_PENDING))
    return [row for when, row in touched if when is not None and when < limit]


def expire(writer: Writer, days: float, now: datetime | None = None) -> list[str]:
    """Reject the pending proposals that nobody has touched for so many days; returns their words.

    What has expired may be proposed again, unlike what a person has rejected.
    """
    rows = overdue(writer, days, now)
    result = encode({"reason": f"Nobody decided within {days:g} days", EXPIRED: True})
    for row in rows:
        writer.update("ontology_proposals", row["id"], status="rejected", result=result,
                      rejected_by=writer.actor, rejected_at=writer.now(),
                      updated_at=writer.now())
    return [f"{text(row['operation']).replace('_', ' ')} of {text(row['created_at'])[:10]}"
            for row in rows]
