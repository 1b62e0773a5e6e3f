"""The walk and focal resolution read plainly from the reference: one small statement at a time.

Slow and obvious on purpose; it shares nothing with the engine but the file. Where documents and
code disagree it decides as the design does, except for what `Rules` can turn back.
"""

import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain


@dataclass(frozen=True)
class Rules:
    """What the design changed about memories; all off is the reference's second generation.

    Attributes:
        fair: entities take turns; off: each takes all it can until the budget is full.
        alive: only memories that can be shown count, and a value without one tells itself; off:
            any id of an attribute counts.
        fresh: mentions of memories that are in already do not use up the mention limit.
    """

    fair: bool = True
    alive: bool = True
    fresh: bool = True


REFERENCE = Rules(fair=False, alive=False, fresh=False)


@dataclass
class Slow:
    """What a plain reading brought."""

    entities: list[str] = field(default_factory=list)
    constraints: set[tuple[str, str]] = field(default_factory=set)
    memories: dict[str, float] = field(default_factory=dict)
    full: bool = False


class SlowWalk:
    """Reads one file, as one agent."""

    aspects, attributes, branching, budget = 10, 20, 4, 50
    confidence, strength = 0.5, 0.3

    def __init__(self, connection: sqlite3.Connection, agent: str = "default",
                 muted: Iterable[str] = (), rules: Rules = Rules()) -> None:
        self.db, self.agent, self.rules = connection, agent, rules
        self.muted = set(muted)
        self.has = {table: {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
                    for table in ("entities", "entity_aspects", "entity_dependencies", "memories")}

    def ask(self, sql: str, *values: object) -> list[tuple]:
        return self.db.execute(sql, values).fetchall()

    # -- focal -------------------------------------------------------------------------------

    def focal(self, project: str = "", query: str = "") -> list[str]:
        """Pinned, then the project's, else the question's."""
        pinned = self.ask("SELECT id FROM entities WHERE agent_id = ? AND pinned = 1 "
                          "ORDER BY pinned_at DESC, updated_at DESC, name", self.agent)
        found = self._projects(project) or self._asked(query)
        return list(dict.fromkeys(
            id for (id,) in chain(pinned, found) if self._may_be_focal(id)))

    def _projects(self, path: str) -> list[tuple]:
        parts = [re.sub(r"[^a-z0-9_-]", "", part.lower()) for part in re.split(r"[/\\]+", path)]
        return self._like([part for part in parts if len(part) >= 2][-2:],
                          " AND entity_type = 'project'", 5)

    def _asked(self, query: str) -> list[tuple]:
        tokens = [re.sub(r"[^a-z0-9_-]", "", word) for word in query.lower().split()]
        tokens = list(dict.fromkeys(token for token in tokens if len(token) >= 2))
        if not tokens:
            return []
        if self.ask("SELECT 1 FROM sqlite_master WHERE name = 'entities_fts'"):
            match = " OR ".join(f'"{token}"' for token in tokens)
            found = self.ask(
                "SELECT e.id FROM entities_fts JOIN entities e ON e.rowid = entities_fts.rowid "
                "WHERE entities_fts MATCH ? AND e.agent_id = ? "
                "ORDER BY rank, e.mentions DESC, e.name LIMIT 20",
                match, self.agent)
            if found:
                return found
        return self._like(tokens, "", 20)

    def _like(self, tokens: list[str], where: str, limit: int) -> list[tuple]:
        if not tokens:
            return []
        patterns = ["%" + re.sub(r"([\\%_])", r"\\\1", token) + "%" for token in tokens]
        either = " OR ".join(
            "canonical_name LIKE ? ESCAPE '\\' OR name LIKE ? ESCAPE '\\'" for _ in patterns)
        return self.ask(
            f"SELECT id FROM entities WHERE agent_id = ?{where} AND ({either}) "
            f"ORDER BY mentions DESC, name LIMIT {limit}",
            self.agent, *chain(*((pattern, pattern) for pattern in patterns)))

    def _may_be_focal(self, id: str) -> bool:
        return self._active("entities", id) and id not in self.muted

    # -- the walk ----------------------------------------------------------------------------

    def walk(self, focal: Iterable[str]) -> Slow:
        start = [id for id in dict.fromkeys(focal) if self._mine(id)]
        found, hops = Slow(entities=list(start)), []
        edges = [self._edges(id) for id in start]
        for rank in range(self.branching):
            for group in edges:
                if rank < len(group) and group[rank] not in found.entities:
                    hops.append(group[rank])
                    found.entities.append(group[rank])
        for entity in found.entities:
            found.constraints |= self._constraints(entity)
        self._gather(found, start)
        if len(found.memories) < self.budget:
            self._gather(found, hops)
        found.full = len(found.memories) >= self.budget
        return found

    def _gather(self, found: Slow, entities: list[str]) -> None:
        if self.rules.fair:
            self._take(found, [self._attributes(entity) for entity in entities])
            room = self.budget - len(found.memories)
            known = dict(found.memories)
            self._take(found, [self._mentions(entity, room, known) for entity in entities])
            return
        for entity in entities:
            self._take(found, [self._attributes(entity)])
            room = self.budget - len(found.memories)
            self._take(found, [self._mentions(entity, room, found.memories)])

    def _take(self, found: Slow, groups: list[list[tuple[str, float]]]) -> None:
        """The groups in turn, one new memory each, until the budget is full."""
        groups = [list(group) for group in groups]
        while any(groups):
            for group in groups:
                while group:
                    memory, score = group.pop(0)
                    if memory in found.memories:
                        found.memories[memory] = max(score, found.memories[memory])
                    elif len(found.memories) < self.budget:
                        found.memories[memory] = score
                        break

    def _edges(self, entity: str) -> list[str]:
        """Targets of the links that may be followed, the surest first."""
        sure = "COALESCE(confidence, 0.7)" if "confidence" in self.has["entity_dependencies"] \
            else "0.7"
        targets = []
        for id, target, confidence, strength in self.ask(
                f"SELECT id, target_entity_id, {sure}, strength FROM entity_dependencies "
                "WHERE source_entity_id = ? AND agent_id = ?", entity, self.agent):
            if not self._active("entity_dependencies", id) or target in self.muted:
                continue
            if confidence < self.confidence or confidence * strength < self.strength:
                continue
            if self._mine(target):
                targets.append((-confidence * strength, id, target))
        return [target for _, _, target in sorted(targets)[:self.branching]]

    def _constraints(self, entity: str) -> set[tuple[str, str]]:
        name = self.ask("SELECT name FROM entities WHERE id = ?", entity)[0][0]
        found = set()
        for aspect in self._aspects_of(entity):
            for (content,) in self.ask(
                    "SELECT content FROM entity_attributes WHERE aspect_id = ? AND agent_id = ? "
                    "AND kind = 'constraint' AND status = 'active'", aspect, self.agent):
                found.add((name, content))
        return found

    def _aspects_of(self, entity: str) -> list[str]:
        """Its active aspects, the highest weight first."""
        rows = self.ask("SELECT id FROM entity_aspects WHERE entity_id = ? AND agent_id = ? "
                        "ORDER BY weight DESC, updated_at DESC, id", entity, self.agent)
        return [id for (id,) in rows if self._active("entity_aspects", id)]

    def _attributes(self, entity: str) -> list[tuple[str, float]]:
        """Memories of the heaviest aspects' most important attributes, best first."""
        found = []
        for rank, aspect in enumerate(self._aspects_of(entity)[:self.aspects]):
            taken = 0
            for id, kind, memory, importance in self.ask(
                    "SELECT id, kind, memory_id, importance FROM entity_attributes "
                    "WHERE aspect_id = ? AND agent_id = ? AND status = 'active' "
                    "ORDER BY importance DESC, rowid DESC",
                    aspect, self.agent):
                itself = self.rules.alive and kind != "constraint" and not self._is_row(memory)
                memory = id if itself else memory
                counts = itself or memory is not None and self._alive(memory)
                if not (counts or not self.rules.alive):
                    continue
                taken += 1
                if taken > self.attributes:
                    break
                if memory is not None:
                    found.append((-importance, rank, taken, memory))
        if self.rules.fair:
            found.sort()
        return [(memory, -negative) for negative, _, _, memory in found]

    def _mentions(self, entity: str, room: int, known: dict[str, float]
                  ) -> list[tuple[str, float]]:
        rows = self.ask(
            "SELECT m.id, COALESCE(m.importance, 0.5) FROM memory_entity_mentions n "
            "JOIN memories m ON m.id = n.memory_id WHERE n.entity_id = ? AND m.is_deleted = 0 "
            "ORDER BY n.confidence DESC, m.importance DESC, n.rowid DESC", entity)
        rows = [(id, importance) for id, importance in rows
                if self._alive(id) and not (self.rules.alive and self._outdated(id))]
        if self.rules.fresh:
            rows = [row for row in rows if row[0] not in known]
        return rows[:min(self.attributes, room)] if room > 0 else []

    def _outdated(self, memory: str) -> bool:
        """All that rests on it no longer counts."""
        resting = self.ask(
            "SELECT v.agent_id, v.status, s.id, s.entity_id FROM entity_attributes v"
            " LEFT JOIN entity_aspects s ON s.id = v.aspect_id"
            " WHERE v.memory_id = ?", memory)
        counting = [status == "active" and aspect is not None
                    and self._active("entity_aspects", aspect) and self._active("entities", entity)
                    for _, status, aspect, entity in resting]
        return not any(counting) and any(agent == self.agent for agent, *_ in resting)

    def _is_row(self, memory: str | None) -> bool:
        return bool(self.ask("SELECT 1 FROM memories WHERE id = ?", memory))

    def _alive(self, memory: str) -> bool:
        rows = self.ask("SELECT COALESCE(is_deleted, 0) FROM memories WHERE id = ?", memory)
        if not rows or rows[0][0]:
            return False
        if "visibility" not in self.has["memories"]:
            return True
        agent, visibility = self.ask(
            "SELECT agent_id, visibility FROM memories WHERE id = ?", memory)[0]
        mine = (agent or "default") == self.agent or visibility == "global"
        return mine and visibility != "archived"

    def _mine(self, entity: str) -> bool:
        return bool(self.ask("SELECT 1 FROM entities WHERE id = ? AND agent_id = ?", entity,
                             self.agent)) and self._active("entities", entity)

    def _active(self, table: str, id: str) -> bool:
        if "status" not in self.has[table]:
            return bool(self.ask(f"SELECT 1 FROM {table} WHERE id = ?", id))
        return bool(self.ask(f"SELECT 1 FROM {table} WHERE id = ? AND status = 'active'", id))
