"""Tells what the columns of a small table are whose first line has no name that is known."""

import re
from collections.abc import Sequence

PAIRS = ["source", "target"]
TRIPLES = ["source", "relation", "target"]
_NUMBER = re.compile(r"[-+(]?[$€£]?\s*\d[\d.,'’\s]*(e[-+]?\d+)?\s*[%€$£)]?|"
                     r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}([T ].*)?|\d{1,2}(:\d\d){1,2}", re.IGNORECASE)

Cells = Sequence[str]


def columns_told_by_rows(first: Cells, rows: Sequence[Cells]) -> list[str]:
    """What two or three columns are called; empty where neither is sure.

    They are links where the first row is surely none of names: a word of it stands below, or most
    of one end are the other end elsewhere. They tell of the first column that is not of numbers
    where numbers stand under words, so that the first row is surely one of names.

    Args:
        first: the first line, in small letters.
        rows: those below.
    """
    columns = [_below(rows, place) for place in range(len(first))]
    numbers = [_are_numbers(column) for column in columns]
    is_repeated = any(set(first) & set(column) for column in columns)
    headed = any(is_one and not _NUMBER.fullmatch(cell)
                 for cell, is_one in zip(first, numbers, strict=True))
    if headed and not is_repeated and len(set(first)) == len(first):
        return _named(first, columns, numbers)
    both = _are_ends([*columns[0], first[0]], [*columns[-1], first[-1]])
    if headed or not (both or is_repeated and not numbers[0] and not numbers[-1]):
        return []
    return PAIRS if len(first) == len(PAIRS) else TRIPLES


def _below(rows: Sequence[Cells], place: int) -> list[str]:
    cells = (row[place].strip().lower() for row in rows if place < len(row))
    return [cell for cell in cells if cell]


def _are_numbers(column: Sequence[str]) -> bool:
    """Numbers or dates, and nothing else."""
    return bool(column) and all(map(_NUMBER.fullmatch, column))


def _named(first: Cells, columns: Sequence[Cells], numbers: Sequence[bool]) -> list[str]:
    name = next((place for place, column in enumerate(columns)
                 if column and not numbers[place]), None)
    return [] if name is None else [*first[:name], "name", *first[name + 1:]]


def _are_ends(sources: Cells, targets: Cells) -> bool:
    """True if most of the targets are sources, too."""
    known = set(sources)
    return 2 * sum(target in known for target in targets) > len(targets)
