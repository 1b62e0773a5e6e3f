"""What is near an entity, for a program that puts a context together (seed 004)."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from core.queries import neighborhood as around
from core.queries.entities import find_entity
from core.recall import entities_near_question
from core.session import question_log
from explorer.caller_arguments import Arguments, Json
from explorer.graph_for_caller import Door
from explorer.http.endpoint import Endpoint, Words, within
from explorer.model_json import neighborhood_json, node_json

_SEEDS = 500
"""The most entities that are started from."""


class Around(Arguments):
    """Where to start, and how far to go."""

    entity: Words = Field(alias="entityId", description="The entity's id or name")
    depth: int | None = Field(None, ge=1, le=around.DEEPEST,
                              description="The most links away, 1 to 3; 1 unless set")


def neighborhood(door: Door, given: Around) -> Json:
    """Read the entities near an entity, following links both ways, and every link among them."""
    settings = door.engine.settings.neighborhood
    depth = settings.depth if given.depth is None else given.depth
    with door.read() as reader:
        id = find_entity(reader, given.entity).id
        near = around.neighborhood(reader, id, depth, **_limits(door))
    door.note(question_log.near(near))
    return {"entity": node_json(near.nodes[0]), "neighborhood": neighborhood_json(near)}


def _limits(door: Door) -> dict[str, Any]:
    settings = door.engine.settings.neighborhood
    return {"max_nodes": settings.max_nodes, "max_edges": settings.max_edges,
            "promotion_threshold": settings.promotion_threshold}


class Seeds(Arguments):
    """Entities to start from."""

    model_config = ConfigDict(json_schema_extra={"required": ["entityIds"]})

    ids: tuple[str, ...] = Field(
        (), alias="entityIds", max_length=_SEEDS, json_schema_extra={"minItems": 1},
        description="Their ids; unknown ones are passed over")
    project: str = Field("", description="Start only from those that its memories mention")


def neighbors(door: Door, given: Seeds) -> Json:
    """Read several entities with all that is one link away, and every link among them."""
    with door.read() as reader:
        near = around.neighbors(reader, given.ids, project=given.project, **_limits(door))
    door.note(question_log.near(near))
    return neighborhood_json(near)


class Meant(Arguments):
    """What an entity is to be about."""

    q: Words = Field(description="The question")
    limit: Annotated[int, within(1, 50), Field(
        description="The most entities, 1 to 50")] = entities_near_question.LIMIT
    threshold: float = Field(entities_near_question.THRESHOLD, ge=0, le=1,
                             description="The least similarity, 0 to 1")
    project: str = Field("", description="Only entities that its memories mention")


def search(door: Door, given: Meant) -> Json:
    """Find the entities whose meaning is nearest to a question, for `neighbors` to start from."""
    with door.read() as reader:
        matches = entities_near_question.similar_entities(
            reader, given.q, door.engine.embedder, limit=given.limit, threshold=given.threshold,
            project=given.project)
    door.note(question_log.sought(given.q, [each.id for each in matches]))
    items = [{"id": each.id, "name": each.name, "type": each.entity_type,
              "mention_count": each.mentions, "score": round(each.score, 4)} for each in matches]
    return {"items": items, "count": len(items)}


GRAPH = (
    Endpoint("GET", "/graph/search", search, Meant,
             example={"q": "Who looks after the harbor?", "limit": 5}),
    Endpoint("GET", "/graph/neighborhood/{entityId}", neighborhood, Around, refuses=(404, 409),
             example={"entityId": "Alice", "depth": 1}),
    Endpoint("POST", "/graph/neighbors", neighbors, Seeds,
             example={"entityIds": ["e-alice", "e-harbor"]}),
)
