"""What tells one state of a file's memories and stored vectors from another, row by row.

One line for each row, all of them read as one text: 100,000 in less than a tenth of a second. Where
the text is the same nothing has changed; else the lines that differ say which rows have. Where it
is known in which ranges of rows they lie only the lines of those are read.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from core.recall.filters import READABLE
from core.recall.keyword import Rows
from core.store.changed_rows_from_wal import FIRST, Range
from core.store.reader_and_writer import Reader

_MEMORIES = f"""
SELECT group_concat(line, char(10)) FROM (
  SELECT printf('%d %s %s %d %s', m.rowid, m.id, m.updated_at, length(m.content), m.content_hash)
    AS line
  FROM memories m WHERE {READABLE} {{among}} ORDER BY m.rowid DESC LIMIT :most)"""
# With the plus an index that has all of it is read, and sorted: a row is as long as a page.
_VECTORS = """
SELECT group_concat(line, char(10)) FROM (
  SELECT printf('%d %.16s', e.rowid, e.content_hash) AS line
  FROM embeddings e {among} ORDER BY +e.rowid DESC LIMIT :most)"""
NO_LIMIT = -1

_LINE_END, _DIGITS = ord("\n"), 20
"""The sign between lines, and of a row number the most digits with what comes behind."""


class Difference(Struct, frozen=True):
    """The rows whose lines are gone, and those that have a new one; a changed row is in both."""

    gone: Rows
    new: Rows

    @property
    def any(self) -> bool:
        """True if there is any row."""
        return bool(len(self.gone) or len(self.new))


NO_DIFFERENCE = Difference(np.zeros(0, np.int64), np.zeros(0, np.int64))


class Listed(Struct, frozen=True):
    """A kind of rows of which lines are kept, those with the highest numbers first.

    Attributes:
        table: whose rows they are.
        every, some, older: the statements that give the lines of all, of those in a range of
            numbers, of those below a number.
    """

    table: str
    every: str
    some: str
    older: str


MEMORIES = Listed(
    "memories", _MEMORIES.format(among=""),
    _MEMORIES.format(among="AND m.rowid BETWEEN :first AND :last"),
    _MEMORIES.format(among="AND m.rowid < :oldest"))
"""The memories that the agent may read."""
VECTORS = Listed(
    "embeddings", _VECTORS.format(among=""),
    _VECTORS.format(among="WHERE e.rowid BETWEEN :first AND :last"),
    _VECTORS.format(among="WHERE e.rowid < :oldest"))
"""The stored vectors."""


class Lines(Struct, frozen=True):
    """The lines of a state, how many they are, and what has changed since the one before."""

    keys: str
    number: int
    changed: Difference = NO_DIFFERENCE


def lines(reader: Reader, listed: Listed, before: str, most: int = NO_LIMIT) -> Lines:
    """The lines of all rows, or of so many with the highest numbers."""
    keys = _text(reader, listed.every, most=most)
    return Lines(keys, count(keys), difference(before, keys))


def lines_again(
    reader: Reader, listed: Listed, before: str, number: int, ranges: Sequence[Range],
    most: int = NO_LIMIT,
) -> Lines | None:
    """The same, where only those in some ranges of rows are read again; None where the lines are
    not in order.

    Args:
        number: how many lines there were before.
    """
    parts, done, gone, new = list[str](), len(before), set[str](), set[str]()
    full = 0 <= most <= number
    lowest = oldest(before) if full else FIRST  # There may be older ones that are not listed.
    for first, last in _apart(ranges, lowest):
        begin, end = _begin(before, last), _begin(before, first - 1)
        if not begin <= end <= done or not _all_within(before[begin:end], first, last):
            return None
        old = before[begin:end].strip("\n")
        now = _text(reader, listed.some, first=first, last=last, most=NO_LIMIT)
        number += count(now) - count(old)
        gone |= set(old.split("\n")) - set(now.split("\n"))
        new |= set(now.split("\n")) - set(old.split("\n"))
        parts += [before[end:done], now]
        done = begin
    parts.append(before[:done])
    keys = _joined(*reversed(parts))
    if 0 <= most < number:
        keys, over = _cut(keys, number - most)
        gone |= set(over.split("\n"))
        number = most
    elif full and number < most:
        more = _text(reader, listed.older, oldest=lowest, most=most - number)
        keys, number = _joined(keys, more), number + count(more)
        new |= set(more.split("\n"))
    return Lines(keys, number, Difference(
        rows_of("\n".join(gone)), rows_of("\n".join(new - gone))))


def _text(reader: Reader, statement: str, **given: int) -> str:
    return str(reader.value(statement, **given) or "")


def _joined(*parts: str) -> str:
    return "\n".join(stripped for part in parts if (stripped := part.strip("\n")))


def _cut(keys: str, over: int) -> tuple[str, str]:
    """All lines but some of the last, and those."""
    end = len(keys)
    for _ in range(over):
        end = max(keys.rfind("\n", 0, end), 0)
    return keys[:end], keys[end:].strip("\n")


def count(keys: str) -> int:
    """How many rows there are."""
    return keys.count("\n") + 1 if keys else 0


def row_of(line: str) -> int:
    """The row number of a line; -1 for the rest of an id that has a line break in it."""
    number = line.partition(" ")[0]
    return int(number) if number.isascii() and number.isdecimal() else -1


def rows_of(keys: str) -> Rows:
    """The row numbers of all lines, in order: `row_of` for all of them at once."""
    signs = np.frombuffer(f"{keys}\n".encode("utf-8", "surrogatepass"), np.uint8)
    starts = np.concatenate([[0], np.flatnonzero(signs == _LINE_END)[:-1] + 1])
    rows, going = np.zeros(len(starts), np.int64), np.arange(len(starts))
    for place in range(_DIGITS):
        sign = signs[starts[going] + place]
        digit = (sign >= ord("0")) & (sign <= ord("9"))
        over = ~digit & ((place == 0) | (sign != ord(" ")) & (sign != _LINE_END))
        rows[going[over]] = -1
        going, sign = going[digit], sign[digit]
        rows[going] = rows[going] * 10 + (sign - ord("0"))
        if not len(going):
            break
    rows.sort()
    rows = rows[np.searchsorted(rows, 0):]
    once: Rows = rows[np.append(True, rows[1:] != rows[:-1])[:len(rows)]]
    return once


def oldest(keys: str) -> int:
    """The row number of the last line, which is the lowest of the memories."""
    return max(row_of(keys[keys.rfind("\n") + 1:]), 0)


def difference(before: str, now: str) -> Difference:
    """What has changed between two states."""
    if before == now:
        return NO_DIFFERENCE
    shared = _shared_end(before, now)
    old = set(before[:len(before) - shared].split("\n"))
    new = set(now[:len(now) - shared].split("\n"))
    return Difference(rows_of("\n".join(old - new)), rows_of("\n".join(new - old)))


def _apart(ranges: Sequence[Range], lowest: int) -> list[Range]:
    """Ranges in order that do not overlap, without what lies below the lowest row."""
    apart: list[Range] = []
    for first, last in sorted((max(first, lowest), last) for first, last in ranges):
        if last < first:
            continue
        if apart and first <= apart[-1][1]:
            apart[-1] = apart[-1][0], max(last, apart[-1][1])
        else:
            apart.append((first, last))
    return apart


def _begin(keys: str, row: int) -> int:
    """Where the first line of this row or a lower one begins: higher ones stand before."""
    low, high = 0, len(keys)
    while low < high:
        begin = keys.rfind("\n", 0, (low + high) // 2) + 1
        end = keys.find("\n", begin)
        end = len(keys) if end < 0 else end + 1
        number = row_of(keys[begin:end])
        while number < 0 < begin:
            begin = keys.rfind("\n", 0, begin - 1) + 1
            number = row_of(keys[begin:end])
        if number > row:
            low = end
        else:
            high = begin
    return low


def _all_within(keys: str, first: int, last: int) -> bool:
    """Whether all lines are of rows in this range, as they are where the lines are in order."""
    rows = rows_of(keys.strip("\n"))
    return not len(rows) or bool(first <= rows[0] and rows[-1] <= last)


def _shared_end(one: str, other: str) -> int:
    """The length of the lines that both end with: mostly only newer rows differ."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        half = (low + high + 1) // 2
        if one[-half:] == other[-half:]:
            low = half
        else:
            high = half - 1
    if low == len(one) == len(other):
        return low
    line = one.find("\n", len(one) - low)
    return len(one) - line if line >= 0 and low else 0
