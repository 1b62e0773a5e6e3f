"""What is near an entity, for a program that puts a context together (seed 004)."""

from typing import Any

from pydantic import Field

from core.queries import neighborhood as around
from core.queries.entities import find_entity
from explorer.door import Arguments, Door, Json
from explorer.http.endpoint import Endpoint, Words
from explorer.to_json import neighborhood_json, node_json

_SEEDS = 500
"""The most entities that are started from."""


class Around(Arguments):
    """Where to start, and how far to go."""

    entity: Words = Field(alias="entityId", description="The entity's id or name")
    depth: int | None = Field(None, description="The most links away, 1 to 3; 1 unless set")


def neighborhood(door: Door, given: Around) -> Json:
    """Read the entities near an entity, following links both ways, and every link among them."""
    settings = door.engine.settings.neighborhood
    depth = settings.depth if given.depth is None else given.depth
    with door.read() as reader:
        id = find_entity(reader, given.entity).id
        near = around.neighborhood(reader, id, depth, **_limits(door))
    return {"entity": node_json(near.nodes[0]), "neighborhood": neighborhood_json(near)}


def _limits(door: Door) -> dict[str, Any]:
    settings = door.engine.settings.neighborhood
    return {"max_nodes": settings.max_nodes, "max_edges": settings.max_edges,
            "promotion_threshold": settings.promotion_threshold}


class Seeds(Arguments):
    """Entities to start from."""

    ids: tuple[str, ...] = Field((), alias="entityIds", max_length=_SEEDS,
                                 description="Their ids; unknown ones are passed over")
    project: str = Field("", description="Start only from those that its memories mention")


def neighbors(door: Door, given: Seeds) -> Json:
    """Read several entities with all that is one link away, and every link among them."""
    with door.read() as reader:
        return neighborhood_json(
            around.neighbors(reader, given.ids, project=given.project, **_limits(door)))


GRAPH = (
    Endpoint("GET", "/graph/neighborhood/{entityId}", neighborhood, Around, refuses=(404, 409),
             example={"entityId": "Alice", "depth": 1}),
    Endpoint("POST", "/graph/neighbors", neighbors, Seeds,
             example={"entityIds": ["e-alice", "e-harbor"]}),
)
