"""Says which aspects an import has filled over their limit, and proposes what could go.

An import takes everything in: a cap never drops the newer fact. What an aspect holds beyond it is
not walked, so the weakest of its older values are proposed for archiving.
"""

from collections.abc import Mapping

from msgspec import Struct

from core.errors import OperationError
from core.model.text_formatting import counted, one_line
from core.model.vocabulary import IMPORTED
from core.ontology import control
from core.ontology.change_provenance import Source
from core.queries.disputes import keeps_proposals
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Writer

PROPOSED = 20
"""Aspects for which it is proposed what could go, the fullest."""
COULD_GO = 3
"""Values of one aspect that are proposed for archiving, at most."""

_FULL = """
SELECT s.id, s.name AS aspect, e.name AS entity, COUNT(*) AS held
FROM json_each(:ids) f CROSS JOIN entity_aspects s ON s.id = f.value
CROSS JOIN entities e ON e.id = s.entity_id CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE v.status = 'active' AND v.kind = 'attribute' AND +v.agent_id = :agent
GROUP BY s.id HAVING COUNT(*) > :most ORDER BY held DESC, e.name"""
_WEAKEST = """
SELECT v.id, v.content FROM entity_attributes v WHERE v.aspect_id = :id AND v.status = 'active'
  AND v.kind = 'attribute' AND +v.agent_id = :agent
  AND v.rowid <= :before
ORDER BY v.importance, v.created_at, v.rowid LIMIT :some"""


class FullAspect(Struct, frozen=True):
    """An aspect over its limit, with the older values that are proposed for archiving."""

    entity: str
    aspect: str
    held: int
    most: int
    could_go: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """`“Vega” has 27 values under “observations”, 2 more than a walk looks at; …`."""
        more = self.held - self.most
        told = (f"“{one_line(self.entity, 80)}” has {counted(self.held, 'value')} under"
                f" “{one_line(self.aspect, 80)}”, {more:,} more than the limit of {self.most:,}")
        if not self.could_go:
            return told
        values = ", ".join(f"“{one_line(value, 60)}”" for value in self.could_go)
        return f"{told}; archiving is proposed for {values}"


def newest_value(writer: Writer) -> int:
    """The row number of the newest value."""
    return int(writer.value("SELECT MAX(v.rowid) FROM entity_attributes v") or 0)


def find_full(
    writer: Writer, filled: Mapping[str, int], before: int, most: int
) -> tuple[FullAspect, ...]:
    """The aspects that now hold more than `most` values, the fullest first.

    Args:
        filled: aspects that got values, by id with how many they hold at most.
        before: the newest value from before; none that is newer is proposed for archiving.
    """
    aspects = [id for id, held in filled.items() if held > most]
    rows = writer.rows(_FULL, ids=aspects, most=most) if aspects else []
    return tuple(FullAspect(text(row["entity"]), text(row["aspect"]), row["held"], most,
                            _propose(writer, row, before, most) if number < PROPOSED else ())
                 for number, row in enumerate(rows))


def _propose(writer: Writer, row: Row, before: int, most: int) -> tuple[str, ...]:
    """Propose to archive the weakest older values; their texts."""
    if not keeps_proposals(writer):
        return ()
    some = min(row["held"] - most, COULD_GO)
    weakest = writer.rows(_WEAKEST, id=row["id"], before=before, some=some)
    reason = FullAspect(text(row["entity"]), text(row["aspect"]), row["held"], most).words
    return tuple(text(value["content"]) for value in weakest
                 if _is_proposed(writer, value, f"{reason}; this is among its weakest."))


def _is_proposed(writer: Writer, value: Row, reason: str) -> bool:
    """False where the person has turned it down before."""
    try:
        control.propose(writer, "archive_claim_value",
                        {"attribute_id": value["id"], "reason": "over the limit of its aspect"},
                        reason=reason, evidence=({"quote": text(value["content"])},),
                        source=Source(IMPORTED, value["id"]))
    except OperationError as error:
        if error.status != 409:
            raise
        return False
    return True
