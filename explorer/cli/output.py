"""Prints answers: tables for people, JSON for programs, errors on the other stream."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import typer
from msgspec import Struct
from msgspec.structs import asdict
from rich.cells import cell_len

from core.model.text_formatting import clip
from core.progress import Report

# Text from the graph may hold signs that move the cursor or turn the line around.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_LONGEST = 500
_WIDEST = 40
"""Columns are lined up as far as this; a longer value pushes the rest of its own row along."""
SECRET_TAKEN = ("No agent is told it any more after: constellation ontology claim archive ENTITY"
                " VALUE (VALUE is how the fact begins). Its history keeps it: change the key or"
                " password itself")
"""What to do about a key or a password that has come into the graph."""
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")


def harmless(text: str) -> str:
    """`text` without signs that a terminal would obey."""
    return _CONTROL.sub(" ", text)


def _line(value: object) -> str:
    """A value from the graph as one harmless line."""
    return clip(harmless(str(value if value is not None else "")), _LONGEST)


def answer_json(thing: object) -> None:
    """Print `thing` as JSON on standard output."""
    typer.echo(_json(thing))


def answered(as_json: bool, thing: object) -> bool:
    """Print `thing` as JSON if that is asked for; True if it was."""
    if as_json:
        answer_json(thing)
    return as_json


def note_json(thing: object) -> None:
    """Print `thing` as JSON where errors go."""
    typer.echo(_json(thing), err=True)


def _json(thing: object) -> str:
    from explorer import model_json  # noqa: PLC0415  most answers are read by people

    return model_json.text(thing)


def say(text: str, *, whole: bool = False) -> None:
    """Print one line for a person, however long if `whole`."""
    typer.echo(harmless(text) if whole else _line(text))


def note(text: str) -> None:
    """Print one line that is not the answer: progress, warnings."""
    typer.echo(_line(text), err=True)


def table(heads: Sequence[str], rows: Iterable[Sequence[object]], empty: str) -> None:
    """Print rows under heads; `empty` when there are none. Numbers go to the right.

    Columns in which no row says anything are left out. A terminal gets them as wide as it is;
    elsewhere no value is folded or cut, and programs ask for JSON.
    """
    lines = [list(row) for row in rows]
    if not lines:
        if empty:
            say(empty)
        return
    columns = [column for column in range(len(heads))
               if any(row[column] not in ("", None) for row in lines)]
    heads = [heads[column] for column in columns]
    lines = [[row[column] for column in columns] for row in lines]
    if not sys.stdout.isatty():
        _line_up(heads, lines)
        return
    _draw(heads, lines)


def _draw(heads: Sequence[str], lines: Sequence[Sequence[object]]) -> None:
    """Print rows as a table that is as wide as the terminal."""
    from rich.console import Console  # noqa: PLC0415  only for terminals
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    shown = Table(box=None, pad_edge=False, show_header=any(heads), header_style="bold",
                  padding=(0, 2, 0, 0))
    for column, head in enumerate(heads):
        numbers = all(isinstance(row[column], int | float) for row in lines)
        shown.add_column(head, justify="right" if numbers else "left", overflow="fold",
                         no_wrap=head in ("id", "memory id", "proposal"))
    for row in lines:
        shown.add_row(*(Text(_line(value)) for value in row))
    Console().print(shown)


def _line_up(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows as columns of plain text."""
    numbers = [all(isinstance(row[column], int | float) for row in rows)
               for column in range(len(heads))]
    cells = [[_line(value) for value in row] for row in ([heads, *rows] if any(heads) else rows)]
    widths = [min(max(cell_len(row[column]) for row in cells), _WIDEST)
              for column in range(len(heads))]
    for row in cells:
        parts = []
        for text, width, number in zip(row, widths, numbers, strict=True):
            room = " " * (width - cell_len(text))
            parts.append(room + text if number else text + room)
        typer.echo("  ".join(parts).rstrip())


def short_id(id: str) -> str:
    """As much of an id as a person has to type; one that is no UUID may need all of it."""
    return id[:8] if _UUID.fullmatch(id) else id


def typed(path: object) -> str:
    """A path as it must be typed in a command: quoted if it contains spaces or special
    characters."""
    text = str(path)
    return subprocess.list2cmdline([text]) if os.name == "nt" else shlex.quote(text)


def fields(thing: Struct) -> list[tuple[str, object]]:
    """The fields of a flat thing as rows of a table."""
    return [(name.replace("_", " "), value) for name, value in asdict(thing).items()]


@contextmanager
def progress() -> Iterator[Report]:
    """A callback for the finished share, 0 to 1; the bar appears with the first call."""
    from rich.console import Console  # noqa: PLC0415  few commands take long
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    console = Console(stderr=True)
    with Progress(TextColumn("{task.percentage:>3.0f} %"), BarColumn(), TimeElapsedColumn(),
                  console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=1.0, visible=False)

        def report(share: float) -> None:
            bar.update(task, completed=share, visible=True)

        yield report
