"""When what a graph knows begins."""

from datetime import UTC, datetime

from core.model.times import parse_time
from core.store.reader_and_writer import Reader
from core.store.row_lifetimes import moment_sql

_FIRST = " UNION ALL ".join((
    *(f"SELECT min({moment_sql('created_at')}) AS at FROM {table} WHERE agent_id = :agent"
      for table in ("entities", "memories", "entity_attributes", "entity_dependencies",
                    "ontology_proposals")),
    f"SELECT min({moment_sql('applied_at')}) FROM ontology_proposals WHERE agent_id = :agent"))


def first_moment(reader: Reader) -> datetime | None:
    """The time of the oldest row of the agent; None without any."""
    times = [moment for row in reader.rows(_FIRST) if (moment := parse_time(row["at"]))]
    return min(times, default=None, key=lambda moment: moment.astimezone(UTC))
