"""What is known: entities, their tree from aspects down to values, their links, their pins."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from core.errors import OperationError
from core.queries.entities import (
    count_entities,
    entity_in_full,
    find_entity,
    get_entities,
    list_entities,
    pinned_entities,
    understood,
)
from core.queries.links import links_of
from core.traversal import last_walk
from explorer import knowledge_json
from explorer.caller_arguments import Arguments, Dated, Json
from explorer.graph_for_caller import Door
from explorer.http.endpoint import Endpoint, Kind, Limit, Offset, Reply, Words, known, within
from explorer.http.operations import carry_out
from explorer.model_json import plain, status_json

Group = Annotated[str, Field(description="The group's key; `general` for values without one")]
Status = Annotated[str, known(("active", "superseded", "deleted", "all"), "active"),
                   Field(description="`active`, `superseded`, `deleted` or `all`")]
AnyStatus = Annotated[str, known(("active", "superseded", "deleted", "all"), "all"),
                      Field(description="`active`, `superseded` or `deleted`; else all")]


class Listing(Dated):
    """Which entities."""

    type: str = Field("", description="Only this type")
    q: str = Field("", description="Words in names, other names and facts")
    limit: Limit = 50
    offset: Offset = 0


def entities(door: Door, given: Listing) -> Json:
    """List entities with the counts of their parts: pinned first, then by mentions."""
    types = [given.type] if given.type else []
    with door.read() as reader:
        search = understood(reader, given.q)
        rows = list_entities(reader, text=search, types=types, limit=given.limit,
                             offset=given.offset)
        return {"items": knowledge_json.entities(reader, [row.id for row in rows]),
                "limit": given.limit, "offset": given.offset,
                "count": count_entities(reader, text=search, types=types)}


class Named(Dated):
    """An entity."""

    name: Words = Field(description="Its name, another name of it, or its id")


def entity_by_name(door: Door, given: Named) -> Json:
    """Find one entity by its name, with the counts of its parts."""
    with door.read() as reader:
        return knowledge_json.entity(reader, given.name)


class Tree(Dated):
    """How much of an entity's tree."""

    entity: Words = Field(description="Its name, another name of it, or its id")
    max_aspects: Annotated[int, within(1, 100), Field(
        description="The most aspects, 1 to 100")] = 20
    max_groups: Annotated[int, within(1, 100), Field(
        description="The most groups of an aspect, 1 to 100")] = 20
    max_claims: Annotated[int, within(1, 200), Field(
        description="The most claims of a group, 1 to 200")] = 50
    depth: int = Field(3, ge=1, le=3, description="1: aspects, 2: groups, 3: claims")


def tree(door: Door, given: Tree) -> Json:
    """Outline an entity: aspects, groups, claims."""
    with door.read() as reader:
        return knowledge_json.tree(
            reader, given.entity, depth=given.depth, max_aspects=given.max_aspects,
            max_groups=given.max_groups, max_claims=given.max_claims)


class OfEntity(Dated):
    """An entity."""

    entity: Words = Field(description="Its name, another name of it, or its id")


def aspects(door: Door, given: OfEntity) -> Json:
    """List the aspects of an entity, highest weight first."""
    with door.read() as reader:
        return knowledge_json.aspects(reader, given.entity)


class OfAspect(OfEntity):
    """An aspect of an entity."""

    aspect: Words = Field(description="The aspect's name or id")


def groups(door: Door, given: OfAspect) -> Json:
    """List the groups of an aspect."""
    with door.read() as reader:
        return knowledge_json.groups(reader, given.entity, given.aspect)


class OfGroup(OfAspect):
    """A group of an aspect."""

    group: Words = Field(description="The group's key; `general` for values without one")


class Claims(OfGroup):
    """Which claims of a group."""

    limit: Limit = 50
    offset: Offset = 0


def claims(door: Door, given: Claims) -> Json:
    """List the claims of a group, those in force first."""
    with door.read() as reader:
        return knowledge_json.claims(reader, given.entity, given.aspect, given.group,
                                     limit=given.limit, offset=given.offset)


class OfClaim(OfGroup):
    """A claim."""

    claim: Words = Field(description="The claim's key")


class Values(OfClaim):
    """Which values of a claim."""

    kind: Kind = ""
    status: Status = "active"
    limit: Limit = 50
    offset: Offset = 0


def attributes(door: Door, given: Values) -> Json:
    """List the values of a claim, newest first."""
    with door.read() as reader:
        return knowledge_json.attributes(
            reader, given.entity, given.aspect, given.group, given.claim, kind=given.kind,
            status=given.status, limit=given.limit, offset=given.offset)


class Chosen(Arguments):
    """An entity."""

    id: Words = Field(description="The entity's id or name")


class ById(Chosen, Dated):
    """An entity that is read."""


def entity(door: Door, given: ById) -> Json:
    """Read an entity with the counts of its parts and links."""
    with door.read() as reader:
        return knowledge_json.entity(reader, given.id)


def entity_aspects(door: Door, given: ById) -> Json:
    """List the aspects of an entity with the counts of their values."""
    with door.read() as reader:
        return {"items": knowledge_json.aspects(reader, given.id)["items"]}


class OfOneAspect(ById):
    """Which values of an aspect."""

    aspect: Words = Field(alias="aspectId", description="The aspect's id or name")
    kind: Kind = ""
    status: AnyStatus = "all"
    limit: Limit = 50
    offset: Offset = 0


def aspect_attributes(door: Door, given: OfOneAspect) -> Json:
    """List the values of an aspect, the most important first."""
    with door.read() as reader:
        values = knowledge_json.aspect_values(reader, given.id, given.aspect, kind=given.kind,
                                              status=given.status)
    return {"items": values[given.offset:given.offset + given.limit],
            "limit": given.limit, "offset": given.offset}


class Links(ById):
    """Which links."""

    direction: Literal["incoming", "outgoing", "both"] = Field("both", description="Which way")


def dependencies(door: Door, given: Links) -> Json:
    """List the links of an entity, the strongest first."""
    with door.read() as reader:
        owner = find_entity(reader, given.id)
        linked = sorted(links_of(reader, owner.id), key=lambda link: -link.strength)
    items = [knowledge_json.dependency(link, owner.name) for link in linked]
    return {"items": [item for item in items if given.direction in ("both", item["direction"])]}


def pin(door: Door, given: Chosen) -> object:
    """Pin an entity: it is in the context of every session. An agent's wish waits for a person."""
    done = carry_out(door, "pin_entity", {"entity_id": given.id})
    if done.waits:
        return Reply(202, {"pinned": False, "proposed": True, "proposal": plain(done.proposal)})
    return _pin_of(door, given.id)


def _pin_of(door: Door, selector: str) -> Json:
    with door.read() as reader:
        found = entity_in_full(reader, find_entity(reader, selector).id, selector)
    return {"pinned": found.pinned, "pinnedAt": found.pinned_at}


def unpin(door: Door, given: Chosen) -> object:
    """Unpin an entity; one that is not there is not pinned. An agent's wish waits for a person."""
    try:
        done = carry_out(door, "unpin_entity", {"entity_id": given.id})
    except OperationError as error:
        if error.status != 404:
            raise
        return {"pinned": False}
    if done.waits:
        return Reply(202, {"pinned": True, "proposed": True, "proposal": plain(done.proposal)})
    return {"pinned": False}


def pinned(door: Door, given: Arguments) -> Sequence[Json]:
    """List the pinned entities, the last pinned first."""
    with door.read() as reader:
        rows = pinned_entities(reader)
        return [{"id": each.id, "name": each.name, "pinnedAt": each.pinned_at}
                for each in get_entities(reader, [row.id for row in rows])]


def walk_status(door: Door, given: Arguments) -> Json:
    """Tell what the last walk of the graph came to; null before the first."""
    return status_json(last_walk.last(door.workspace.sidecar, door.workspace.agent))


_API = "/api/knowledge"
_NAVIGATION = f"{_API}/navigation"
_ALICE = {"entity": "Alice", "aspect": "preferences", "group": "general", "claim": "editor"}


def _path(*names: str) -> Json:
    return {name: _ALICE[name] for name in names}


KNOWLEDGE = (
    Endpoint("GET", f"{_API}/entities", entities, Listing, example={"q": "Alice", "limit": 10}),
    Endpoint("GET", f"{_NAVIGATION}/entities", entities, Listing, example={"type": "person"}),
    Endpoint("GET", f"{_NAVIGATION}/entity", entity_by_name, Named, refuses=(404, 409),
             example={"name": "Alice"}, about="name"),
    Endpoint("GET", f"{_NAVIGATION}/tree", tree, Tree, refuses=(404, 409),
             example={"entity": "Alice", "depth": 3, "asOf": "2026-05-03"}, about="entity"),
    Endpoint("GET", f"{_NAVIGATION}/aspects", aspects, OfEntity, refuses=(404, 409),
             example=_path("entity")),
    Endpoint("GET", f"{_NAVIGATION}/groups", groups, OfAspect, refuses=(404, 409),
             example=_path("entity", "aspect")),
    Endpoint("GET", f"{_NAVIGATION}/claims", claims, Claims, refuses=(404, 409),
             example=_path("entity", "aspect", "group")),
    Endpoint("GET", f"{_NAVIGATION}/attributes", attributes, Values, refuses=(404, 409),
             example=_path("entity", "aspect", "group", "claim"), about="entity"),
    Endpoint("GET", f"{_API}/entities/pinned", pinned, lists=True),
    Endpoint("GET", f"{_API}/entities/{{id}}", entity, ById, refuses=(404, 409),
             example={"id": "Alice"}, about="id"),
    Endpoint("GET", f"{_API}/entities/{{id}}/aspects", entity_aspects, ById, refuses=(404, 409),
             example={"id": "Alice"}),
    Endpoint("GET", f"{_API}/entities/{{id}}/aspects/{{aspectId}}/attributes", aspect_attributes,
             OfOneAspect, refuses=(404, 409), example={"id": "Alice", "aspectId": "preferences"}),
    Endpoint("GET", f"{_API}/entities/{{id}}/dependencies", dependencies, Links,
             refuses=(404, 409), example={"id": "Alice", "direction": "outgoing"}),
    Endpoint("POST", f"{_API}/entities/{{id}}/pin", pin, Chosen, "modify", also=(202,),
             refuses=(404, 409), example={"id": "Alice"}),
    Endpoint("DELETE", f"{_API}/entities/{{id}}/pin", unpin, Chosen, "modify", also=(202,),
             refuses=(409,), example={"id": "Alice"}),
    Endpoint("GET", f"{_API}/traversal/status", walk_status),
)
