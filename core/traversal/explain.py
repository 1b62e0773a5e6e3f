"""Explains why each result of a walk is included, by which slot and link."""

import time
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from core.model.claims_and_assertions import Slot
from core.model.vocabulary import BELONGING
from core.model.walk import PassedRule, Walk, WalkedConstraint, WalkedMemory
from core.queries.rows_to_model import text
from core.store.reader_and_writer import Reader
from core.traversal.near_misses import near_misses
from core.traversal.walk_queries import sureness
from core.traversal.walk_rows import ReachedMemory, WalkedEntity
from core.traversal.walk_state import WalkState, Ways, belonging, link_label

_ASPECT_NAMES = """
SELECT s.id, s.name FROM json_each(:ids) f CROSS JOIN entity_aspects s ON s.id = f.value
WHERE +s.agent_id = :agent"""


def explain_walk(reader: Reader, walk: Walk, state: WalkState) -> Walk:
    """The same walk with grounds, slots, names and near misses; what time does not allow is left.

    The explanation has as much time as the walk itself had.
    """
    passed = _PassedRules(state)
    with reader.interrupting(time.monotonic() + state.settings.timeout_ms / 1000):
        labels = _labels(reader, walk, state)
        misses = near_misses(reader, state)
    return replace(
        walk, memories=tuple(map(passed.with_memory, walk.memories)),
        constraints=tuple(map(passed.with_constraint, walk.constraints)),
        misses=misses, labels=labels)


def _labels(reader: Reader, walk: Walk, state: WalkState) -> Mapping[str, str]:
    paths = [m.path for m in walk.memories] + [c.path for c in walk.constraints]
    aspects = {id for path in paths for id in path.aspect_ids}
    rows, _ = reader.rows_in_time(_ASPECT_NAMES, ids=aspects)
    labels = {row["id"]: text(row["name"]) for row in rows}
    for entity in state.entities.values():
        labels[entity.id] = entity.name
        if entity.link is not None:
            link = entity.link
            labels[link.id] = BELONGING[link.dependency_type] if link.belongs else link.words
    return labels


class _PassedRules:
    """Looks up what the walk knew when it let something in."""

    def __init__(self, state: WalkState) -> None:
        self.settings, self.entities = state.settings, state.entities
        self.taken, self.ways = state.budget.taken, Ways(state.entities)
        self.order = {id: number for number, id in enumerate(state.budget.taken, 1)}
        self.constraints = {row.id: row for row in state.constraints}

    def with_memory(self, memory: WalkedMemory) -> WalkedMemory:
        reached, _ = self.ways.longest(self.taken[memory.id])
        grounds = (*self._of_link(self.entities[reached.entity_id]), *self._of_aspect(reached),
                   PassedRule("budget", self.order[memory.id], self.settings.max_traversal_paths))
        slot = None
        if reached.aspect is not None and reached.attribute_id is not None:
            slot = _slot(reached.entity_id, reached.aspect.id, reached.via, reached.group_key,
                         reached.claim_key, reached.attribute_id)
        return replace(memory, slot=slot, grounds=grounds)

    def with_constraint(self, constraint: WalkedConstraint) -> WalkedConstraint:
        row = self.constraints[constraint.id]
        return replace(
            constraint, grounds=tuple(self._of_link(self.entities[row.entity_id])),
            slot=_slot(row.entity_id, row.aspect_id, "constraint", row.group_key, row.claim_key,
                       row.id))

    def _of_aspect(self, reached: ReachedMemory) -> Iterable[PassedRule]:
        limits, aspect = self.settings, reached.aspect
        if aspect is None:
            yield PassedRule("mention rank", reached.rank, limits.max_attributes_per_aspect)
            return
        yield PassedRule("weight rank", aspect.rank, limits.max_aspects_per_entity, aspect.name)
        yield PassedRule("importance rank", reached.rank, limits.max_attributes_per_aspect,
                         aspect.name)

    def _of_link(self, entity: WalkedEntity) -> Iterable[PassedRule]:
        link, limits = entity.link, self.settings
        if link is None:
            return
        label = (belonging(entity, self.entities)
                 or link_label(link.words, entity.name))
        if limits.weigh_confidence:
            yield PassedRule("confidence", link.confidence, limits.min_confidence, label)
        yield PassedRule("strength", sureness(link, limits.weigh_confidence),
                         limits.min_dependency_strength, label)
        most = limits.max_parts if link.belongs else limits.max_branching
        yield PassedRule("strength rank", link.rank, most, label)


def _slot(entity: str, aspect: str, kind: str, group: str | None, claim: str | None,
          attribute: str) -> Slot:
    return Slot(entity, aspect, kind, group or "general", claim or None,
                None if claim else attribute)
