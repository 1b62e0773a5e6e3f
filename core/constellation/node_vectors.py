"""What the things of a sky mean, as vectors: the file's own, or made from their texts."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct, field

from core.embedding.embedder_interface import Embedder
from core.embedding.vector_set import VectorSet, decode, unit
from core.model.sky_columns import SkyRows
from core.progress import Report, ignore
from core.queries.embedding_texts import entity_texts, memory_texts, stored_vectors
from core.store.reader_and_writer import Reader

OWN_SHARE = 0.5
"""A file's own vectors are used when at least this share of its memories has one."""

FEW = 0.05
"""Share of newcomers up to which those who are there are known by their names alone."""
PORTION = 2_048
"""Texts embedded between two reports."""


class Material(Struct, frozen=True, eq=False):
    """What vectors are made of, read from the graph.

    Attributes:
        ids: every thing of the sky that is to have a vector.
        own: the file's vectors, if it has enough of them; then there is nothing to make.
        texts: what is to be embedded, by id.
    """

    ids: tuple[str, ...]
    own: VectorSet | None = None
    texts: dict[str, str] = field(default_factory=dict)


def vectors_of(
    reader: Reader, rows: SkyRows, embedder: Embedder, known: VectorSet | None = None
) -> VectorSet:
    """One vector for each entity, then one for each memory, all of one model.

    The file's own memory vectors are used as they are if most memories have one; an entity is
    then the mean of the memories that mention it. Otherwise texts are embedded here.
    """
    return made(material_for(reader, rows, embedder, known), embedder, known)


def material_for(
    reader: Reader, rows: SkyRows, embedder: Embedder, known: VectorSet | None = None
) -> Material:
    """The part of `vectors_of` that reads; `made` needs no reader and takes longer."""
    ids = (*rows.entity_ids, *rows.memory_ids)
    own = _own_vectors(reader, rows)
    if own is not None:
        return Material(ids, own)
    old = _of_model(known, embedder)
    had = frozenset(old.ids) if old is not None else frozenset()
    entities = [id for id in rows.entity_ids if id not in had]
    memories = [id for id in rows.memory_ids if id not in had]
    texts = {**entity_texts(reader, entities), **memory_texts(reader, memories)}
    return Material(ids, texts={id: texts.get(id, "") for id in (*entities, *memories)})


def made(
    material: Material, embedder: Embedder, known: VectorSet | None = None, report: Report = ignore
) -> VectorSet:
    """The vectors of what `material_for` has read; `report` may raise `Cancelled`."""
    if material.own is not None:
        return material.own
    texts = list(material.texts.values())
    vectors = embedder.embed(texts[:PORTION])
    if len(texts) > PORTION:  # Put together in place: there are tens of megabytes of them.
        first, vectors = vectors, np.empty((len(texts), vectors.shape[1]), np.float32)
        vectors[:PORTION] = first
    for start in range(PORTION, len(texts), PORTION):
        report(start / len(texts))
        vectors[start : start + PORTION] = embedder.embed(texts[start : start + PORTION])
    report(1.0)
    fresh = VectorSet(tuple(material.texts), vectors, embedder.name)
    old = _of_model(known, embedder)
    return fresh if old is None else old.joined(fresh, material.ids)


def vectors_to_join(
    reader: Reader, rows: SkyRows, embedder: Embedder, new: np.ndarray,
    known: VectorSet | None = None,
) -> VectorSet:
    """One vector for each entity and each memory, for newcomers to find their like.

    The texts of a few newcomers are read, and the names of all others: reading the whole of a
    large graph takes many times as long.

    Args:
        new: which of the entities and memories are newcomers.
        known: vectors of an earlier call, here or of `vectors_of`.
    """
    if new.mean() > FEW or _of_model(known, embedder) is not None:
        return vectors_of(reader, rows, embedder, known)
    own = _own_vectors(reader, rows)
    if own is not None:
        return own
    ids, model = (*rows.entity_ids, *rows.memory_ids), f"{embedder.name} of names"
    names = known if known is not None and known.model == model else VectorSet(
        ids, glimpse(reader, rows, embedder), model)
    had = frozenset(names.ids)
    late = [id for id, is_new in zip(ids, new.tolist(), strict=True) if is_new or id not in had]
    texts = entity_texts(reader, late) | memory_texts(reader, late)
    vectors = embedder.embed([texts.get(id, "") for id in late])
    return names.joined(VectorSet(tuple(late), vectors, model), ids)


def glimpse(reader: Reader, rows: SkyRows, embedder: Embedder) -> np.ndarray:
    """Vectors for a first picture, an array as of `vectors_of`: the file's own, or those of names.

    A memory is then the mean of those whom it mentions; one that mentions nobody is read.
    """
    own = _own_vectors(reader, rows)
    if own is not None:
        return own.vectors
    entities = embedder.embed(rows.entity_names)
    memories = _means(entities, rows.mention_entity, rows.mention_memory, len(rows.memory_ids))
    lonely = np.flatnonzero(~memories.any(axis=1))
    if len(lonely):
        memories[lonely] = _embedded_memories(reader, [rows.memory_ids[row] for row in lonely],
                                              embedder)
    return np.vstack([entities, memories]) if len(memories) else entities


def _embedded_memories(reader: Reader, ids: Sequence[str], embedder: Embedder) -> np.ndarray:
    texts = memory_texts(reader, ids)
    return embedder.embed([texts.get(id, "") for id in ids])


def _of_model(known: VectorSet | None, embedder: Embedder) -> VectorSet | None:
    return known if known is not None and known.model == embedder.name else None


def _own_vectors(reader: Reader, rows: SkyRows) -> VectorSet | None:
    stored = stored_vectors(reader)
    own = {id: vector for id in rows.memory_ids
             if id in stored and (vector := decode(*stored[id][:2])) is not None}
    kinds = [(len(vector), stored[id][2]) for id, vector in own.items()]
    if not kinds or len(own) < OWN_SHARE * len(rows.memory_ids):
        return None
    size, model = max(set(kinds), key=kinds.count)
    memories = np.zeros((len(rows.memory_ids), size), np.float32)
    for row, id in enumerate(rows.memory_ids):
        if id in own and (len(own[id]), stored[id][2]) == (size, model):
            memories[row] = own[id]
    memories = unit(memories)
    entities = _means(memories, rows.mention_memory, rows.mention_entity, len(rows.entity_ids))
    return VectorSet((*rows.entity_ids, *rows.memory_ids), np.vstack([entities, memories]),
                     f"file:{model}:{size}")


def _means(vectors: np.ndarray, of: np.ndarray, to: np.ndarray, count: int) -> np.ndarray:
    """For each of `count` rows the mean direction of the vectors it is tied to; zeros if to none.

    Args:
        vectors: one row each.
        of: for each tie the row of `vectors`.
        to: for each tie the row of the result.
        count: rows of the result.
    """
    sums = np.zeros((count, vectors.shape[1]), np.float32)
    np.add.at(sums, to, vectors[of])
    return unit(sums) if count else sums
