"""Functions for `test_machine_code.py`."""

import numpy as np

from core.jit import njit


@njit
def weighed(values: np.ndarray, weights: np.ndarray, sums: np.ndarray, factor: float) -> int:
    """Write each row's weighted sum; returns how many rows there are."""
    for row in range(values.shape[0]):
        sums[row] = 0.0
        for column in range(values.shape[1]):
            sums[row] += values[row, column] * weights[column] * factor
    return len(sums)


@njit
def sums_of(values: np.ndarray, sums: np.ndarray) -> None:
    for row in range(len(values)):
        sums[row] = _sum(values[row])


@njit
def _sum(values: np.ndarray) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


@njit
def fill(values: np.ndarray, number: int) -> None:
    values[:] = number
