"""Where each community's name stands and what outline holds its members."""

import numpy as np

from core.constellation.scene import Communities

_LEAST_MEMBERS = 3


def outline(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The convex hull of points as (n, 2) corners."""
    points = np.unique(np.column_stack((x, y)).astype(np.float64), axis=0)
    if len(points) < 3:
        return points

    def half(rows: np.ndarray) -> list[np.ndarray]:
        chain: list[np.ndarray] = []
        for point in rows:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2], chain[-1]
                if (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax) > 0:
                    break
                chain.pop()
            chain.append(point)
        return chain[:-1]

    return np.array(half(points) + half(points[::-1]))


def gather(
    names: list[str], community: np.ndarray, x: np.ndarray, y: np.ndarray,
    type_code: np.ndarray, unit: float,
) -> Communities:
    """Communities with at least three members, the largest first."""
    rows = np.flatnonzero(community >= 0)
    rows = rows[np.argsort(community[rows], kind="stable")]
    codes, first = np.unique(community[rows], return_index=True)
    ends = [*first[1:].tolist(), len(rows)]
    groups = [(code, rows[start:end]) for code, start, end in
              zip(codes.tolist(), first.tolist(), ends, strict=False)
              if end - start >= _LEAST_MEMBERS]
    groups.sort(key=lambda group: -len(group[1]))
    count = len(groups)
    cx, cy, top, radius = (np.zeros(count, np.float32) for _ in range(4))
    kind = np.zeros(count, np.int16)
    outlines = []
    for place, (_, members) in enumerate(groups):
        mx, my = x[members], y[members]
        cx[place], cy[place] = np.median(mx), np.median(my)
        distance = np.hypot(mx - cx[place], my - cy[place])
        # Strays must not pull the outline across the sky.
        core = distance <= max(2.2 * float(np.median(distance)), unit)
        radius[place] = float(distance[core].max()) + 0.5 * unit
        top[place] = float(my[core].min()) - 0.42 * unit
        cx[place] = (float(mx[core].min()) + float(mx[core].max())) / 2
        kind[place] = np.bincount(np.maximum(type_code[members], 0)).argmax()
        outlines.append(outline(mx[core], my[core]))
    return Communities(
        names=[names[code] for code, _ in groups], x=cx, y=cy, top=top, radius=radius,
        members=[members for _, members in groups], type_code=kind, outlines=outlines,
    )
