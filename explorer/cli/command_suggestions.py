"""Reads the words of a command line: which of them is the command, and what was meant by one."""

from pathlib import Path

from core.errors import ConstellationError
from core.model.suggestions import did_you_mean
from explorer.cli import COMMANDS
from explorer.paths import beside, missing

_GLOBAL = {"--help", "-h", "--version", "--install-completion", "--show-completion"}
_VALUED, _FLAGS = ("--store", "--agent"), ("--json",)
"""What every command has, and may therefore stand before it, too."""


def with_command(arguments: list[str]) -> list[str]:
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
    place = 0
    while place < len(arguments):
        word = arguments[place]
        if word in _VALUED:
            place += 2
        elif word in _FLAGS or word.startswith(tuple(f"{name}=" for name in _VALUED)):
            place += 1
        else:
            break
    return min(place, len(arguments))


def _unknown(word: str) -> ConstellationError:
    path = Path(word)
    if path.suffix or len(path.parts) > 1:
        return missing(path)
    near = did_you_mean(word, (*sorted(COMMANDS), *beside(path)))
    return ConstellationError(
        f"There is neither a command nor a file called “{word}”",
        do=near or "“constellation --help” lists the commands")
