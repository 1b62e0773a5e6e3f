"""The sky as numpy arrays: nodes, lines, ghosts and communities."""

from collections.abc import Sequence
from itertools import repeat

import numpy as np
from msgspec import Struct

from core.constellation.plain_numbers import distinct
from core.model.sky_columns import EntityFacts, column

ENTITY, ASPECT, ATTRIBUTE, CONSTRAINT, MEMORY = 0, 1, 2, 3, 4
KINDS = ("entity", "aspect", "attribute", "constraint", "memory")


class Ghosts(Struct, frozen=True, eq=False):
    """What pending proposals would do.

    A ghost that would appear has its own position; every other stands on `node`, and a link goes
    from `node` to `other`.
    """

    ids: list[str] = column("str", "ghosts", "id of the proposal")
    labels: list[str] = column("str", "ghosts", "the name that its thing would have")
    effect: np.ndarray = column("int8", "ghosts", "`APPEAR`, `CHANGE`, `GO` or `LINK` of model.sky")
    x: np.ndarray = column("float32", "ghosts", "position in the world")
    y: np.ndarray = column("float32", "ghosts", "position in the world, downwards")
    node: np.ndarray = column("int32", "ghosts", "the entity it is about, -1 for none")
    other: np.ndarray = column("int32", "ghosts", "the entity at the far end, -1 for none")


class Communities(Struct, frozen=True, eq=False):
    """Named groups of entities, the largest first."""

    names: list[str] = column("str", "communities", "name")
    x: np.ndarray = column("float32", "communities", "middle, in the world")
    y: np.ndarray = column("float32", "communities", "median of the members, in the world")
    top: np.ndarray = column("float32", "communities", "y of the name above the members")
    radius: np.ndarray = column("float32", "communities", "how far its members reach, in the world")


class Scene(EntityFacts, frozen=True, eq=False, kw_only=True):
    """Everything the sky draws: columns of nodes, and of the edges between entities.

    Nodes are entities, aspects, values (attributes and constraints) and memories, in this order;
    a node is an index. World units are those of the positions; `unit` says how large they are.
    Pixels are those at the reference step (see `encoding`). A column of starts says where the rows
    of each thing begin in another column, and where the last one ends.
    """

    ids: Sequence[str] = column("str", "nodes", "id")
    labels: list[str] = column("str", "entities + aspects", "name; others are read when near")
    kind: np.ndarray = column("uint8", "nodes", "`ENTITY` to `MEMORY`, an index into `KINDS`")
    x: np.ndarray = column("float32", "nodes", "position in the world")
    y: np.ndarray = column("float32", "nodes", "position in the world, downwards")
    size: np.ndarray = column("float32", "nodes", "radius in pixels at the reference step")
    brightness: np.ndarray = column("float32", "nodes", "glow by constraints, 0 to 1")
    presence: np.ndarray = column("float32", "nodes", "how solid it is filled, 0 to 1")
    type_code: np.ndarray = column("int16", "nodes", "index of its entity's type in `type_words`")
    parent: np.ndarray = column("int32", "nodes", "node that it belongs to, -1 for none")
    reach: np.ndarray = column("float32", "entities", "radius of its outermost ring, in the world")
    aspect_starts: np.ndarray = column("int64", "entities + 1", "starts in the aspects")
    value_starts: np.ndarray = column("int64", "aspects + 1", "starts in the values")

    edge_ids: Sequence[str] = column("str", "edges", "id of the dependency, the strongest first")
    edge_source: np.ndarray = column("int32", "edges", "entity it starts from")
    edge_target: np.ndarray = column("int32", "edges", "entity it leads to")
    edge_width: np.ndarray = column("float32", "edges", "width in pixels, by strength")
    edge_alpha: np.ndarray = column("float32", "edges", "opacity by confidence, 0 to 1")
    edge_family: np.ndarray = column("uint8", "edges", "index into `encoding.FAMILIES`")
    edge_dash: np.ndarray = column("uint8", "edges", "line pattern, of `encoding.DASHES`")
    touch_starts: np.ndarray = column("int64", "entities + 1", "starts in `touch_edges`")
    touch_edges: np.ndarray = column("int32", "2 * edges", "edges at each entity")

    mention_starts: np.ndarray = column("int64", "entities + 1", "starts in `mention_memories`")
    mention_memories: np.ndarray = column(
        "int32", "mentions", "memories that mention each entity, counted from the first memory")

    type_words: tuple[str, ...]
    """The types of entities that there are, sorted."""
    starts: tuple[int, int, int, int, int]
    """The first node that is an entity, aspect, value and memory, and how many nodes there are."""
    ghosts: Ghosts
    communities: Communities
    unit: float
    """The usual distance between neighbouring entities, in the world."""
    hidden: int
    """Entities that are left out."""
    index: dict[str, int]
    """Entity id to node; other kinds are found by `find`."""

    @property
    def entities(self) -> int:
        """How many entities there are."""
        return self.starts[1]

    @property
    def memories(self) -> int:
        """How many memories there are."""
        return self.starts[4] - self.starts[3]

    def find(self, id: str) -> int | None:
        """The node of any kind with this id."""
        node = self.index.get(id)
        if node is not None:
            return node
        try:
            return self.ids.index(id, self.starts[1])
        except ValueError:
            return None

    def owner(self, node: int) -> int:
        """The entity that a node belongs to: itself, its aspect's, or -1 for a stray memory."""
        while node >= self.starts[1] and node >= 0:
            node = int(self.parent[node])
        return node

    def edges_of(self, node: int) -> np.ndarray:
        """Indices of the lines at an entity."""
        return self.touch_edges[self.touch_starts[node] : self.touch_starts[node + 1]]

    def neighbours(self, node: int) -> np.ndarray:
        """Entities one line away, without the entity itself."""
        edges = self.edges_of(node)
        ends = np.concatenate((self.edge_source[edges], self.edge_target[edges]))
        return distinct(ends[ends != node])

    def memories_of(self, node: int) -> np.ndarray:
        """Nodes of the memories that mention an entity."""
        first, last = self.mention_starts[node], self.mention_starts[node + 1]
        return self.mention_memories[first:last] + self.starts[3]

    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of the entities with room for their rings and names."""
        count = self.entities
        if not count:
            return -1.0, -1.0, 1.0, 1.0
        x, y, room = self.x[:count], self.y[:count], 0.6 * self.unit
        ghosts = self.ghosts.effect == 0
        x = np.concatenate((x, self.ghosts.x[ghosts]))
        y = np.concatenate((y, self.ghosts.y[ghosts]))
        return (float(x.min() - room), float(y.min() - 1.4 * room),
                float(x.max() + room), float(y.max() + room))


class Difference(Struct, frozen=True, eq=False):
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
        before = np.fromiter(map(old.index.get, new_ids, repeat(-1)), np.int64, len(new_ids))
        still = np.zeros(old.entities, bool)
        still[before[before >= 0]] = True
        gone = np.flatnonzero(~still)
    rows = np.flatnonzero(before >= 0)
    there = before[rows]
    far = (new.x[rows] != old.x[there]) | (new.y[rows] != old.y[there])
    return Difference(np.flatnonzero(before < 0), gone, rows[far], before)
