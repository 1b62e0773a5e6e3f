"""The command `constellation`: a window on a graph, and everything else from a terminal."""

import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import typer

from core.errors import ConstellationError
from core.model.names import did_you_mean
from explorer.cli import COMMANDS, app, errors
from explorer.paths import beside, missing

_GLOBAL = {"--help", "-h", "--version", "--install-completion", "--show-completion"}
_VALUED, _FLAGS = ("--store", "--agent"), ("--json",)
"""What every command has, and may therefore stand before it, too."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit: 0 done, 2 refused in words on standard error."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        # A name from the graph may hold signs that this terminal cannot show.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    as_json = errors.wants_json(given)
    try:
        code = _commands()(args=_with_command(given), prog_name="constellation",
                           standalone_mode=not as_json)
    except ConstellationError as error:
        errors.refuse(error, as_json)
        sys.exit(2)
    except typer.TyperException as error:
        # Only with --json: otherwise the error prints itself and exits.
        message = getattr(error, "format_message", error.__str__)
        errors.refuse_usage(message())
        sys.exit(getattr(error, "exit_code", 2))
    except typer.Abort:
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)


@cache
def _commands() -> Callable[..., Any]:
    """The commands, put together once in a process: that takes a tenth of a second."""
    return typer.main.get_command(app)


def _with_command(arguments: list[str]) -> list[str]:
    """`constellation graph.db` and `constellation` alone mean `constellation open …`.

    Raises ConstellationError where the first word is neither a command nor a file.
    """
    before = _leading(arguments)
    given = arguments[before:] + arguments[:before]
    word = arguments[before] if before < len(arguments) else ""
    if word in COMMANDS:
        return given
    if arguments and arguments[0] in _GLOBAL:
        return arguments
    if word and not word.startswith("-") and not Path(word).expanduser().exists():
        raise _unknown(word)
    return ["open", *arguments]


def _leading(arguments: list[str]) -> int:
    """How many words stand before the command: options that every command has."""
    count = 0
    while count < len(arguments):
        word = arguments[count]
        if word in _VALUED:
            count += 2
        elif word in _FLAGS or word.startswith(tuple(f"{name}=" for name in _VALUED)):
            count += 1
        else:
            break
    return min(count, len(arguments))


def _unknown(word: str) -> ConstellationError:
    path = Path(word)
    if path.suffix or len(path.parts) > 1:
        return missing(path)
    near = did_you_mean(word, (*sorted(COMMANDS), *beside(path)))
    return ConstellationError(
        f"No command or file is called “{word}”",
        do=near or "Run “constellation --help” for a list of commands")
