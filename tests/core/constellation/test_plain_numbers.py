"""Numbers without a look at whether they are masked are what numpy says."""

import numpy as np
import pytest

from core.constellation.plain_numbers import distinct, median


@pytest.mark.parametrize("numbers", [
    np.array([3, 1, 3, 2, 1], np.int32), np.array([7], np.int8), np.zeros(0, np.int64),
    np.array([0.5, 1.0, 0.5], np.float32),
])
def test_each_number_comes_once_and_ascending(numbers: np.ndarray) -> None:
    found = distinct(numbers)
    assert found.tolist() == np.unique(numbers).tolist()
    assert found.dtype == numbers.dtype


@pytest.mark.parametrize("numbers", [
    [3.0], [2.0, 1.0], [1.0, 5.0, 2.0], [0.1, 0.7, 0.3, 0.2],
])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_the_middle_one_is_as_numpy_says(numbers: list[float], kind: type) -> None:
    assert median(np.array(numbers, kind)) == float(np.median(np.array(numbers, kind)))
