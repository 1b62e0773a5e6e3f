"""Signet's own statements for focal entities and the walk, as plain SQL: what ours compare with.

By signet.md, sections c and d: the walk in four statements for all focal entities, then again for
what their links lead to (G3); focal entities by LIKE (G1), or by full text where there is one (G2).
"""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

PATHS, ASPECTS, VALUES, BRANCHES = 50, 10, 20, 4
"""Signet's limits: memories of a walk, aspects of an entity, values of an aspect, links."""
_HOLDS = "(canonical_name LIKE ? OR name LIKE ?)"


@dataclass(frozen=True, slots=True)
class Signet:
    """Signet's statements on one of its files.

    Attributes:
        later: the file is of the generation that has a full text of names, and confidences.
    """

    connection: sqlite3.Connection
    later: bool

    def pins(self) -> list[str]:
        return self._ids("SELECT id FROM entities WHERE agent_id = 'default' AND pinned = 1"
                         " ORDER BY pinned_at DESC, updated_at DESC")

    def projects(self, folders: Sequence[str]) -> list[str]:
        return [*self.pins(), *self._holding(folders, "entity_type = 'project' AND", 5)]

    def question(self, words: Sequence[str]) -> list[str]:
        if not self.later:
            return [*self.pins(), *self._holding(words, "", 20)]
        return [*self.pins(), *self._ids(
            "SELECT e.id FROM entities_fts f CROSS JOIN entities e ON e.rowid = f.rowid"
            " WHERE entities_fts MATCH ? AND e.agent_id = 'default' ORDER BY rank LIMIT 20",
            " OR ".join(f'"{word}"' for word in words))]

    def walk(self, focal: Sequence[str]) -> list[str]:
        memories = self._batch(focal, PATHS)
        if len(memories) < PATHS:
            sure = "COALESCE(confidence, 0.7)" if self.later else "1.0"
            targets = self._ids(
                "SELECT target_entity_id FROM entity_dependencies INDEXED BY"
                f" idx_entity_dependencies_source WHERE source_entity_id IN ({_marks(focal)})"
                f" AND agent_id = 'default' AND {sure} * strength >= 0.3 AND {sure} >= 0.5"
                f" ORDER BY {sure} * strength DESC LIMIT {BRANCHES * len(focal)}", *focal)
            others = [id for id in targets if id not in focal]
            if others:
                memories += self._batch(others, PATHS - len(memories))
        return memories

    def _holding(self, words: Sequence[str], kind: str, most: int) -> list[str]:
        return self._ids(
            f"SELECT id FROM entities WHERE agent_id = 'default' AND {kind}"
            f" ({' OR '.join([_HOLDS] * len(words))}) ORDER BY mentions DESC LIMIT {most}",
            *(f"%{word}%" for word in words for _ in range(2)))

    def _batch(self, entities: Sequence[str], room: int) -> list[str]:
        """What some entities bring: constraints, aspects, values, then mentions."""
        marks = _marks(entities)
        joined = ("FROM entity_aspects s INDEXED BY idx_entity_aspects_entity"
                  " CROSS JOIN entity_attributes v INDEXED BY idx_entity_attributes_aspect"
                  f" ON v.aspect_id = s.id WHERE s.entity_id IN ({marks})"
                  " AND s.agent_id = 'default' AND v.agent_id = 'default'"
                  " AND v.status = 'active'")
        self._rows("SELECT s.entity_id, v.content, v.importance " + joined
                   + " AND v.kind = 'constraint' ORDER BY v.importance DESC", *entities)
        aspects: dict[str, list[str]] = {}
        for id, entity in self._rows(
            "SELECT id, entity_id FROM entity_aspects INDEXED BY idx_entity_aspects_entity"
            f" WHERE entity_id IN ({marks}) AND agent_id = 'default' ORDER BY weight DESC",
            *entities):
            aspects.setdefault(entity, []).append(id)
        ids = [id for group in aspects.values() for id in group[:ASPECTS]]
        taken: dict[str, None] = {}
        counts = dict.fromkeys(ids, 0)
        for memory, aspect in self._rows(
            "SELECT memory_id, aspect_id FROM entity_attributes INDEXED BY"
            f" idx_entity_attributes_aspect WHERE aspect_id IN ({_marks(ids)})"
            " AND agent_id = 'default' AND status = 'active' ORDER BY importance DESC", *ids):
            if memory is not None and counts[aspect] < VALUES and len(taken) < room:
                counts[aspect] += 1
                taken[memory] = None
        if len(taken) < room:
            taken |= dict.fromkeys(self._ids(
                "SELECT m.id FROM memory_entity_mentions n JOIN memories m ON m.id = n.memory_id"
                f" WHERE n.entity_id IN ({marks}) AND m.is_deleted = 0"
                f" ORDER BY n.confidence DESC, m.importance DESC LIMIT {room - len(taken)}",
                *entities))
        return list(taken)

    def _ids(self, sql: str, *bound: object) -> list[str]:
        return [row[0] for row in self._rows(sql, *bound)]

    def _rows(self, sql: str, *bound: object) -> list[tuple]:
        return self.connection.execute(sql, bound).fetchall()


def _marks(values: Iterable[object]) -> str:
    return ", ".join("?" for _ in values)
