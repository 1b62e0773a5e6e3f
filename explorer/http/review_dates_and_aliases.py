"""When facts are to be confirmed, and the other names of entities."""

from pydantic import Field

from core.queries import review_dates_and_aliases
from core.queries.entities import find_entity
from explorer.caller_arguments import Arguments, Json
from explorer.graph_for_caller import Door
from explorer.http.endpoint import Endpoint, Limit, Offset, Words
from explorer.http.operations import Flag
from explorer.model_json import plain


class Due(Arguments):
    """Which facts."""

    due: Flag = Field(False, description="Only those whose day has come")
    limit: Limit = 50
    offset: Offset = 0


def reviews(door: Door, given: Due) -> Json:
    """List the facts that are to be confirmed, the first due first."""
    with door.read() as reader:
        items = review_dates_and_aliases.reviews(
            reader, due=given.due, limit=given.limit, offset=given.offset)
    return {"items": plain(items), "count": len(items)}


class OneEntity(Arguments):
    """An entity."""

    id: Words = Field(description="Its id or name")


def aliases(door: Door, given: OneEntity) -> Json:
    """List the other names of an entity, archived ones last."""
    with door.read() as reader:
        items = review_dates_and_aliases.aliases_of(reader, find_entity(reader, given.id).id)
    return {"items": plain(items), "count": len(items)}


UPKEEP = (
    Endpoint("GET", "/api/ontology/reviews", reviews, Due, example={"due": True}),
    Endpoint("GET", "/api/ontology/entities/{id}/aliases", aliases, OneEntity,
             refuses=(404, 409), example={"id": "Alice"}),
)
