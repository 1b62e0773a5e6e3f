"""What changed between two scenes, so that a change can be seen happening."""

from dataclasses import dataclass

import numpy as np

from core.constellation.scene import Scene


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """Entities by index: `appeared` and `moved` in the new scene, `gone` in the old one.

    `before` gives each entity of the new scene its index in the old one, -1 for a new one.
    """

    appeared: np.ndarray
    gone: np.ndarray
    moved: np.ndarray
    before: np.ndarray

    @property
    def empty(self) -> bool:
        """True if the same entities are at the same positions."""
        return not (len(self.appeared) or len(self.gone) or len(self.moved))


def difference(old: Scene, new: Scene) -> Difference:
    """Compare the entities of two scenes by id and position."""
    new_ids, old_ids = new.ids[: new.entities], old.ids[: old.entities]
    if new_ids == old_ids:
        before = np.arange(new.entities)
        gone = np.zeros(0, np.int64)
    else:
        before = np.fromiter((old.index.get(id, -1) for id in new_ids), np.int64, len(new_ids))
        still = np.zeros(old.entities, bool)
        still[before[before >= 0]] = True
        gone = np.flatnonzero(~still)
    rows = np.flatnonzero(before >= 0)
    there = before[rows]
    far = (new.x[rows] != old.x[there]) | (new.y[rows] != old.y[there])
    return Difference(np.flatnonzero(before < 0), gone, rows[far], before)
