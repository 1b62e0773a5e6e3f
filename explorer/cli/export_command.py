"""`export`: writes a graph as an MCP memory file."""

import json
from pathlib import Path
from typing import Annotated

import typer

from core.errors import OpenError
from core.model.text_format import counted
from core.transfer.export import mcp_records
from explorer.cli import output
from explorer.cli.open_graph import reading
from explorer.cli.options import EVERYONE, AgentName, Store


def export_file(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", readable=False,
                             help="The file to write, which must not exist; - for standard output.")
    ] = Path("-"),
    store: Store = None, agent: AgentName = EVERYONE,
) -> None:
    """Write a graph as an MCP memory file, with the fields that an import kept."""
    with reading(store, agent) as workspace, workspace.read() as reader:
        lines = [json.dumps(record, ensure_ascii=False) for record in mcp_records(reader)]
    if str(file) == "-":
        for line in lines:
            typer.echo(line)
        return
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.writelines(f"{line}\n" for line in lines)
    except FileExistsError:
        raise OpenError("unwritable", "This file exists already", where=str(file),
                        do="Choose another name; nothing was changed") from None
    except OSError as error:
        raise OpenError("unwritable", "The file can't be written", where=str(file),
                        do="Choose a new name in a folder that exists", detail=str(error)
                        ) from error
    output.note(f"Wrote {counted(len(lines), 'line', 'lines')} to {file}")
