"""The command `constellation`: a window on a graph, and everything else from a terminal."""

import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import typer

from core.errors import ConstellationError
from explorer.cli import app, errors
from explorer.cli.command_suggestions import with_command


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit: 0 done, 2 refused in words on standard error."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        # A name from the graph may hold signs that this terminal cannot show.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    as_json = errors.wants_json(given)
    try:
        code = _commands()(args=with_command(given), prog_name="constellation",
                           standalone_mode=not as_json)
    except ConstellationError as error:
        errors.refuse(error, as_json)
        sys.exit(2)
    except typer.TyperException as error:
        # Only with --json: otherwise the error prints itself and exits.
        said = getattr(error, "format_message", error.__str__)
        errors.refuse_usage(said())
        sys.exit(getattr(error, "exit_code", 2))
    except typer.Abort:
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)


@cache
def _commands() -> Callable[..., Any]:
    """The commands, put together once in a process: that takes a tenth of a second."""
    return typer.main.get_command(app)
