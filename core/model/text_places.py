"""Finds which rows of a column many texts are, all at once by their bytes."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from core.model.packed_texts import PackedTexts, packed

_WIDEST = 64
"""Bytes of the longest text that is compared in this way; ids have up to 36."""
_ODD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_BITS = 64
_ROOM = 4
"""Places of a table for each text, at least: nine in ten have one of their own."""


class TextPlaces(Mapping[str, int]):
    """The row of each text of a column; a text that stands more than once has its last row.

    Of half a million packed texts `rows_of` takes a tenth of the time that asking for each takes.

    Attributes:
        column: the texts.
    """

    def __init__(self, column: Sequence[str]) -> None:
        self.column = column

    @cached_property
    def rows(self) -> dict[str, int]:
        """The same as a dictionary, which is made when a single text is asked for."""
        return dict(zip(self.column, range(len(self.column)), strict=True))

    def __getitem__(self, text: str) -> int:
        return self.rows[text]

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def rows_of(self, wanted: PackedTexts, other: int) -> np.ndarray:
        """The row of each wanted text, `other` for one that the column has not; int32."""
        table = self._table
        if table is None:
            return np.fromiter((self.rows.get(text, other) for text in wanted), np.int32,
                               len(wanted))
        return table.rows_of(wanted, other)

    @cached_property
    def _table(self) -> "_Table | None":
        """By what the texts are found at once; None where some are too long, too much alike, or
        in a damaged file no texts."""
        try:
            column = packed(self.column)
        except TypeError:
            return None
        if not len(column) or column.longest > _WIDEST:
            return None
        table = _Table(column)
        return None if table.is_ambiguous else table


class _Table:
    """A column's rows by a few bits of the hashes of their texts.

    Of several with the same bits the last one is in the table; the others are searched for.

    Attributes:
        is_ambiguous: two of the others have one hash.
    """

    def __init__(self, column: PackedTexts) -> None:
        self._width = -(-column.longest // 8)
        self._words = column.words(self._width)
        bits = (_ROOM * len(column)).bit_length()
        self._shift = np.uint64(_BITS - bits)
        hashes, rows = _hashes(self._words), np.arange(len(column), dtype=np.int32)
        self._rows = np.zeros(1 << bits, np.int32)
        self._rows[hashes >> self._shift] = rows
        others = np.flatnonzero(self._rows[hashes >> self._shift] != rows)
        others = others[np.argsort(hashes[others])]
        self._others, self._hashes = others, hashes[others]
        self.is_ambiguous = bool((self._hashes[1:] == self._hashes[:-1]).any())

    def rows_of(self, wanted: PackedTexts, other: int) -> np.ndarray:
        """As `TextPlaces.rows_of`."""
        words = wanted.words(self._width)
        hashes = _hashes(words)
        rows: np.ndarray = self._rows[hashes >> self._shift]
        missing = np.flatnonzero(~self._are(rows, words))
        if len(missing):
            rows[missing] = self._searched(words[:, missing], hashes[missing], other)
        return rows

    def _searched(self, words: np.ndarray, hashes: np.ndarray, other: int) -> np.ndarray:
        """The rows of texts that are not in the table."""
        if not len(self._others):
            return np.full(len(hashes), other, np.int32)
        places = np.searchsorted(self._hashes, hashes)
        rows = self._others[np.minimum(places, len(self._others) - 1)]
        return np.where(self._are(rows, words), rows, other)

    def _are(self, rows: np.ndarray, words: np.ndarray) -> np.ndarray:
        """Whether the texts of these rows are those that are wanted."""
        same: np.ndarray = self._words[0, rows] == words[0]
        for known, each in zip(self._words[1:], words[1:], strict=True):
            same &= known[rows] == each
        return same


def _hashes(words: np.ndarray) -> np.ndarray:
    """A number for each text; next to never two have the same."""
    hashes = np.zeros(words.shape[1], np.uint64)
    for word in words:
        hashes = (hashes ^ word) * _ODD
        hashes ^= hashes >> _HALF
    return hashes
