"""Finds tasks that are over and still open."""

from collections.abc import Iterator
from datetime import UTC, datetime

from core.health.finding import Finding, Rules, fix
from core.maintenance.task_expiry import overdue
from core.model.times import day_words
from core.queries.rows_to_model import text
from core.store.reader_and_writer import Reader


def expired_tasks(reader: Reader, rules: Rules) -> Iterator[Finding]:
    """Open tasks past their date, or unchanged for as long as maintenance waits."""
    for row in overdue(reader, rules.maintenance, datetime.now(UTC)):
        name = text(row["name"])
        words = (f"was due on {day_words(row['expires_at'])}" if row["expires_at"]
                 else f"is unchanged since {day_words(row['updated_at'])}")
        yield Finding(
            "expired_task", "warning", (row["entity_id"],), row["entity_id"], name,
            f"The task “{name}” {words}", fix(
                reader, "update_task", entity=row["entity_id"], status="cancelled"))
