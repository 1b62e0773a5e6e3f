"""The sky for a dashboard: the bounded graph, the map of memories, an entity with its context."""

from typing import Annotated, Literal

import numpy as np
from pydantic import ConfigDict, Field

from core.constellation import dashboard_json as sky
from core.errors import OperationError
from core.model.claims_and_assertions import Aspect
from core.model.memory import Memory
from core.queries.descriptions import told_description
from core.queries.entities import find_entity
from core.queries.session_summaries import summaries_about
from core.recall.filters import Filters
from core.recall.memory_vectors_and_points import PointFilters, memory_points
from core.session import question_log
from core.traversal import entity_context
from explorer.caller_arguments import Arguments, Dated, Json
from explorer.graph_for_caller import Door
from explorer.http.endpoint import NOT_BLANK, Endpoint, Reply, within
from explorer.http.memory_maps import Failure, Map, MapEngine, Maps
from explorer.http.operations import Flag
from explorer.model_json import partial


def _most(name: str, usual: int) -> str:
    return f"1 to {sky.MOST[name]:,}; {usual} unless set"


class Bounds(Dated):
    """How much of the graph."""

    limit: Annotated[int, within(1, sky.MOST["entities"]), Field(
        description=f"The most entities, {_most('entities', sky.ENTITIES)}")] = sky.ENTITIES
    max_aspects_per_entity: Annotated[int, within(1, sky.MOST["aspects"]), Field(
        description=f"The most aspects of each, {_most('aspects', sky.ASPECTS)}")] = sky.ASPECTS
    max_attributes_per_aspect: Annotated[int, within(1, sky.MOST["attributes"]), Field(
        description=f"The most values of each aspect, {_most('attributes', sky.ATTRIBUTES)}",
    )] = sky.ATTRIBUTES
    dependency_limit: Annotated[int, within(1, sky.MOST["links"]), Field(
        description=f"The most links, {_most('links', sky.LINKS)}")] = sky.LINKS


def constellation(door: Door, given: Bounds) -> Json:
    """Read the graph for a dashboard: entities with their best values, links, proposals, and the
    last `dreaming` pass where the file has one."""
    with door.read() as reader:
        return sky.dashboard(
            reader, entities=given.limit, aspects=given.max_aspects_per_entity,
            attributes=given.max_attributes_per_aspect, links=given.dependency_limit)


class Wanted(Dated):
    """Which entity, and how much of it."""

    model_config = ConfigDict(json_schema_extra={"required": ["entity"]})

    entity: str = Field("", json_schema_extra=NOT_BLANK,
                        description="Its name or id; else words that name it")
    aspect: str = Field("", description="Only aspects with this in their names")
    max_tokens: Annotated[int, within(1, 10_000), Field(
        description="Room for memories, up to 10,000; a token is four characters")] = Field(
            2000, alias="maxTokens")


_NOTHING: Json = {"entity": None, "constraints": [], "aspects": [], "dependencies": [],
                  "memoryCount": 0, "memories": []}


def expand(door: Door, given: Wanted) -> object:
    """Read an entity with its rules, aspects, links and the memories of a walk from it."""
    if not given.entity.strip():
        raise OperationError(400, "entity name is required", field="entity")
    settings = door.engine.settings.traversal
    with door.read() as reader:
        try:
            whole = entity_context.expand(reader, given.entity, settings, aspect=given.aspect,
                                     max_tokens=given.max_tokens)
        except OperationError as error:
            if error.status != 404:
                raise
            return Reply(404, {"error": error.what, **_NOTHING})
        owner, walked = whole.entity, whole.walk
        described = told_description(reader, owner.id, owner.description)
    door.note(question_log.walked_from(owner.name, walked))
    return {
        "entity": {"id": owner.id, "name": owner.name, "type": owner.entity_type,
                   "description": described},
        "constraints": [{"id": rule.id, "content": rule.content, "importance": rule.importance}
                        for rule in whole.constraints],
        "aspects": [_aspect(each) for each in whole.aspects],
        "dependencies": [{"target": link.other_name, "type": link.dependency_type,
                          "strength": link.strength} for link in whole.dependencies],
        "memoryCount": whole.memory_count,
        "memories": [{"id": each.id, "content": each.own_text, "entity": each.entity}
                     for each in whole.memories],
        **partial(walked.timed_out, walked.missing)}


def _aspect(aspect: Aspect) -> Json:
    values = (value for group in aspect.groups for claim in group.claims for value in claim.values)
    return {"name": aspect.name, "weight": aspect.weight, "attributes": [
        {"content": value.content, "kind": value.kind, "importance": value.importance,
         "confidence": value.confidence} for value in values]}


class Sessions(Arguments):
    """Sessions about an entity."""

    model_config = ConfigDict(json_schema_extra={"required": ["entityName"]})

    entity: str = Field("", alias="entityName", json_schema_extra=NOT_BLANK,
                        description="Its name or id")
    session: str = Field("", alias="sessionId", description="Only of the session with this key")
    time_range: str = Field("", alias="timeRange",
                            description="`last_week`, `last_month`, or a day to begin from")
    most: Annotated[int, within(1, 50), Field(description="The most summaries, 1 to 50")] = Field(
        10, alias="maxResults")


def expand_session(door: Door, given: Sessions) -> Json:
    """Read the summaries of sessions that are about an entity, the latest first."""
    if not given.entity.strip():
        raise OperationError(400, "entityName is required", field="entityName")
    with door.read() as reader:
        owner = find_entity(reader, given.entity)
        every = summaries_about(reader, owner.id, owner.name, session=given.session,
                                since=given.time_range)
    return {"entityName": owner.name, "summaries": every[:given.most], "total": len(every)}


class Points(Arguments):
    """Which memories of the map."""

    dimensions: Literal["2", "3"] = Field("2", description="2, or 3 with `z`")
    limit: Annotated[int, within(1, 5000), Field(
        description="The most memories, 1 to 5,000")] = 5000
    offset: Annotated[int, within(0, 100_000), Field(
        description="How many memories to pass over, up to 100,000")] = 0
    q: str = Field("", description="Only memories with this in them")
    who: str = Field("", description="Only memories from this person")
    type: tuple[str, ...] = Field((), description="Only of these types")
    types: tuple[str, ...] = Field((), description="The same as `type`")
    source_type: tuple[str, ...] = Field((), alias="sourceType", description="Only from these "
                                                                            "kinds of sources")
    source_types: tuple[str, ...] = Field((), alias="sourceTypes",
                                          description="The same as `sourceType`")
    tags: tuple[str, ...] = Field((), description="Only with all of these tags")
    pinned: Flag | None = Field(None, description="Only pinned memories, or only others")
    since: str = Field("", description="Only from this day on")
    until: str = Field("", description="Only up to this day")
    least: float = Field(0.0, ge=0, le=1, alias="importanceMin", description="Least importance")
    most: float = Field(1.0, ge=0, le=1, alias="importanceMax", description="Highest importance")

    @property
    def filters(self) -> PointFilters:
        """As core has them; limits of importance that are the wrong way round are swapped."""
        least, most = sorted((self.least, self.most))
        basic = Filters(_parts(self.type, self.types), _parts(self.tags), self.who,
                        since=self.since, until=self.until, importance_min=least,
                        pinned=self.pinned)
        return PointFilters(basic, self.q, _parts(self.source_type, self.source_types), most)


def _parts(*given: tuple[str, ...]) -> tuple[str, ...]:
    """Words that were repeated, or stand behind each other with commas between."""
    return tuple(word.strip() for words in given for text in words
                 for word in text.split(",") if word.strip())


def projection(door: Door, given: Points) -> object:
    """Read the map of memories: what means the same lies side by side. It is computed beside the
    server, and while that takes the answer is 202."""
    dimensions = int(given.dimensions)
    made = _maps(door).of(door, dimensions)
    if made is None:
        return Reply(202, {"status": "computing", "dimensions": dimensions})
    if isinstance(made, Failure):
        return Reply(503, {"status": "error", "error": made.words})
    with door.read() as reader:
        shown = memory_points(reader, made.ids, given.filters)
    return _map(made, shown, dimensions, given)


def _maps(door: Door) -> Maps:
    assert isinstance(door.engine, MapEngine)
    return door.engine.maps


def _map(made: Map, shown: dict[str, Memory], dimensions: int, given: Points) -> Json:
    rows = [row for row, id in enumerate(made.ids) if id in shown]
    page = rows[given.offset:given.offset + given.limit]
    place = np.full(len(made.ids), -1)
    place[page] = np.arange(len(page))
    ends = place[made.edges]
    return {"status": "ready", "dimensions": dimensions, "count": len(page), "total": len(rows),
            "limit": given.limit, "offset": given.offset,
            "hasMore": given.offset + len(page) < len(rows),
            "nodes": [_node(shown[made.ids[row]], made.positions[row]) for row in page],
            "edges": ends[(ends >= 0).all(axis=1)].tolist(), "cachedAt": made.made_at}


def _node(memory: Memory, position: np.ndarray) -> Json:
    axes = dict(zip("xyz", (round(float(part), 3) for part in position), strict=False))
    return {"id": memory.id, **axes, "content": memory.content, "who": memory.who or "unknown",
            "importance": memory.importance, "type": memory.type, "tags": list(memory.tags),
            "pinned": memory.pinned, "sourceType": memory.source_kind,
            "sourceId": memory.source_id, "createdAt": memory.created_at}


CONSTELLATION = (
    Endpoint("GET", "/api/knowledge/constellation", constellation, Bounds,
             example={"limit": 150}),
    Endpoint("POST", "/api/knowledge/expand", expand, Wanted, refuses=(404, 409),
             example={"entity": "Alice", "maxTokens": 2000}),
    Endpoint("POST", "/api/knowledge/expand/session", expand_session, Sessions,
             refuses=(404, 409), example={"entityName": "Alice", "timeRange": "last_month"}),
    Endpoint("GET", "/api/embeddings/projection", projection, Points, also=(202,),
             example={"dimensions": "2", "limit": 500}),
)
