"""`ontology claim evidence` and `ontology link evidence`: what a fact or a link rests on."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import typer

from explorer import evidence_json
from explorer.cli import output
from explorer.cli.claim_or_value import (
    AspectOrWords,
    ClaimOfGroup,
    GroupOfClaim,
    Whose,
    named_value,
)
from explorer.cli.knowledge import Kind, Status
from explorer.cli.open_graph import reading
from explorer.cli.options import EVERYONE, AgentName, Json, Limit, Offset, Store
from explorer.model_json import plain

_HEADS = ("evidence", "when", "says")


def claim_evidence(
    entity: Whose, aspect: AspectOrWords = "", group: GroupOfClaim = "", claim: ClaimOfGroup = "",
    status: Annotated[Status, typer.Option("--status", help="Which values.")] = Status.active,
    kind: Annotated[Kind | None, typer.Option("--kind", help="Only this kind.")] = None,
    limit: Limit = 20, offset: Offset = 0, store: Store = None, agent: AgentName = EVERYONE,
    as_json: Json = False,
) -> None:
    """Show what the values of a claim rest on, newest first; or a fact by what it says."""
    with reading(store, agent) as workspace, workspace.read() as reader:
        id = named_value(reader, entity, aspect, group, claim)
        answer = evidence_json.value_evidence(reader, id) if id else evidence_json.claim_evidence(
            reader, entity, aspect, group, claim, kind=kind.value if kind else "",
            status=status.value, limit=limit, offset=offset)
    if output.answered(as_json, answer):
        return
    for value in answer["items"]:
        output.say(f"{value['content']}  ({value['status']}, version {value['version']},"
                   f" {value['id']})")
        _tell(value["evidence"])
    if not answer["items"]:
        output.say("Nothing found.")


def link_evidence(
    link: Annotated[str, typer.Argument(metavar="ID", help="The link's id.")],
    store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """Show what a link rests on."""
    with reading(store, agent) as workspace, workspace.read() as reader:
        answer = evidence_json.link_evidence(reader, link)
    if not output.answered(as_json, answer):
        items = plain(answer["items"])
        assert isinstance(items, list)
        _tell(items)


def _tell(items: Iterable[Mapping[str, Any]]) -> None:
    output.table(_HEADS, ((item["label"] or item["kind"], item["when"],
                           item["quote"] or item["text"]) for item in items),
                 empty="It has no evidence.")
