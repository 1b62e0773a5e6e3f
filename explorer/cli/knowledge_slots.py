"""`knowledge aspects`, `groups`, `claims`, `attributes`, and a claim's versions."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from core.queries import knowledge_json
from core.store.handles import Reader
from explorer.cli import output
from explorer.cli.open_graph import reading
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


def aspects(
    entity: EntityName, store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False
) -> None:
    """An entity's aspects, heaviest first."""
    _tell(
        store, agent, as_json, lambda reader: knowledge_json.aspects(reader, entity),
        ("aspect", "weight", "attributes", "constraints"),
        lambda item: (item["aspect"]["name"], round(item["aspect"]["weight"], 2),
                      item["attributeCount"], item["constraintCount"]),
    )


def groups(
    entity: EntityName, aspect: AspectName, store: Store = None, agent: AgentName = EVERYONE,
    as_json: Json = False,
) -> None:
    """The groups of claims in an aspect."""
    _tell(
        store, agent, as_json, lambda reader: knowledge_json.groups(reader, entity, aspect),
        ("group", "attributes", "constraints", "claims", "updated"),
        lambda item: (item["groupKey"], item["attributeCount"], item["constraintCount"],
                      item["claimCount"], item["latestUpdatedAt"]),
    )


def claims(
    entity: EntityName, aspect: AspectName, group: GroupName, limit: Limit = 50,
    offset: Offset = 0, store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """The claims in a group, with the value in force."""
    _tell(
        store, agent, as_json,
        lambda reader: knowledge_json.claims(reader, entity, aspect, group, limit=limit,
                                              offset=offset),
        ("claim", "active", "superseded", "value"),
        lambda item: (item["claimKey"], item["activeCount"], item["supersededCount"],
                      item["preview"]),
    )


def attributes(
    entity: EntityName, aspect: AspectName, group: GroupName, claim: ClaimName,
    status: Annotated[Status, typer.Option("--status", help="Which values.")] = Status.active,
    kind: Annotated[Kind | None, typer.Option("--kind", help="Only this kind.")] = None,
    limit: Limit = 50, offset: Offset = 0, store: Store = None, agent: AgentName = EVERYONE,
    as_json: Json = False,
) -> None:
    """The values of one claim, newest first."""
    _tell(
        store, agent, as_json,
        lambda reader: knowledge_json.attributes(
            reader, entity, aspect, group, claim, kind=kind.value if kind else "",
            status=status.value, limit=limit, offset=offset),
        ("value", "kind", "status", "version", "confidence", "id"),
        lambda item: (item["content"], item["kind"], item["status"], item["version"],
                      item["confidence"], item["id"]),
    )


def versions(
    entity: EntityName, aspect: AspectName, group: GroupName, claim: ClaimName,
    kind: Annotated[Kind, typer.Option("--kind", help="What the claim is.")] = Kind.attribute,
    store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """What a claim says and said before, newest first."""
    _tell(
        store, agent, as_json,
        lambda reader: knowledge_json.versions(reader, entity, aspect, group, claim,
                                                kind=kind.value),
        ("version", "status", "value", "when", "id"),
        lambda item: (item["version"], item["status"], item["content"],
                      str(item["createdAt"])[:10], item["id"]),
    )


def _tell(
    store: Path | None, agent: str, as_json: bool, ask: Callable[[Reader], dict[str, Any]],
    heads: Sequence[str], row: Callable[[dict[str, Any]], Sequence[object]],
) -> None:
    """Print one navigation answer, whole as JSON or its items as a table."""
    with reading(store, agent) as workspace, workspace.read() as reader:
        answer = ask(reader)
    if as_json:
        output.answer_json(answer)
    else:
        output.table(heads, map(row, answer["items"]), empty="Nothing is here.")
