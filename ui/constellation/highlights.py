"""What is lit in the sky: round the pointer, and a walk of which the ids are known."""

from collections.abc import Sequence
from itertools import compress

from core.constellation.scene import Scene
from ui.constellation.frame import Lighting
from ui.constellation.layers.paint_context import Walk

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


def lit_walk(scene: Scene, lit: HighlightIds) -> Walk:
    """What to highlight of a walk, as far as it is in the scene."""
    nodes, edges, memories = lit
    return Walk(tuple(scene.index[id] for id in nodes if id in scene.index),
                _rows(scene.edge_ids, edges),
                _rows(scene.ids[scene.starts[3]:], memories, scene.starts[3]))


def _rows(ids: Sequence[str], wanted: Sequence[str], first: int = 0) -> tuple[int, ...]:
    """Where these ids stand, in the order of `wanted`.

    Looked for anew: an index of hundreds of thousands would keep the window waiting longer.
    """
    asked = set(wanted)
    if not asked:
        return ()
    found = compress(range(first, first + len(ids)), map(asked.__contains__, ids))
    at = {ids[row - first]: row for row in found}
    return tuple(at[id] for id in wanted if id in at)
