"""Layouts of small graphs by networkx, which is too slow for more than a few hundred nodes."""

import numpy as np
from numpy.typing import NDArray

MOST = 500
"""2 ms a round at 300 nodes, 18 ms at 500, 150 ms at 2,000."""


def spring(
    start: NDArray[np.float64],
    edges: NDArray[np.int32],
    weights: NDArray[np.floating],
    *,
    length: float,
    rounds: int,
    seed: int,
) -> NDArray[np.float64]:
    """Positions after `rounds` of springs of `length` along edges, from the given start."""
    if len(start) > MOST:
        raise ValueError(f"networkx would take too long for {len(start)} nodes")
    if len(start) < 2:
        return start.copy()
    # Here, because it takes a fifth of a second to import.
    import networkx  # noqa: PLC0415

    network = networkx.Graph()
    network.add_nodes_from(range(len(start)))
    network.add_weighted_edges_from(
        zip(edges[:, 0].tolist(), edges[:, 1].tolist(), weights.tolist(), strict=True)
    )
    positions = networkx.spring_layout(
        network,
        k=length,
        pos=dict(enumerate(start)),
        iterations=rounds,
        scale=None,
        seed=seed,
        method="force",
    )
    return np.array([positions[row] for row in range(len(start))], dtype=np.float64)
