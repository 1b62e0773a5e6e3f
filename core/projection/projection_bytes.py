"""A projection as bytes that are known to be whole, under a key that is known to be current."""

import hashlib
import io
import json

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from core.embedding.vector_set import VectorSet
from core.projection.compute_map_positions import Points

VERSION = 2
"""Raise it when the same vectors come to other positions."""
_MARK = b"constellation projection\n"
_DIGEST = 16


class Projection(Struct, frozen=True):
    """Positions by id, and the key of what they were computed from."""

    ids: tuple[str, ...]
    positions: Points
    key: str


def content_key(vectors: VectorSet, **choices: object) -> str:
    """The same for the same ids, vectors, model, choices and version of the method."""
    text = repr((VERSION, vectors.hash, sorted(choices.items())))
    return hashlib.blake2b(text.encode(), digest_size=_DIGEST).hexdigest()


def encode(projection: Projection) -> bytes:
    """Bytes to keep beside the graph."""
    body = io.BytesIO()
    np.savez_compressed(
        body,
        ids=_to_bytes(json.dumps(projection.ids)),
        key=_to_bytes(projection.key),
        positions=projection.positions.astype("<f4"),
    )
    data = body.getvalue()
    return _MARK + hashlib.blake2b(data, digest_size=_DIGEST).digest() + data


def decode(data: bytes | None) -> Projection | None:
    """What `encode` wrote, or None for anything else: it is then computed again."""
    head = len(_MARK) + _DIGEST
    if not data or len(data) <= head or not data.startswith(_MARK):
        return None
    body = data[head:]
    if hashlib.blake2b(body, digest_size=_DIGEST).digest() != data[len(_MARK) : head]:
        return None
    with np.load(io.BytesIO(body), allow_pickle=False) as columns:
        ids = tuple(json.loads(_to_text(columns["ids"])))
        positions = columns["positions"].astype(np.float32)
        return Projection(ids, positions, _to_text(columns["key"]))


def _to_bytes(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode("utf-8"), dtype=np.uint8)


def _to_text(data: NDArray[np.uint8]) -> str:
    return data.tobytes().decode("utf-8")
