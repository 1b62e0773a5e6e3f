"""Gives a vector to the memories that have none, or whose text has changed since.

Read what is missing, make the vectors outside of any transaction, keep them in one: the three
steps are apart so that no lock is held while a model works. `backfill` does them in turn.
"""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial

import numpy as np
from msgspec import Struct

from core.embedding.embedder_interface import Embedder
from core.embedding.vector_set import Vectors, plain_name
from core.errors import OperationError
from core.progress import Report, ignore
from core.queries.rows_to_model import text, whole
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer, new_id

LONGEST = 8_000
"""Characters of a memory that its vector is made of."""
AT_ONCE = 1_000
"""Memories in one transaction."""

_OF_MODEL = "x.source_type = 'memory' AND x.source_id = m.id AND {model}"
_MISSING = """
SELECT m.id, substr(m.content, 1, :longest) AS content, m.rowid AS row FROM memories m
WHERE m.agent_id = :agent AND COALESCE(m.is_deleted, 0) = 0 AND m.rowid > :after
  AND NOT EXISTS (SELECT 1 FROM embeddings x WHERE {owner}{of_model})
ORDER BY m.rowid LIMIT :most"""
# Changed since the vector was made, as far as the times tell; the hash decides.
_CHANGED = """
SELECT m.id, substr(m.content, 1, :longest) AS content, x.content_hash AS hash, m.rowid AS row
FROM memories m CROSS JOIN embeddings x ON {owner}{of_model}
WHERE m.agent_id = :agent AND COALESCE(m.is_deleted, 0) = 0
  AND replace(m.updated_at, 'T', ' ') > replace(x.created_at, 'T', ' ')"""


class Wanted(Struct, frozen=True):
    """A memory that needs a vector, with its text."""

    memory_id: str
    text: str
    row: int


def missing(
    reader: Reader, embedder: Embedder, most: int = AT_ONCE, *, after: int = 0
) -> tuple[Wanted, ...]:
    """The agent's memories that need a vector of this model: those without, then changed ones.

    Args:
        after: only those behind this row, for going on where the last portion ended.

    Raises OperationError for a file that is not ours to put this model's vectors in.
    """
    _refuse(reader, embedder)
    parts = _parts(reader)
    rows = reader.rows(_MISSING.format(**parts), model=embedder.name, length=embedder.dimensions,
                       longest=LONGEST, after=after, most=most)
    wanted = [_wanted(row) for row in rows]
    if len(wanted) < most:
        wanted += _changed(reader, embedder, parts)
    return tuple(wanted[:most])


def _wanted(row: Row) -> Wanted:
    return Wanted(row["id"], text(row["content"]), row["row"])


def count_missing(reader: Reader, embedder: Embedder) -> int:
    """How many memories have no vector of this model."""
    sql = _MISSING.format(**_parts(reader))
    return whole(reader.value(
        f"SELECT COUNT(*) FROM ({sql})", model=embedder.name, length=embedder.dimensions,
        longest=0, after=0, most=-1))


def _parts(reader: Reader) -> dict[str, str]:
    if reader.kind == "native":  # its index leads by the owner
        return {"owner": "x.agent_id = m.agent_id AND ",
                "of_model": _OF_MODEL.format(model="x.model = :model")}
    # Upstream's own vectors are used as they are, also where their model is not named.
    return {"owner": "", "of_model": _OF_MODEL.format(model="x.dimensions = :length")}


def _changed(reader: Reader, embedder: Embedder, parts: dict[str, str]) -> list[Wanted]:
    if reader.kind != "native":
        return []  # Upstream's own vectors are used as they are.
    rows = reader.rows(_CHANGED.format(**parts), model=embedder.name, longest=LONGEST)
    return [_wanted(row) for row in rows
            if row["hash"] != content_hash(embedder.name, row["id"], text(row["content"]))]


def _refuse(reader: Reader, embedder: Embedder) -> None:
    """Upstream keeps one index of one model; a vector of another would break it."""
    if reader.kind == "native":
        return
    model = "x.model" if reader.has_column("embeddings", "model") else "m.embedding_model"
    names = [text(row["model"]) for row in reader.rows(
        f"SELECT DISTINCT {model} AS model FROM embeddings x LEFT JOIN memories m"
        f" ON m.id = x.source_id WHERE x.dimensions = :length", length=embedder.dimensions)]
    same = plain_name(embedder.name)
    other = next((name for name in names if name and plain_name(name) != same), "")
    if names and not other:
        return
    models = f"vectors of {other}" if other else f"no vectors of {embedder.dimensions} numbers"
    raise OperationError(
        409, f"Signet's file has {models}", do="Its vectors are computed during recall; or set "
                                               "embedding.model to the one that Signet uses")


def content_hash(model: str, memory_id: str, content: str) -> str:
    """Names a vector: one model's of one memory with this text."""
    parts = "\0".join((model, memory_id, content)).encode("utf-8", "surrogatepass")
    return hashlib.sha256(parts).hexdigest()


def keep(writer: Writer, embedder: Embedder, wanted: Sequence[Wanted], vectors: Vectors) -> int:
    """Put vectors into the file, in place of older ones of the same model; returns how many.

    A memory that was changed or deleted meanwhile is left out: it is missing again next time.
    """
    now = {row["id"]: text(row["content"]) for row in writer.rows(
        "SELECT m.id, substr(m.content, 1, :longest) AS content FROM memories m"
        " WHERE m.id IN (SELECT value FROM json_each(:ids)) AND m.agent_id = :agent"
        " AND COALESCE(m.is_deleted, 0) = 0", ids=[each.memory_id for each in wanted],
        longest=LONGEST)}
    fresh = [(each, vector) for each, vector in zip(wanted, vectors, strict=True)
             if now.get(each.memory_id) == each.text]
    ids = [each.memory_id for each, _ in fresh]
    named = writer.has_column("embeddings", "model")
    where = "source_type = 'memory' AND source_id IN (SELECT value FROM json_each(:ids))"
    if named:
        writer.delete_where("embeddings", f"{where} AND model = :model", ids=ids,
                            model=embedder.name)
    writer.insert_many("embeddings", (
        {"id": new_id(), "content_hash": content_hash(embedder.name, each.memory_id, each.text),
         "vector": np.ascontiguousarray(vector, "<f4").tobytes(), "dimensions": len(vector),
         "source_type": "memory", "source_id": each.memory_id, "chunk_text": each.text,
         "created_at": writer.now(), "agent_id": writer.agent, "model": embedder.name}
        for each, vector in fresh))
    if not named:  # Where the file tells the model beside the memory only.
        writer.update_where("memories", "id IN (SELECT value FROM json_each(:ids))",
                            {"embedding_model": embedder.name}, ids=ids)
    return len(fresh)


def backfill(
    read: Callable[[], AbstractContextManager[Reader]],
    write: Callable[[Callable[[Writer], int]], int], embedder: Embedder, *,
    report: Report = ignore,
) -> int:
    """Make every missing vector, `AT_ONCE` a transaction; returns how many were made.

    Args:
        read: `Workspace.read`.
        write: runs a change in a transaction of its own and gives its result.
        report: takes the finished share, and may raise Cancelled: what was kept stays.
    """
    with read() as reader:
        total = count_missing(reader, embedder)
    made = after = 0
    while True:
        with read() as reader:
            wanted = missing(reader, embedder, AT_ONCE, after=after)
        if not wanted:
            break
        vectors = embedder.embed([each.text for each in wanted])
        made += write(partial(keep, embedder=embedder, wanted=wanted, vectors=vectors))
        after = max(after, wanted[-1].row)
        if len(wanted) < AT_ONCE:
            break
        report(min(made / max(total, 1), 1.0))
    report(1.0)
    return made
