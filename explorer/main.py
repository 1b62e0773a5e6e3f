"""The command `constellation`: a window on a graph, and everything else from a terminal.

It loads nothing before it has said what Ctrl+C does, so that a command that is stopped while it
loads ends with one line, as a running one does.
"""

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType

from explorer.streams import lost_answer, open_closed


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit: 0 done, 2 refused in words on standard error, 130 after Ctrl+C,
    74 done without the answer, since standard output is full or closed, 141 where its reader took
    a part and left."""
    if arguments is not None:
        _run(arguments)
    open_closed()
    _on_interrupt(_stop_at_once)
    try:
        _run(sys.argv[1:])
    except KeyboardInterrupt:
        _stop_at_once()
    finally:
        # Threads are waited for now, which has nothing to say either.
        _on_interrupt(_stop_at_once)


def _run(arguments: Sequence[str]) -> None:
    if list(arguments) == ["--version"] and _said_version():
        sys.exit(0)
    from explorer.cli.dispatch import dispatch  # noqa: PLC0415  it loads for half a second

    _on_interrupt(signal.default_int_handler)
    for stream in (sys.stdout, sys.stderr):
        # A name from the graph may hold signs that this terminal cannot show.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    sys.exit(dispatch(arguments))


def _said_version() -> bool:
    """Say the version without loading the commands; False if it could not be printed."""
    from explorer.program_version import version  # noqa: PLC0415  only for this

    sys.stdout.write(f"constellation {version()}\n")
    return not lost_answer()


def _on_interrupt(handler: object) -> None:
    """Handle Ctrl+C so, unless whoever started this process has it ignored."""
    if signal.getsignal(signal.SIGINT) in (signal.default_int_handler, _stop_at_once):
        signal.signal(signal.SIGINT, handler)  # type: ignore[arg-type]


def _stop_at_once(_number: int = signal.SIGINT, _frame: FrameType | None = None) -> None:
    """End the process with one line: while it loads, and after its work, nothing is lost by it."""
    with suppress(OSError):
        os.write(2, b"constellation: Stopped\n")
    os._exit(128 + signal.SIGINT)
