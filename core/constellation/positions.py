"""Where every entity and memory of a graph is drawn: saved, computed, and never moved again."""

import io
import math
import zipfile
from collections.abc import Sequence
from zlib import crc32

import numpy as np
from msgspec.structs import replace

from core.constellation.node_vectors import glimpse, vectors_to_join
from core.constellation.picking import Grid
from core.constellation.placing_tasks import (
    Run,
    in_this_process,
    joined,
    laid_out,
    memories_among,
    projected,
)
from core.constellation.plain_numbers import median
from core.constellation.visual_encoding import entity_size
from core.embedding.embedder_interface import Embedder
from core.embedding.vector_set import VectorSet
from core.layout.layout_graph import Graph
from core.model.sky_columns import Positions, SkyRows
from core.progress import Report, ignore, part
from core.projection import projection_bytes
from core.projection.compute_map_positions import first_picture, positions_among
from core.store.reader_and_writer import Reader
from core.store.sidecar import Sidecar

KNOWN_SHARE = 0.5
"""A sky of which less than this has a position is laid out anew: the file is another one by now."""
CALM = 30_000
"""Entities up to which the first picture is laid out by communities; takes up to a second."""
TOGETHER = 12_000
"""Entities and memories up to which they are projected together."""
LEADING = 3
"""How many times as many they may be as the entities, for these to make the map alone."""
_PROJECTION, _MEMORIES, _UNIT = "projection", "dust", "unit"
"""What these are called in the sidecar."""
_GOLDEN = math.pi * (3 - math.sqrt(5))
_SAMPLE = 2000
_PORTION = 64


def positions_at_once(
    reader: Reader, rows: SkyRows, sidecar: Sidecar, embedder: Embedder,
    known: VectorSet | None = None, *, keep: bool = True, run: Run = in_this_process,
) -> tuple[Positions, VectorSet | None]:
    """The saved positions, with newcomers among them, or a first picture by what is quickly known;
    and the vectors if newcomers needed them.

    Args:
        reader: the graph.
        rows: its sky.
        sidecar: what was saved beside it.
        embedder: makes vectors where the file holds none.
        known: vectors of an earlier call, which are not made again.
        keep: whether the positions of newcomers are saved.
        run: takes what is computed to another process.
    """
    saved = _saved(rows, sidecar)
    seen = np.isfinite(saved.entities).all(axis=1)
    new = ~np.concatenate([seen, np.isfinite(saved.memories).all(axis=1)])
    if not new.any():
        return saved, known
    if len(seen) and seen.mean() >= KNOWN_SHARE:
        vectors = vectors_to_join(reader, rows, embedder, new, known)
        positions = _with_newcomers(rows, saved, vectors, run)
        if keep:
            _keep_newcomers(rows, new, positions, sidecar)
        return positions, vectors
    base = first_picture(glimpse(reader, rows, embedder))
    return _first_positions(rows, base, sidecar, run), known


def lasting_positions(
    rows: SkyRows, vectors: VectorSet, sidecar: Sidecar, *, run: Run, report: Report = ignore,
    first: Positions | None = None,
) -> Positions:
    """The lasting sky: UMAP, the layout over it, memories among it; saved, so that it stays.

    Args:
        rows: the graph.
        vectors: of `node_vectors.vectors_of`.
        sidecar: where the result is kept.
        run: takes the slow tasks to another process.
        report: is told the finished share, and may raise `Cancelled`.
        first: what is shown meanwhile: communities stay where it has them.
    """
    count = len(rows.entity_ids)
    base = _projection(vectors, count, sidecar, run, part(report, 0, 0.7))
    graph = replace(graph_of(rows, base[:count]), held=_held(rows, sidecar))
    stays = first is not None and first.provisional and count <= CALM
    entities, memories = run(laid_out, graph, base, _mentions(rows),
                             first.entities if first and stays else None,
                             progress=part(report, 0.7, 0.95))
    positions = Positions(entities, memories, neighbour_distance(*entities.T))
    _save(rows, positions, sidecar)
    report(1.0)
    return positions


def graph_of(rows: SkyRows, base: np.ndarray) -> Graph:
    """What the layout takes: `rows` and where the projection puts their entities, (entities, 2)."""
    return Graph(
        base=base,
        edges=np.stack([rows.dependency_source, rows.dependency_target], axis=1).astype(np.int32),
        weights=np.maximum(rows.dependency_strength * rows.dependency_confidence, 0.01),
        radii=entity_size(rows.entity_mentions),
        communities=rows.entity_community.astype(np.int32)
        if (rows.entity_community >= 0).any() else None,
    )


def _projection(
    vectors: VectorSet, entities: int, sidecar: Sidecar, run: Run, report: Report
) -> np.ndarray:
    key = projection_bytes.content_key(vectors)
    known = projection_bytes.decode(sidecar.get(_PROJECTION))
    if known is not None and known.key == key:
        return known.positions
    rows = vectors.vectors
    base: np.ndarray = run(projected, rows, _leading(entities, len(rows)), progress=report)
    made = projection_bytes.Projection(vectors.ids, base, key)
    sidecar.put(_PROJECTION, projection_bytes.encode(made))
    return base


def points_projected(rows: SkyRows) -> int:
    """How many of its entities and memories make the map of a sky."""
    count = len(rows.entity_ids)
    return _leading(count, count + len(rows.memory_ids))


def _leading(entities: int, points: int) -> int:
    return entities if points > TOGETHER and LEADING * entities >= points else points


def _mentions(rows: SkyRows) -> np.ndarray:
    return np.stack([rows.mention_memory, rows.mention_entity], axis=1)


# -- a first picture -----------------------------------------------------------------------------


def _first_positions(
    rows: SkyRows, base: np.ndarray, sidecar: Sidecar, run: Run
) -> Positions:
    """A picture at once for a graph without saved positions: communities by their links."""
    count = len(rows.entity_ids)
    sizes = entity_size(rows.entity_mentions)
    held = _held(rows, sidecar)
    entities = base[:count] * np.float32(_extent(sizes))
    fixed = np.isfinite(held).all(axis=1)
    entities[fixed] = held[fixed]
    if count <= CALM:
        # Communities stand apart from the links at once; the projection only refines them.
        graph = replace(graph_of(rows, base[:count]), held=held)
        entities, memories = run(laid_out, graph, base, _mentions(rows))
    else:
        # Making room in a dense middle takes long; this picture stands for a few seconds only.
        entities[~fixed] = _evened(entities)[~fixed]
        memories = run(memories_among, entities, base, sizes, _mentions(rows))
    return Positions(entities, memories, neighbour_distance(*entities.T), provisional=True)


def _evened(points: np.ndarray) -> np.ndarray:
    """Points drawn half-way to an even spread along each axis."""
    ranks = points.argsort(axis=0, kind="stable").argsort(axis=0, kind="stable")
    low, high = points.min(axis=0), points.max(axis=0)
    even = low + ranks / max(len(points) - 1, 1) * (high - low)
    return np.asarray((points + even) / 2, np.float32)


def _extent(sizes: np.ndarray) -> float:
    """How far a map of this many hexagons reaches, as a share of the projection's range."""
    return float(np.sqrt(np.square(sizes * 4).sum()) / 1000) if len(sizes) else 1.0


# -- newcomers -----------------------------------------------------------------------------------


def _with_newcomers(
    rows: SkyRows, saved: Positions, vectors: VectorSet, run: Run
) -> Positions:
    """Positions for what is new among what has one; nothing else moves."""
    count = len(rows.entity_ids)
    known = np.vstack([saved.entities, saved.memories])
    new = ~np.isfinite(known).all(axis=1)
    guess = known.copy()
    guess[new] = positions_among(vectors.vectors[new], vectors.vectors[~new], known[~new])
    # What nothing is known of goes to its links, or to the edge of the sky.
    guess[new & ~vectors.vectors.any(axis=1)] = np.nan
    memories, late = saved.memories.copy(), new[count:]
    theirs = np.isin(rows.mention_memory, np.flatnonzero(late))
    order = np.cumsum(late) - 1
    pairs = np.stack([order[rows.mention_memory[theirs]], rows.mention_entity[theirs]], axis=1)
    entities, memories[late] = run(joined, saved.entities, graph_of(rows, guess[:count]),
                                   np.nan_to_num(guess[count:][late]), pairs)
    return Positions(entities, memories, saved.unit or neighbour_distance(*entities.T))


def _keep_newcomers(
    rows: SkyRows, new: np.ndarray, positions: Positions, sidecar: Sidecar
) -> None:
    count = len(rows.entity_ids)
    arrived = np.flatnonzero(new[:count])
    sidecar.save_positions([rows.entity_ids[row] for row in arrived],
                           positions.entities[arrived].tolist())
    if new[count:].any():
        _keep_memories(rows.memory_ids, positions.memories, sidecar)
    sidecar.remember(_UNIT, repr(positions.unit))


# -- saved beside the file -----------------------------------------------------------------------


def _saved(rows: SkyRows, sidecar: Sidecar) -> Positions:
    """The saved positions of these rows; NaN for what has none."""
    known = sidecar.positions()
    nowhere = (np.nan, np.nan, False)
    entities = np.array([known.get(id, nowhere)[:2] for id in rows.entity_ids], np.float32)
    by_id = _saved_memories(sidecar)
    memories = np.array([by_id.get(id, nowhere[:2]) for id in rows.memory_ids], np.float32)
    return Positions(entities.reshape(-1, 2), memories.reshape(-1, 2),
                     _saved_unit(sidecar))


def _saved_unit(sidecar: Sidecar) -> float:
    """The distance of neighbours when the positions were saved; 0 where that is not known."""
    try:
        unit = float(sidecar.meta().get(_UNIT, 0))
    except ValueError:
        return 0.0
    return unit if np.isfinite(unit) and unit > 0 else 0.0


def _saved_memories(sidecar: Sidecar) -> dict[str, tuple[float, float]]:
    data = sidecar.get(_MEMORIES)
    if data is None:
        return {}
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as columns:
            ids, points = columns["ids"].tolist(), columns["spots"].tolist()
        return {id: (float(x), float(y)) for id, (x, y) in zip(ids, points, strict=True)}
    except (ValueError, KeyError, OSError, TypeError, zipfile.BadZipFile):
        return {}  # damaged: memories are placed again


def _held(rows: SkyRows, sidecar: Sidecar) -> np.ndarray:
    """Where the person has put entities, (entities, 2), NaN for the rest."""
    known = sidecar.positions()
    points = [known[id][:2] if id in known and known[id][2] else (np.nan, np.nan)
              for id in rows.entity_ids]
    return np.array(points, np.float32).reshape(-1, 2)


def _save(rows: SkyRows, positions: Positions, sidecar: Sidecar) -> None:
    keep_positions(rows.entity_ids, rows.memory_ids, positions, sidecar)


def keep_positions(
    entity_ids: list[str], memory_ids: list[str], positions: Positions, sidecar: Sidecar
) -> None:
    """Save positions, so that `positions_at_once` gives them; what a person placed stays."""
    sidecar.save_positions(entity_ids, positions.entities.tolist())
    _keep_memories(memory_ids, positions.memories, sidecar)
    sidecar.remember(_UNIT, repr(positions.unit))


def _keep_memories(ids: list[str], points: np.ndarray, sidecar: Sidecar) -> None:
    body = io.BytesIO()
    np.savez(body, ids=np.array(ids, dtype=np.str_), spots=points.astype(np.float32))
    sidecar.put(_MEMORIES, body.getvalue())


# -- what a scene needs of positions that are not complete ----------------------------------------


def angles(ids: Sequence[str]) -> np.ndarray:
    """An angle for each id, in radians, that stays the same in every run."""
    codes = np.fromiter(map(crc32, (id.encode("utf-8", "replace") for id in ids)), np.uint32,
                        len(ids))
    return codes.astype(np.float64) / 2**32 * (2 * np.pi)


def neighbour_distance(x: np.ndarray, y: np.ndarray) -> float:
    """The usual distance from a point to its nearest neighbour.

    Rounded to steps of a quarter, so that a few more points leave every proportion as it was.
    """
    good = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    if len(good) < 2:
        return 1.0
    x, y = x[good].astype(np.float64), y[good].astype(np.float64)
    sample = np.linspace(0, len(x) - 1, min(len(x), _SAMPLE)).astype(int)
    span = max(float(np.ptp(x)), float(np.ptp(y)))
    if span <= 1e-6 * max(1.0, float(np.abs(x).max()), float(np.abs(y).max())):
        return 1.0
    grid = Grid(x, y)
    reach = 2.0 * span / math.sqrt(len(x))
    nearest = np.full(len(sample), reach)
    for start in range(0, len(sample), _PORTION):  # Where all lie close, each has thousands near.
        points = sample[start:start + _PORTION]
        where, near = grid.around(points, reach)
        distance = np.hypot(x[near] - x[points[where]], y[near] - y[points[where]])
        apart = distance > span * 1e-6
        np.minimum.at(nearest[start:], where[apart], distance[apart])
    usual = 1.35 * median(nearest)
    return 1.25 ** round(math.log(usual) / math.log(1.25))


def fill_entities(
    x: np.ndarray, y: np.ndarray, source: np.ndarray, target: np.ndarray, ids: Sequence[str],
    unit: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Positions for entities that have none: beside a neighbour, or on a spiral round the rest."""
    x, y = x.astype(np.float32, copy=True), y.astype(np.float32, copy=True)
    lost = ~(np.isfinite(x) & np.isfinite(y))
    if not lost.any():
        return x, y
    turn = angles(ids)
    for here, there in ((source, target), (target, source)):
        edges = np.flatnonzero(lost[here] & ~lost[there]) if len(here) else here
        rows, first = np.unique(here[edges], return_index=True)
        beside = there[edges[first]]
        x[rows] = x[beside] + unit * np.cos(turn[rows])
        y[rows] = y[beside] + unit * np.sin(turn[rows])
        lost[rows] = False
    rows = np.flatnonzero(lost)
    if len(rows):
        known = ~lost
        cx, cy, radius = 0.0, 0.0, 0.0
        if known.any():
            cx, cy = float(x[known].mean()), float(y[known].mean())
            radius = float(np.hypot(x[known] - cx, y[known] - cy).max()) + unit
        step = np.arange(len(rows), dtype=np.float64)
        out = np.sqrt(radius**2 + step * unit**2 * 0.9)
        x[rows], y[rows] = cx + out * np.cos(step * _GOLDEN), cy + out * np.sin(step * _GOLDEN)
    return x, y


def fill_memories(
    x: np.ndarray, y: np.ndarray, entity_x: np.ndarray, entity_y: np.ndarray,
    memory: np.ndarray, entity: np.ndarray, unit: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Positions for memories that have none: round the first entity they mention, else anywhere."""
    x, y = x.astype(np.float32, copy=True), y.astype(np.float32, copy=True)
    rows = np.flatnonzero(~(np.isfinite(x) & np.isfinite(y)))
    if not len(rows):
        return x, y
    home = np.full(len(x), -1)
    home[memory[::-1]] = entity[::-1]
    turn = rows * _GOLDEN
    out = unit * (0.35 + 0.5 * np.modf(rows * 0.6180339887)[0])
    if len(entity_x):
        cx, cy = float(entity_x.mean()), float(entity_y.mean())
        wide = float(np.hypot(entity_x - cx, entity_y - cy).max()) + unit
        mine = home[rows]
        astray = mine < 0
        out[astray] = wide * np.sqrt(np.modf(rows[astray] * 0.7548776662)[0])
        base_x = np.where(astray, cx, entity_x[mine])
        base_y = np.where(astray, cy, entity_y[mine])
    else:
        base_x, base_y = np.zeros(len(rows)), np.zeros(len(rows))
    x[rows], y[rows] = base_x + out * np.cos(turn), base_y + out * np.sin(turn)
    return x, y
