"""Keeps a first picture's communities where they are, and lets the projection order the members."""

import numpy as np
from msgspec.structs import replace

from core.layout.community_layout import communities_of
from core.layout.layout_graph import Graph, Points

LINKED = 0.5
"""Share of entities with a link from which on links say which communities there are."""


def refined(graph: Graph, first: Points) -> Graph:
    """The graph with the communities of a first picture, each where that has it.

    Laying it out then moves entities inside their communities, and few across the sky. A graph
    that hardly has links comes back as it is: its communities are the projection's own.

    Args:
        graph: with the projection as its base.
        first: the positions that are shown meanwhile, (entities, 2).
    """
    if len(graph) < 3 or _linked(graph) < LINKED:
        return graph
    labels = communities_of(replace(graph, base=first))
    turned = _turned(graph.base, first)
    shown, projected = _middles(labels, first), _middles(labels, turned)
    inner = turned - projected[labels]
    usual = float(np.median(np.hypot(*inner.T)))
    scale = float(np.median(np.hypot(*(first - shown[labels]).T))) / usual if usual > 0 else 1.0
    base = (shown[labels] + inner * scale).astype(np.float32)
    return replace(graph, base=base, communities=labels, settled=True)


def _linked(graph: Graph) -> float:
    """The share of entities that have a link to another."""
    edges = graph.edges[(graph.edges >= 0).all(axis=1)]
    return len(np.unique(edges[edges[:, 0] != edges[:, 1]])) / len(graph)


def _middles(labels: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The mean of each community's points, (communities, 2)."""
    sums = np.stack([np.bincount(labels, points[:, axis]) for axis in (0, 1)], axis=1)
    return np.asarray(sums / np.bincount(labels)[:, None])


def _turned(points: np.ndarray, near: np.ndarray) -> np.ndarray:
    """Points turned or mirrored to be as near to others as can be: which way up is free."""
    centred, aim = points - points.mean(axis=0), near - near.mean(axis=0)
    left, _, right = np.linalg.svd(centred.T.astype(np.float64) @ aim)
    return np.asarray(centred @ (left @ right))
