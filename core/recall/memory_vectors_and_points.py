"""What a map of memories is made of: a vector for each, and the memories that are shown."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from core.embedding.embedder_interface import Embedder
from core.embedding.vector_set import VectorSet, decode, unit
from core.model.memory import Memory
from core.queries.embedding_texts import memory_texts, stored_vectors
from core.queries.entity_search import like
from core.queries.rows_to_model import MEMORY_COLUMNS, memory_of, text
from core.recall.filters import READABLE, Filters, condition
from core.store.reader_and_writer import Reader

MOST = 20_000
"""Memories of one map, the newest."""
OWN_SHARE = 0.5
"""A file's own vectors are used when at least this share of its memories has one."""
_SHOWN = f"{READABLE} AND COALESCE(m.source_type, '') <> 'claim'"
_IDS = f"""
SELECT m.id FROM memories m WHERE {_SHOWN}
ORDER BY replace(m.created_at, 'T', ' ') DESC, m.id LIMIT :most"""
_STATE = f"""
SELECT COUNT(*) AS memories, MAX(replace(m.updated_at, 'T', ' ')) AS changed FROM memories m
WHERE {_SHOWN}"""


class PointFilters(Struct, frozen=True):
    """Which memories of a map; `basic` as for recall, the rest beside it."""

    basic: Filters = Filters()
    words: str = ""
    source_types: tuple[str, ...] = ()
    importance_max: float = 1.0


def map_key(reader: Reader, embedder: Embedder) -> str:
    """The same while the memories and their vectors are the same; else the map is old."""
    row = reader.row(_STATE)
    stored = reader.value("SELECT COUNT(*) FROM embeddings WHERE source_type = 'memory'"
                          " AND COALESCE(agent_id, 'default') = :agent")
    return f"{embedder.name}:{row['memories']}:{row['changed']}:{stored}" if row else ""


def map_vectors(reader: Reader, embedder: Embedder) -> VectorSet:
    """A vector for each memory, newest first: the file's own if most have one, else new ones."""
    ids = tuple(row["id"] for row in reader.rows(_IDS, most=MOST))
    own = _own(reader, ids)
    if own is not None:
        return own
    texts = memory_texts(reader, ids)
    vectors = embedder.embed([texts.get(id, "") for id in ids])
    return VectorSet(ids, vectors.reshape(len(ids), -1), embedder.name)


def _own(reader: Reader, ids: Sequence[str]) -> VectorSet | None:
    stored = stored_vectors(reader)
    read = {id: (vector, stored[id][2]) for id in ids
            if id in stored and (vector := decode(*stored[id][:2])) is not None}
    kinds = [(len(vector), model) for vector, model in read.values()]
    if not kinds or len(read) < OWN_SHARE * len(ids):
        return None
    size, model = max(set(kinds), key=kinds.count)
    vectors = np.zeros((len(ids), size), np.float32)
    for row, id in enumerate(ids):
        if id in read and (len(read[id][0]), read[id][1]) == (size, model):
            vectors[row] = read[id][0]
    return VectorSet(tuple(ids), unit(vectors), model)


def memory_points(
    reader: Reader, ids: Sequence[str], filters: PointFilters
) -> dict[str, Memory]:
    """Those of these memories that pass, by id and in that order.

    Raises OperationError (400) for a date that can't be read.
    """
    where, bound = condition(filters.basic)
    rows = reader.rows(
        f"SELECT {MEMORY_COLUMNS} FROM json_each(:ids) f CROSS JOIN memories m ON m.id = f.value"
        f" WHERE {_SHOWN} AND {where} AND COALESCE(m.importance, 0.5) <= :highest"
        " AND (:words = '' OR m.content LIKE :words ESCAPE '\\')"
        " AND (:every OR m.source_type IN (SELECT value FROM json_each(:kinds)))"
        " ORDER BY f.key", ids=list(ids), highest=filters.importance_max,
        words=like(filters.words) if filters.words else "", every=not filters.source_types,
        kinds=list(filters.source_types), **bound)
    return {text(row["id"]): memory_of(row) for row in rows}
