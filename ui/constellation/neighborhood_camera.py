"""Where to look to see an entity among its neighbours."""

import numpy as np

from core.constellation.scene import Scene

NEIGHBOURS = 4
"""Linked entities, the nearest, that are in sight around the one that is looked at."""
ROOM = 0.36
"""How far from the middle the farthest of them stands, as a share of the sky's smaller side."""


def surroundings(scene: Scene, entity_id: str, width: int, height: int) -> tuple[float, ...]:
    """Where to look to see an entity among those that it is linked to; nowhere without it."""
    node = scene.index.get(entity_id, -1)
    if node < 0:
        return ()
    x, y = float(scene.x[node]), float(scene.y[node])
    edges = scene.edges_of(node)
    ends = np.concatenate([scene.edge_source[edges], scene.edge_target[edges]])
    away = np.hypot(scene.x[ends] - x, scene.y[ends] - y)
    near = np.sort(away[away > 0])[:NEIGHBOURS]
    radius = max(float(near.max(initial=0.0)), scene.unit)
    return x, y, ROOM * min(width, height) / radius
