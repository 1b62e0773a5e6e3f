"""Reads aspects alone: how heavy each one of an entity is."""

from dataclasses import dataclass

from core.queries.rows import number, text
from core.store.handles import Reader


@dataclass(frozen=True, slots=True)
class AspectWeight:
    """An aspect as a walk ranks it."""

    id: str
    entity_id: str
    name: str
    weight: float
    status: str


_WEIGHTS = """
SELECT s.id, s.entity_id, s.name, s.weight, s.status FROM entity_aspects s
WHERE {which} AND +s.agent_id = :agent
ORDER BY s.weight DESC, s.updated_at DESC, s.id LIMIT :limit"""


def weights_of(
    reader: Reader, entity_id: str, *, limit: int = 200
) -> tuple[AspectWeight, ...]:
    """The aspects of an entity that are in force, the heaviest first."""
    rows = reader.rows(_WEIGHTS.format(which="s.entity_id = :entity AND s.status = 'active'"),
                       entity=entity_id, limit=limit)
    return tuple(AspectWeight(row["id"], text(row["entity_id"]), text(row["name"]),
                              number(row["weight"], 0.5), text(row["status"])) for row in rows)


def aspect_weight(reader: Reader, aspect_id: str) -> AspectWeight | None:
    """One aspect, whatever its status; None if the agent has none such."""
    row = reader.row(_WEIGHTS.format(which="s.id = :aspect"), aspect=aspect_id, limit=1)
    return None if row is None else AspectWeight(
        row["id"], text(row["entity_id"]), text(row["name"]), number(row["weight"], 0.5),
        text(row["status"]))
