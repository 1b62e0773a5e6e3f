"""The vectors of a file's memories as one matrix in memory, kept up to date step by step.

Exact search over a matrix takes 10 ms at 100,000 memories; reading it each time would take half
a second. So a matrix is kept for each file, agent and model, and at each question only what
is new in the file is read. Vectors of another model or length are never put in.
"""

from collections import ChainMap, Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from core.embedding.vectors import Vectors, plain_name, unit
from core.errors import DeadlinePassed
from core.queries.embedding_texts import memory_texts
from core.recall.filters import READABLE
from core.recall.keyword import Rows, contains
from core.store.database import Row
from core.store.handles import Reader

SLICE = 4_000
"""Vectors that are read at a time; what was read before a deadline is kept."""
MADE_AT_ONCE = 250
KEPT = 3
"""Matrices kept in memory at a time."""
ENOUGH = 50
"""Vectors whose mean is half trusted as the mean of the whole file."""

_STORED = f"""
SELECT x.mark, x.id, x.dimensions, m.rowid AS place,
  COALESCE(NULLIF(x.model, ''), NULLIF(m.embedding_model, ''), '') AS model,
  CASE WHEN x.dimensions = :dimensions THEN x.vector END AS vector
FROM (SELECT e.rowid AS mark, e.* FROM embeddings e WHERE e.rowid > :after AND e.rowid <= :last
      ORDER BY e.rowid LIMIT :slice) x
LEFT JOIN memories m ON m.id = x.source_id AND x.source_type = 'memory' AND {READABLE}
ORDER BY x.mark"""
_WITHOUT = f"""
SELECT m.rowid AS place, m.id FROM memories m
WHERE m.rowid > :after AND {READABLE} ORDER BY m.rowid LIMIT :slice"""


@dataclass(frozen=True, slots=True)
class VectorKind:
    """Vectors that may be compared: one model, one length.

    `unnamed` includes vectors without a model name, if their length matches.
    """

    model: str
    dimensions: int
    unnamed: bool = False

    def takes(self, model: str, dimensions: int) -> bool:
        if dimensions != self.dimensions:
            return False
        return plain_name(model) == plain_name(self.model) or (self.unnamed and not model)


class Matrix:
    """The vectors of one kind. Used under its lock while it is brought up to date."""

    def __init__(self, kind: VectorKind) -> None:
        self.kind, self.lock = kind, Lock()
        self.clear()

    def clear(self) -> None:
        """Clear everything, so that it is reloaded."""
        self.size = 0
        self.places: dict[int, int] = {}
        self.others: Counter[tuple[str, int]] = Counter()
        self.unreadable = 0
        self.stored_mark: tuple[int, str] = (0, "")
        self.memory_mark: tuple[int, str] = (0, "")
        self.skipped = 0
        self._rows = np.zeros(0, np.int64)
        self._vectors = np.zeros((0, self.kind.dimensions), np.float32)
        self._mean = np.zeros(self.kind.dimensions, np.float32)
        self._lengths = np.zeros(0, np.float32)
        self._centred = 0

    def add(self, rows: Sequence[int], vectors: Vectors) -> None:
        """Put vectors in, of length 1; one that a row already has is replaced.

        A text without any known word has no direction, and is not stored.
        """
        has_direction = np.einsum("ij,ij->i", vectors, vectors) > 0
        fresh: dict[int, int] = {}
        for number, row in enumerate(rows):
            place = self.places.get(row)
            if place is not None:
                self._vectors[place] = vectors[number]
                if place < len(self._lengths):
                    self._lengths[place] = np.linalg.norm(vectors[number] - self._mean)
            elif has_direction[number]:
                fresh[row] = number
        begin, end = self.size, self.size + len(fresh)
        if end > len(self._rows):
            self.reserve(max(end, self.size + max(1_024, self.size // 8)))
        self._rows[begin:end] = list(fresh)
        self._vectors[begin:end] = vectors[list(fresh.values())]
        self.places.update(zip(fresh, range(begin, end), strict=True))
        self.size = end

    def reserve(self, size: int) -> None:
        """Make room for so many vectors in all: to grow takes the old and the new room at once."""
        more = size - len(self._rows)
        if more > 0:
            self._rows = np.concatenate([self._rows, np.zeros(more, np.int64)])
            empty = np.zeros((more, self.kind.dimensions), np.float32)
            self._vectors = np.concatenate([self._vectors, empty]) if self.size else empty

    def compare(self, vector: Vectors) -> "Likeness":
        """The similarity of every memory's vector to this one.

        All vectors of a model share a direction that says nothing; it is their mean, and is taken
        out first. The mean of a few vectors is trusted less.
        """
        if self.size > 1.25 * self._centred:
            share = self.size / (self.size + ENOUGH)
            self._mean = self._vectors[:self.size].mean(axis=0) * np.float32(share)
            self._lengths, self._centred = np.zeros(0, np.float32), self.size
        if len(self._lengths) < self.size:
            shared = self._vectors[len(self._lengths):self.size] @ self._mean
            squares = 1 - 2 * shared + self._mean @ self._mean
            self._lengths = np.concatenate([self._lengths, np.sqrt(np.maximum(squares, 1e-6))])
        rows = self._rows[:self.size].copy()
        if not vector.any():
            return Likeness(rows, np.zeros(self.size, np.float32), self.places, self._mean)
        asked = vector - self._mean
        length = float(np.linalg.norm(asked)) or 1.0
        # Not `@`: its two threads wait for each other where the machine has other work.
        likeness = np.einsum("ij,j->i", self._vectors[:self.size], asked) - self._mean @ asked
        cosines = likeness / (self._lengths[:self.size] * np.float32(length))
        return Likeness(rows, cosines, self.places, self._mean, asked / np.float32(length))


@dataclass(frozen=True, slots=True)
class Likeness:
    """The cosine of every memory that has a vector with the question's.

    Attributes:
        mean: what all vectors of the model share, and `asked` the question's vector without it.
    """

    rows: Rows = field(default_factory=lambda: np.zeros(0, np.int64))
    cosines: Vectors = field(default_factory=lambda: np.zeros(0, np.float32))
    places: Mapping[int, int] = field(default_factory=dict)
    mean: Vectors = field(default_factory=lambda: np.zeros(0, np.float32))
    asked: Vectors = field(default_factory=lambda: np.zeros(0, np.float32))

    def with_more(self, rows: Sequence[int], vectors: Vectors) -> "Likeness":
        """With the cosines of further vectors of length 1, of rows that had none."""
        if not len(self.asked) or not len(rows):
            return self
        own = vectors - self.mean
        lengths = np.maximum(np.linalg.norm(own, axis=1), np.float32(1e-3))
        cosines = np.where(vectors.any(axis=1), own @ self.asked / lengths, 0).astype(np.float32)
        begin = len(self.cosines)
        places = dict(zip(rows, range(begin, begin + len(rows)), strict=True))
        return replace(self, rows=np.concatenate([self.rows, np.array(rows, np.int64)]),
                       cosines=np.concatenate([self.cosines, cosines]),
                       places=ChainMap(places, self.places))  # type: ignore[arg-type]

    def best(self, most: int, allowed: Rows | None = None) -> Rows:
        """The rows of the most alike memories, best first."""
        rows, cosines = self.rows, self.cosines
        if allowed is not None:
            passing = contains(allowed, rows)
            rows, cosines = rows[passing], cosines[passing]
        if len(rows) > most:
            top = np.argpartition(-cosines, most - 1)[:most]
            rows, cosines = rows[top], cosines[top]
        order = np.argsort(-cosines, kind="stable")
        return rows[order[cosines[order] > 0]]

    def of(self, rows: Rows) -> NDArray[np.float64]:
        """The likeness of some rows, 0 to 1; 0 for one without a vector."""
        places = np.array([self.places.get(row, -1) for row in rows.tolist()], np.int64)
        # A row may have got its place after the comparison was made.
        known = (places >= 0) & (places < len(self.cosines))
        likeness = np.zeros(len(rows))
        likeness[known] = self.cosines[places[known]]
        return np.clip(likeness, 0.0, 1.0)


class MatrixCache:
    """The matrices of this process, the last used ones."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[tuple[str, str, VectorKind], Matrix] = OrderedDict()

    def matrix(self, reader: Reader, kind: VectorKind) -> Matrix:
        """The matrix of the reader's file and agent, perhaps still empty."""
        key = (str(reader.path), reader.agent, kind)
        with self._lock:
            matrix = self._kept.pop(key, None) or Matrix(kind)
            self._kept[key] = matrix
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return matrix

    def clear(self) -> None:
        """Remove all of them."""
        with self._lock:
            self._kept.clear()


MATRICES = MatrixCache()
"""What every question of this process shares, as connections share SQLite's page cache."""


def bring_up_to_date(
    reader: Reader, matrix: Matrix, *, most: int, make: Callable[[list[str]], Vectors] | None,
    made: int,
) -> bool:
    """Load new vectors of the file; False if time ran out before all were loaded.

    Args:
        most: the maximum number of vectors in memory, the newest ones.
        make: turns texts into vectors where the file has none; None where that is not wanted.
        made: memories that are given a vector this way, the newest ones.
    """
    if _changed(reader, "embeddings", matrix.stored_mark) or _changed(
            reader, "memories", matrix.memory_mark):
        matrix.clear()
    try:
        _read_stored(reader, matrix, most)
        if make is not None:
            _make_missing(reader, matrix, min(made, most), make)
    except DeadlinePassed:
        return False
    return True


def _changed(reader: Reader, table: str, mark: tuple[int, str]) -> bool:
    """True if the row that was read last is no longer the same."""
    row, id = mark
    return bool(row) and reader.value(
        f"SELECT t.id FROM {table} t WHERE t.rowid = :row", row=row) != id


def _first(reader: Reader, table: str, most: int) -> int:
    """The row number after which the newest `most` rows of a table lie."""
    least = reader.value(
        f"SELECT MIN(r) FROM (SELECT t.rowid AS r FROM {table} t ORDER BY t.rowid DESC "
        "LIMIT :most)", most=most)
    return int(least or 1) - 1


def _read_stored(reader: Reader, matrix: Matrix, most: int) -> None:
    last = int(reader.value("SELECT MAX(t.rowid) FROM embeddings t") or 0)
    after = matrix.stored_mark[0]
    if after >= last:
        return
    if not after:
        after = _first(reader, "embeddings", most)
        matrix.skipped = after
        matrix.reserve(min(most, last - after))
    while rows := reader.rows(_STORED, after=after, last=last, slice=SLICE,
                              dimensions=matrix.kind.dimensions):
        after = rows[-1]["mark"]
        _keep(matrix, [row for row in rows if row["place"] is not None])
        matrix.stored_mark = (after, rows[-1]["id"])


def _keep(matrix: Matrix, rows: Sequence[Row]) -> None:
    """Put what can be compared into the matrix, and count the rest."""
    places, vectors, length = [], [], matrix.kind.dimensions * 4
    for row in rows:
        if not matrix.kind.takes(str(row["model"]), row["dimensions"]):
            matrix.others[str(row["model"]), row["dimensions"]] += 1
        elif not isinstance(row["vector"], bytes) or len(row["vector"]) != length:
            matrix.unreadable += 1
        else:
            places.append(row["place"])
            vectors.append(row["vector"])
    if not vectors:
        return
    matrix_rows = np.frombuffer(b"".join(vectors), "<f4").reshape(len(vectors), -1)
    finite = np.isfinite(matrix_rows).all(axis=1)
    matrix.unreadable += int((~finite).sum())
    matrix.add([row for row, fine in zip(places, finite.tolist(), strict=True) if fine],
               unit(matrix_rows[finite]))


def _make_missing(
    reader: Reader, matrix: Matrix, most: int, make: Callable[[list[str]], Vectors]
) -> None:
    after = matrix.memory_mark[0] or _first(reader, "memories", most)
    while rows := reader.rows(_WITHOUT, after=after, slice=MADE_AT_ONCE):
        after = rows[-1]["place"]
        missing = {row["id"]: row["place"] for row in rows if row["place"] not in matrix.places}
        if missing:
            texts = memory_texts(reader, list(missing))
            matrix.add([missing[id] for id in texts], make(list(texts.values())))
        matrix.memory_mark = (after, rows[-1]["id"])
