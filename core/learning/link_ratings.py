"""Adjusts links by ratings: their strength, confidence and reason.

Reasons form a scale from an uncertain guess to the support of several memories; other reasons, such
as a person's own words, stay.
"""

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from core.learning.config import FeedbackSettings
from core.model.partly_compared_struct import PartlyCompared
from core.queries.rows_to_model import number, text
from core.store.reader_and_writer import Reader, Writer

BY = "path-feedback"
UP = {"": "single-memory", "llm-uncertain": "single-memory", "single-memory": "pattern-matched",
      "pattern-matched": "multi-memory"}
DOWN = {"multi-memory": "pattern-matched", "pattern-matched": "single-memory",
        "single-memory": "llm-uncertain"}
SURENESS = {"user-asserted": 1.0, "multi-memory": 0.9, "single-memory": 0.7,
            "pattern-matched": 0.5, "inferred": 0.4, "llm-uncertain": 0.3}
OTHER = 0.7
"""How sure a link is by any other reason."""
WEAKEST, LEAST_SURE = 0.1, 0.2

_LINKS = """
SELECT d.id, d.reason, d.strength, d.confidence FROM json_each(:ids) f
CROSS JOIN entity_dependencies d ON d.id = f.value
WHERE +d.agent_id = :agent AND d.status = 'active'"""


class LinkRating(NamedTuple):
    """A rating that reaches the links of a memory's path."""

    link_ids: tuple[str, ...]
    rating: float
    memory_id: str


class LinkState(PartlyCompared, frozen=True, eq=False):
    """The learned state of a link; `memory_ids` are those whose ratings changed it."""

    ASIDE = frozenset({"memory_ids"})

    reason: str
    strength: float
    confidence: float
    memory_ids: tuple[str, ...] = ()

    def moved(self, rating: float, settings: FeedbackSettings) -> "LinkState":
        """The link after one rating: a step on the ladder, and in step with its size."""
        if rating == 0:
            return self
        size = abs(rating)
        reason = (UP if rating > 0 else DOWN).get(self.reason, self.reason)
        by_reason = SURENESS.get(reason, OTHER)
        if rating > 0:
            strength = self.strength + settings.strength_delta * size
            sure = max(self.confidence + settings.confidence_delta * size, by_reason)
        else:
            strength = self.strength - settings.strength_delta * size
            sure = min(self.confidence - settings.confidence_delta * size, by_reason)
        return replace(self, reason=reason,
                       strength=round(min(max(strength, WEAKEST), 1.0), 6),
                       confidence=round(min(max(sure, LEAST_SURE), 1.0), 6))


def move_links(
    writer: Writer, session_key: str, ratings: Iterable[LinkRating], settings: FeedbackSettings
) -> int:
    """Move the links that ratings reach, each with an applied `update_link` on record."""
    wanted = list(ratings)
    before = _standing(writer, {id for rating_of_path in wanted for id in rating_of_path.link_ids})
    after = dict(before)
    for rating_of_path in wanted:
        for id in dict.fromkeys(rating_of_path.link_ids):
            if id in after:
                state = after[id].moved(rating_of_path.rating, settings)
                after[id] = replace(state, memory_ids=(*state.memory_ids, rating_of_path.memory_id))
    changed = {id: new for id, new in after.items() if new != before[id]}
    for id, new in changed.items():
        _write(writer, id, new, session_key)
    return len(changed)


def _standing(reader: Reader, ids: Iterable[str]) -> dict[str, LinkState]:
    wanted = sorted(ids)
    rows = reader.rows(_LINKS, ids=wanted) if wanted else []
    return {row["id"]: LinkState(text(row["reason"]).strip(), number(row["strength"], 0.5),
                                number(row["confidence"], OTHER)) for row in rows}


def _write(writer: Writer, id: str, new: LinkState, session_key: str) -> None:
    values = {"strength": new.strength, "confidence": new.confidence,
              "reason": new.reason or None}
    writer.update("entity_dependencies", id, updated_at=writer.now(), **values)
    writer.audit(
        operation="update_link", created_by=BY, applied_by=BY, confidence=new.confidence,
        rationale="A memory on its path was rated", payload={"id": id, **values},
        evidence=[{"memory_id": memory, "session_key": session_key} for memory in new.memory_ids],
        result={"dependencyId": id})
