"""A kept projection is whole and current, or it is computed again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.embedding.vector_set import VectorSet
from core.projection.projection_bytes import Projection, content_key, decode, encode

KEPT = Projection(
    ("plain", "with \0 zero", "ünï", ""),
    np.array([[1.5, -2], [0, 0], [1e3, -1e3], [3, 4]], dtype=np.float32),
    "key",
)
DATA = encode(KEPT)


def test_a_projection_comes_back_as_it_was() -> None:
    back = decode(DATA)
    assert back is not None
    assert (back.ids, back.key) == (KEPT.ids, KEPT.key)
    assert np.array_equal(back.positions, KEPT.positions)


def test_an_empty_projection_comes_back_empty() -> None:
    back = decode(encode(Projection((), np.zeros((0, 2), dtype=np.float32), "k")))
    assert back is not None
    assert back.ids == ()
    assert back.positions.shape == (0, 2)


@given(st.integers(0, len(DATA) - 1), st.integers(1, 255))
def test_one_damaged_byte_makes_it_no_projection(offset: int, change: int) -> None:
    damaged = bytearray(DATA)
    damaged[offset] ^= change
    assert decode(bytes(damaged)) is None


@given(st.integers(0, len(DATA) - 1))
def test_a_cut_file_is_no_projection(length: int) -> None:
    assert decode(DATA[:length]) is None


@given(st.binary(max_size=200))
def test_any_other_bytes_are_no_projection(data: bytes) -> None:
    assert decode(data) is None


def test_nothing_is_no_projection() -> None:
    assert decode(None) is None


def test_the_key_follows_content_and_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = np.eye(2, dtype=np.float32)
    base = VectorSet(("a", "b"), vectors, "m")
    keys = {
        content_key(base),
        content_key(base, seed=1),
        content_key(VectorSet(("a", "c"), vectors, "m")),
        content_key(VectorSet(("a", "b"), vectors, "n")),
        content_key(VectorSet(("a", "b"), -vectors, "m")),
    }
    assert len(keys) == 5
    assert content_key(base, seed=1, epochs=2) == content_key(base, epochs=2, seed=1)
    before = content_key(base)
    monkeypatch.setattr("core.projection.projection_bytes.VERSION", 99)
    assert content_key(base) != before
