"""Rings of one sky for the next: only round entities whose rings are other they are placed anew."""

from collections.abc import Sequence
from itertools import repeat

import numpy as np
from msgspec import Struct

from core.constellation.orbits import Orbits, offsets, orbits_of
from core.constellation.positions import angles
from core.constellation.scene import CONSTRAINT, Scene


class Ringed(Struct, frozen=True, eq=False):
    """What rings are made of: where entities are and how large, and what is in their rings."""

    ids: Sequence[str]
    x: np.ndarray
    y: np.ndarray
    size: np.ndarray
    aspect_entity: np.ndarray
    value_aspect: np.ndarray
    constraint: np.ndarray
    unit: float

    def placed(self) -> Orbits:
        """All of them."""
        return orbits_of(self.x, self.y, self.size, angles(self.ids), self.aspect_entity,
                         self.value_aspect, self.constraint, self.unit)

    def of(self, chosen: np.ndarray, aspects: np.ndarray, values: np.ndarray) -> "Ringed":
        """The same of some entities alone, whose aspects and values are these."""
        entity = np.cumsum(chosen) - 1
        number = np.zeros(len(self.aspect_entity), np.int64)
        number[aspects] = np.arange(len(aspects))
        return Ringed([self.ids[row] for row in np.flatnonzero(chosen).tolist()],
                      self.x[chosen], self.y[chosen], self.size[chosen],
                      entity[self.aspect_entity[aspects]], number[self.value_aspect[values]],
                      self.constraint[values], self.unit)


def rings_after(now: Ringed, old: Scene) -> Orbits:
    """What `now.placed()` gives, where as much as possible stands as it did in an old scene."""
    if not old.entities or old.unit != now.unit:
        return now.placed()
    return _After(now, old).rings()


class _Rows:
    """The rows of what belongs to entities that look alike, and where these rows were."""

    def __init__(self, starts: np.ndarray, before: np.ndarray, alike: np.ndarray) -> None:
        self._counts = np.diff(starts)
        self.rows = self.of(alike)
        shift = np.repeat(before - starts[:-1], self._counts)
        self.were = self.rows + shift[self.rows]

    def of(self, chosen: np.ndarray) -> np.ndarray:
        """The rows of these entities."""
        return np.flatnonzero(np.repeat(chosen, self._counts))


class _After:
    def __init__(self, now: Ringed, old: Scene) -> None:
        self._now, self._old = now, old
        self._was = _rows_before(now.ids, old)
        self._per_aspect = offsets(now.value_aspect, len(now.aspect_entity))
        starts, before = offsets(now.aspect_entity, len(now.ids)), old.aspect_starts
        value_starts, value_before = self._per_aspect[starts], old.value_starts[before]
        alike = self._stands() & self._as_many(starts, before) & self._as_many(
            value_starts, value_before)
        self._aspects = _Rows(starts, before[self._was], alike)
        self._values = _Rows(value_starts, value_before[self._was], alike)
        self._anew = ~alike
        self._anew[self._otherwise()] = True

    def _stands(self) -> np.ndarray:
        """Which entities are where and as large as they were; -1 is the last one, another."""
        now, old, was = self._now, self._old, self._was
        stands: np.ndarray = ((was >= 0) & (now.x == old.x[was]) & (now.y == old.y[was])
                              & (now.size == old.size[was]))
        return stands

    def _as_many(self, starts: np.ndarray, before: np.ndarray) -> np.ndarray:
        many: np.ndarray = np.diff(starts) == np.diff(before)[self._was]
        return many

    def _otherwise(self) -> np.ndarray:
        """Entities, alike by their counts, whose values are in other aspects or other ones."""
        now, old, aspects, values = self._now, self._old, self._aspects, self._values
        many = np.diff(self._per_aspect)[aspects.rows] != np.diff(old.value_starts)[aspects.were]
        was_rule = old.kind[old.starts[2]:old.starts[3]] == CONSTRAINT
        rule = now.constraint[values.rows] != was_rule[values.were]
        other: np.ndarray = now.aspect_entity[np.concatenate(
            (aspects.rows[many], now.value_aspect[values.rows[rule]]))]
        return other

    def rings(self) -> Orbits:
        old, anew = self._old, self._anew
        aspects, values = self._aspects.of(anew), self._values.of(anew)
        fresh = self._now.of(anew, aspects, values).placed()
        reach = old.reach[self._was]
        reach[anew] = fresh.reach
        return Orbits(
            _put(self._aspects, old.x[old.starts[1]:], aspects, fresh.aspect_x,
                 self._now.aspect_entity),
            _put(self._aspects, old.y[old.starts[1]:], aspects, fresh.aspect_y,
                 self._now.aspect_entity),
            _put(self._values, old.x[old.starts[2]:], values, fresh.value_x,
                 self._now.value_aspect),
            _put(self._values, old.y[old.starts[2]:], values, fresh.value_y,
                 self._now.value_aspect),
            reach)


def _put(
    kept: _Rows, old: np.ndarray, rows: np.ndarray, fresh: np.ndarray, like: np.ndarray
) -> np.ndarray:
    """A column with the old numbers where they are kept, then the fresh ones in their rows."""
    column = np.empty(len(like), np.float32)
    column[kept.rows] = old[kept.were]
    column[rows] = fresh
    return column


def _rows_before(ids: Sequence[str], old: Scene) -> np.ndarray:
    """The row of each of these entities in an old scene, -1 where it had none."""
    if ids == old.ids[:old.entities]:
        return np.arange(len(ids))
    return np.fromiter(map(old.index.get, ids, repeat(-1)), np.int64, len(ids))
