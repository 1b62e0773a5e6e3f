"""Lists and dicts that lie in a temporary database once they are long, not in the memory."""

import json
import marshal
import sqlite3
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import attrgetter, itemgetter
from typing import Any, Generic, TypeVar

from msgspec import Struct

from core.store.bulk_insert import insert_by_few_statements
from core.store.database import in_words

IN_MEMORY = 30_000
"""Items up to which all of them stay in memory, and that are written together."""
LONG = 8_000_000
"""Characters up to which they stay there, however few items these are."""
_CACHE_KIB = 16_000
SIGNS = 2**23 - 1
"""Bits by which a long dict knows that it has no such key, less one: a power of two."""
_PLACE = "the folder of temporary files"
_TOGETHER = 1_000
"""Items that are read together."""

T = TypeVar("T")


def some_of(
    items: Iterable[T], most: int, kept: Callable[[T], Iterable[str]] = lambda item: ()
) -> Iterator[list[T]]:
    """Some items at a time, fewer where what is kept of them is long."""
    some, characters = list[T](), 0
    for item in items:
        some.append(item)
        characters += sum(map(len, kept(item)))
        if len(some) == most or characters > LONG:
            yield some
            some, characters = [], 0
    if some:
        yield some


class TemporaryDatabase:
    """A database that has no name and goes with this object; made with its first table."""

    def __init__(self) -> None:
        self._connection: sqlite3.Connection | None = None
        self._tables = 0

    def table(self, columns: str) -> str:
        """The name of a new table with these columns."""
        self._tables += 1
        name = f"t{self._tables}"
        self.execute(f"CREATE TABLE {name} ({columns})")
        return name

    def execute(self, sql: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Run one statement."""
        return self._open().execute(sql, values)

    def insert(
        self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]
    ) -> None:
        """Insert rows; a full disk is told in words."""
        with in_words(_PLACE):
            insert_by_few_statements(self._open(), table, columns, rows)

    def update(self, table: str, column: str, rows: Iterable[tuple[object, int]]) -> None:
        """Change a column of rows, each given as its value and the row's number."""
        with in_words(_PLACE):
            self._open().executemany(f"UPDATE {table} SET {column} = ? WHERE number = ?", rows)

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
            weakref.finalize(self, self._connection.close)
            for setting in ("journal_mode = OFF", f"cache_size = -{_CACHE_KIB}"):
                self._connection.execute(f"PRAGMA {setting}").fetchall()
            self._connection.execute("BEGIN")
        return self._connection


class _Form(Generic[T]):
    """How items of a type become bytes and come back: those of a Struct by their fields."""

    def __init__(self, kind: type[T]) -> None:
        self._take: Callable[[T], Any] = lambda item: item
        self._make: Callable[[Any], T] = lambda held: held
        if issubclass(kind, Struct):
            self._take = attrgetter(*kind.__struct_fields__)
            self._make = lambda held: kind(*held)

    def pack(self, item: T) -> bytes:
        return marshal.dumps(self._take(item))

    def unpack(self, data: bytes) -> T:
        return self._make(marshal.loads(data))


class LongSequence(Sequence[T]):
    """A sequence that is read item by item from wherever it lies."""

    def __getitem__(self, place: Any) -> Any:
        if not isinstance(place, slice):
            place = place if place >= 0 else place + len(self)
            try:
                return next(islice(self, place, None))
            except (StopIteration, ValueError):
                raise IndexError(place) from None
        begin, end, step = place.indices(len(self))
        if step < 0:
            return tuple(self)[place]
        return tuple(islice(self, begin, end, step))


class LongList(LongSequence[T]):
    """Items in the order in which they came."""

    def __init__(
        self, database: TemporaryDatabase, kind: type[T],
        order: Callable[[T], int] = lambda item: 0,
    ) -> None:
        """An empty list.

        Args:
            kind: what its items are: a struct of plain fields, or a plain type.
            order: what `in_order` sorts by.
        """
        self._database, self._kind, self._order = database, kind, order
        self._form = _Form(kind)
        self._recent: list[T] = []
        self._written = 0
        self._table = ""

    def append(self, item: T) -> None:
        """Add an item at the end."""
        self._recent.append(item)
        if len(self._recent) > IN_MEMORY:
            self._write()

    def extend(self, items: Iterable[T]) -> None:
        """Add items at the end."""
        for item in items:
            self.append(item)

    def in_order(self) -> Sequence[T]:
        """All items by their order, equal ones as they came."""
        if not self._table:
            return tuple(sorted(self._recent, key=self._order))
        self._write()
        ordered = LongList(self._database, self._kind, self._order)
        ordered._begin()
        self._database.execute(f"INSERT INTO {ordered._table} (place, data) SELECT place, data"
                               f" FROM {self._table} ORDER BY place, number")
        ordered._written = self._written
        return ordered

    def __len__(self) -> int:
        return self._written + len(self._recent)

    def __iter__(self) -> Iterator[T]:
        if self._table:
            for data in _data(self._database, self._table):
                yield self._form.unpack(data)
        yield from self._recent

    def _begin(self) -> None:
        self._table = self._table or self._database.table(
            "number INTEGER PRIMARY KEY, place INTEGER, data BLOB")

    def _write(self) -> None:
        self._begin()
        self._database.insert(self._table, ("place", "data"), (
            (self._order(item), self._form.pack(item)) for item in self._recent))
        self._written += len(self._recent)
        self._recent = []


class LongDict(Generic[T]):
    """Values by text keys, in the order in which the keys came.

    A value that was got may be changed, until the next one is got or added.
    """

    def __init__(self, database: TemporaryDatabase, kind: type[T]) -> None:
        """An empty dict; `kind` is as for `LongList`."""
        self._database, self._form = database, _Form(kind)
        self._recent: dict[str, T] = {}
        self._read: dict[str, tuple[int, bytes]] = {}
        """Of the recent ones those that the table has: their number, and as they are there."""
        self._written = self._characters = 0
        self._table, self._has_index = "", False
        self._signs = bytearray()
        """A bit for each key that the table has; most keys that are asked for are not there."""

    @property
    def is_long(self) -> bool:
        """True once it does not stay in memory."""
        return bool(self._table)

    def _may_have(self, key: str) -> bool:
        """False where the table surely has no such key."""
        sign = hash(key) & SIGNS
        return bool(self._signs[sign >> 3] >> (sign & 7) & 1)

    def get(self, key: str) -> T | None:
        """The value of a key, None if there is none."""
        value = self._recent.get(key)
        if value is not None or not self._table or not self._may_have(key):
            return value
        row = self._find("SELECT number, data FROM {} WHERE key = ?", key).fetchone()
        if row is None:
            return None
        value = self._form.unpack(row[1])
        self._keep(key, value)
        self._read[key] = row
        return value

    def some(self, keys: Iterable[str]) -> dict[str, T]:
        """The values of those of these keys that are there, by key; they are not to be changed."""
        if not self._table:
            return {key: self._recent[key] for key in keys if key in self._recent}
        found, wanted = dict[str, T](), []
        for key in keys:
            if key in self._recent:
                found[key] = self._recent[key]
            elif self._may_have(key):
                wanted.append(key)
        rows = self._find("SELECT key, data FROM {} WHERE key IN (SELECT value FROM json_each(?))",
                          json.dumps(wanted)).fetchall() if wanted else ()
        return found | {key: self._form.unpack(data) for key, data in rows}

    def _find(self, sql: str, keys: str) -> sqlite3.Cursor:
        """Look keys up in the table, along an index that is made for the first that are.

        Many are added before: an index of what is there already takes half the time.
        """
        if not self._has_index:
            self._database.execute(
                f"CREATE UNIQUE INDEX {self._table}_keys ON {self._table} (key)")
            self._has_index = True
        return self._database.execute(sql.format(self._table), (keys,))

    def add(self, key: str, value: T) -> T:
        """Add a value under a key that is not there yet."""
        self._keep(key, value)
        return value

    def put(self, key: str, value: T) -> None:
        """Replace the value that was got just now."""
        self._recent[key] = value

    def grew(self, characters: int) -> None:
        """What was added, or got and changed, is so much longer: much of it goes to the disk with
        the next that is added or got.
        """
        self._characters += characters

    def __len__(self) -> int:
        return self._written + len(self._recent) - len(self._read)

    def values(self) -> Sequence[T]:
        """All values, which are not to be changed any more."""
        if not self._table:
            return tuple(self._recent.values())
        self._write()
        return _Values(self._database, self._table, self._form, self._written)

    def _keep(self, key: str, value: T) -> None:
        if len(self._recent) >= IN_MEMORY or self._characters > LONG:
            self._write()
        self._recent[key] = value

    def _write(self) -> None:
        if not self._table:
            self._table = self._database.table(
                "number INTEGER PRIMARY KEY, key TEXT NOT NULL, data BLOB")
            self._signs = bytearray((SIGNS >> 3) + 1)
        new, changed = [], []
        for key, value in self._recent.items():
            data = self._form.pack(value)
            if key not in self._read:
                new.append((key, data))
            elif data != self._read[key][1]:
                changed.append((data, self._read[key][0]))
        for key, _ in new:
            sign = hash(key) & SIGNS
            self._signs[sign >> 3] |= 1 << (sign & 7)
        self._database.insert(self._table, ("key", "data"), new)
        self._database.update(self._table, "data", changed)
        self._written += len(new)
        self._recent, self._read, self._characters = {}, {}, 0


class LongGroups(Generic[T]):
    """Items by text keys; the groups come in the order of their first items."""

    def __init__(self, database: TemporaryDatabase, kind: type[T]) -> None:
        """No groups; `kind` is as for `LongList`."""
        self._database, self._form = database, _Form(kind)
        self._recent: list[tuple[str, T]] = []
        self._table = ""
        self._characters = self.count = 0

    def add(self, key: str, item: T, characters: int = 0) -> None:
        """Add an item, so long beside its usual fields, to the group of a key."""
        self.count += 1
        self._characters += characters
        self._recent.append((key, item))
        if len(self._recent) > IN_MEMORY or self._characters > LONG:
            self._write()

    def groups(self) -> Iterator[list[T]]:
        """The items of each key, in the order in which they came."""
        if not self._table:
            groups: dict[str, list[T]] = {}
            for key, item in self._recent:
                groups.setdefault(key, []).append(item)
            yield from groups.values()
            return
        self._write()
        rows = self._database.execute(
            "SELECT first, data FROM (SELECT number, data, MIN(number) OVER (PARTITION BY key)"
            f" AS first FROM {self._table}) ORDER BY first, number")
        for _, group in groupby(rows, itemgetter(0)):
            yield [self._form.unpack(data) for _, data in group]

    def _write(self) -> None:
        self._table = self._table or self._database.table(
            "number INTEGER PRIMARY KEY, key TEXT, data BLOB")
        self._database.insert(self._table, ("key", "data"), (
            (key, self._form.pack(item)) for key, item in self._recent))
        self._recent, self._characters = [], 0


class _Values(LongSequence[T]):
    """The values of a dict that is long."""

    def __init__(
        self, database: TemporaryDatabase, table: str, form: _Form[T], count: int
    ) -> None:
        self._database, self._table, self._form, self._count = database, table, form, count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[T]:
        return map(self._form.unpack, _data(self._database, self._table))


def _data(database: TemporaryDatabase, table: str) -> Iterator[bytes]:
    """What a table holds, some at a time: others may read in between."""
    last = 0
    while some := _after(database, table, last):
        yield from (data for _, data in some)
        last = some[-1][0]


def _after(database: TemporaryDatabase, table: str, last: int) -> list[tuple[int, bytes]]:
    """The next rows, fewer where they are long."""
    rows = database.execute(
        f"SELECT number, data FROM {table} WHERE number > ? ORDER BY number LIMIT ?",
        (last, _TOGETHER))
    return next(some_of(rows, _TOGETHER, lambda row: row[1:]), [])
