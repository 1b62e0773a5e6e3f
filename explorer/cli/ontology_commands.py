"""`ontology`: every operation, the proposals, and streams of both."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from core.errors import ConstellationError
from core.model.changes import RowChange
from core.model.text_formatting import counted
from core.ontology import apply_or_propose
from core.ontology.apply_or_propose import Mode, Report
from core.ontology.operation_catalog import CATALOG
from core.store.reader_and_writer import Writer
from explorer.cli import (
    assertions,
    duplicate_merges,
    evidence,
    extract,
    operation_commands,
    output,
    proposals,
    review_and_alias_lists,
    settle_command,
)
from explorer.cli.given_files import read_text
from explorer.cli.knowledge import versions
from explorer.cli.options import (
    EVERYONE,
    OPERATOR,
    Actor,
    AgentName,
    Commands,
    DryRun,
    Force,
    Json,
    Propose,
    Reason,
    Store,
)
from explorer.cli.run_operation import carry_out, refuse_both, tell_changes
from explorer.operation_outcome import new_ids, without

app = Commands(help="Change the graph, and review proposals.",
                  no_args_is_help=True)
_stream = Commands(help="Many operations at once.", no_args_is_help=True)


@_stream.command("apply")
def apply_stream(
    source: Annotated[Path, typer.Argument(
        metavar="FILE", help="One JSON operation per line; - for standard input.")],
    each: Annotated[bool, typer.Option(
        "--each", help="Each on its own: what is refused is listed and stops no other.")] = False,
    force: Force = False, dry_run: DryRun = False, propose: Propose = False, store: Store = None,
    agent: AgentName = EVERYONE, actor: Actor = OPERATOR, reason: Reason = "",
    as_json: Json = False,
) -> None:
    """Apply, propose or dry-run 1 to 500 operations: all or none, or each on its own.

    A dry run goes on after a mistake, lists each with its line, and sees its own earlier steps.
    """
    refuse_both(dry_run, propose)
    lines = _read_lines(source, force, each or dry_run)
    mode: Mode = "dry_run" if dry_run else "propose" if propose else "apply"
    defaults = {"rationale": reason} if reason else {}

    def change(writer: Writer) -> Report:
        return apply_or_propose.batch(writer, lines, mode, defaults, each=each)

    def label(report: Report) -> str:
        verb = "Propose" if propose else "Apply"
        return f"{verb} {counted(len(report.items), 'operation')}"

    report, changes = carry_out(store, agent, actor, label, change, dry_run=dry_run,
                                force=force)
    _tell(report, as_json, mode, changes)
    if report.errors:
        raise typer.Exit(2)


def _read_lines(source: Path, force: bool, each: bool) -> list[object]:
    """The operations of a stream; raises ConstellationError that names the first bad line.

    Args:
        each: a bad line is an item of its own, which is refused with its number.
    """
    operations: list[object] = []
    # Only line feeds part operations: U+2028 and its kin may stand inside a JSON text.
    text = read_text(source).rstrip()
    for number, line in enumerate(text.split("\n") if text else (), 1):
        try:
            item = json.loads(line)
        except (ValueError, RecursionError) as error:
            if each:
                operations.append(None)
                continue
            raise ConstellationError("This line is not valid JSON",
                                     where=f"{source}, line {number}",
                                     do="Nothing was changed", detail=str(error)) from None
        if force and isinstance(item, dict) and isinstance(item.get("payload"), dict):
            item["payload"]["force"] = True
        operations.append(item)
    return operations


def _tell(
    report: Report, as_json: bool, mode: Mode, changes: Sequence[RowChange]
) -> None:
    # The rows of the audit would come with the deed alone.
    items = [replace(item, proposal_id="") if mode == "dry_run" else item
             for item in report.items]
    if as_json:
        output.answer_json({
            "items": without(items, new_ids(changes)), "errors": report.errors,
            "count": len(items),
            "dryRun": mode == "dry_run", "proposed": mode == "propose",
        })
        return
    said = {"apply": "done", "propose": "proposed", "dry_run": "would be done"}[mode]
    output.say(f"{counted(len(items), 'operation')} {said}")
    for fault in report.errors:
        output.note(f"constellation: line {fault.line}: {fault.operation}: {fault.error}")
    tell_changes(changes)


_COMMANDS: dict[str, Callable[..., None]] = {
    "proposals": proposals.list_proposals, "proposal": proposals.show_proposal,
    "repair": duplicate_merges.repair, "extract": extract.extract,
    "consolidate": extract.consolidate,
    "evidence": proposals.evidence, "conflicts": proposals.conflicts,
    "assertions": assertions.list_all,
    "propose": proposals.propose, "apply": proposals.apply, "reject": proposals.reject,
    "settle": settle_command.settle_values,
}


def _build() -> None:
    for noun, group in operation_commands.groups().items():
        if noun == "claim":
            group.command("versions")(versions)
            group.command("evidence")(evidence.claim_evidence)
        if noun == "review":
            group.command("list")(review_and_alias_lists.reviews)
        if noun == "alias":
            group.command("list")(review_and_alias_lists.aliases)
        if noun == "link":
            group.command("evidence")(evidence.link_evidence)
        if noun == "assertion":
            assertions.add_to(group, operation_commands.command(CATALOG["link_assertion"]))
        app.add_typer(group, name=noun)
    app.add_typer(_stream, name="stream")
    for name, command in _COMMANDS.items():
        app.command(name)(command)


_build()
