"""Finds facts that ask to be confirmed."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from core.health.finding import Finding, Rules, fix
from core.model.text_formatting import one_line
from core.model.times import day_words
from core.queries.rows_to_model import text
from core.store.reader_and_writer import Reader

_DUE = """
SELECT v.id, v.content, r.review_after, s.name AS aspect, e.id AS entity, e.name
FROM claim_reviews r CROSS JOIN entity_attributes v ON v.id = r.id
CROSS JOIN entity_aspects s ON s.id = v.aspect_id CROSS JOIN entities e ON e.id = s.entity_id
WHERE r.agent_id = :agent AND r.review_after < :today AND +v.agent_id = :agent
  AND +v.status = 'active' AND +s.status = 'active' AND +e.agent_id = :agent
  AND +e.status = 'active'
ORDER BY r.review_after, e.name, v.rowid"""


def reviews_due(reader: Reader, rules: Rules) -> Iterator[Finding]:
    """Facts whose review date is reached; what still holds is asked about again later."""
    now = datetime.now(UTC)
    later = f"{now + timedelta(days=rules.health.review_days):%Y-%m-%d}"
    for row in reader.rows(_DUE, today=f"{now:%Y-%m-%d}"):
        yield Finding(
            "review_due", "warning", (row["id"],), row["entity"], text(row["name"]),
            f"{text(row['aspect'])}: “{one_line(text(row['content']), 80)}” was to be confirmed"
            f" after {day_words(row['review_after'])}",
            fix(reader, "set_review_date", attribute_id=row["id"], review_after=later))
