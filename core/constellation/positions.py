"""Gives every entity and memory of a graph its place, and never moves one that has it."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from core.constellation.encoding import entity_size
from core.constellation.node_vectors import glimpse, vectors_of
from core.constellation.placed import Placed
from core.constellation.places import measure
from core.constellation.saved import complete, held, mostly_known, recall, save
from core.embedding.embedder import Embedder
from core.embedding.vectors import VectorSet
from core.jobs import Report, ignore, part
from core.layout.graph import Graph
from core.layout.hierarchical import lay_out
from core.layout.memories import place_dust
from core.layout.new_entities import place_new
from core.layout.overlap import without_overlap
from core.model.sky import Positions, SkyRows
from core.projection import cache
from core.projection.new_points import place
from core.projection.pca import first_picture
from core.projection.reduce import project
from core.store.handles import Reader
from core.store.sidecar import Sidecar

CROWD = 2_000
"""Entities up to which even the first picture keeps them clear of each other."""
_PROJECTION = "projection"

Run = Callable[..., np.ndarray]
"""Runs a slow task elsewhere: `run(task, *args, progress=report)`."""


def at_once(
    reader: Reader, rows: SkyRows, sidecar: Sidecar, embedder: Embedder,
    known: VectorSet | None = None,
) -> tuple[Placed, VectorSet | None]:
    """The saved places, with newcomers among them, or a first picture by what is quickly known;
    and the vectors if newcomers needed them.

    Args:
        reader: the graph.
        rows: its sky.
        sidecar: what was saved beside it.
        embedder: makes vectors where the file holds none.
        known: vectors of an earlier call, which are not made again.
    """
    positions = recall(rows, sidecar)
    if complete(positions):
        return Placed(positions), known
    if mostly_known(positions):
        vectors = vectors_of(reader, rows, embedder, known)
        return welcome(rows, positions, vectors, sidecar), vectors
    return first_sky(rows, glimpse(reader, rows, embedder), sidecar), known


def first_sky(rows: SkyRows, vectors: np.ndarray, sidecar: Sidecar) -> Placed:
    """A picture at once for a graph without saved places: two main directions, kept apart."""
    base = first_picture(vectors)
    count = len(rows.entity_ids)
    sizes = entity_size(rows.entity_mentions)
    stay = held(rows, sidecar)
    spots = base[:count] * np.float32(_spread(sizes))
    fixed = np.isfinite(stay).all(axis=1)
    spots[fixed] = stay[fixed]
    if count <= CROWD:
        spots = without_overlap(spots.astype(np.float64), sizes, fixed)
    else:
        # Making room in a dense middle takes long; this picture stands for a few seconds only.
        spots[~fixed] = _evened(spots)[~fixed]
    dust = place_dust(base[count:], base[:count], spots, sizes, _mentions(rows))
    return Placed(Positions(spots, dust, _unit(spots)), provisional=True)


def _evened(spots: np.ndarray) -> np.ndarray:
    """Places drawn half-way to an even spread along each axis."""
    ranks = spots.argsort(axis=0, kind="stable").argsort(axis=0, kind="stable")
    low, high = spots.min(axis=0), spots.max(axis=0)
    even = low + ranks / max(len(spots) - 1, 1) * (high - low)
    return np.asarray((spots + even) / 2, np.float32)


def _spread(sizes: np.ndarray) -> float:
    """How far a map of this many hexagons reaches, as a share of the projection's range."""
    return float(np.sqrt(np.square(sizes * 4).sum()) / 1000) if len(sizes) else 1.0


def settle(
    rows: SkyRows, vectors: VectorSet, sidecar: Sidecar, *, run: Run, report: Report = ignore
) -> Placed:
    """The lasting sky: UMAP, the layout over it, dust among it; saved, so that it stays.

    Args:
        rows: the graph.
        vectors: of `meaning.vectors_of`.
        sidecar: where the result is kept.
        run: takes the slow tasks to another process.
        report: is told the finished share, and may raise `Cancelled`.
    """
    base = _projection(vectors, sidecar, run, part(report, 0, 0.7))
    count = len(rows.entity_ids)
    graph = replace(graph_of(rows, base[:count]), held=held(rows, sidecar))
    spots = run(lay_out, graph, progress=part(report, 0.7, 0.95))
    dust = place_dust(base[count:], base[:count], spots, graph.radii, _mentions(rows))
    positions = Positions(spots, dust, _unit(spots))
    save(rows, positions, sidecar)
    report(1.0)
    return Placed(positions)


def _projection(vectors: VectorSet, sidecar: Sidecar, run: Run, report: Report) -> np.ndarray:
    key = cache.content_key(vectors)
    known = cache.decode(sidecar.get(_PROJECTION))
    if known is not None and known.key == key:
        return known.positions
    base = run(project, vectors.vectors, progress=report)
    sidecar.put(_PROJECTION, cache.encode(cache.Projection(vectors.ids, base, key)))
    return base


def welcome(
    rows: SkyRows, positions: Positions, vectors: VectorSet, sidecar: Sidecar
) -> Placed:
    """Places for what is new among what has one; nothing else moves."""
    count = len(rows.entity_ids)
    spots = np.vstack([positions.entities, positions.memories])
    new = ~np.isfinite(spots).all(axis=1)
    guess = spots.copy()
    guess[new] = place(vectors.vectors[new], vectors.vectors[~new], spots[~new])
    # What nothing is known of goes to its links, or to the edge of the sky.
    guess[new & ~vectors.vectors.any(axis=1)] = np.nan
    graph = graph_of(rows, guess[:count])
    entities = place_new(positions.entities, graph.edges, graph.weights, graph.radii, graph.base)
    dust = positions.memories.copy()
    late = new[count:]
    if late.any():
        here = np.isin(rows.mention_memory, np.flatnonzero(late))
        order = np.cumsum(late) - 1
        pairs = np.stack([order[rows.mention_memory[here]], rows.mention_entity[here]], axis=1)
        dust[late] = place_dust(
            np.nan_to_num(guess[count:][late]), entities, entities, graph.radii, pairs)
    placed = Positions(entities, dust, positions.unit or _unit(entities))
    save(rows, placed, sidecar)
    return Placed(placed)


def graph_of(rows: SkyRows, base: np.ndarray) -> Graph:
    return Graph(
        base=base,
        edges=np.stack([rows.dependency_source, rows.dependency_target], axis=1).astype(np.int32),
        weights=np.maximum(rows.dependency_strength * rows.dependency_confidence, 0.01),
        radii=entity_size(rows.entity_mentions),
        communities=rows.entity_community.astype(np.int32)
        if (rows.entity_community >= 0).any() else None,
    )


def _mentions(rows: SkyRows) -> np.ndarray:
    return np.stack([rows.mention_memory, rows.mention_entity], axis=1)


def _unit(spots: np.ndarray) -> float:
    return measure(spots[:, 0], spots[:, 1])
