"""Tells the place of a line of an import: the line or row, and of several files which one."""

from bisect import bisect_right

from msgspec import Struct


class Places(Struct, frozen=True):
    """The files or tables of an import by the number of their first line; the count goes on from
    one to the next.

    Attributes:
        unit: what is counted: `line`, `row` or `record`.
        names: the files or tables, in the order read; empty for a single file.
        starts: the number that stands before the first line of each.
    """

    unit: str = "line"
    names: tuple[str, ...] = ()
    starts: tuple[int, ...] = ()

    def where(self, line: int) -> str:
        """`line 12`, or `people/Ada.md, line 3`; without a number where only the file is meant."""
        index = bisect_right(self.starts, line - 1) - 1 if line else -1
        if index < 0:
            return f"{self.unit} {line:,}" if line else "in all"
        return f"{self.names[index]}, {self.unit} {line - self.starts[index]:,}"
