"""Runs the command that was typed, and says in one line why it did not work."""

import os
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import typer
import typer.core

from core.errors import Cancelled, ConstellationError
from core.model.did_you_mean import did_you_mean
from core.store.file_detection import MAGIC
from explorer.cli import COMMANDS, app, errors, output
from explorer.default_graph import beside, missing
from explorer.streams import lost_answer, reader_left

ASKS = "_CONSTELLATION_COMPLETE"
"""The variable by which a shell asks what completes a word."""
_GLOBAL = {"--help", "-h", "--version", "--install-completion", "--show-completion"}
_VALUED, _FLAGS = ("--store", "--agent"), ("--json",)
"""What every command has, and may therefore stand before it, too."""


_REPAIR = ["ontology", "proposals", "repair"]
"""Another way to say `ontology repair`."""
INTERRUPTED = 130
"""The exit code after Ctrl+C, as shells have it."""
NOT_PRINTED = 74
"""The exit code where the command was carried out, but its answer could not be printed: EX_IOERR of
sysexits.h."""
READER_LEFT = 141
"""The exit code where the reader of a pipe took a part of the answer and left: as of SIGPIPE."""


def dispatch(given: Sequence[str]) -> int:
    """Run one command and return its exit code: 0 done, 2 refused in words on standard error."""
    code = _dispatch(given)
    lost = lost_answer()
    if not lost or code:
        return code
    if reader_left():
        return READER_LEFT
    errors.refuse(ConstellationError(
        "The answer could not be written to standard output", where=lost,
        do="The command itself was carried out"), errors.wants_json(given))
    return NOT_PRINTED


def _dispatch(given: Sequence[str]) -> int:
    as_json = errors.wants_json(given)
    try:
        code = _commands()(args=_with_command(list(given)), prog_name="constellation",
                           standalone_mode=False)
    except Cancelled as error:
        errors.refuse(error, as_json)
        return INTERRUPTED
    except ConstellationError as error:
        error.do = ". ".join(filter(None, (error.do, _store_hint(given))))
        errors.refuse(error, as_json)
        return 2
    except typer.TyperException as error:
        return errors.refuse_usage(error, _store_hint(given), as_json)
    except typer.Abort:
        return 1
    except OSError as error:
        errors.refuse(_from_system(error), as_json)
        return 1
    if code == INTERRUPTED:
        errors.refuse(Cancelled("Stopped"), as_json)
    return code if isinstance(code, int) else 0


def _store_hint(given: Sequence[str]) -> str:
    """How to name the graph, where one is typed as a word of a command that takes none as a word.

    It is said when such a command is refused: `recall graph.db "why"`.
    """
    if any(word.startswith("--store") for word in given):
        return ""
    command, words = _commands(), list(given)
    while isinstance(command, typer.core.TyperGroup) and words and words[0] in command.commands:
        command = command.commands[words.pop(0)]
    takes_graph = any(param.metavar == "STORE" for param in command.params)
    graph = "" if takes_graph else next((
        word for before, word in pairwise(["", *words])
        if not before.startswith("-") and _is_graph(word)), "")
    return f"To use a graph, add --store {output.typed(graph)}" if graph else ""


def _is_graph(word: str) -> bool:
    """True if there is a file called so that holds a database."""
    path = Path(word)
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):
        return False


def _from_system(error: OSError) -> ConstellationError:
    """A full disk, or a stream that can't be read, in words."""
    return ConstellationError(error.strerror or str(error), where=str(error.filename or ""))


@cache
def _commands() -> Any:
    """The commands, put together once in a process."""
    if ASKS in os.environ:
        import_module("explorer.cli.completion")  # A shell asks: its answers are made there.
    return typer.main.get_command(app)


def _with_command(arguments: list[str]) -> list[str]:
    """`constellation graph.db` and `constellation` alone mean `constellation open …`.

    Raises ConstellationError where the first word is neither a command nor a file.
    """
    before = _leading(arguments)
    given = arguments[before:] + arguments[:before]
    word = arguments[before] if before < len(arguments) else ""
    if word in COMMANDS:
        return ["ontology", *given[2:]] if given[:3] == _REPAIR else given
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
