"""Which memories are about muted entities only: they come by no way unless one is asked for."""

from collections.abc import Collection, Iterable

from core.store.handles import Reader

_QUIET = """
SELECT k.id FROM (
  SELECT f.value AS id, n.entity_id FROM json_each(:ids) f
  CROSS JOIN memory_entity_mentions n ON n.memory_id = f.value
  UNION ALL
  SELECT v.id, s.entity_id FROM json_each(:ids) f CROSS JOIN entity_attributes v ON v.id = f.value
  CROSS JOIN entity_aspects s ON s.id = v.aspect_id
  UNION ALL
  SELECT v.memory_id, s.entity_id FROM entity_attributes v
  CROSS JOIN entity_aspects s ON s.id = v.aspect_id
  WHERE v.memory_id IN (SELECT value FROM json_each(:ids))
) k CROSS JOIN entities e ON e.id = k.entity_id
WHERE +e.agent_id = :agent AND +e.status = 'active'
GROUP BY k.id
HAVING MIN(e.muted = 1 AND e.id NOT IN (SELECT value FROM json_each(:asked))) = 1"""
_ANY_BESIDE = "SELECT 1 FROM side.muted_entities LIMIT 1"


def quiet_memories(
    reader: Reader, ids: Iterable[str], asked: Collection[str] = ()
) -> frozenset[str]:
    """Those of the memories whose mentions and values all belong to muted entities.

    A memory that is also about another entity is not among them, and neither is one about none.

    Args:
        asked: entities that are asked for, by their name or id: what is about them may be told.
    """
    wanted = list(dict.fromkeys(ids))
    if not wanted or not _may_have_any(reader):
        return frozenset()
    return frozenset(row["id"] for row in reader.rows(_QUIET, ids=wanted, asked=list(asked)))


def _may_have_any(reader: Reader) -> bool:
    """False if surely nothing is muted: a Signet file has no index on what a value rests on."""
    if reader.kind == "native":
        return True
    return reader.value(_ANY_BESIDE) is not None
