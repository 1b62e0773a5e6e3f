"""The ids of a scene's nodes, which stay in the columns that they were read into."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, chain
from operator import eq
from typing import SupportsIndex, overload


class NodeIds(Sequence[str]):
    """The ids of entities, aspects, values and memories, one after another.

    A list of them all would take 8 bytes for each node, and each id of a value would be a string.
    """

    __slots__ = ("_columns", "_starts")

    def __init__(self, *columns: Sequence[str]) -> None:
        self._columns = columns
        self._starts = (0, *accumulate(map(len, columns)))

    def __len__(self) -> int:
        return self._starts[-1]

    @overload
    def __getitem__(self, node: SupportsIndex) -> str: ...

    @overload
    def __getitem__(self, node: slice) -> list[str]: ...

    def __getitem__(self, node: SupportsIndex | slice) -> str | list[str]:
        if isinstance(node, slice):
            first, last, step = node.indices(len(self))
            return [*self._between(first, last)] if step == 1 else [
                self[each] for each in range(first, last, step)]
        at = range(len(self))[node]
        column = bisect_right(self._starts, at) - 1
        return self._columns[column][at - self._starts[column]]

    def _between(self, first: int, last: int) -> Iterator[str]:
        return chain.from_iterable(
            column[max(first - start, 0):max(last - start, 0)]
            for column, start in zip(self._columns, self._starts, strict=False))

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(self._columns)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(map(eq, self, other))

    def __repr__(self) -> str:
        return repr([*self])

    __hash__ = None  # type: ignore[assignment]

    def index(self, value: str, start: int = 0, stop: int | None = None) -> int:
        """The first node from `start` on, before `stop`, that has this id.

        Raises ValueError where there is none.
        """
        for column, first in zip(self._columns, self._starts, strict=False):
            with suppress(ValueError):
                node = first + column.index(value, max(start - first, 0))
                if stop is None or node < stop:
                    return node
        raise ValueError(value)
