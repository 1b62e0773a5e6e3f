"""Which entities are called like a community of the sky, so that one word stands there once."""

from collections.abc import Set as AbstractSet

import numpy as np

from core.constellation.scene import Scene


class StarNames:
    """Looks names up once for a scene and once for each set of names."""

    def __init__(self) -> None:
        self._labels: list[str] | None = None
        self._names: frozenset[str] | None = None
        self._asked: AbstractSet[str] = frozenset()
        self._called: np.ndarray | None = None

    def every(self, scene: Scene) -> frozenset[str]:
        """The names of all entities."""
        self._follow(scene)
        if self._names is None:
            self._names = frozenset(scene.labels[: scene.entities])
        return self._names

    def called(self, scene: Scene, names: AbstractSet[str]) -> np.ndarray:
        """For each entity whether it has one of these names."""
        self._follow(scene)
        if self._called is None or self._asked != names:
            labels = scene.labels[: scene.entities]
            self._called = np.fromiter(map(names.__contains__, labels), bool, len(labels))
            self._asked = names
        return self._called

    def _follow(self, scene: Scene) -> None:
        if self._labels is not scene.labels:
            self._labels, self._names, self._called = scene.labels, None, None
