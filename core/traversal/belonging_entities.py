"""What belongs to the entities that were asked for: part of them, owned by them, maintaining them.

The seeds' walk follows links outward only. Asked which database Harbor Ledger uses, the answer
stands at Postgres, whose link says `part_of` and leads the other way.
"""

from collections.abc import Sequence

from core.model.vocabulary import BELONGING
from core.queries.rows_to_model import text
from core.store.reader_and_writer import Reader
from core.traversal.config import TraversalSettings
from core.traversal.walk_queries import filled, gates, link_of, sureness, surest
from core.traversal.walk_rows import WalkedEntity

LOOKED = 500
"""Links to one entity that are looked at, the strongest: a hub costs no more than others."""

_PARTS = """
SELECT d.id, d.source_entity_id, d.target_entity_id, d.dependency_type, d.strength, d.confidence,
  d.reason, d.source_kind, p.name, p.entity_type
FROM json_each(:entities) f CROSS JOIN entity_dependencies d ON d.id IN (
  SELECT k.id FROM (
    SELECT c.id, c.source_entity_id, c.strength, c.confidence, c.dependency_type, c.agent_id,
      c.status
    FROM entity_dependencies c WHERE c.target_entity_id = f.value
    ORDER BY c.strength DESC LIMIT :looked) k
  CROSS JOIN entities o ON o.id = k.source_entity_id
  WHERE k.agent_id = :agent AND k.status = 'active'
    AND k.dependency_type IN (SELECT value FROM json_each(:kinds)) AND {gates}
    AND +o.agent_id = :agent AND +o.status = 'active' AND +o.muted = 0
  ORDER BY {order}, k.id LIMIT :most)
CROSS JOIN entities p ON p.id = d.source_entity_id"""


def read_parts(
    reader: Reader, focal: Sequence[WalkedEntity], settings: TraversalSettings
) -> list[WalkedEntity]:
    """What belongs to the focal entities that were asked for, the surest first.

    Links pass the same gates as those that are followed outward, and together they are at most as
    many as those.
    """
    asked = [entity.id for entity in focal if entity.asked]
    if not asked:
        return []
    sure = settings.weigh_confidence
    rows = reader.rows(
        filled(_PARTS, gates=gates("k", sure), order=surest("k", sure)),
        entities=asked, kinds=list(BELONGING), looked=LOOKED, most=settings.max_parts,
        strength=settings.min_dependency_strength, confidence=settings.min_confidence)
    links = sorted(((link_of(row), row) for row in rows),
                   key=lambda pair: (-sureness(pair[0], sure), pair[0].id))
    known = {entity.id for entity in focal}
    parts: dict[str, WalkedEntity] = {}
    ranks: dict[str, int] = {}
    for link, row in links[:settings.max_dependency_hops]:
        rank = ranks[link.target_id] = ranks.get(link.target_id, 0) + 1
        if link.source_id not in known:
            parts.setdefault(link.source_id, WalkedEntity(
                link.source_id, text(row["name"]), text(row["entity_type"]),
                link._replace(rank=rank, belongs=True)))
    return list(parts.values())
