"""`export`: writes a graph, or entities of it, in one of the formats that other programs read."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from core.errors import OpenError
from core.model.secret_wording import FoundSecret
from core.model.text_formatting import counted
from core.queries.find_by_name_or_id import find_entity
from core.store.reader_and_writer import Reader
from core.transfer.bundle import bundle_lines
from core.transfer.export_file import (
    EXPORT_FORMATS,
    Choice,
    ExportFormat,
    export_graph,
    exported_secrets,
)
from core.transfer.mcp_export import mcp_records
from explorer.cli import output
from explorer.cli.open_graph import reading
from explorer.cli.options import EVERYONE, AgentName, Store

_STDOUT = "-"
_LISTED = 20
"""Places of keys and passwords that are told."""
_FORMATS = "; ".join(f"{each.name}: {each.help}" for each in EXPORT_FORMATS.values())


def _format(name: str) -> str:
    if name not in EXPORT_FORMATS:
        raise typer.BadParameter(f"choose one of {', '.join(EXPORT_FORMATS)}")
    return name


def export_file(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", readable=False,
                             help="The file or folder to write, which must not exist; - for "
                                  "standard output (mcp and bundle).")
    ] = Path(_STDOUT),
    format: Annotated[
        str, typer.Option("--format", metavar="NAME", callback=_format, help=f"{_FORMATS}.")
    ] = "mcp",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", readable=False, show_default=False,
                                  help="The same as FILE.")] = None,
    entity: Annotated[
        list[str] | None, typer.Option("--entity", metavar="NAME", show_default=False,
                                       help="Only this entity; repeat it for several.")] = None,
    store: Store = None, agent: AgentName = EVERYONE,
) -> None:
    """Write a graph for other programs, or to keep; says what the format can't hold.

    A bundle has the rows of every agent, unless --agent is given.
    """
    chosen, path = EXPORT_FORMATS[format], out or file
    own = context.get_parameter_source("agent")
    of_agent = agent if own is not None and own.name == "COMMANDLINE" else None
    with reading(store, agent) as workspace, workspace.read() as reader:
        ids = [find_entity(reader, name)["id"] for name in entity] if entity else None
        choice = Choice(ids, of_agent)
        if str(path) == _STDOUT:
            _print(reader, chosen, choice)
            _warn(exported_secrets(reader, chosen, choice))
            return
        report = export_graph(reader, chosen, path, choice)
    output.note(f"Wrote {report.path}")
    if report.left_out:
        output.note(f"Not in this format: {', '.join(report.left_out)}. A bundle keeps them")
    _warn(report.secrets)


def _warn(secrets: Sequence[FoundSecret]) -> None:
    """Say where something stands that should perhaps not leave the graph."""
    if secrets:
        output.note(f"{counted(len(secrets), 'text')} that may be secret in what was written:")
    for secret in secrets[:_LISTED]:
        output.note(secret.words)
    if len(secrets) > _LISTED:
        output.note(f"… and {len(secrets) - _LISTED:,} more")


def _print(reader: Reader, format: ExportFormat, choice: Choice) -> None:
    """Write a format of lines to standard output."""
    if format.name == "mcp":
        lines = mcp_records(reader, choice.ids)
    elif format.name == "bundle" and choice.ids is None:
        lines = bundle_lines(reader, choice.agent)
    else:
        raise OpenError("unwritable", f"{format.title} needs a name to be written to",
                        where="standard output", do=f"Add --out {format.name}{format.ending}")
    for line in lines:
        typer.echo(json.dumps(line, ensure_ascii=False, separators=(",", ":")
                              if format.name == "bundle" else None))
    sys.stdout.flush()
