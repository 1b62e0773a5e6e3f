"""The command `constellation`: a window on a graph, and everything else from a terminal.

It loads nothing before it has said what Ctrl+C does, so that a command that is stopped while it
loads ends with one line, as a running one does.
"""

import os
import signal
import sys
from collections.abc import Sequence

from explorer.streams import lost_answer, on_interrupt, open_closed, stop_at_once

_HELP = f"{__file__.removesuffix('main.py')}cli/help.txt"
"""What `--help` says; made by `python -m explorer --help --help > explorer/cli/help.txt`."""
_USUAL_WIDTH = 80
"""Columns from which the list of commands is not folded further."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit: 0 done, 2 refused in words on standard error, 130 after Ctrl+C,
    74 done without the answer, since standard output is full or closed, 141 where its reader took
    a part and left."""
    if arguments is not None:
        _run(arguments)
    open_closed()
    on_interrupt(stop_at_once)
    try:
        _run(sys.argv[1:])
    except KeyboardInterrupt:
        stop_at_once()
    finally:
        # Threads are waited for now, which has nothing to say either; nor has Ctrl+C just here.
        try:
            on_interrupt(stop_at_once)
        except KeyboardInterrupt:
            stop_at_once()


def _run(arguments: Sequence[str]) -> None:
    if _said_at_once(list(arguments)):
        sys.exit(0)
    load_faster()
    from explorer.cli.dispatch import dispatch  # noqa: PLC0415  it loads for half a second

    on_interrupt(signal.default_int_handler)
    for stream in (sys.stdout, sys.stderr):
        # A name from the graph may hold signs that this terminal cannot show.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    sys.exit(dispatch(arguments))


def load_faster() -> None:
    """Have what is loaded from now on be spared what none of it has a use for."""
    from core.garbage_collection import collect_rarely  # noqa: PLC0415  Ctrl+C is handled by now

    collect_rarely()
    # Looking through all that is installed for plug-ins of pydantic takes longer than pydantic.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


def _said_at_once(arguments: list[str]) -> bool:
    """Print the version or the list of commands without loading one; False if that is not what is
    asked for, or it could not be printed."""
    if arguments == ["--version"]:
        from explorer.program_version import version  # noqa: PLC0415  only for this

        sys.stdout.write(f"constellation {version()}\n")
    elif arguments in (["--help"], ["-h"]) and _has_usual_width():
        with open(_HELP, encoding="utf-8") as page:  # noqa: PTH123  pathlib takes long to load
            sys.stdout.write(page.read())
    else:
        return False
    return not lost_answer()


def _has_usual_width() -> bool:
    """True where lines are as long as those of `help.txt`: in a terminal of 80 columns or more,
    and where there is none."""
    if "COLUMNS" in os.environ:
        return False
    try:
        return sys.__stdout__ is None or (
            os.get_terminal_size(sys.__stdout__.fileno()).columns >= _USUAL_WIDTH)
    except (ValueError, OSError):
        return True
