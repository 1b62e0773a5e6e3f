"""How alike the vector of each memory is to a question's, found in two steps.

Comparing 100,000 whole vectors reads 100 MB. So each memory has a short vector, too: its part in
the few directions in which the vectors differ most (their principal components). The short ones
choose `SHORTLIST` memories, and only these are compared in full: of the 100 most alike of 100,000
memories that finds 99.7 percent, of the 10 most alike all that were tried.
"""

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from core.embedding.vector_set import Vectors
from core.recall.keyword import Rows, contains

SHORTLIST = 2_000
"""Memories that are compared in full, at least."""
SAMPLED = 8_000
"""Memories by which it is guessed how alike the shortlist must be."""
WIDER = 2
"""So many times as many as are asked for."""

Exact = Callable[[Rows], Vectors]
"""The exact cosines of the vectors at some places of the matrix."""


def nothing(places: Rows) -> Vectors:
    """The cosines with a question of which no word is known."""
    return np.zeros(len(places), np.float32)


class RowPlaces(Struct, frozen=True):
    """Where the vector of each memory is: its row number, and the place in the matrix."""

    rows: Rows = field(default_factory=lambda: np.zeros(0, np.int64))
    places: Rows = field(default_factory=lambda: np.zeros(0, np.int64))

    def of(self, asked: Rows) -> Rows:
        """The place of each row, -1 where it has none."""
        if not len(self.rows):
            return np.full(len(asked), -1)
        near = np.minimum(np.searchsorted(self.rows, asked), len(self.rows) - 1)
        return np.where(self.rows[near] == asked, self.places[near], -1)


class Likeness(Struct, frozen=True):
    """The cosine with the question of every memory that has a vector.

    Attributes:
        rows: the memory of each place in the matrix, -1 where there is none any more.
        rough: the cosines as the short vectors tell them.
        exact: computes those of some places.
        mean: what all vectors of the model share, and `asked` the question's vector without it.
        further: rows that stand in no matrix, with their cosines.
        compared: by how many were to be compared in full their places and cosines, for who asks
            for the best again.
    """

    rows: Rows = field(default_factory=lambda: np.zeros(0, np.int64))
    rough: Vectors = field(default_factory=lambda: np.zeros(0, np.float32))
    places: RowPlaces = field(default_factory=RowPlaces)
    exact: Exact = nothing
    mean: Vectors = field(default_factory=lambda: np.zeros(0, np.float32))
    asked: Vectors = field(default_factory=lambda: np.zeros(0, np.float32))
    further: tuple[Rows, Vectors] = field(
        default_factory=lambda: (np.zeros(0, np.int64), np.zeros(0, np.float32)))
    compared: dict[int, tuple[Rows, Vectors]] = field(default_factory=dict)

    def to(self, vector: Vectors) -> "Likeness":
        """The likeness to another vector of the same model, of no row yet."""
        asked = vector - self.mean
        return Likeness(mean=self.mean, asked=asked / max(float(np.linalg.norm(asked)), 1e-3))

    def with_more(self, rows: Sequence[int], vectors: Vectors) -> "Likeness":
        """With the cosines of further vectors of length 1, of rows that had none."""
        if not len(self.asked) or not len(rows):
            return self
        own = vectors - self.mean
        lengths = np.maximum(np.linalg.norm(own, axis=1), np.float32(1e-3))
        cosines = np.where(vectors.any(axis=1), own @ self.asked / lengths, 0).astype(np.float32)
        known_rows, known = self.further
        every = np.concatenate([known_rows, np.array(rows, np.int64)])
        order = np.argsort(every, kind="stable")
        return replace(self, further=(every[order], np.concatenate([known, cosines])[order]))

    def best(self, most: int, allowed: Rows | None = None) -> Rows:
        """The rows of the most alike memories, best first."""
        places, exact = self._compared(max(SHORTLIST, WIDER * most), allowed)
        further, known = self.further
        rows = np.concatenate([self.rows[places], further])
        cosines = np.concatenate([exact, known])
        if allowed is not None and len(further):
            passing = contains(allowed, rows)
            rows, cosines = rows[passing], cosines[passing]
        order = np.argsort(-cosines, kind="stable")[:most]
        return rows[order[cosines[order] > 0]]

    def _compared(self, most: int, allowed: Rows | None) -> tuple[Rows, Vectors]:
        """The places of the shortlist, and their cosines."""
        if allowed is not None:
            places = self._shortlist(most, allowed)
            return places, self.exact(places)
        if most not in self.compared:
            places = self._shortlist(most, None)
            self.compared[most] = places, self.exact(places)
        return self.compared[most]

    def _shortlist(self, most: int, allowed: Rows | None) -> Rows:
        """The places that may be the best."""
        if allowed is None:
            places = (_largest(self.rough, most) if len(self.rough) > most else
                      np.arange(len(self.rough)))
            return places[self.rows[places] >= 0]
        places = self.places.of(allowed)
        places = places[places >= 0]
        if len(places) <= most:
            return places
        return places[_largest(self.rough[places], most)]

    def of(self, rows: Rows) -> NDArray[np.float64]:
        """The likeness of some rows, 0 to 1; 0 for one without a vector."""
        likeness = np.zeros(len(rows))
        places = self.places.of(rows)
        known = places >= 0
        likeness[known] = self.exact(places[known])
        further, cosines = self.further
        if len(further):
            near = np.minimum(np.searchsorted(further, rows), len(further) - 1)
            likeness = np.where(further[near] == rows, cosines[near], likeness)
        return np.clip(likeness, 0.0, 1.0)


def _largest(values: Vectors, most: int) -> Rows:
    """The places of the largest numbers: of so many, or somewhat more.

    The least of them is guessed from a sample, which is quicker than to order all.
    """
    step = len(values) // SAMPLED
    if step > 1:
        sample = values[::step]
        wanted = min(int(1.2 * most / step) + 1, len(sample))
        guess = np.partition(sample, len(sample) - wanted)[len(sample) - wanted]
        places = np.flatnonzero(values >= guess)
        if most <= len(places) <= 2 * most:
            return places
    return np.argpartition(-values, most - 1)[:most]
