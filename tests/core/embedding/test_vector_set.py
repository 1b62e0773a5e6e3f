"""Vectors are what a file holds, whole or not at all, and never mix models."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.embedding.vector_set import VectorSet, decode, unit


def test_a_file_holds_little_endian_floats() -> None:
    blob = bytes.fromhex("0000003f 0000a0bf")
    assert decode(blob, 2).tolist() == decode(memoryview(blob), 2).tolist() == [0.5, -1.25]


@pytest.mark.parametrize(
    ("blob", "dimensions"),
    [
        (None, 2),
        (b"", 0),
        (b"", 2),
        (b"\x00" * 7, 2),
        (b"\x00" * 12, 2),
        ("0,1", 2),
        (np.array([np.nan, 1], dtype="<f4").tobytes(), 2),
        (np.array([np.inf, 1], dtype="<f4").tobytes(), 2),
        (b"\x00" * 8, -2),
    ],
)
def test_damaged_bytes_are_no_vector(blob: bytes, dimensions: int) -> None:
    assert decode(blob, dimensions) is None


@given(st.lists(st.floats(width=32), min_size=3, max_size=3))
def test_unit_rows_are_finite_and_of_length_one_or_zero(values: list[float]) -> None:
    row = unit(np.array([values], dtype=np.float32))[0]
    length = float(np.linalg.norm(row))
    assert length == pytest.approx(1, abs=1e-3) or not row.any()
    assert bool(row.any()) == (np.isfinite(values).all() and any(values))


def test_the_hash_follows_ids_vectors_and_model() -> None:
    vectors = np.eye(2, dtype=np.float32)
    base = VectorSet(("a", "b"), vectors, "m")
    assert base.hash == VectorSet(("a", "b"), vectors.copy(), "m").hash
    others = [
        VectorSet(("ab", ""), vectors, "m"),
        VectorSet(("a", "b"), vectors, "n"),
        VectorSet(("a", "b"), vectors[::-1], "m"),
        VectorSet(("a", "b"), vectors.reshape(2, 2) * 2, "m"),
        VectorSet(("a",), vectors[:1], "m"),
    ]
    assert len({base.hash, *(other.hash for other in others)}) == 6


def test_ids_without_vectors_are_refused() -> None:
    with pytest.raises(ValueError, match="2 ids"):
        VectorSet(("a", "b"), np.ones((1, 2), dtype=np.float32), "m")
