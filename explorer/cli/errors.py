"""Prints why a command was refused: as text, or with `--json` as JSON."""

import re
from collections.abc import Sequence

import typer

from core.errors import ConstellationError
from explorer.cli import output

_FORCE = re.compile(r"\b([Uu])se force\b")
_PERHAPS_OPERATION = re.compile(r"\b[a-z]+(_[a-z]+)+\b")
_PARTS = ("what", "where", "do", "detail", "status", "field", "kind", "faults")


def refuse(error: ConstellationError, as_json: bool) -> None:
    """Print what happened, where and what to do on standard error."""
    if as_json:
        parts = {part: getattr(error, part, None) for part in _PARTS}
        output.note_json({"error": {
            part: _typed(error, value) if part in ("what", "do") else value
            for part, value in parts.items() if value}})
        return
    output.note(f"constellation: {_typed(error, str(error))}")
    for line in error.detail.splitlines():
        output.note(f"  {line}")


def refuse_usage(error: typer.TyperException, hint: str, as_json: bool) -> int:
    """Print that the command was not typed as it must be; returns the exit code."""
    what = getattr(error, "format_message", error.__str__)()
    if as_json:
        output.note_json({"error": {"what": what, "kind": "usage",
                                    **({"do": hint} if hint else {})}})
    else:
        getattr(error, "show", lambda: output.note(what))()
        if hint:
            output.note(hint)
    return int(getattr(error, "exit_code", 2))


def typed(text: str) -> str:
    """A sentence of the engine with the commands of the operations that it names."""
    return _PERHAPS_OPERATION.sub(_command_of, text)


def _typed(error: ConstellationError, text: object) -> str:
    """A sentence with the flag and the commands that are typed for what the engine names.

    Where an operation itself was named wrongly it was named in a payload: there it is not a
    command.
    """
    sentence = _FORCE.sub(r"\1se --force", str(text))
    if getattr(error, "field", "") == "operation":
        return sentence
    return typed(sentence)


def _command_of(match: re.Match[str]) -> str:
    """The command of an operation; the same word where it is none."""
    from core.ontology.operation_catalog import CATALOG  # noqa: PLC0415  only refusals name one

    operation = CATALOG.get(match[0])
    return f"ontology {' '.join(reversed(operation.words))}" if operation else match[0]


def wants_json(arguments: Sequence[str]) -> bool:
    """True if `--json` was typed as an option."""
    given = list(arguments)
    return "--json" in (given[: given.index("--")] if "--" in given else given)
