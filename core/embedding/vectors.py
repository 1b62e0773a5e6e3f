"""Vectors as arrays of one model, and as the bytes that a file holds."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
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


def encode(vector: Vectors) -> bytes:
    """The little-endian float32 bytes of a vector."""
    return np.ascontiguousarray(vector, dtype="<f4").tobytes()


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


@dataclass(frozen=True)
class VectorSet:
    """Vectors of one model by id."""

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

    @cached_property
    def _rows(self) -> Mapping[str, int]:
        return {id: row for row, id in enumerate(self.ids)}

    def __len__(self) -> int:
        return len(self.ids)

    def __contains__(self, id: object) -> bool:
        return id in self._rows

    def get(self, id: str) -> Vectors | None:
        """The vector of one id."""
        row = self._rows.get(id)
        return None if row is None else self.vectors[row]

    def with_more(self, other: "VectorSet") -> "VectorSet":
        """Both sets, the other's vectors replacing those of the same id; one model only."""
        if other.model != self.model:
            raise ValueError(f"vectors of {other.model} cannot join those of {self.model}")
        keep = [row for row, id in enumerate(self.ids) if id not in other]
        ids = tuple(self.ids[row] for row in keep) + other.ids
        return VectorSet(ids, np.concatenate([self.vectors[keep], other.vectors]), self.model)
