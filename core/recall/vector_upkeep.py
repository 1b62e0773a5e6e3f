"""Keeps the vectors of a file's memories true to the file, step by step.

A matrix is kept for each file, agent and model: in memory while the process runs, and beside the
graph for the next one. After each change of the file only the rows that differ are read or
computed. Vectors of another model or length are never put in.
"""

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from threading import Lock

import numpy as np

from core.embedding.vector_set import Vectors, unit
from core.errors import DeadlinePassed
from core.queries.embedding_texts import texts_of_rows
from core.recall import vector_file
from core.recall.filters import READABLE
from core.recall.keyword import Rows
from core.recall.row_fingerprints import (
    MEMORIES,
    NO_LIMIT,
    VECTORS,
    Difference,
    Lines,
    Listed,
    count,
    lines,
    lines_again,
    oldest,
    rows_of,
)
from core.recall.vector_matrix import Matrix, VectorKind, no_rows
from core.store.changed_rows_from_wal import MOST_PAGES
from core.store.database import Row
from core.store.reader_and_writer import Reader
from core.store.rows_changed_since import Changed, look, surer

SLICE = 4_000
"""Vectors that are read at a time; what was read before a deadline is kept."""
MADE_AT_ONCE = 250
KEPT = 3
"""Matrices kept in memory at a time."""
STATES = 7
"""States of the file that are known to be the same, one for each connection that has looked."""
KEPT_TABLES = (MEMORIES.table, VECTORS.table)
ROWS_FOR_A_PAGE = 100
"""Rows whose lines are read in the time of a look into a written page."""
UNREADABLE = ("", 0)
"""The label of stored vectors that are no numbers."""

_VECTOR = """
SELECT e.rowid AS source, e.dimensions, m.rowid AS place,
  COALESCE(NULLIF(e.model, ''), NULLIF(m.embedding_model, ''), '') AS model,
  CASE WHEN e.dimensions = :dimensions THEN e.vector END AS vector
FROM json_each(:rows) f CROSS JOIN """
_STORED = f"""{_VECTOR} embeddings e ON e.rowid = f.value
CROSS JOIN memories m ON m.id = e.source_id AND e.source_type = 'memory'
WHERE m.rowid >= :oldest AND {READABLE}"""
_OF_MEMORIES = f"""{_VECTOR} memories m ON m.rowid = f.value
CROSS JOIN embeddings e ON e.source_id = m.id AND e.source_type = 'memory' {{owner}}
WHERE {READABLE} ORDER BY e.rowid"""


_READERS = "SELECT id, read_policy, policy_group FROM reading_agents ORDER BY id"
"""What says which memories of others an agent may read; `:agent` is one of them."""


class MatrixCache:
    """The matrices of this process, the last used ones."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[tuple[str, str, VectorKind], Matrix] = OrderedDict()

    def matrix(self, reader: Reader, kind: VectorKind) -> Matrix:
        """The matrix of the reader's file and agent, perhaps still empty."""
        key = (str(reader.path), reader.agent, kind)
        with self._lock:
            matrix = self._kept.pop(key, None)
            if matrix is None:
                matrix = Matrix(kind, path=vector_file.path_beside(reader, kind))
            elif matrix.path is not None and not matrix.path.parent.is_dir():
                # First asked for by a rehearsal, whose copy is gone.
                matrix.path = vector_file.path_beside(reader, kind)
            self._kept[key] = matrix
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return matrix

    def save(self) -> None:
        """Write beside their graphs what the next process would have to read or compute again."""
        with self._lock:
            matrices = list(self._kept.values())
        for matrix in matrices:
            vector_file.save(matrix)

    def clear(self) -> None:
        """Remove all of them from memory."""
        with self._lock:
            self._kept.clear()


MATRICES = MatrixCache()
"""What every question of this process shares, as connections share SQLite's page cache."""


def bring_up_to_date(
    reader: Reader, matrix: Matrix, *, most: int, make: Callable[[list[str]], Vectors] | None,
    made: int,
) -> bool:
    """Load new vectors of the file; False if time ran out before all were loaded.

    Args:
        most: the maximum number of vectors in memory, those of the newest memories.
        make: turns texts into vectors where the file has none; None where that is not wanted.
        made: memories that are given a vector this way, the newest ones.
    """
    try:
        follow(reader, matrix, most)
        _read_stored(reader, matrix)
        if make is not None:
            _make_missing(reader, matrix, made, make)
    except DeadlinePassed:
        return False
    return True


def follow(reader: Reader, matrix: Matrix, most: int) -> None:
    """Forget what has changed in the file, and note what is to be read.

    Cut short by a time limit it begins anew with the next call.
    """
    if not matrix.opened:
        vector_file.load(matrix)
    moment, state = reader.once(f"vectors of {reader.agent}, {most}", object), matrix.state
    if moment in state.moments:
        state.mark = surer(reader, state.mark)
        return
    pages = max(MOST_PAGES, matrix.listed // ROWS_FOR_A_PAGE)
    mark, changed = look(reader, state.mark, KEPT_TABLES, pages)
    readers = str([tuple(row) for row in reader.rows(_READERS)])
    held, known = matrix.held, changed if (readers, most) == (state.readers, matrix.most) else None
    vectors = _again(reader, VECTORS, held.vector_keys, changed) or lines(
        reader, VECTORS, held.vector_keys)
    memories = _again(reader, MEMORIES, held.memory_keys, known, matrix.listed, most)
    missing = None if memories is None else state.missing
    memories = memories or lines(reader, MEMORIES, held.memory_keys, most)
    if memories.changed.any or vectors.changed.any:
        _forget(matrix, memories, vectors.changed, missing)
        state.moments = []
    held.memory_keys, held.vector_keys = memories.keys, vectors.keys
    matrix.most, state.mark, state.readers = most, mark, readers
    state.moments = [*state.moments[-STATES:], moment]


def _again(
    reader: Reader, listed: Listed, before: str, changed: Changed | None,
    number: int | None = None, most: int = NO_LIMIT,
) -> Lines | None:
    """The lines as they are now, of which only those that may have `changed` are read; None where
    all must be read."""
    if changed is None:
        return None
    ranges = changed.get(listed.table, ())
    number = count(before) if ranges and number is None else number or 0
    return lines_again(reader, listed, before, number, ranges, most) if ranges else Lines(
        before, number)


def _forget(
    matrix: Matrix, memories: Lines, of_vectors: Difference, missing: Rows | None
) -> None:
    """Drop what is gone or other, and note what is to be read instead.

    Args:
        missing: the memories that had no vector before; None where that is not known.
    """
    held, of_memories = matrix.held, memories.changed
    matrix.drop(of_memories.gone)
    without = matrix.drop_stored(of_vectors.gone)
    new = np.union1d(of_memories.new, without)
    held.unread = np.union1d(np.setdiff1d(held.unread, of_vectors.gone), of_vectors.new)
    held.unplaced = np.union1d(np.setdiff1d(held.unplaced, of_memories.gone), new)
    matrix.state.missing = None if missing is None else np.union1d(
        np.setdiff1d(missing, of_memories.gone), new)
    matrix.listed, matrix.oldest = memories.number, oldest(memories.keys)


def _read_stored(reader: Reader, matrix: Matrix) -> None:
    """Read the vectors that the file has got, then those of memories that came back."""
    held = matrix.held
    if len(held.unread) and len(held.unread) == count(held.vector_keys):
        held.unplaced = no_rows()  # Every vector there is will be read now.
        matrix.reserve(min(len(held.unread), matrix.listed))
    while len(held.unread):
        rows = held.unread[-SLICE:]
        _put_in(matrix, reader.rows(_STORED, rows=rows.tolist(), oldest=matrix.oldest,
                                    dimensions=matrix.kind.dimensions))
        held.unread = held.unread[:-SLICE]
    # Native files have an index on what a vector is of, behind whose it is.
    owner = "AND e.agent_id = m.agent_id" if reader.kind == "native" else ""
    while len(held.unplaced):
        rows = held.unplaced[-SLICE:]
        if held.vector_keys:
            _put_in(matrix, reader.rows(_OF_MEMORIES.format(owner=owner), rows=rows.tolist(),
                                        dimensions=matrix.kind.dimensions))
        held.unplaced = held.unplaced[:-SLICE]


def _put_in(matrix: Matrix, rows: Sequence[Row]) -> None:
    """Put what can be compared into the matrix, and set the rest aside."""
    length = matrix.kind.dimensions * 4
    fine, aside = [], defaultdict(list)
    for row in rows:
        if not matrix.kind.takes(str(row["model"]), row["dimensions"]):
            aside[str(row["model"]), int(row["dimensions"])].append(row["source"])
        elif not isinstance(row["vector"], bytes) or len(row["vector"]) != length:
            aside[UNREADABLE].append(row["source"])
        else:
            fine.append(row)
    if fine:
        vectors = np.frombuffer(b"".join(row["vector"] for row in fine), "<f4")
        vectors = vectors.reshape(len(fine), -1)
        finite = np.isfinite(vectors).all(axis=1)
        places = np.array([(row["place"], row["source"]) for row in fine], np.int64)
        aside[UNREADABLE] += places[~finite, 1].tolist()
        matrix.add(places[finite, 0], unit(vectors[finite]), places[finite, 1])
    for reason, sources in aside.items():
        matrix.set_aside(sources, reason)


def _make_missing(
    reader: Reader, matrix: Matrix, made: int, make: Callable[[list[str]], Vectors]
) -> None:
    """Compute vectors of the newest memories that have none."""
    known = matrix.state.missing
    missing = _missing(matrix) if known is None else _without_vector(matrix, known)
    if len(missing) > made:
        matrix.backlog = np.union1d(matrix.backlog, missing[:len(missing) - made])
        missing = missing[len(missing) - made:]
    matrix.state.missing = missing
    while len(missing):
        rows = missing[-MADE_AT_ONCE:]
        texts = texts_of_rows(reader, rows.tolist())
        matrix.add_new(np.array(list(texts), np.int64), make(list(texts.values())),
                       np.zeros(len(texts), np.int64))
        matrix.state.missing = missing = missing[:-MADE_AT_ONCE]


def _missing(matrix: Matrix) -> Rows:
    """The memories that have no vector and are given one here, in the order of the file."""
    held = matrix.held
    if matrix.size + len(held.wordless) == matrix.listed:
        return no_rows()
    return _without_vector(matrix, rows_of(held.memory_keys))


def _without_vector(matrix: Matrix, rows: Rows) -> Rows:
    """Those of some memories that have no vector and are given one."""
    # Not by `setdiff1d`, which looks for doubles in all of them first.
    rows = rows[matrix.places.of(rows) < 0]
    for having in (matrix.held.wordless, matrix.backlog):
        rows = rows[~np.isin(rows, having)]
    return rows
