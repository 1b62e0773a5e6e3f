"""`backup`: a checked copy of a graph, beside its other backups or where a person wants it."""

from pathlib import Path
from typing import Annotated

import typer

from core.model.text_formatting import counted
from core.store.restore import NOUNS, count_rows
from explorer.cli import output
from explorer.cli.open_graph import reading
from explorer.cli.options import EVERYONE, Json, Store


def backup(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", readable=False, show_default=False,
                       help="A new file, or a folder; without it beside the graph's other "
                            "backups, which “restore” lists.")
    ] = None,
    store: Store = None, as_json: Json = False,
) -> None:
    """Copy a graph while programs may have it open, and check the copy."""
    with reading(store, EVERYONE) as workspace:
        copy = workspace.back_up(file.expanduser().absolute() if file else None)
        graph = workspace.path
    counts = count_rows(copy)
    if output.answered(as_json, {"store": graph.absolute(), "backup": copy, "counts": counts,
                                 "bytes": copy.stat().st_size}):
        return
    output.say(f"Backed up {graph}: {copy}", whole=True)
    output.say(", ".join(counted(counts[table], noun) for table, noun in NOUNS.items()))
    back = output.typed(copy) if file else "NUMBER"
    output.note(f"Put it back with: constellation restore {back} --store {output.typed(graph)}")
