"""What is lit in the sky: round the pointer, and a walk of which the ids are known."""

from collections.abc import Iterable, Mapping, Sequence

from core.constellation.scene import Scene
from core.model.packed_texts import PackedTexts
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


class LitRows:
    """Finds where lit lines and memories stand in a scene, each once as long as that has the same
    ones: as one types, most come again.

    An index of hundreds of thousands would keep the window waiting longer.
    """

    def __init__(self) -> None:
        self._ids: Sequence[str] | None = None
        self._edge_ids: Sequence[str] | None = None
        self._edges: dict[str, int] = {}
        self._memories: dict[str, int] = {}

    def walk(self, scene: Scene, lit: HighlightIds) -> Walk:
        """What to highlight of a walk, as far as it is in the scene."""
        if scene.ids is not self._ids or scene.edge_ids is not self._edge_ids:
            self._ids, self._edge_ids = scene.ids, scene.edge_ids
            self._edges, self._memories = {}, {}
        nodes, edges, memories = lit
        _look_up(self._edges, edges, scene.edge_ids)
        _look_up(self._memories, memories, scene.ids, scene.starts[3])
        return Walk(_rows(scene.index, nodes), _rows(self._edges, edges),
                    _rows(self._memories, memories))


def _look_up(
    known: dict[str, int], wanted: Iterable[str], ids: Sequence[str], first: int = 0
) -> None:
    """Note where those of the wanted ids stand of which it is not known, -1 for nowhere.

    Args:
        first: the row from which on they may stand.
    """
    unknown = {id for id in wanted if id not in known}
    if not unknown:
        return
    known |= dict.fromkeys(unknown, -1)
    if isinstance(ids, PackedTexts):
        known |= ids.places(unknown)
    else:
        known |= {id: row for row, id in enumerate(ids[first:], first) if id in unknown}


def _rows(known: Mapping[str, int], wanted: Iterable[str]) -> tuple[int, ...]:
    """Where these ids stand, in their order; those that stand nowhere are left out."""
    return tuple(row for row in (known.get(id, -1) for id in wanted) if row >= 0)
