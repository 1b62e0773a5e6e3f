"""What changes a score after the channels: use, lack of a shared word, being out of date."""

import math
from collections.abc import Sequence
from datetime import datetime

from core.model.times import parse_time
from core.recall.candidates import Candidate
from core.recall.config import RecallSettings
from core.store.handles import Reader

_OUTDATED = """
SELECT v.memory_id FROM json_each(:ids) f CROSS JOIN entity_attributes v ON v.memory_id = f.value
WHERE +v.agent_id = :agent GROUP BY v.memory_id
HAVING SUM(v.status = 'active') = 0 AND SUM(v.status = 'superseded') > 0"""


def rehearsal(candidate: Candidate, now: datetime, settings: RecallSettings) -> float:
    """Above 1 for a memory that was used often and lately."""
    if not candidate.accesses:
        return 1.0
    last = parse_time(candidate.last_accessed) or parse_time(candidate.created_at)
    days = max((now - last).total_seconds() / 86_400, 0.0) if last else math.inf
    recent = 0.5 ** (days / settings.rehearsal_half_life_days)
    return 1.0 + settings.rehearsal_weight * math.log1p(candidate.accesses) * float(recent)


def outdated(reader: Reader, ids: Sequence[str]) -> set[str]:
    """The memories all of whose claims have been superseded."""
    return {row["memory_id"] for row in reader.rows(_OUTDATED, ids=list(ids))}
