"""What is lit in the sky: round the pointer, and a walk of which the ids are known."""

from core.constellation.scene import Scene
from ui.constellation.frame import Lighting
from ui.constellation.layers.canvas import Walk

HighlightIds = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""The ids of entities, lines and memories."""


class HoverLight:
    """Lights an entity's surroundings while the pointer is on it; fades in and out."""

    def __init__(self) -> None:
        self.node = -1
        """The entity, also while its light still fades."""
        self._level = 0.0

    def fade(self, step: float, target: float) -> bool:
        """Go on by a step of the whole way 0..1; True while the target is not reached."""
        if self._level < target:
            self._level = min(self._level + step, target)
        else:
            self._level = max(self._level - step, target)
        if self._level == 0.0:
            self.node = -1
        return self._level != target

    def lighting(self, scene: Scene) -> Lighting:
        """The highlights in a scene."""
        node = self.node
        if node < 0 or self._level == 0.0:
            return Lighting()
        nodes = {node, *scene.neighbours(node).tolist(), *scene.memories_of(node).tolist()}
        return Lighting(frozenset(nodes), frozenset(scene.edges_of(node).tolist()), self._level)


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
            self._lines = {id: row for row, id in enumerate(scene.edge_ids)}
            self._dust = {id: row for row, id in enumerate(scene.ids[first:], first)}
        return Walk(tuple(scene.index[id] for id in nodes if id in scene.index),
                    tuple(self._lines[id] for id in edges if id in self._lines),
                    tuple(self._dust[id] for id in memories if id in self._dust))
