"""The vectors of an agent's memories, kept beside the graph for the next process to map.

A file has a header, which says what it holds and how it sums up, then the arrays one after another.
It is a copy of what the graph and the model give: where anything about it is not as it should be it
is not used, and written again after the next answer. It is written under another name and then put
in place, so that a process that reads it, or another that writes it, never sees half of it.
"""

import hashlib
import json
import mmap
import os
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from glob import escape
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from core.embedding.vector_set import plain_name
from core.recall.vector_matrix import Block, Contents, Directions, Matrix, VectorKind
from core.store.reader_and_writer import Reader, new_id

SUFFIX = ".vectors"
MARK = 12
"""Signs that tell the files of one graph apart."""
FORMAT = "constellation vectors 1"
HEADER = 4_096
"""Bytes of the header."""
ALIGNED = 64
"""Arrays begin at multiples of so many bytes."""
AT_ONCE = 8_192
"""Vectors that are written at a time."""
WORTH = 256
"""A file is written where it spares the next process so many vectors, and `WORTH_SHARE` of all."""
WORTH_SHARE = 0.02
FILES = 4
"""Files kept for one graph: of its agents and models, those that were written last."""

ROWS = ("rows", "sources", "wordless", "aside", "reasons", "unread", "unplaced")
"""The fields of `Contents` that are row numbers."""

Array = NDArray[Any]


def path_beside(reader: Reader, kind: VectorKind) -> Path | None:
    """Where the vectors of the reader's graph and agent are kept; None where nothing is."""
    side = reader.sidecar
    if side is None:
        return None
    name = json.dumps([reader.agent, plain_name(kind.model), kind.dimensions, kind.unnamed])
    return side.with_name(f"{side.stem}-{_digest(name)[:MARK]}{SUFFIX}")


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


# -- reading -----------------------------------------------------------------------------------


def load(matrix: Matrix) -> None:
    """Take up what an earlier process left, if it is whole and of this kind."""
    matrix.opened = True
    if matrix.path is None:
        return
    with suppress(OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError):
        matrix.take(_read(matrix.path, matrix.kind))


def _read(path: Path, kind: VectorKind) -> Contents:
    """What a file holds. Raises one of several errors where it is not as it should be."""
    with path.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    digest, _, line = mapped[:HEADER].decode("utf-8").rstrip().partition("\n")
    header = json.loads(line)
    if digest != _digest(line) or header["format"] != FORMAT or header["size"] != len(mapped):
        raise ValueError("The header is damaged")
    if header["kind"] != _named(kind):
        raise ValueError("The vectors are of another model")
    arrays = {name: _array(mapped, **place) for name, place in header["arrays"].items()}
    return _contents(arrays, header)


def _named(kind: VectorKind) -> list[object]:
    return [kind.model, kind.dimensions, kind.unnamed]


def _array(mapped: mmap.mmap, at: int, kind: str, shape: list[int], sum: int) -> Array:
    count = int(np.prod(shape))
    array = (np.frombuffer(mapped, kind, count, at) if count else np.zeros(0, kind)).reshape(shape)
    if _summed(array) != sum:
        raise ValueError("The vectors are damaged")
    return array


def _summed(array: Array, before: int = 0) -> int:
    """A checksum of an array, or of its next rows: that of the sums of its rows, in order.

    Three times as fast as one of all its bytes, and as sure to notice a byte that has changed.
    """
    flat = np.ascontiguousarray(array)
    if flat.ndim != 2 or not flat.size:
        return zlib.crc32(flat.tobytes(), before)
    return zlib.crc32(np.add.reduce(flat.view(np.uint32), axis=1, dtype=np.uint32), before)


def _contents(arrays: Mapping[str, Array], header: Mapping[str, Any]) -> Contents:
    return Contents(
        Block(arrays["vectors"], arrays["short"], arrays["lengths"]),
        Directions(arrays["mean"], arrays["axes"], int(header["count"])),
        **{name: arrays[name] for name in ROWS},
        labels=[(str(model), int(length)) for model, length in header["labels"]],
        memory_keys=arrays["memory_keys"].tobytes().decode("utf-8", "surrogatepass"),
        vector_keys=arrays["vector_keys"].tobytes().decode("utf-8", "surrogatepass"))


# -- writing -----------------------------------------------------------------------------------


def save(matrix: Matrix) -> bool:
    """Write the vectors for the next process, and map them here; False where that is not worth it
    or not possible: then the next process reads and computes them as this one did.

    Only for moments the matrix is locked: questions are answered meanwhile.
    """
    with matrix.lock:
        path, unsaved = matrix.path, matrix.unsaved
        if path is None or not matrix.opened or unsaved < max(WORTH, WORTH_SHARE * matrix.size):
            return False
        blocks, held = matrix.blocks(), replace(matrix.held, labels=list(matrix.held.labels))
    if not _put_in_place(path, matrix.kind, blocks, held):
        return False
    with matrix.lock:
        if (matrix.unsaved, matrix.held.memory_keys) == (unsaved, held.memory_keys):
            _map_instead(matrix)
    return True


def _put_in_place(
    path: Path, kind: VectorKind, blocks: tuple[Block, Block], held: Contents
) -> bool:
    part = path.with_name(f"{path.name}.{new_id()}.part")
    try:
        with part.open("xb") as file:
            _write(file, kind, blocks, held)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        _tidy(path)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        return False
    return True


def _map_instead(matrix: Matrix) -> None:
    """Hold the file's vectors in place of those in memory."""
    before, most, state, backlog = matrix.held, matrix.most, matrix.state, matrix.backlog
    load(matrix)
    held = matrix.held
    matrix.most, matrix.backlog, matrix.unsaved = most, backlog, 0
    # Another process may have put its own in place meanwhile, of another state of the graph.
    if (held.memory_keys, held.vector_keys) == (before.memory_keys, before.vector_keys):
        matrix.state = state


def _write(
    file: BinaryIO, kind: VectorKind, blocks: tuple[Block, Block], held: Contents
) -> None:
    living = np.flatnonzero(held.rows >= 0)
    places: dict[str, object] = {}
    file.write(b" " * HEADER)
    for name, parts in _parts(blocks, held, living):
        file.write(b"\0" * (-file.tell() % ALIGNED))
        places[name] = _put(file, parts)
    line = json.dumps({
        "format": FORMAT, "size": file.tell(), "kind": _named(kind),
        "count": held.directions.count, "labels": held.labels, "arrays": places})
    header = f"{_digest(line)}\n{line}".encode()
    if len(header) > HEADER:
        raise OSError("The header is too long")
    file.seek(0)
    file.write(header)


def _parts(
    blocks: tuple[Block, Block], held: Contents, living: Array
) -> Iterator[tuple[str, Iterator[Array]]]:
    """Every array by its name, in parts that fit in memory."""
    for name in ("vectors", "short", "lengths"):
        yield name, _living(getattr(blocks[0], name), getattr(blocks[1], name), living)
    whole: dict[str, Array] = {name: getattr(held, name) for name in ROWS}
    whole |= {"rows": held.rows[living], "sources": held.sources[living],
              "mean": held.directions.mean, "axes": held.directions.axes,
              "memory_keys": _bytes(held.memory_keys), "vector_keys": _bytes(held.vector_keys)}
    for name, array in whole.items():
        yield name, iter((array,))


def _living(mapped: Array, tail: Array, living: Array) -> Iterator[Array]:
    """The rows of both arrays that are still of a memory."""
    yield mapped[:0]
    for begin in range(0, len(living), AT_ONCE):
        places = living[begin:begin + AT_ONCE]
        first = places < len(mapped)
        yield np.concatenate([mapped[places[first]], tail[places[~first] - len(mapped)]])


def _bytes(text: str) -> Array:
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)


def _put(file: BinaryIO, parts: Iterator[Array]) -> dict[str, object]:
    """Write an array; returns where it is."""
    at, checked, length, last = file.tell(), 0, 0, None
    for part in parts:
        checked = _summed(part, checked)
        file.write(np.ascontiguousarray(part).tobytes())
        length, last = length + len(part), part
    assert last is not None
    return {"at": at, "kind": last.dtype.str, "shape": [length, *last.shape[1:]], "sum": checked}


def _tidy(path: Path) -> None:
    """Remove the graph's files that nobody has written for the longest time, and what processes
    that were stopped have left."""
    graph, hour = escape(path.name[:-len(SUFFIX) - MARK - 1]), time.time() - 3600
    files = sorted(path.parent.glob(f"{graph}-{'[0-9a-f]' * MARK}{SUFFIX}"), key=_written)
    parts = path.parent.glob(f"{graph}-{'[0-9a-f]' * MARK}{SUFFIX}.*.part")
    for file in (*files[:-FILES], *(part for part in parts if _written(part) < hour)):
        with suppress(OSError):
            file.unlink()


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # Another process was quicker.
        return time.time()
