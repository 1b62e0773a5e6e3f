"""`doctor`: says how the program and a graph file are, for a report that others may read."""

from pathlib import Path
from typing import Annotated

import typer

from core.doctor_report import examine
from core.errors import OpenError
from explorer.cli import output
from explorer.cli.options import Json, Store
from explorer.default_graph import chosen_store


def doctor(
    graph: Annotated[
        Path | None,
        typer.Argument(metavar="STORE", readable=False, show_default=False,
                       help="The graph file; without it the default one."),
    ] = None,
    store: Store = None, as_json: Json = False,
) -> None:
    """Report versions, what can't be loaded, and the health of a graph file; tells no contents.

    Exits with 1 if something is wrong.
    """
    report = examine(_asked(graph or store))
    if not output.answered(as_json, report):
        for line in report.lines():
            output.say(line)
    if not report.is_well:
        raise typer.Exit(1)


def _asked(named: Path | None) -> Path | None:
    """The file to look at; None where none is named and there is no default one."""
    try:
        return chosen_store(named)
    except OpenError:
        if named is not None:
            raise
        return None
