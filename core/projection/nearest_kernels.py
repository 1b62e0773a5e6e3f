"""Compiled loops over blocks of similarities, called by `core.projection.nearest_vectors`."""

import numpy as np
from numpy.typing import NDArray

from core.jit import njit


@njit
def merge_rows(
    block: NDArray[np.float32],
    top: int,
    left: int,
    indices: NDArray[np.int32],
    similarities: NDArray[np.float32],
) -> None:
    """Enter each row's better columns into its sorted list of the most similar."""
    last = indices.shape[1] - 1
    for i in range(block.shape[0]):
        row = top + i
        worst = similarities[row, last]
        for j in range(block.shape[1]):
            similarity = block[i, j]
            if similarity > worst:
                _insert(indices, similarities, row, left + j, similarity)
                worst = similarities[row, last]


@njit
def merge_columns(
    block: NDArray[np.float32],
    top: int,
    left: int,
    indices: NDArray[np.int32],
    similarities: NDArray[np.float32],
    worst: NDArray[np.float32],
) -> None:
    """Enter each column's better rows into its sorted list of the most similar."""
    last = indices.shape[1] - 1
    columns = block.shape[1]
    for j in range(columns):
        worst[j] = similarities[left + j, last]
    for i in range(block.shape[0]):
        for j in range(columns):
            similarity = block[i, j]
            if similarity > worst[j]:
                _insert(indices, similarities, left + j, top + i, similarity)
                worst[j] = similarities[left + j, last]


@njit
def _insert(
    indices: NDArray[np.int32],
    similarities: NDArray[np.float32],
    row: int,
    index: int,
    similarity: float,
) -> None:
    slot = indices.shape[1] - 1
    while slot > 0 and similarities[row, slot - 1] < similarity:
        similarities[row, slot] = similarities[row, slot - 1]
        indices[row, slot] = indices[row, slot - 1]
        slot -= 1
    similarities[row, slot] = similarity
    indices[row, slot] = index
