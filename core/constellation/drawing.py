"""The scene of placed rows, with communities found where the file names none."""

from dataclasses import replace

import numpy as np

from core.constellation.assembly import assemble
from core.constellation.scene import Scene
from core.model.sky import Positions, SkyRows

FEWEST, MOST = 4, 20_000
"""Members from which a community is named, and entities up to which communities are looked for."""


def drawn(rows: SkyRows, positions: Positions) -> Scene:
    """The scene of placed rows, with communities."""
    return assemble(_gathered(rows, positions), positions)


def _gathered(rows: SkyRows, positions: Positions) -> SkyRows:
    """The rows with communities found from links and places, where the file names none.

    A community found so goes by the name of its best known entity.
    """
    count = len(rows.entity_ids)
    if not FEWEST <= count <= MOST or (rows.entity_community >= 0).any():
        return rows
    # Loads numba; most files name their communities.
    from core.constellation.positions import graph_of  # noqa: PLC0415
    from core.layout.hierarchical import communities_of  # noqa: PLC0415

    labels = communities_of(graph_of(rows, positions.entities))
    sizes = np.bincount(labels)
    large = np.flatnonzero(sizes >= FEWEST)
    names = [rows.entity_names[int(np.flatnonzero(labels == label)[
        np.argmax(rows.entity_mentions[labels == label])])] for label in large.tolist()]
    place = np.full(len(sizes), -1, np.int32)
    place[large] = np.arange(len(large))
    return replace(rows, entity_community=place[labels], community_names=names)
