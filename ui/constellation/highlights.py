"""Finds what to highlight in a scene, by id."""

from core.constellation.scene import Scene
from ui.constellation.layers.canvas import Walk

HighlightIds = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""The ids of entities, lines and memories."""


class HighlightFinder:
    """An index of a scene's links and memories.

    Built once per scene: a walk highlighted while typing looks it up at every key.
    """

    def __init__(self) -> None:
        self._scene: Scene | None = None
        self._lines: dict[str, int] = {}
        self._dust: dict[str, int] = {}

    def walk(self, scene: Scene, lit: HighlightIds) -> Walk:
        """What to highlight, as far as it is in the scene."""
        nodes, edges, memories = lit
        if (edges or memories) and self._scene is not scene:
            first = scene.starts[3]
            self._scene = scene
            self._lines = {id: place for place, id in enumerate(scene.edge_ids)}
            self._dust = {id: place for place, id in enumerate(scene.ids[first:], first)}
        return Walk(tuple(scene.index[id] for id in nodes if id in scene.index),
                    tuple(self._lines[id] for id in edges if id in self._lines),
                    tuple(self._dust[id] for id in memories if id in self._dust))
