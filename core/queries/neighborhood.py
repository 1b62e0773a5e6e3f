"""Reads what surrounds an entity: its neighbours up to three links away, and how they connect."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct, field

from core.errors import OperationError
from core.model.link import own_words
from core.model.neighborhood import Edge, LeftOut, Neighbor, Neighborhood
from core.model.text_formatting import one_line
from core.model.vocabulary import NAMED_ONLY
from core.queries.rows_to_model import MEMORY_VISIBLE, number, text, whole
from core.store.database import Row
from core.store.reader_and_writer import Reader

Direction = Literal["both", "out", "in"]

NODES, EDGES, PROMOTION, DEEPEST = 300, 1000, 3, 3
HUB = 500
"""Links from which an entity's are looked up pair by pair instead of read through."""
EPISODES = 1000
"""Memories of one entity are counted so far."""
_NOTES = 300
HEADING = ("Here is what you know about entities relevant to this conversation and their"
           " connections:")

# The strongest links of each entity; those to archived entities are hidden with them.
_ONE_WAY = """
SELECT f.value AS near, d.{far}_entity_id AS far, d.strength, t.id IS NOT NULL AS known
FROM json_each(:frontier) f CROSS JOIN entity_dependencies d ON d.rowid IN (
  SELECT c.rowid FROM entity_dependencies c
  LEFT JOIN entities o ON o.id = c.{far}_entity_id AND +o.agent_id = :agent
  WHERE c.{near}_entity_id = f.value AND +c.agent_id = :agent AND +c.status = 'active'
    AND COALESCE(o.status, 'active') = 'active'
  ORDER BY c.strength DESC, c.rowid LIMIT :looked)
LEFT JOIN entities t ON t.id = d.{far}_entity_id AND +t.agent_id = :agent"""

_DEGREE = """
SELECT f.value AS near, COUNT(*) AS links FROM json_each(:frontier) f
CROSS JOIN entity_dependencies c ON c.{near}_entity_id = f.value
WHERE +c.agent_id = :agent AND +c.status = 'active' GROUP BY f.value"""

_MANY_LINKS = """
SELECT f.value AS id FROM json_each(:nodes) f WHERE (SELECT COUNT(*) FROM (
  SELECT 1 FROM entity_dependencies c WHERE c.source_entity_id = f.value
    AND +c.agent_id = :agent LIMIT :hub)) = :hub"""

_EDGE = ("d.id, d.source_entity_id, d.target_entity_id, d.dependency_type, d.strength,"
         " d.confidence, d.reason, d.source_kind")
_EDGES = f"""
SELECT {_EDGE} FROM json_each(:few) a
CROSS JOIN entity_dependencies d ON d.source_entity_id = a.value
WHERE +d.target_entity_id IN (SELECT value FROM json_each(:nodes)) AND +d.agent_id = :agent
  AND +d.status = 'active'
UNION ALL
SELECT {_EDGE} FROM json_each(:hubs) a CROSS JOIN json_each(:nodes) b
CROSS JOIN entity_dependencies d ON {{source}} = a.value AND d.target_entity_id = b.value
WHERE +d.agent_id = :agent AND +d.status = 'active'"""

_NODES = f"""
SELECT e.id, e.name, e.entity_type, e.mentions, e.pinned, e.muted,
  CASE WHEN trim(COALESCE(e.description, '')) NOT IN ('', :named_only) THEN e.description ELSE (
    SELECT v.content FROM entity_attributes v WHERE v.aspect_id = (
      SELECT s.id FROM entity_aspects s WHERE s.entity_id = e.id AND +s.agent_id = :agent
        AND +s.status = 'active' AND EXISTS (SELECT 1 FROM entity_attributes r
          WHERE r.aspect_id = s.id AND r.status = 'active' AND r.kind = 'attribute')
      ORDER BY s.weight DESC, s.updated_at DESC, s.id LIMIT 1)
    AND v.status = 'active' AND v.kind = 'attribute' AND +v.agent_id = :agent
    ORDER BY v.importance DESC, v.rowid DESC LIMIT 1) END AS notes,
  (SELECT COUNT(*) FROM (SELECT 1 FROM memory_entity_mentions n
    CROSS JOIN memories m ON m.id = n.memory_id WHERE n.entity_id = e.id AND {MEMORY_VISIBLE}
    AND COALESCE(m.is_deleted, 0) = 0 LIMIT :episodes)) AS episodes
FROM json_each(:nodes) f CROSS JOIN entities e ON e.id = f.value
WHERE +e.agent_id = :agent AND +e.status = 'active' ORDER BY f.key"""

_IN_PROJECT = f"""
SELECT f.value AS id FROM json_each(:ids) f WHERE EXISTS (
  SELECT 1 FROM memory_entity_mentions n CROSS JOIN memories m ON m.id = n.memory_id
  WHERE n.entity_id = f.value AND m.project = :project AND {MEMORY_VISIBLE}
    AND COALESCE(m.is_deleted, 0) = 0)"""


def neighborhood(
    reader: Reader, entity_id: str, depth: int = 1, direction: Direction = "both", *,
    max_nodes: int = NODES, max_edges: int = EDGES, promotion_threshold: int = PROMOTION,
) -> Neighborhood:
    """The entities up to `depth` links away, following links both ways, and every link among them.

    Raises OperationError: 404 if the agent has no such active entity, 400 for another depth than
    1 to 3.
    """
    if not 1 <= depth <= DEEPEST:
        raise OperationError(400, f"Invalid depth: {depth}", field="depth",
                             do=f"Choose 1 to {DEEPEST}")
    search = _Search(reader, [entity_id], direction, max_nodes)
    if not search.depths:
        raise OperationError(404, f"Entity not found: {entity_id}", field="entity")
    search.go(depth)
    return search.result(max_edges, promotion_threshold)


def neighbors(
    reader: Reader, entity_ids: Collection[str], *, project: str = "", max_nodes: int = NODES,
    max_edges: int = EDGES, promotion_threshold: int = PROMOTION,
) -> Neighborhood:
    """Entities with their direct neighbors, and every link among them.

    Args:
        entity_ids: the start entities; ids without an active entity of the agent are skipped.
        project: start only from those that a memory of this project mentions. The neighbours may
            be of any project or none: what is known connects across them.

    Raises OperationError (400) without ids.
    """
    if not entity_ids:
        raise OperationError(400, "No entity was given", field="entityIds")
    seeds = list(dict.fromkeys(entity_ids))
    if project:
        inside = in_project(reader, seeds, project)
        seeds = [id for id in seeds if id in inside]
    search = _Search(reader, seeds, "both", max_nodes)
    search.go(1)
    return search.result(max_edges, promotion_threshold)


def in_project(reader: Reader, ids: Sequence[str], project: str) -> frozenset[str]:
    """Those among `ids` that a memory of the project mentions."""
    rows = reader.rows(_IN_PROJECT, ids=list(ids), project=project)
    return frozenset(row["id"] for row in rows)


class _Tally(Struct):
    """What was left out so far."""

    nodes: set[str] = field(default_factory=set)
    links: int = 0
    dangling: int = 0
    hubs: dict[str, int] = field(default_factory=dict)
    deeper: bool = False


class _Search:
    """Goes outward from the seeds, one statement a level and direction."""

    def __init__(
        self, reader: Reader, seeds: Sequence[str], direction: Direction, room: int
    ) -> None:
        self.reader, self.room = reader, room
        self.ways = [(near, far) for word, near, far in (
            ("out", "source", "target"), ("in", "target", "source"))
            if direction in (word, "both")]
        shown = reader.rows(
            "SELECT e.id FROM json_each(:ids) f CROSS JOIN entities e ON e.id = f.value"
            " WHERE +e.agent_id = :agent AND +e.status = 'active' ORDER BY f.key", ids=list(seeds))
        self.seeds = tuple(row["id"] for row in shown)
        self.depths = dict.fromkeys(self.seeds[:room], 0)
        self.left = _Tally(nodes=set(self.seeds[room:]))

    def go(self, depth: int) -> None:
        """Follow links until `depth`, or until the limit is reached."""
        frontier = list(self.depths)
        for level in range(1, depth + 1):
            if level > 1 and len(self.depths) >= self.room:
                self.left.deeper = bool(frontier)
                return
            frontier = self._next(frontier, level)

    def _next(self, frontier: list[str], level: int) -> list[str]:
        reached: dict[str, float] = {}
        for near, far in self.ways:
            rows = self.reader.rows(_ONE_WAY.format(near=near, far=far), frontier=frontier,
                                    looked=self.room + 1)
            self._note_hubs(rows, near)
            for row in rows:
                if not row["known"]:
                    self.left.dangling += 1
                elif row["far"] not in self.depths:
                    strength = number(row["strength"], 0.5)
                    reached[row["far"]] = max(strength, reached.get(row["far"], 0.0))
        order = sorted(reached, key=lambda id: -reached[id])
        room = max(0, self.room - len(self.depths))
        self.left.nodes.update(order[room:])
        self.depths |= dict.fromkeys(order[:room], level)
        return order[:room]

    def _note_hubs(self, rows: Iterable[Row], near: str) -> None:
        """Take note of entities that have more links than were read."""
        read: dict[str, int] = {}
        for row in rows:
            read[row["near"]] = read.get(row["near"], 0) + 1
        hubs = [id for id, links in read.items() if links > self.room]
        if not hubs:
            return
        for row in self.reader.rows(_DEGREE.format(near=near), frontier=hubs):
            self.left.hubs[row["near"]] = self.left.hubs.get(row["near"], 0) + row["links"]
            self.left.links += row["links"] - read[row["near"]]

    def result(self, max_edges: int, threshold: int) -> Neighborhood:
        """All nodes in full, and the links among them."""
        ids = list(self.depths)
        rows = self.reader.rows(_NODES, nodes=ids, episodes=EPISODES, named_only=NAMED_ONLY)
        edges = sorted(_edges(self.reader, ids), key=lambda edge: (-edge.strength, edge.id))
        left = self.left
        return Neighborhood(
            self.seeds, tuple(_node(row, self.depths, threshold) for row in rows),
            tuple(edges[:max_edges]),
            LeftOut(len(left.nodes - self.depths.keys()), max(0, len(edges) - max_edges),
                    left.links, left.dangling, tuple(left.hubs.items()), left.deeper))


def _edges(reader: Reader, nodes: list[str]) -> Iterator[Edge]:
    """Every active link among the nodes; a hub's links are not read through for them."""
    hubs = [row["id"] for row in reader.rows(_MANY_LINKS, nodes=nodes, hub=HUB)]
    few = [id for id in nodes if id not in set(hubs)]
    # Old files have no index over both ends; there the other end leads to fewer rows.
    source = "d.source_entity_id" if reader.kind == "native" else "+d.source_entity_id"
    for row in reader.rows(_EDGES.format(source=source), few=few, hubs=hubs, nodes=nodes):
        yield Edge(row["id"], row["source_entity_id"], row["target_entity_id"],
                   text(row["dependency_type"]), number(row["strength"], 0.5),
                   number(row["confidence"], 0.7), row["reason"],
                   own_words(row["dependency_type"], row["reason"], row["source_kind"])
                   or text(row["dependency_type"]))


def _node(row: Row, depths: dict[str, int], threshold: int) -> Neighbor:
    mentions = whole(row["mentions"])
    return Neighbor(row["id"], text(row["name"]), text(row["entity_type"]) or "unknown",
                    text(row["notes"]), depths[row["id"]], mentions, whole(row["episodes"]),
                    mentions >= threshold, bool(row["pinned"]), bool(row["muted"]))


def context_text(neighborhood: Neighborhood) -> str:
    """A neighbourhood for a prompt (seed 004): a line per entity, its own links indented below.

    Each link appears once, under its source. Muted entities are left out. Empty for none.
    """
    shown = {node.id: node for node in neighborhood.nodes if not node.muted}
    if not shown:
        return ""
    links: dict[str, list[str]] = {}
    for edge in neighborhood.edges:
        if edge.source_id in shown and edge.target_id in shown:
            links.setdefault(edge.source_id, []).append(
                f"  → {one_line(edge.words, _NOTES)} {_title(shown[edge.target_id])}")
    lines = [HEADING]
    for node in shown.values():
        notes = one_line(node.notes, _NOTES)
        lines.append(f"- {_title(node)}: {notes}" if notes else f"- {_title(node)}")
        lines += links.get(node.id, ())
    return "\n".join(lines)


def _title(node: Neighbor) -> str:
    return f"{one_line(node.name, _NOTES)} ({one_line(node.entity_type, _NOTES)})"
