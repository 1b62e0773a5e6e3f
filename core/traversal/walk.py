"""Walks the graph from focal entities: a bounded set of memories, and every constraint."""

import time
from collections.abc import Mapping, Sequence

from core.model.walk import Focal, Walk, WalkedConstraint, WalkedMemory
from core.store.handles import Reader
from core.traversal import collect
from core.traversal.config import TraversalSettings
from core.traversal.explain import explained
from core.traversal.journey import Journey, set_out
from core.traversal.paths import path_to, way_of
from core.traversal.walk_rows import ANY, Candidate, Everything, Narrowing, Rule, Stop

__all__ = ["ANY", "walk"]


def walk(
    reader: Reader, focal: Focal, settings: TraversalSettings, *,
    scope: str | None | Everything = ANY, aspect_filter: str = "", explain: bool = False,
) -> Walk:
    """What the agent would see from `focal`, within the settings' bounds.

    The constraints of focal entities and of those one link away come first and are always
    complete. Then memories, focal entities in turn, then those one link away, until the budget
    is full or the time is up, of which finding the focal entities has had its part.

    Args:
        focal: where to start, from `focal.resolve`.
        scope: only memories of this scope; None for those without one.
        aspect_filter: part of an aspect's name; others bring no memories. Constraints come anyway.
        explain: say for each thing what let it in, and what nearly came along; takes extra reads.

    Raises ConstellationError when the file can't be read: nothing found is not an error, and an
    error is never "nothing found".
    """
    began = time.monotonic()
    if not settings.enabled:
        return Walk(focal, timed_out=focal.timed_out, misses=() if explain else None)
    left = max(0.0, settings.timeout_ms - focal.milliseconds)
    with reader.interrupting(began + left / 1000):
        journey = set_out(reader, focal.ids, settings, Narrowing(scope, aspect_filter))
        journey.visit(reader, journey.focal)
        if journey.whole and journey.basket.free:
            journey.visit(reader, journey.hops)
        with reader.uninterrupted():
            contents = collect.contents(reader, journey.basket.taken)
    found = _report(focal, journey, contents, began)
    return explained(reader, found, journey) if explain else found


def _report(focal: Focal, journey: Journey, contents: Mapping[str, str], began: float) -> Walk:
    stops = journey.stops
    memories = [_memory(id, contents[id], candidates, stops)
                for id, candidates in journey.basket.taken.items() if id in contents]
    memories.sort(key=lambda memory: -memory.score)
    aspects = dict.fromkeys(id for memory in memories for id in memory.path.aspect_ids)
    return Walk(
        focal=focal, memories=tuple(memories),
        constraints=tuple(_constraints(journey.rules, stops)), entity_ids=tuple(stops),
        dependency_ids=tuple(stop.hop.id for stop in journey.hops if stop.hop),
        active_aspect_ids=tuple(aspects), entity_count=len(stops),
        timed_out=focal.timed_out or not journey.whole,
        milliseconds=(time.monotonic() - began) * 1000)


def _memory(
    id: str, content: str, candidates: Sequence[Candidate], stops: Mapping[str, Stop]
) -> WalkedMemory:
    way, path = way_of(candidates, stops)
    return WalkedMemory(id, content, max(each.score for each in candidates), path, way.via,
                        way.attribute_id)


def _constraints(rules: Sequence[Rule], stops: Mapping[str, Stop]) -> list[WalkedConstraint]:
    """The constraints, the most important first; one text of one entity comes once."""
    places = {id: place for place, id in enumerate(stops)}
    ordered = sorted(rules, key=lambda rule: (-rule.importance, places[rule.entity_id],
                                              -rule.order))
    first: dict[tuple[str, str], Rule] = {}
    for rule in ordered:
        first.setdefault((rule.entity_id, rule.content), rule)
    return [WalkedConstraint(rule.id, rule.entity_id, stops[rule.entity_id].name, rule.content,
                             rule.importance, path_to(stops[rule.entity_id], rule.aspect_id))
            for rule in first.values()]
