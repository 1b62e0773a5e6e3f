"""Communities in the sky: found where the file names none, each named above its members."""

import numpy as np
from msgspec.structs import replace

from core.constellation.placing_tasks import Run, communities, in_this_process
from core.constellation.plain_numbers import median
from core.constellation.positions import graph_of
from core.constellation.scene import Communities
from core.model.sky_columns import Positions, SkyRows

FEWEST, MOST = 4, 20_000
"""Members from which a community is named, and entities up to which communities are looked for."""

_LEAST_MEMBERS = 3


def with_communities(
    rows: SkyRows, positions: Positions, most: int = MOST, *, run: Run = in_this_process
) -> SkyRows:
    """The rows with communities found from links and positions, where the file names none.

    A community found so goes by the name of its best known entity. `run` takes what is computed
    to another process.
    """
    count = len(rows.entity_ids)
    if not FEWEST <= count <= most or (rows.entity_community >= 0).any():
        return rows
    labels = run(communities, graph_of(rows, positions.entities))
    sizes = np.bincount(labels)
    large = np.flatnonzero(sizes >= FEWEST)
    names = [rows.entity_names[int(np.flatnonzero(labels == label)[
        np.argmax(rows.entity_mentions[labels == label])])] for label in large.tolist()]
    index = np.full(len(sizes), -1, np.int32)
    index[large] = np.arange(len(large))
    return replace(rows, entity_community=index[labels], community_names=names,
                   community_ids=[""] * len(names))


def nameless() -> Communities:
    """None: names wait until their members have lasting places, so that they never jump."""
    nowhere = np.zeros(0, np.float32)
    return Communities(names=[], x=nowhere, y=nowhere, top=nowhere, radius=nowhere)


def named(
    names: list[str], community: np.ndarray, x: np.ndarray, y: np.ndarray, unit: float
) -> Communities:
    """Communities with at least three members, the largest first.

    Args:
        names: of all communities.
        community: for each entity an index into `names`, -1 for none.
        x, y: the entities' positions in the world, (entities,) each.
        unit: the usual distance between neighbours in the world.
    """
    rows = np.flatnonzero(community >= 0)
    rows = rows[np.argsort(community[rows], kind="stable")]
    codes, first = np.unique(community[rows], return_index=True)
    ends = [*first[1:].tolist(), len(rows)]
    groups = [(code, rows[start:end]) for code, start, end in
              zip(codes.tolist(), first.tolist(), ends, strict=False)
              if end - start >= _LEAST_MEMBERS]
    groups.sort(key=lambda group: -len(group[1]))
    cx, cy, top, radius = (np.zeros(len(groups), np.float32) for _ in range(4))
    for index, (_, members) in enumerate(groups):
        mx, my = x[members], y[members]
        cx[index], cy[index] = median(mx), median(my)
        distance = np.hypot(mx - cx[index], my - cy[index])
        # Strays must not carry the name across the sky.
        core = distance <= max(2.2 * median(distance), unit)
        radius[index] = float(distance[core].max()) + 0.5 * unit
        top[index] = float(my[core].min()) - 0.42 * unit
        cx[index] = (float(mx[core].min()) + float(mx[core].max())) / 2
    return Communities(names=[names[code] for code, _ in groups], x=cx, y=cy, top=top,
                       radius=radius)
