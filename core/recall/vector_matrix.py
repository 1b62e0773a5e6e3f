"""The vectors of one agent's memories, of one model: read from the file, mapped, or computed."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from threading import Lock

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from core.embedding.vector_set import Vectors, plain_name
from core.recall.keyword import Rows
from core.recall.row_fingerprints import count, oldest
from core.recall.vector_likeness import Likeness, RowPlaces, nothing
from core.store.rows_changed_since import NO_MARK, LogMark

DIRECTIONS = 64
"""Numbers of a short vector."""
SAMPLED = 4_000
"""Vectors whose main directions are taken for those of all."""
ENOUGH = 50
"""Vectors whose mean is half trusted as the mean of the whole file."""
GROWTH = 1.25
"""So many times as many vectors have another mean and other directions."""


class VectorKind(Struct, frozen=True):
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


def no_rows() -> Rows:
    """No row numbers."""
    return np.zeros(0, np.int64)


class Directions(Struct):
    """In which way the vectors differ.

    Attributes:
        mean: what all of them share, and which therefore says nothing.
        axes: the directions in which they differ most, (dimensions, `DIRECTIONS`).
        count: of how many vectors.
    """

    mean: Vectors
    axes: Vectors
    count: int = 0

    @classmethod
    def of(cls, vectors: Sequence[Vectors], count: int) -> "Directions":
        """Of some blocks of vectors that are `count` in all; the mean of a few is trusted less."""
        total = sum(block.sum(axis=0, dtype=np.float64) for block in vectors)
        mean = np.asarray(total / max(count, 1), np.float32)
        step = max(count // SAMPLED, 1)
        sample = np.concatenate([block[::step] for block in vectors]) - mean
        return cls(mean * np.float32(count / (count + ENOUGH)), _main_axes(sample), count)


def _main_axes(sample: Vectors) -> Vectors:
    """The main directions of vectors around their mean, by subspace iteration (Halko, Martinsson,
    Tropp: "Finding structure with randomness", 2011, algorithm 4.4)."""
    chance = np.random.default_rng(0)
    width = min(DIRECTIONS, sample.shape[1])
    axes = chance.standard_normal((sample.shape[1], width)).astype(np.float32)
    # These are small matrices: several threads take longer, many times so on a busy machine.
    with threadpool_limits(1, user_api="blas"):
        for _ in range(3):
            axes = np.linalg.qr(sample.T @ (sample @ axes))[0]
    return np.ascontiguousarray(axes, np.float32)


class Block(Struct):
    """Vectors in a row, with their short forms and their lengths without the mean."""

    vectors: Vectors
    short: Vectors
    lengths: Vectors

    @classmethod
    def empty(cls, dimensions: int, size: int = 0) -> "Block":
        """Room for some vectors."""
        return cls(np.zeros((size, dimensions), np.float32),
                   np.zeros((size, min(DIRECTIONS, dimensions)), np.float32),
                   np.zeros(size, np.float32))

    def measured(self, directions: Directions, begin: int, end: int) -> None:
        """Work out the short forms and lengths of some of the vectors."""
        vectors, mean = self.vectors[begin:end], directions.mean
        self.short[begin:end] = vectors @ directions.axes
        squares = 1 - 2 * (vectors @ mean) + mean @ mean
        self.lengths[begin:end] = np.sqrt(np.maximum(squares, 1e-6))


class Contents(Struct):
    """What a matrix holds, as it is kept in a file.

    Attributes:
        rows: the memory of each vector, -1 where it has been dropped.
        sources: the row of the file's `embeddings` it was read from, 0 if it was computed.
        wordless: memories whose text has no word that the model knows.
        aside: rows of `embeddings` that can't be compared, and `reasons` the place of each one's
            model and length in `labels`.
        unread: rows of `embeddings` that are still to be read.
        unplaced: memories for which a vector is still to be looked for.
        memory_keys: what tells one state of the readable memories from another.
        vector_keys: the same of the stored vectors.
    """

    mapped: Block
    directions: Directions
    rows: Rows = field(default_factory=no_rows)
    sources: Rows = field(default_factory=no_rows)
    wordless: Rows = field(default_factory=no_rows)
    aside: Rows = field(default_factory=no_rows)
    reasons: Rows = field(default_factory=no_rows)
    labels: list[tuple[str, int]] = field(default_factory=list)
    unread: Rows = field(default_factory=no_rows)
    unplaced: Rows = field(default_factory=no_rows)
    memory_keys: str = ""
    vector_keys: str = ""

    @classmethod
    def none(cls, dimensions: int) -> "Contents":
        """Nothing yet."""
        axes = np.zeros((dimensions, min(DIRECTIONS, dimensions)), np.float32)
        return cls(Block.empty(dimensions), Directions(np.zeros(dimensions, np.float32), axes))


class FileState(Struct):
    """The state of a file that a matrix is true to.

    Attributes:
        moments: what `Reader.once` gave for it.
        mark: how far the file's log was.
        readers: what says which agents' memories the agent may read.
        missing: the memories for which a vector is to be computed; None where that is not known.
    """

    moments: list[object] = field(default_factory=list)
    mark: LogMark = NO_MARK
    readers: str = ""
    missing: Rows | None = None


class Matrix:
    """The vectors of one kind. Used under its lock while it is brought up to date.

    Those that a file beside the graph has are mapped and never changed; further ones lie behind
    them in memory. A vector that is dropped or replaced stays where it is, without a memory.

    Attributes:
        path: where it is kept for the next process; None for nowhere.
        opened: True once it was looked whether an earlier process left one there.
        held: what it holds.
        size: the memories that have a vector.
        state: the state of the file that it is true to.
        most: the maximum number of memories in it.
        listed: the memories that the agent may read, of them the newest `most`.
        oldest: the lowest row number of a memory that may be in it.
        backlog: memories that are given no vector in this process, because there are too many.
        unsaved: how many vectors were put in or dropped since the file was written.
    """

    def __init__(self, kind: VectorKind, *, path: Path | None = None) -> None:
        self.kind, self.lock, self.path, self.opened = kind, Lock(), path, path is None
        self.take(Contents.none(kind.dimensions))

    def take(self, held: Contents) -> None:
        """Hold this and nothing else."""
        self.held = held
        self._tail = Block.empty(self.kind.dimensions)
        self._measured = 0
        self._by_row: RowPlaces | None = None
        self.size = int((held.rows >= 0).sum())
        self.state = FileState()
        self.most = 0
        self.listed, self.oldest = count(held.memory_keys), oldest(held.memory_keys)
        self.backlog = no_rows()
        self.unsaved = 0

    @property
    def places(self) -> RowPlaces:
        """Where the vector of each memory is."""
        if self._by_row is None:
            order = np.argsort(self.held.rows, kind="stable")
            order = order[len(order) - self.size:]
            self._by_row = RowPlaces(self.held.rows[order], order)
        return self._by_row

    def add(self, rows: Sequence[int] | Rows, vectors: Vectors,
            sources: Sequence[int] | Rows = ()) -> None:
        """Put in vectors of length 1; the vector that a memory has is replaced.

        Of vectors stored for one memory the last one counts, before any that was computed. A text
        without a known word has no direction, and no vector.
        """
        given = np.asarray(rows, np.int64)
        if not len(given):
            return
        origins = np.asarray(sources, np.int64) if len(sources) else np.zeros_like(given)
        newest = np.lexsort((origins, given))
        chosen = newest[np.append(given[newest][1:] != given[newest][:-1], True)]
        before = self.places.of(given[chosen])
        known = np.append(self.held.sources, -1)  # Where a memory has none yet.
        chosen = chosen[origins[chosen] >= known[before]]
        self.drop(given[chosen])
        self.add_new(given[chosen], vectors[chosen], origins[chosen])

    def add_new(self, rows: Rows, vectors: Vectors, sources: Rows) -> None:
        """The same for memories of which none has a vector yet, each given once."""
        has_direction = np.einsum("ij,ij->i", vectors, vectors) > 0
        if not has_direction.all():
            self.held.wordless = np.union1d(self.held.wordless, rows[~has_direction])
            rows, vectors, sources = (
                rows[has_direction], vectors[has_direction], sources[has_direction])
        self._append(rows, vectors, sources)

    def _append(self, rows: Rows, vectors: Vectors, sources: Rows) -> None:
        begin = len(self.held.rows) - len(self.held.mapped.vectors)
        end = begin + len(rows)
        if end > len(self._tail.vectors):
            self.reserve(max(end, begin + max(1_024, begin // 8)))
        self._tail.vectors[begin:end] = vectors
        self.held.rows = np.concatenate([self.held.rows, rows])
        self.held.sources = np.concatenate([self.held.sources, sources])
        self.size += len(rows)
        self.unsaved += len(rows)
        self._by_row = None

    def reserve(self, size: int) -> None:
        """Make room for so many vectors in memory: growing takes the old and the new room."""
        if size <= len(self._tail.vectors):
            return
        filled = len(self.held.rows) - len(self.held.mapped.vectors)
        tail = Block.empty(self.kind.dimensions, size)
        tail.vectors[:filled] = self._tail.vectors[:filled]
        tail.short[:filled] = self._tail.short[:filled]
        tail.lengths[:filled] = self._tail.lengths[:filled]
        self._tail = tail

    def drop(self, rows: Rows) -> None:
        """Forget the vectors of some memories, and that their texts have no known word."""
        places = self.places.of(rows)
        self._drop_places(places[places >= 0])
        if len(self.held.wordless):
            self.held.wordless = np.setdiff1d(self.held.wordless, rows)

    def drop_stored(self, sources: Rows) -> Rows:
        """Forget the vectors that were read from these rows; returns whose they were."""
        if not len(sources):
            return no_rows()
        held = self.held
        places = np.flatnonzero(np.isin(held.sources, sources) & (held.rows >= 0))
        rows = held.rows[places]
        self._drop_places(places)
        known = ~np.isin(held.aside, sources)
        held.aside, held.reasons = held.aside[known], held.reasons[known]
        return rows

    def _drop_places(self, places: Rows) -> None:
        if not len(places):
            return
        rows = self.held.rows.copy()  # A comparison that is still looked at has the old ones.
        rows[places] = -1
        self.held.rows = rows
        self.size -= len(places)
        self.unsaved += len(places)
        self._by_row = None

    def set_aside(self, sources: Sequence[int], reason: tuple[str, int]) -> None:
        """Note stored vectors that can't be compared, by their model and length."""
        held = self.held
        if reason not in held.labels:
            held.labels.append(reason)
        held.aside = np.concatenate([held.aside, np.asarray(sources, np.int64)])
        held.reasons = np.concatenate([held.reasons, np.full(
            len(sources), held.labels.index(reason), np.int64)])

    @property
    def others(self) -> dict[tuple[str, int], int]:
        """How many stored vectors can't be compared, by their model and length."""
        counts = np.bincount(self.held.reasons, minlength=len(self.held.labels))
        return {label: int(count) for label, count in zip(self.held.labels, counts, strict=True)
                if count}

    def blocks(self) -> tuple[Block, Block]:
        """The mapped vectors and those in memory, all of them measured."""
        held = self.held
        mapped = len(held.mapped.vectors)
        filled = len(held.rows) - mapped
        tail = self._tail
        if len(held.rows) > GROWTH * held.directions.count:
            self._look_again(filled)
        if filled > self._measured:
            tail.measured(held.directions, self._measured, filled)
            self._measured = filled
        return held.mapped, Block(tail.vectors[:filled], tail.short[:filled],
                                  tail.lengths[:filled])

    def _look_again(self, filled: int) -> None:
        """Take the mean and the directions from the vectors as they are now."""
        held = self.held
        vectors = [held.mapped.vectors, self._tail.vectors[:filled]]
        held.directions = Directions.of(vectors, len(held.rows))
        mapped = len(held.mapped.vectors)
        again = Block(held.mapped.vectors, np.zeros_like(held.mapped.short),
                      np.zeros_like(held.mapped.lengths))
        again.measured(held.directions, 0, mapped)
        held.mapped, self._measured = again, 0

    def compare(self, vector: Vectors) -> Likeness:
        """The similarity of every memory's vector to this one.

        All vectors of a model share a direction that says nothing; it is their mean, and is taken
        out first.
        """
        blocks = self.blocks()
        rows, mean = self.held.rows, self.held.directions.mean
        if not vector.any():
            return Likeness(rows, np.zeros(len(rows), np.float32), self.places, nothing, mean)
        asked = vector - mean
        asked /= np.float32(float(np.linalg.norm(asked)) or 1.0)
        short = self.held.directions.axes.T @ asked
        level = mean @ self.held.directions.axes @ short
        # Not `@`: its threads wait for each other where the machine has other work.
        rough = np.concatenate([
            (np.einsum("ij,j->i", block.short, short) - level) / block.lengths
            for block in blocks])
        rough[rows < 0] = -np.inf
        exact = partial(_exact, blocks, asked, float(mean @ asked))
        return Likeness(rows, rough, self.places, exact, mean, asked)


def _exact(blocks: tuple[Block, Block], asked: Vectors, level: float, places: Rows) -> Vectors:
    """The cosines of the vectors at these places."""
    mapped = len(blocks[0].vectors)
    likeness = np.zeros(len(places), np.float32)
    first = places < mapped
    for block, mine, begin in ((blocks[0], first, 0), (blocks[1], ~first, mapped)):
        inside = places[mine] - begin
        dots: NDArray[np.float32] = np.einsum("ij,j->i", block.vectors[inside], asked)
        likeness[mine] = (dots - level) / block.lengths[inside]
    return likeness
