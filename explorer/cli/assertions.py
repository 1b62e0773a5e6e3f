"""`ontology assertion list`, `show` and `import`; the other verbs are operations."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from core.errors import ConstellationError
from core.model.text_formatting import counted
from core.model.vocabulary import ASSERTION_STATUSES, PREDICATES
from core.ontology import control
from core.ontology.control import Report
from core.ontology.foreign_assertions import requests_of
from core.queries.assertions import AssertionFilters, find_assertion
from core.queries.evidence_as_text import resolve
from core.store.reader_and_writer import Writer
from explorer.assertions_json import assertion_json, listed
from explorer.cli import output
from explorer.cli.given_files import read_text
from explorer.cli.open_graph import reading
from explorer.cli.options import (
    EVERYONE,
    OPERATOR,
    Actor,
    AgentName,
    Commands,
    DryRun,
    Json,
    Limit,
    Offset,
    Propose,
    Reason,
    Store,
)
from explorer.cli.run_operation import carry_out, refuse_both, tell_changes
from explorer.operation_outcome import new_ids, without

Status = StrEnum("Status", [*ASSERTION_STATUSES, "all"])  # type: ignore[misc]
Predicate = StrEnum("Predicate", list(PREDICATES))  # type: ignore[misc]
NO_ASSERTIONS = "This file is from before assertions, so none can be kept in it"


def list_all(
    entity: Annotated[str, typer.Option("--entity", help="Only about this entity.")] = "",
    attribute_id: Annotated[str, typer.Option(
        "--attribute-id", help="Only about this claim value.")] = "",
    predicate: Annotated[Predicate | None, typer.Option(
        "--predicate", help="Only said so.", show_default=False)] = None,
    status: Annotated[Status, typer.Option("--status", help="Which.")] = Status.active,  # type: ignore[attr-defined]
    speaker: Annotated[str, typer.Option("--speaker", help="Only by this speaker.")] = "",
    query: Annotated[str, typer.Option("--query", "-q", help="Words in its text.")] = "",
    source_kind: Annotated[str, typer.Option("--source-kind", help="Only from such.")] = "",
    source_id: Annotated[str, typer.Option("--source-id", help="Only from this source.")] = "",
    limit: Limit = 50, offset: Offset = 0, store: Store = None, agent: AgentName = EVERYONE,
    as_json: Json = False,
) -> None:
    """List assertions: who said what, and when, the latest first."""
    filters = AssertionFilters(
        entity=entity, attribute_id=attribute_id, status=status.value, speaker=speaker,
        predicate=predicate.value if predicate else "", query=query, source_kind=source_kind,
        source_id=source_id)
    with reading(store, agent) as workspace, workspace.read() as reader:
        answer = listed(reader, filters, limit, offset)
        keeps = reader.has_column("epistemic_assertions", "predicate")
    if output.answered(as_json, answer):
        return
    output.table(("id", "about", "who", "how", "says", "when"), (
        (output.short_id(one["id"]), one["subjectEntityName"],
         one["speaker"] or one["createdBy"], one["predicate"], one["content"],
         one["assertedAt"][:10]) for one in answer["items"]), empty="No assertions.")
    if not keeps:
        output.note(NO_ASSERTIONS)
    shown = offset + len(answer["items"])
    if answer["count"] > shown:
        output.note(f"{len(answer['items'])} of {answer['count']}; --offset {shown} shows more")


def show(
    assertion: Annotated[str, typer.Argument(
        metavar="ID", help="The assertion's id, or its first characters.")],
    store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """Show an assertion and what it rests on."""
    with reading(store, agent) as workspace, workspace.read() as reader:
        one = find_assertion(reader, assertion)
        source = {f"source_{part}": getattr(one, f"source_{part}")
                  for part in ("kind", "id", "path")}
        evidence = resolve(reader, one.evidence, source)
    if output.answered(as_json, assertion_json(one)):
        return
    output.say(f"{one.who} {one.predicate}: {one.content}")
    output.table(("", ""), [row for row in (
        ("about", one.subject_name), ("claim value", one.claim_attribute_id),
        ("when", one.asserted_at), ("confidence", one.confidence), ("status", one.status),
        ("in place of", one.supersedes_assertion_id), ("archived by", one.archived_by),
        ("why", one.archive_reason), ("by", one.created_by)) if row[1] not in (None, "")],
        empty="")
    output.table(("evidence", "when", "says"),
                 ((item.label or item.kind, item.when, item.quote or item.text)
                  for item in evidence), empty="It has no evidence.")


def import_all(
    source: Annotated[Path, typer.Argument(
        metavar="FILE", help="A JSON array of assertions, or one per line; - for standard input."
    )],
    dry_run: DryRun = False, propose: Propose = False, store: Store = None,
    agent: AgentName = EVERYONE, actor: Actor = OPERATOR, reason: Reason = "",
    as_json: Json = False,
) -> None:
    """Record 1 to 500 assertions of a file: all or none."""
    refuse_both(dry_run, propose)
    requests = requests_of(_read(source), agent)
    defaults = {"rationale": reason} if reason else {}

    def change(writer: Writer) -> Report:
        mode = "dry_run" if dry_run else "propose" if propose else "apply"
        return control.batch(writer, requests, mode, defaults)  # type: ignore[arg-type]

    label = f"{'Propose' if propose else 'Import'} {counted(len(requests), 'assertion')}"
    report, changes = carry_out(store, agent, actor, label, change, dry_run=dry_run)
    if as_json:
        output.answer_json({"items": without(report.items, new_ids(changes)),
                            "errors": report.errors, "count": len(report.items),
                            "dryRun": dry_run, "proposed": propose})
    else:
        done = "would be recorded" if dry_run else "proposed" if propose else "recorded"
        output.say(f"{counted(len(report.items), 'assertion')} {done}")
        for fault in report.errors:
            output.note(f"constellation: line {fault.line}: {fault.error}")
        tell_changes(changes)
    if report.errors:
        raise typer.Exit(2)


def _read(source: Path) -> object:
    """The JSON of a file, or that of its lines."""
    text = read_text(source).strip()
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        lines = text.split("\n")
        if len(lines) == 1 or not text.startswith("{"):
            raise ConstellationError("This is not valid JSON", where=str(source),
                                     detail=str(error)) from None
    return [_line(source, number, line) for number, line in enumerate(lines, 1)]


def _line(source: Path, number: int, line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ConstellationError("This line is not valid JSON", where=f"{source}, line {number}",
                                 do="Nothing was changed", detail=str(error)) from None


def add_to(group: Commands, link: object) -> None:
    """Give the group of the operations its other verbs, and upstream's word for `link`."""
    group.command("list")(list_all)
    group.command("show")(show)
    group.command("import")(import_all)
    group.command("link-claim", hidden=True)(link)
