"""`knowledge aspects`, `groups`, `claims`, `attributes`: down to one claim's values."""

from enum import StrEnum
from typing import Annotated

import typer

from core.errors import OperationError
from core.model.claim import Aspect, Slot
from core.model.entity import EntityRow
from core.model.names import canonical, slot_key
from core.queries import claims as claim_queries
from core.queries import entities, navigation
from core.store.handles import Reader
from explorer.cli import output, shapes
from explorer.cli.graphs import reading
from explorer.cli.options import EVERYONE, AgentName, Json, Limit, Offset, Store

EntityName = Annotated[str, typer.Argument(metavar="ENTITY", help="Its name or id.")]
AspectName = Annotated[str, typer.Argument(metavar="ASPECT", help="Its name or id.")]
GroupName = Annotated[str, typer.Argument(metavar="GROUP", help="Its key, such as general.")]
ClaimName = Annotated[str, typer.Argument(metavar="CLAIM", help="Its key.")]


class Kind(StrEnum):
    """What a value is: something known, or something that binds the agent."""

    attribute = "attribute"
    constraint = "constraint"


class Status(StrEnum):
    """Which values of a claim."""

    active = "active"
    superseded = "superseded"
    deleted = "deleted"
    all = "all"


def find_aspect(reader: Reader, entity: str, aspect: str) -> tuple[EntityRow, Aspect]:
    """An entity, archived or not, and one of its aspects, each by name or id.

    Raises:
        OperationError: 404 where one of them is not there.
    """
    owner = entities.find_entity(reader, entity, archived=True)
    wanted = canonical(aspect)
    for found in navigation.aspects_of(reader, owner.id, archived=True):
        if aspect == found.id or wanted == canonical(found.name):
            return owner, found
    raise OperationError(404, f"{owner.name} has no aspect {aspect}", field="aspect",
                         do="`constellation knowledge aspects` lists them")


def find_slot(reader: Reader, entity: str, aspect: str, group: str, claim: str, kind: str) -> Slot:
    """The claim slot that five words name."""
    owner, found = find_aspect(reader, entity, aspect)
    return Slot(owner.id, found.id, kind, slot_key(group, "general"), slot_key(claim))


def aspects(
    entity: EntityName, store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False
) -> None:
    """An entity's aspects, heaviest first."""
    with reading(store, agent) as workspace, workspace.read() as reader:
        row = entities.find_entity(reader, entity, archived=True)
        items = navigation.aspects_of(reader, row.id)
    if as_json:
        output.answer_json({"entity": row, "items": [shapes.aspect_item(item) for item in items]})
        return
    output.table(("aspect", "weight", "attributes", "constraints"),
                 ((item.name, round(item.weight, 2), item.attributes, item.constraints)
                  for item in items), empty=f"{row.name} has no aspects.")


def groups(
    entity: EntityName, aspect: AspectName, store: Store = None, agent: AgentName = EVERYONE,
    as_json: Json = False,
) -> None:
    """The groups of claims in an aspect."""
    with reading(store, agent) as workspace, workspace.read() as reader:
        row, found = find_aspect(reader, entity, aspect)
    items = [shapes.group_item(group) for group in found.groups]
    if as_json:
        output.answer_json(_within(row, found, items))
        return
    output.table(("group", "attributes", "constraints", "claims", "updated"),
                 (list(item.values()) for item in items), empty=f"{found.name} has no groups.")


def claims(
    entity: EntityName, aspect: AspectName, group: GroupName, limit: Limit = 50,
    offset: Offset = 0, store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """The claims in a group, with the value in force."""
    with reading(store, agent) as workspace, workspace.read() as reader:
        row, found = find_aspect(reader, entity, aspect)
    key = slot_key(group, "general")
    items = [shapes.claim_item(claim) for one in found.groups if one.key == key
             for claim in shapes.keyed_claims(one)][offset:offset + limit]
    if as_json:
        output.answer_json({**_within(row, found, items), "limit": limit, "offset": offset})
        return
    output.table(("claim", "active", "before", "value"),
                 ((item["claimKey"], item["activeCount"], item["supersededCount"],
                   item["preview"]) for item in items), empty=f"{group} has no claims.")


def attributes(
    entity: EntityName, aspect: AspectName, group: GroupName, claim: ClaimName,
    status: Annotated[Status, typer.Option("--status", help="Which values.")] = Status.active,
    kind: Annotated[Kind | None, typer.Option("--kind", help="Only this kind.")] = None,
    limit: Limit = 50, offset: Offset = 0, store: Store = None, agent: AgentName = EVERYONE,
    as_json: Json = False,
) -> None:
    """The values of one claim, newest first."""
    with reading(store, agent) as workspace, workspace.read() as reader:
        row, found = find_aspect(reader, entity, aspect)
        versions = [
            version for wanted in ([kind] if kind else Kind)
            for version in claim_queries.versions(
                reader, find_slot(reader, entity, aspect, group, claim, wanted.value))
        ]
    values = [version.value for version in versions
              if status is Status.all or version.value.status == status.value]
    values = sorted(values, key=lambda value: (value.created_at, value.importance), reverse=True)
    items = values[offset:offset + limit]
    if as_json:
        output.answer_json({**_within(row, found, items), "limit": limit, "offset": offset})
        return
    output.table(("value", "kind", "status", "version", "confidence", "id"),
                 ((v.content, v.kind, v.status, v.version, v.confidence, v.id) for v in items),
                 empty="No value is found.")


def _within(row: EntityRow, aspect: Aspect, items: object) -> shapes.Shape:
    return {"entity": row, "aspect": shapes.aspect_item(aspect)["aspect"], "items": items}
