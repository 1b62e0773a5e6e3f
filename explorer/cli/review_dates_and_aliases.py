"""`ontology review list` and `ontology alias list`."""

from typing import Annotated

import typer

from core.model.names import spoken
from core.queries import review_dates_and_aliases
from core.queries.entities import find_entity
from explorer.cli import output
from explorer.cli.knowledge import EntityName
from explorer.cli.open_graph import reading
from explorer.cli.options import EVERYONE, AgentName, Json, Limit, Offset, Store


def reviews(
    due: Annotated[bool, typer.Option("--due", help="Only those whose day has come.")] = False,
    limit: Limit = 50, offset: Offset = 0, store: Store = None, agent: AgentName = EVERYONE,
    as_json: Json = False,
) -> None:
    """List the facts that are to be confirmed, the first due first."""
    with reading(store, agent) as workspace, workspace.read() as reader:
        items = review_dates_and_aliases.reviews(reader, due=due, limit=limit, offset=offset)
    if output.answered(as_json, {"items": items, "count": len(items)}):
        return
    output.table(("confirm after", "", "entity", "claim", "says", "id"), (
        (one.review_after[:10], "due" if one.due else "", one.entity,
         f"{one.aspect} · {spoken(one.claim_key)}" if one.claim_key else one.aspect, one.content,
         one.attribute_id) for one in items), empty="No facts are to be confirmed.")


def aliases(
    entity: EntityName, store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """List the other names of an entity, archived ones last."""
    with reading(store, agent) as workspace, workspace.read() as reader:
        items = review_dates_and_aliases.aliases_of(reader, find_entity(reader, entity).id)
    if output.answered(as_json, {"items": items, "count": len(items)}):
        return
    output.table(("name", "status", "from", "id"), (
        (one.alias, "" if one.status == "active" else one.status, one.source, one.id)
        for one in items), empty="It has no other names.")
