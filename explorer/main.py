"""The command `constellation`: a window on a graph, and everything else from a terminal."""

import sys
from collections.abc import Sequence

from core.errors import ConstellationError
from explorer.cli import COMMANDS, app, output

_GLOBAL = {"--help", "--version", "--install-completion", "--show-completion"}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit: 0 done, 2 refused in words on standard error."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        # A name from the graph may hold signs that this terminal cannot show.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        app(args=_with_command(given), prog_name="constellation")
    except ConstellationError as error:
        output.note(f"constellation: {output.one_line(error)}")
        for line in error.detail.splitlines():
            output.note(f"  {output.one_line(line)}")
        sys.exit(2)


def _with_command(arguments: list[str]) -> list[str]:
    """`constellation graph.db` and `constellation` alone mean `constellation open …`."""
    if arguments and (arguments[0] in COMMANDS or arguments[0] in _GLOBAL):
        return arguments
    return ["open", *arguments]
