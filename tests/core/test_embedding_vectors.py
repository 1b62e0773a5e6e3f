"""Vectors survive the way into a file and back, and never mix models."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.embedding.vectors import VectorSet, decode, encode, unit


def test_a_vector_survives_its_bytes() -> None:
    vector = np.array([0.5, -1.25, 3e-20], dtype=np.float32)
    assert np.array_equal(decode(encode(vector), 3), vector)
    assert encode(vector)[:4] == b"\x00\x00\x00\x3f"


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


def test_vectors_of_two_models_are_never_joined() -> None:
    one = VectorSet(("a",), np.ones((1, 2), dtype=np.float32), "one")
    two = VectorSet(("b",), np.ones((1, 2), dtype=np.float32), "two")
    with pytest.raises(ValueError, match="two"):
        one.with_more(two)


def test_a_newer_vector_replaces_the_older_of_its_id() -> None:
    old = VectorSet(("a", "b"), np.array([[1, 0], [0, 1]], dtype=np.float32), "m")
    new = VectorSet(("b", "c"), np.array([[2, 2], [3, 3]], dtype=np.float32), "m")
    both = old.with_more(new)
    assert both.ids == ("a", "b", "c")
    assert both.get("b").tolist() == [2, 2]
    assert both.get("d") is None
    assert "a" in both
    assert len(both) == 3


def test_ids_without_vectors_are_refused() -> None:
    with pytest.raises(ValueError, match="2 ids"):
        VectorSet(("a", "b"), np.ones((1, 2), dtype=np.float32), "m")
