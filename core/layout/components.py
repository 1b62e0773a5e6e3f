"""A graph cut into the parts that are laid out each by itself."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.layout.affinity import Ties, join

Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Part:
    """Entities that belong together, and the ties between them, each pair once."""

    base: NDArray[np.float32]
    radii: NDArray[np.float64]
    pairs: NDArray[np.int32]
    weights: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.base)

    def ties(self) -> Ties:
        """The pairs as a symmetric matrix."""
        return join(len(self), self.pairs, self.weights)


def split(part: Part, labels: NDArray[np.int32]) -> Iterator[tuple[Rows, Part]]:
    """For each label its rows, and them with their ties among each other as a part."""
    size = int(labels.max()) + 1
    order, starts = _grouped(labels, size)
    own = np.empty(len(part), dtype=np.int32)
    own[order] = np.arange(len(part)) - np.repeat(starts[:-1], np.diff(starts))
    groups = labels[part.pairs]
    inner = groups[:, 0] == groups[:, 1]
    pairs, weights = own[part.pairs[inner]], part.weights[inner]
    pair_order, pair_starts = _grouped(groups[inner, 0], size)
    for label in range(size):
        rows = order[starts[label] : starts[label + 1]]
        held = pair_order[pair_starts[label] : pair_starts[label + 1]]
        yield rows, Part(part.base[rows], part.radii[rows], pairs[held], weights[held])


def between(
    part: Part, labels: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Pairs of labels and how strongly they are tied, as a share of both sizes."""
    size = int(labels.max()) + 1
    groups = labels[part.pairs]
    outer = groups[:, 0] != groups[:, 1]
    links, totals = join(size, groups[outer], part.weights[outer]).pairs()
    # By the geometric mean of both sizes, so that large groups don't draw everything in.
    roots = np.sqrt(np.bincount(labels, minlength=size))
    shares = totals / (roots[links[:, 0]] * roots[links[:, 1]])
    return links, shares.astype(np.float32)


def _grouped(labels: NDArray[np.int32], size: int) -> tuple[Rows, Rows]:
    """Rows in order of their label, and where each label starts in that order."""
    order = np.argsort(labels, kind="stable")
    return order, np.concatenate([[0], np.cumsum(np.bincount(labels, minlength=size))])
