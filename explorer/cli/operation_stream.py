"""`ontology stream`: many operations of a file at once, one JSON operation per line."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from core.errors import ConstellationError
from core.model.changes import RowChange
from core.model.text_formatting import counted
from core.ontology import control
from core.ontology.control import Mode, Report
from core.store.reader_and_writer import Writer
from explorer.cli import output
from explorer.cli.given_files import read_text
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

app = Commands(help="Many operations at once.", no_args_is_help=True)


@app.command("apply")
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
        return control.batch(writer, lines, mode, defaults, each=each)

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
