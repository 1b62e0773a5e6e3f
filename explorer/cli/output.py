"""Prints answers: tables for people, JSON for programs, errors on the other stream."""

import dataclasses
import re
import sys
from collections.abc import Iterable, Sequence

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from explorer import wire

# Text from the graph may hold signs that move the cursor or turn the line around.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_LONGEST = 500


def harmless(text: str) -> str:
    """`text` without signs that a terminal would obey."""
    return _CONTROL.sub(" ", text)


def one_line(value: object) -> str:
    """A value from the graph as one harmless line."""
    text = harmless(str(value if value is not None else ""))
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def answer_json(thing: object) -> None:
    """Print `thing` as JSON on standard output."""
    typer.echo(wire.text(thing))


def say(text: str) -> None:
    """Print one line for a person."""
    typer.echo(one_line(text))


def note(text: str) -> None:
    """Print one line that is not the answer: progress, warnings."""
    typer.echo(harmless(text), err=True)


def table(heads: Sequence[str], rows: Iterable[Sequence[object]], empty: str) -> None:
    """Print rows under heads; `empty` when there are none. Numbers go to the right.

    Where no terminal shows it the rows come whole, parted by tabs, so that other tools can
    read them.
    """
    found = [list(row) for row in rows]
    if not found:
        if empty:
            say(empty)
        return
    if not sys.stdout.isatty():
        for row in [heads, *found] if any(heads) else found:
            typer.echo("\t".join(one_line(value) for value in row))
        return
    shown = Table(box=None, pad_edge=False, show_header=any(heads), header_style="bold",
                  padding=(0, 2, 0, 0))
    for place, head in enumerate(heads):
        numbers = all(isinstance(row[place], int | float) for row in found)
        shown.add_column(head, justify="right" if numbers else "left", overflow="fold",
                         no_wrap=head in ("id", "proposal"))
    for row in found:
        shown.add_row(*(Text(one_line(value)) for value in row))
    Console().print(shown)


def fields(thing: object) -> list[tuple[str, object]]:
    """The fields of a flat dataclass as rows of a table."""
    return [(field.name.replace("_", " "), getattr(thing, field.name)) for field in
            dataclasses.fields(thing)]  # type: ignore[arg-type]
