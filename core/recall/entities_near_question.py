"""Entities whose meaning is near a question's (seed 004, entity search)."""

import numpy as np
from msgspec import Struct

from core.embedding.embedder_interface import Embedder, embed_question
from core.embedding.endpoint import EndpointEmbedder
from core.embedding.vector_set import VectorSet
from core.errors import OperationError
from core.queries.embedding_texts import entity_texts
from core.queries.entities import entities_by_id, list_entities
from core.queries.neighborhood import in_project
from core.store.reader_and_writer import Reader

LIMIT, THRESHOLD = 5, 0.55
MOST = 20_000
"""Entities that are compared, the most mentioned."""


class EntityMatch(Struct, frozen=True):
    """An entity and how near it is, 0 to 1."""

    id: str
    name: str
    entity_type: str
    mentions: int
    score: float


def similar_entities(
    reader: Reader, query: str, embedder: Embedder, *, limit: int = LIMIT,
    threshold: float = THRESHOLD, project: str = "",
) -> tuple[EntityMatch, ...]:
    """The entities that mean most nearly what is asked, nearest first; muted ones are left out.

    Args:
        embedder: a server is not asked for every entity; the one it falls back to is used then.
        threshold: the least similarity.
        project: only entities that a memory of this project mentions.

    Raises OperationError (400) for an empty question.
    """
    if not query.strip():
        raise OperationError(400, "The question is empty", field="q")
    own = embedder.fallback if isinstance(embedder, EndpointEmbedder) else embedder
    if own is None:
        raise OperationError(409, "There is no embedder that compares entities here")
    vectors = reader.once(f"entity vectors {own.name}:{reader.agent}",
                          lambda: _vectors(reader, own))
    scores = vectors.vectors @ embed_question(own, query)
    near = [vectors.ids[row] for row in np.argsort(-scores, kind="stable")
            if scores[row] >= threshold]
    if project:
        inside = in_project(reader, near, project)
        near = [id for id in near if id in inside]
    known = entities_by_id(reader, near[:limit])
    score_of = dict(zip(vectors.ids, scores.tolist(), strict=True))
    return tuple(EntityMatch(id, row.name, row.entity_type, row.mentions, min(score_of[id], 1.0))
                 for id in near[:limit] if (row := known.get(id)) is not None)


def _vectors(reader: Reader, embedder: Embedder) -> VectorSet:
    ids = [row.id for row in list_entities(reader, limit=MOST) if not row.muted]
    texts = entity_texts(reader, ids)
    vectors = embedder.embed([texts.get(id, "") for id in ids])
    return VectorSet(tuple(ids), vectors.reshape(len(ids), -1), embedder.name)
