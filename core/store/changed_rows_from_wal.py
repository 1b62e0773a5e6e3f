"""Tells where rows may have changed, from the pages that the write-ahead log of a file holds.

A commit appends each page that it changes. The number of a row and the page that it lies on follow
from each other, down from the root of its table; so a page that was written tells of which table
it is, and in which ranges of numbers rows may be new, other or gone. What a page can't tell, such
as one of a long text that lies on several, is not guessed: nothing is known then.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from core.store.read_bytes_keeping_locks import raw_bytes
from core.store.stale_wal import FRAME, HEADER, PAGE_SIZE_AT, SALTS_AT

Range = tuple[int, int]
"""The first and the last number of a row."""
FIRST, LAST = -(1 << 63), (1 << 63) - 1
MOST_PAGES = 400
"""Written pages that take about as long as reading a graph's picture anew."""
MOST_FRAMES = 20_000
_LEAF, _ABOVE, _INDEX = 13, 5, (2, 10)
"""What the first byte of a page says: rows of a table, pages above them, an index."""
_DEEPEST = 20
_MOST_FREE = 1000


class _Unclear(Exception):
    """The pages do not tell it."""


def written_ranges(
    path: Path, salts: str, frames: tuple[int, int], roots: Mapping[str, int], cookie: int,
    most: int = MOST_PAGES,
) -> dict[str, tuple[Range, ...]] | None:
    """By table the numbers of rows that may have changed; None where the pages do not tell.

    Args:
        path: the graph, with its log beside it.
        salts: what tells the log from any other, as `commits_in_log` gives it.
        frames: how many frames of the log were known, and how many there are now.
        roots: the first page of each table whose rows have numbers.
        cookie: the number of the schema that has these tables.
        most: written pages up to which they are looked into.
    """
    try:
        with _Pages(path, salts, frames, most) as pages:
            found = _ranges(pages, roots, cookie)
            return found if pages.is_same_log() else None
    except (OSError, IndexError, _Unclear):
        return None


class _Pages:
    """The pages of a file as they are after a number of frames of its log."""

    def __init__(self, path: Path, salts: str, frames: tuple[int, int], most: int) -> None:
        self._path, self._salts, (self._before, self._count) = path, salts, frames
        self._most = most
        self._known: dict[int, bytes] = {}
        self._newest: dict[int, int] = {}
        self.written: set[int] = set()

    def __enter__(self) -> "_Pages":
        if self._count > MOST_FRAMES:
            raise _Unclear
        with ExitStack() as opened:
            self._log: BinaryIO = opened.enter_context(Path(f"{self._path}-wal").open("rb"))
            self._file: BinaryIO = opened.enter_context(raw_bytes(self._path))
            head = self._log.read(HEADER)
            self.size = int.from_bytes(head[PAGE_SIZE_AT], "big")
            for frame in range(self._count):
                self._log.seek(HEADER + frame * (FRAME + self.size))
                number = int.from_bytes(self._log.read(4), "big")
                self._newest[number] = frame
                if frame >= self._before:
                    self.written.add(number)
            if len(self.written) > self._most:
                raise _Unclear
            self._opened = opened.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._opened.close()

    def is_same_log(self) -> bool:
        """False if the log was begun anew meanwhile: what was read may be of either."""
        self._log.seek(0)
        return self._log.read(HEADER)[SALTS_AT].hex() == self._salts

    def __getitem__(self, number: int) -> bytes:
        found = self._known.get(number)
        if found is None:
            found = self._known[number] = self._read(number)
        return found

    def _read(self, number: int) -> bytes:
        frame = self._newest.get(number)
        if frame is None:
            self._file.seek((number - 1) * self.size, os.SEEK_SET)
            content = self._file.read(self.size)
        else:
            self._log.seek(HEADER + frame * (FRAME + self.size) + FRAME)
            content = self._log.read(self.size)
        if len(content) != self.size:
            raise _Unclear
        return content


def _ranges(
    pages: _Pages, roots: Mapping[str, int], cookie: int
) -> dict[str, tuple[Range, ...]]:
    head = pages[1]
    moves_pages = any(head[52:56])
    if int.from_bytes(head[40:44], "big") != cookie or moves_pages:
        raise _Unclear
    usable = pages.size - head[20]
    found: dict[str, list[Range]] = {}
    rest, leaves = set[int](), list[bytes]()
    table_of = {root: table for table, root in roots.items()}
    for number in sorted(pages.written - {1}):
        content = pages[number]
        if content[0] not in (_LEAF, _ABOVE, *_INDEX):
            rest.add(number)
        elif content[0] == _LEAF:
            place = ((table_of[number], (FIRST, LAST)) if number in table_of
                     else _place(pages, number, roots))
            if place is not None:
                found.setdefault(place[0], []).append(place[1])
                leaves.append(content)
    for content in leaves if rest else ():
        rest.difference_update(_long_rows(pages, content, usable))
    rest.difference_update(_free(pages, int.from_bytes(head[32:36], "big")) if rest else ())
    if rest:
        raise _Unclear
    return {table: tuple(ranges) for table, ranges in found.items()}


def _place(pages: _Pages, number: int, roots: Mapping[str, int]) -> tuple[str, Range] | None:
    """The table that a page of rows belongs to and the numbers it has room for; None if it is of
    no table any more."""
    content = pages[number]
    if not int.from_bytes(content[3:5], "big"):
        return None
    row = _row_number(content, int.from_bytes(content[8:10], "big"))
    for table, root in roots.items():
        place = _descend(pages, root, row, number)
        if place is not None:
            return table, place
    return None


def _descend(pages: _Pages, root: int, row: int, wanted: int) -> Range | None:
    """The numbers that the wanted page has room for, if this row of the table lies on it."""
    number, low, high = root, FIRST, LAST
    for _ in range(_DEEPEST):
        if number == wanted:
            return low, high
        content = pages[number]
        if content[0] != _ABOVE:
            return None
        first, last = 0, int.from_bytes(content[3:5], "big")
        while first < last:
            middle = (first + last) // 2
            if _above(content, middle)[1] < row:
                first = middle + 1
            else:
                last = middle
        if first:
            low = _above(content, first - 1)[1] + 1
        if first < int.from_bytes(content[3:5], "big"):
            number, high = _above(content, first)
        else:
            number = int.from_bytes(content[8:12], "big")
    raise _Unclear


def _above(content: bytes, cell: int) -> tuple[int, int]:
    """A page below this one, and the last number of a row on it."""
    at = int.from_bytes(content[12 + 2 * cell:14 + 2 * cell], "big")
    return int.from_bytes(content[at:at + 4], "big"), _signed(_number(content, at + 4)[0])


def _row_number(content: bytes, at: int) -> int:
    return _signed(_number(content, _number(content, at)[1])[0])


def _number(content: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where it ends."""
    value = 0
    for step in range(8):
        byte = content[at + step]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + step + 1
    return value << 8 | content[at + 8], at + 9


def _signed(number: int) -> int:
    return number - (1 << 64) if number > LAST else number


def _long_rows(pages: _Pages, content: bytes, usable: int) -> Iterator[int]:
    """The written pages that rows of this page go on in."""
    for cell in range(int.from_bytes(content[3:5], "big")):
        at = int.from_bytes(content[8 + 2 * cell:10 + 2 * cell], "big")
        length, at = _number(content, at)
        if length <= usable - 35:
            continue
        least = (usable - 12) * 32 // 255 - 23
        here = least + (length - least) % (usable - 4)
        at = _number(content, at)[1] + (here if here <= usable - 35 else least)
        number = int.from_bytes(content[at:at + 4], "big")
        while number in pages.written:
            yield number
            number = int.from_bytes(pages[number][:4], "big")


def _free(pages: _Pages, number: int) -> Iterator[int]:
    """The pages that nothing lies on, and those that list them."""
    for _ in range(_MOST_FREE):
        if not number:
            return
        content = pages[number]
        yield number
        for place in range(int.from_bytes(content[4:8], "big")):
            yield int.from_bytes(content[8 + 4 * place:12 + 4 * place], "big")
        number = int.from_bytes(content[:4], "big")
    raise _Unclear
