"""The sky as numpy arrays: nodes, lines, ghosts and communities with their places."""

from dataclasses import dataclass

import numpy as np

ENTITY, ASPECT, ATTRIBUTE, CONSTRAINT, MEMORY = 0, 1, 2, 3, 4
KINDS = ("entity", "aspect", "attribute", "constraint", "memory")

PINNED, MUTED, ARCHIVED, TASK, PENDING = 1, 2, 4, 8, 16
"""Bits of `Scene.flags`."""


@dataclass(frozen=True, slots=True, eq=False)
class Ghosts:
    """What pending proposals would do: `effect` is a word of `core.model.sky`.

    A ghost that would appear has its own place; every other stands on `node`, and a link goes
    from `node` to `other`. -1 where there is none.
    """

    ids: list[str]
    labels: list[str]
    effect: np.ndarray
    x: np.ndarray
    y: np.ndarray
    node: np.ndarray
    other: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Communities:
    """Named groups of entities: centre, radius, the type most of them have, and an outline."""

    names: list[str]
    x: np.ndarray
    y: np.ndarray
    top: np.ndarray
    radius: np.ndarray
    members: list[np.ndarray]
    type_code: np.ndarray
    outlines: list[np.ndarray]


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Everything the sky draws. Nodes are ordered entities, aspects, values, memories.

    `starts` holds where each of these begins and the end. `size` is a radius in pixels at the
    reference step (see `encoding`), `unit` the usual distance between neighbours in the world.
    `reach` is how far an entity's rings go, in the world.
    """

    ids: list[str]
    labels: list[str]
    kind: np.ndarray
    x: np.ndarray
    y: np.ndarray
    size: np.ndarray
    brightness: np.ndarray
    presence: np.ndarray
    type_code: np.ndarray
    type_words: tuple[str, ...]
    parent: np.ndarray
    flags: np.ndarray
    task: np.ndarray
    mentions: np.ndarray
    reach: np.ndarray
    starts: tuple[int, int, int, int, int]
    aspect_starts: np.ndarray
    value_starts: np.ndarray

    edge_ids: list[str]
    edge_source: np.ndarray
    edge_target: np.ndarray
    edge_width: np.ndarray
    edge_alpha: np.ndarray
    edge_family: np.ndarray
    edge_dash: np.ndarray
    touch_starts: np.ndarray
    touch_edges: np.ndarray

    mention_starts: np.ndarray
    mention_memories: np.ndarray

    ghosts: Ghosts
    communities: Communities
    unit: float
    hidden: int
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
        return np.unique(ends[ends != node])

    def orbit(self, node: int) -> np.ndarray:
        """Nodes of an entity's aspects and their values."""
        first, last = self.aspect_starts[node], self.aspect_starts[node + 1]
        aspects = np.arange(first, last) + self.starts[1]
        values = np.arange(self.value_starts[first], self.value_starts[last]) + self.starts[2]
        return np.concatenate((aspects, values))

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
