"""What a layout is computed from."""

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

Points = NDArray[np.float32]
"""Positions, (entities or memories, 2), in units of the sky unless said otherwise."""
FARTHEST = 1e9
"""Positions in a projection that lie farther out count as this far."""
STRONGEST = np.float32(1e6)
"""Edges that are stronger count as this strong, so that sums of them stay numbers."""
LEAST_RADIUS = np.float32(1e-2)
"""A smaller circle counts as one of radius 1: positions could not tell it from its neighbour."""


class Graph(Struct, frozen=True):
    """Entities as rows.

    Args:
        base: where the projection puts each entity, (entities, 2), in any unit; a row with NaN is
            not in it.
        edges: pairs of rows, (edges, 2); the direction does not matter.
        weights: the strength of each edge, more than 0.
        radii: how far each hexagon reaches from its middle, in units of the sky.
        communities: a label for each entity, -1 for none; found from the rest when missing.
        held: where a person put an entity, (entities, 2), NaN in rows that may move freely.
        settled: True if `base` is in units of the sky and says where communities are to stay.
    """

    base: Points
    edges: NDArray[np.int32]
    weights: NDArray[np.float32]
    radii: NDArray[np.float32]
    communities: NDArray[np.int32] | None = None
    held: Points | None = None
    settled: bool = False

    def __len__(self) -> int:
        return len(self.base)

    @property
    def held_rows(self) -> NDArray[np.bool_]:
        """Which entities a person has put somewhere."""
        if self.held is None:
            return np.zeros(len(self), dtype=np.bool_)
        return np.asarray(np.isfinite(self.held).all(axis=1))


def cleaned(graph: Graph) -> Graph:
    """The graph without loops and edges into nothing, each number finite."""
    edges, weights = sound_edges(graph.edges, graph.weights, len(graph))
    base = np.array(graph.base, dtype=np.float32).reshape(-1, 2)
    lost = ~np.isfinite(base).all(axis=1)
    # Squares of distances must stay in the range of the numbers.
    np.clip(base, -FARTHEST, FARTHEST, out=base)
    base[lost] = base[~lost].mean(axis=0) if not lost.all() else 0
    radii = np.array(graph.radii, dtype=np.float32)
    radii[~(np.isfinite(radii) & (radii >= LEAST_RADIUS))] = 1
    return replace(graph, base=base, edges=edges, weights=weights, radii=radii)


def sound_edges(
    edges: NDArray[np.integer], weights: NDArray[np.floating], size: int
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The edges, (edges, 2), between two different rows of `size`, with finite weights above 0."""
    pairs = np.asarray(edges).reshape(-1, 2)
    strengths = np.asarray(weights, dtype=np.float32)
    inside = ((pairs >= 0) & (pairs < size)).all(axis=1)
    sound = inside & (pairs[:, 0] != pairs[:, 1]) & np.isfinite(strengths) & (strengths > 0)
    return pairs[sound].astype(np.int32), np.minimum(strengths[sound], STRONGEST)
