"""Vectors of one model, also from the bytes that a file holds."""

import hashlib
from functools import cached_property

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


def decode(blob: bytes | memoryview | None, dimensions: int) -> Vectors | None:
    """The vector in a file's little-endian float32 bytes, or None if it is not one."""
    if blob is None or not isinstance(blob, (bytes, bytearray, memoryview)):
        return None
    data = bytes(blob)
    if dimensions <= 0 or len(data) != dimensions * 4:
        return None
    vector = np.frombuffer(data, dtype="<f4").astype(np.float32)
    return vector if np.isfinite(vector).all() else None


def unit(vectors: NDArray[np.floating]) -> Vectors:
    """Each row at length 1; rows without a direction (zero, NaN, infinite) become zeros."""
    rows = np.array(vectors, dtype=np.float32, ndmin=2)
    rows[~np.isfinite(rows).all(axis=1)] = 0
    # Scaled first, so that squares of very large or very small values stay in range.
    largest = np.abs(rows).max(axis=1, initial=0)
    rows /= np.where(largest > 0, largest, 1)[:, None]
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    rows /= np.where(lengths > 0, lengths, 1)[:, None]
    return rows


def plain_name(model: str) -> str:
    """A model's name without what different programs add: `nomic-embed-text:latest`."""
    return model.strip().lower().rpartition("/")[2].removesuffix(":latest")


class VectorSet(Struct, frozen=True, dict=True):
    """A vector for each id, all of one model: those of two models are never compared."""

    ids: tuple[str, ...]
    vectors: Vectors
    model: str

    def __post_init__(self) -> None:
        if self.vectors.ndim != 2 or len(self.ids) != len(self.vectors):
            raise ValueError(f"{len(self.ids)} ids for vectors of shape {self.vectors.shape}")

    @cached_property
    def hash(self) -> str:
        """The same for the same ids, vectors and model; different for any other content."""
        digest = hashlib.blake2b(digest_size=16)
        for word in (self.model, *self.ids):
            data = word.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "little"))
            digest.update(data)
        digest.update(repr(self.vectors.shape).encode())
        digest.update(np.ascontiguousarray(self.vectors, dtype="<f4").data)
        return digest.hexdigest()

    def joined(self, more: "VectorSet", ids: tuple[str, ...]) -> "VectorSet":
        """The vectors of `ids`, each from here or from `more`, which has the same model."""
        row_of = {id: row for row, id in enumerate(self.ids)}
        row_of.update({id: row + len(self.ids) for row, id in enumerate(more.ids)})
        rows = np.fromiter((row_of[id] for id in ids), np.int64, len(ids))
        return VectorSet(ids, np.vstack([self.vectors, more.vectors])[rows], self.model)
