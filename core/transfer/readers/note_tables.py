"""Reads the tables of a note: each row as a text that has the names of its columns."""

import re
from collections.abc import Sequence
from itertools import zip_longest

from msgspec import Struct

_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
"""The line below the names of the columns."""
_BETWEEN = re.compile(r"(?<!\\)\|")
_FENCES = ("```", "~~~")


class Table(Struct, frozen=True):
    """A table in the lines of a paragraph.

    Attributes:
        before: how many lines stand above it.
        rows: the number of the line of each row, from 0, and its words.
    """

    before: int
    rows: tuple[tuple[int, str], ...]


def table_in(lines: Sequence[str]) -> Table | None:
    """The table that a paragraph ends with; None if there is none, or the lines are code."""
    rule = next((number for number, line in enumerate(lines)
                 if number and "|" in line and _RULE.fullmatch(line)), 0)
    if not rule or "|" not in lines[rule - 1] or any(
            line.lstrip().startswith(_FENCES) for line in lines):
        return None
    names = _cells(lines[rule - 1])
    rows = ((number, _words(names, _cells(lines[number])))
            for number in range(rule + 1, len(lines)))
    return Table(rule - 1, tuple(row for row in rows if row[1]))


def _cells(line: str) -> list[str]:
    cells = [cell.strip().replace("\\|", "|")
             for cell in _BETWEEN.split(line.strip().removeprefix("|"))]
    return cells if cells[-1] else cells[:-1]


def _words(names: Sequence[str], cells: Sequence[str]) -> str:
    """`Pier: A; Depth: 3 m`, without what is empty."""
    return "; ".join(f"{name}: {cell}" if name else cell
                     for name, cell in zip_longest(names, cells, fillvalue="") if cell)
