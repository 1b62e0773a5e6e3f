"""Which memories are about muted entities only: they come by no way unless one is asked for."""

from collections.abc import Collection, Iterable

from core.queries.rows_to_model import text
from core.queries.values_of_memories import resting_on
from core.store.reader_and_writer import Reader

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
  WHERE {resting}
) k CROSS JOIN entities e ON e.id = k.entity_id
WHERE +e.agent_id = :agent AND +e.status = 'active'
GROUP BY k.id
HAVING MIN(e.muted = 1 AND e.id NOT IN (SELECT value FROM json_each(:asked))) = 1"""
# Of many memories few have to do with a muted entity; only these are looked at in full.
_NEAR_MUTED = """
SELECT f.value AS id FROM json_each(:ids) f WHERE EXISTS (
  SELECT 1 FROM memory_entity_mentions n
  WHERE n.memory_id = f.value AND n.entity_id IN (SELECT value FROM json_each(:muted)))
OR f.value IN (
  SELECT v.id FROM json_each(:muted) g CROSS JOIN entity_aspects s ON s.entity_id = g.value
  CROSS JOIN entity_attributes v ON v.aspect_id = s.id WHERE +s.agent_id = :agent
  UNION ALL
  SELECT v.memory_id FROM json_each(:muted) g CROSS JOIN entity_aspects s ON s.entity_id = g.value
  CROSS JOIN entity_attributes v ON v.aspect_id = s.id
  WHERE v.memory_id IS NOT NULL AND +s.agent_id = :agent)"""
_MUTED = """
SELECT e.id FROM entities e WHERE e.agent_id = :agent AND e.status = 'active' AND +e.muted = 1"""
_MUTED_BESIDE = "SELECT entity_id AS id FROM side.muted_entities"


def quiet_memories(
    reader: Reader, ids: Iterable[str], asked: Collection[str] = ()
) -> frozenset[str]:
    """Those of the memories whose mentions and values all belong to muted entities.

    A memory that is also about another entity is not among them, and neither is one about none.

    Args:
        asked: entities that are asked for, by their name or id: what is about them may be told.
    """
    wanted, muted = list(dict.fromkeys(ids)), list(_muted(reader) - frozenset(asked))
    near = [row["id"] for row in reader.rows(_NEAR_MUTED, ids=wanted, muted=muted)
            ] if wanted and muted else []
    if not near:
        return frozenset()
    statement = _QUIET.format(resting=resting_on(reader, "v", "SELECT value FROM json_each(:ids)"))
    return frozenset(row["id"] for row in reader.rows(statement, ids=near, asked=list(asked)))


def _muted(reader: Reader) -> frozenset[str]:
    """The muted entities, in the file or in the short list beside it."""
    statement = _MUTED if reader.kind == "native" else _MUTED_BESIDE

    def read() -> frozenset[str]:
        with reader.uninterrupted():  # It is short, and no question can do without.
            return frozenset(text(row["id"]) for row in reader.rows(statement))

    return reader.once(f"muted entities of {reader.agent}", read, beside=True)
