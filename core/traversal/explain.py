"""Says what let each thing of a walk in, by which slot and over which link."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace

from core.model.claim import Slot
from core.model.walk import Ground, Walk, WalkedConstraint, WalkedMemory
from core.queries.rows import text
from core.store.handles import Reader
from core.traversal.collect import sureness
from core.traversal.journey import Journey
from core.traversal.near_misses import near_misses
from core.traversal.paths import link_label, way_of
from core.traversal.walk_rows import Candidate, Stop

_ASPECT_NAMES = """
SELECT s.id, s.name FROM json_each(:ids) f CROSS JOIN entity_aspects s ON s.id = f.value
WHERE +s.agent_id = :agent"""


def explained(reader: Reader, found: Walk, journey: Journey) -> Walk:
    """The same walk with grounds, slots, names and near misses; what time does not allow is left.

    The explanation has as much time as the walk itself had.
    """
    told = _Grounds(journey)
    with reader.interrupting(time.monotonic() + journey.settings.timeout_ms / 1000):
        labels = _labels(reader, found, journey)
        misses = near_misses(reader, journey)
    return replace(
        found, memories=tuple(map(told.of_memory, found.memories)),
        constraints=tuple(map(told.of_constraint, found.constraints)),
        misses=(*(found.focal.misses or ()), *misses), labels=labels)


def _labels(reader: Reader, found: Walk, journey: Journey) -> Mapping[str, str]:
    paths = [m.path for m in found.memories] + [c.path for c in found.constraints]
    aspects = {id for path in paths for id in path.aspect_ids}
    rows, _ = reader.rows_in_time(_ASPECT_NAMES, ids=aspects)
    labels = {row["id"]: text(row["name"]) for row in rows}
    for stop in journey.stops.values():
        labels[stop.id] = stop.name
        if stop.hop is not None:
            labels[stop.hop.id] = stop.hop.dependency_type
    return labels


class _Grounds:
    """Looks up what the walk knew when it let something in."""

    def __init__(self, journey: Journey) -> None:
        self.settings, self.stops = journey.settings, journey.stops
        self.taken = journey.basket.taken
        self.places = {id: place for place, id in enumerate(journey.basket.taken, 1)}
        self.rules = {rule.id: rule for rule in journey.rules}

    def of_memory(self, memory: WalkedMemory) -> WalkedMemory:
        way, _ = way_of(self.taken[memory.id], self.stops)
        grounds = (*self._of_hop(self.stops[way.entity_id]), *self._of_place(way), Ground(
            "budget", self.places[memory.id], self.settings.max_traversal_paths))
        slot = None
        if way.side is not None and way.attribute_id is not None:
            slot = _slot(way.entity_id, way.side.id, way.via, way.group_key, way.claim_key,
                         way.attribute_id)
        return replace(memory, slot=slot, grounds=grounds)

    def of_constraint(self, constraint: WalkedConstraint) -> WalkedConstraint:
        rule = self.rules[constraint.id]
        return replace(
            constraint, grounds=tuple(self._of_hop(self.stops[rule.entity_id])),
            slot=_slot(rule.entity_id, rule.aspect_id, "constraint", rule.group_key,
                       rule.claim_key, rule.id))

    def _of_place(self, way: Candidate) -> Iterable[Ground]:
        limits = self.settings
        if way.side is None:
            yield Ground("mention rank", way.rank, limits.max_attributes_per_aspect)
            return
        yield Ground("weight rank", way.side.rank, limits.max_aspects_per_entity, way.side.name)
        yield Ground("importance rank", way.rank, limits.max_attributes_per_aspect, way.side.name)

    def _of_hop(self, stop: Stop) -> Iterable[Ground]:
        hop, limits = stop.hop, self.settings
        if hop is None:
            return
        label = link_label(hop.dependency_type, stop.name)
        if limits.weigh_confidence:
            yield Ground("confidence", hop.confidence, limits.min_confidence, label)
        yield Ground("strength", sureness(hop, limits.weigh_confidence),
                     limits.min_dependency_strength, label)
        yield Ground("strength rank", hop.rank, limits.max_branching, label)


def _slot(entity: str, aspect: str, kind: str, group: str | None, claim: str | None,
          attribute: str) -> Slot:
    return Slot(entity, aspect, kind, group or "general", claim or None,
                None if claim else attribute)
