"""Many texts in one buffer: half a million ids take a sixth of the room of as many strings."""

from collections.abc import Collection, Iterator, Sequence
from operator import eq
from typing import SupportsIndex, overload

import numpy as np

_END = "\0"
"""Follows each text, so that a whole one can be searched for."""
_AT_A_TIME = 16_384
"""Texts that are strings, or whose bytes have numbers, at the same time."""
_FIRST_BYTES = np.array([(1 << 8 * count) - 1 for count in range(9)], np.uint64)
"""By a count, what keeps so many bytes of a number of eight."""
_SCATTERED = 8
"""From so few rows on to a run, rows are taken one by one."""
_BITS = 16
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""Multiplied with it, numbers that lie close to each other differ in their first bits, too."""


class PackedTexts(Sequence[str]):
    """A column of texts, each of which is made when it is asked for; equal to a list of the same.

    Made by `packed`.
    """

    __slots__ = ("_bytes", "_starts")

    def __init__(self, encoded: bytes | bytearray, starts: np.ndarray) -> None:
        self._bytes = encoded
        self._starts = starts
        """Where each text begins, and where the last one ends; uint32."""

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, row: SupportsIndex) -> str: ...

    @overload
    def __getitem__(self, row: slice) -> list[str]: ...

    def __getitem__(self, row: SupportsIndex | slice) -> str | list[str]:
        if isinstance(row, slice):
            return [self[each] for each in range(*row.indices(len(self)))]
        at = range(len(self))[row]
        return _decoded(self._bytes[self._starts[at]:self._starts[at + 1] - 1])

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self), _AT_A_TIME):
            last = min(first + _AT_A_TIME, len(self))
            texts = _decoded(self._bytes[self._starts[first]:self._starts[last] - 1]).split(_END)
            # A text that has the sign in it is two by now.
            yield from texts if len(texts) == last - first else self[first:last]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PackedTexts):
            return self._bytes == other._bytes and np.array_equal(self._starts, other._starts)
        if isinstance(other, Sequence):
            return len(self) == len(other) and all(map(eq, self, other))
        return NotImplemented

    def __repr__(self) -> str:
        return repr([*self])

    __hash__ = None  # type: ignore[assignment]

    def index(self, value: str, start: int = 0, stop: int | None = None) -> int:
        """The first row from `start` on, before `stop`, that is this text.

        Raises ValueError where there is none.
        """
        wanted = _encoded(value + _END)
        at = self._bytes.find(wanted, int(self._starts[min(start, len(self))]))
        while at >= 0:
            row = int(np.searchsorted(self._starts, at))
            if stop is not None and row >= stop:
                break
            if self._starts[row] == at and self._starts[row + 1] == at + len(wanted):
                return row
            at = self._bytes.find(wanted, at + 1)
        raise ValueError(value)

    def places(self, wanted: Collection[str]) -> dict[str, int]:
        """The first row of each of these texts that is here, by one look at the ends of all."""
        texts = frozenset(wanted)
        asked = np.array([_end(each) for each in texts], np.uint64)
        marked = np.zeros(1 << _BITS, bool)
        marked[_hashed(asked)] = True
        found: dict[str, int] = {}
        for row in np.flatnonzero(marked[_hashed(self._ends())]).tolist():
            if (text := self[row]) in texts:
                found.setdefault(text, row)
        return found

    def _ends(self) -> np.ndarray:
        """The last eight bytes of each text as one number, fewer of a shorter one."""
        padded = bytes(8) + bytes(self._bytes)
        at_each = np.ndarray((len(padded) - 7,), "<u8", padded, strides=(1,))
        sizes = np.diff(self._starts) - 1
        ends = at_each[self._starts[1:].astype(np.int64) - 1]
        missing = 8 - np.minimum(sizes, 8).astype(np.uint64)
        return np.where(missing < 8, ends >> (8 * (missing % 8)), np.uint64(0))

    @property
    def longest(self) -> int:
        """How many bytes the longest text has; 0 where there is none."""
        return int(np.diff(self._starts).max(initial=1)) - 1

    def words(self, width: int) -> np.ndarray:
        """How many bytes each text has, then its first bytes as `width` numbers, eight in each;
        uint64 of shape (1 + width, texts)."""
        padded = bytes(self._bytes) + bytes(8 * width + 8)
        at_each = np.ndarray((len(padded) - 7,), "<u8", padded, strides=(1,))
        starts = self._starts[:-1].astype(np.int64)
        sizes = np.diff(self._starts).astype(np.int64) - 1
        words = np.empty((1 + width, len(self)), np.uint64)
        words[0] = sizes
        for word in range(width):
            bytes_left = np.clip(sizes - 8 * word, 0, 8)
            words[1 + word] = at_each[starts + 8 * word] & _FIRST_BYTES[bytes_left]
        return words

    def taken(self, order: np.ndarray) -> "PackedTexts":
        """The texts of these rows, in this order."""
        sizes = np.diff(self._starts)[order]
        starts = np.zeros(len(order) + 1, np.uint32)
        np.cumsum(sizes, out=starts[1:])
        following = runs(order)
        if following is None:
            return PackedTexts(self._scattered(order, sizes, starts), starts)
        whole = memoryview(self._bytes)
        return PackedTexts(b"".join(whole[self._starts[first]:self._starts[last]]
                                    for first, last in following), starts)

    def _scattered(self, order: np.ndarray, sizes: np.ndarray, starts: np.ndarray) -> bytearray:
        taken = bytearray(int(starts[-1]))
        here, there = np.frombuffer(self._bytes, np.uint8), np.frombuffer(taken, np.uint8)
        for first in range(0, len(order), _AT_A_TIME):
            rows = slice(first, first + _AT_A_TIME)
            begin, end = starts[first], starts[min(first + _AT_A_TIME, len(order))]
            jumps = self._starts[order[rows]].astype(np.int64) - starts[rows][:len(order[rows])]
            there[begin:end] = here[np.repeat(jumps, sizes[rows]) + np.arange(begin, end)]
        return taken


def _end(text: str) -> int:
    """The last eight bytes of a text as one number, as `_ends` has them."""
    return int.from_bytes(_encoded(text)[-8:], "little")


def _hashed(ends: np.ndarray) -> np.ndarray:
    """The ends of texts as numbers of a few bits: those of ids that differ nearly always do."""
    hashed: np.ndarray = (ends * _SPREAD) >> np.uint64(64 - _BITS)
    return hashed


def runs(order: np.ndarray) -> list[tuple[int, int]] | None:
    """The rows in the order as runs that follow each other, each its first and the one after its
    last; None where they are scattered."""
    breaks = np.diff(order) != 1
    if np.count_nonzero(breaks) * _SCATTERED > len(order):
        return None
    firsts = np.flatnonzero(np.concatenate(([True], breaks)))[:len(order)]
    sizes = np.diff(firsts, append=len(order))
    starts = order[firsts]
    return list(zip(starts.tolist(), (starts + sizes).tolist(), strict=True))


def packed(texts: Sequence[str]) -> PackedTexts:
    """These texts in one buffer."""
    whole = _END.join((*texts, ""))
    sizes = map(len, texts if whole.isascii() else map(_encoded, texts))
    starts = np.zeros(len(texts) + 1, np.uint32)
    np.cumsum(np.fromiter(sizes, np.uint32, len(texts)) + 1, out=starts[1:])
    return PackedTexts(_encoded(whole), starts)


def packed_array(array: str, rows: int) -> PackedTexts | None:
    """The texts of a JSON array of so many rows, written without spaces, in one buffer.

    None where a row is no text, or one that JSON writes otherwise than it is.
    """
    if "\\" in array or array.count('"') != 2 * rows:
        return None
    whole = _encoded(array[2:-2].replace('","', _END) + _END) if rows else b""
    starts = np.zeros(rows + 1, np.uint32)
    starts[1:] = np.flatnonzero(np.frombuffer(whole, np.uint8) == 0) + 1
    return PackedTexts(whole, starts)


def joined(columns: Sequence[PackedTexts]) -> PackedTexts:
    """The texts of one column after those of the other."""
    ends = np.cumsum([0, *(len(each._bytes) for each in columns)]).astype(np.uint32)
    starts = [each._starts[:-1] + end for each, end in zip(columns, ends, strict=False)]
    return PackedTexts(b"".join(each._bytes for each in columns),
                       np.concatenate((*starts, ends[-1:])))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _decoded(text: bytes | bytearray) -> str:
    return text.decode("utf-8", "surrogatepass")
