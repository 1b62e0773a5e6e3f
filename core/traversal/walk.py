"""Walks the graph from focal entities: a bounded set of memories, and every constraint."""

import time
from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from core.model.detect_retractions import Said, take_back, taken_back
from core.model.dispute import Dispute
from core.model.outdated_claim import OutdatedClaim
from core.model.walk import Focal, Walk, WalkedConstraint, WalkedMemory
from core.queries.disputes import disputes
from core.queries.hide_writes_of_held_agents import without_held
from core.queries.memory_subjects import NOBODY, Owner, only_of, owners_and_settled
from core.queries.outdated_memories import outdated_claims, read_outdated, says_only_constraints
from core.store.reader_and_writer import Reader
from core.traversal.config import TraversalSettings
from core.traversal.explain import explain_walk
from core.traversal.walk_queries import read_contents, read_times
from core.traversal.walk_rows import (
    ANY,
    AnyScope,
    ConstraintRow,
    MemoryFilter,
    ReachedMemory,
    WalkedEntity,
)
from core.traversal.walk_state import WalkState, Ways, belonging, path_to, start_walk

__all__ = ["ANY", "walk"]

PARTS_SHARE = 0.5
"""Share of what was asked that is kept for its parts, which often hold the answer."""
TELLING, TELLINGS_SHARE = 5e-6, 0.5
"""Seconds that it takes to tell of a memory that was found; of the time of a walk they are kept for
as many as it may bring, but no more than this share."""
MOST_KNOWN = 8
"""Walks that are kept: as one types, most words lead to the same entities as before."""


@without_held
def walk(
    reader: Reader, focal: Focal, settings: TraversalSettings, *,
    scope: str | None | AnyScope = ANY, aspect_filter: str = "", explain: bool = False,
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
    start = (tuple((each.id, each.asked) for each in focal.entities),
             tuple(rule.id for rule in focal.rules))
    key = start, settings, scope, aspect_filter, explain
    known: dict[object, Walk] = reader.once(f"walks for {reader.agent}", dict, beside=True)
    found = known.get(key)
    if found is None:
        left = max(settings.walk_ms, settings.timeout_ms - focal.milliseconds) / 1000
        filters = MemoryFilter(scope, aspect_filter)
        found = _walked(reader, focal, settings, filters, left, explain=explain)
        # What time may have cut short is not kept, and neither is an explanation of it.
        in_time = time.monotonic() - began < left and not reader.out_of_time
        if in_time and not found.timed_out:
            if len(known) >= MOST_KNOWN:
                del known[next(iter(known))]
            known[key] = found
    return replace(
        found, focal=focal, timed_out=focal.timed_out or found.timed_out,
        misses=None if found.misses is None else (*(focal.misses or ()), *found.misses),
        milliseconds=focal.milliseconds + (time.monotonic() - began) * 1000)


def _walked(
    reader: Reader, focal: Focal, settings: TraversalSettings, filters: MemoryFilter,
    seconds: float, *, explain: bool,
) -> Walk:
    """The walk without what is told of its start, in so many seconds."""
    read_outdated(reader, constraints=False)
    # What is listed once after a change of the file takes nothing of the walk's time.
    kept = min(seconds * TELLINGS_SHARE, settings.max_traversal_paths * TELLING)
    with reader.interrupting(time.monotonic() + seconds - kept):
        state = start_walk(reader, focal, settings, filters)
        with state.budget.keeping(PARTS_SHARE if state.parts else 0.0):
            state.visit(reader, state.focal)
        if state.in_time:
            state.visit(reader, state.parts)
        if state.in_time and state.budget.free:
            state.visit(reader, state.neighbors)
        state.budget.lend(state.visited)
        with reader.uninterrupted():
            contents = read_contents(reader, state.budget.taken, state.texts_read)
            read = state.values_read
            only = only_of(reader, read)
            owned, settled = owners_and_settled(reader, contents, only)
            outdated = outdated_claims(
                reader, contents, in_force=read, settled=settled.union(only))
            disputed = disputes(reader) if contents or state.constraints else {}
            disputed = {**_taken_back(reader, contents), **disputed}
            rules = _rules(reader, state, outdated)
    result = _result(focal, state, contents, outdated, disputed, owned, rules)
    return explain_walk(reader, result, state) if explain else result


def _taken_back(reader: Reader, contents: Mapping[str, str]) -> dict[str, Dispute]:
    """What newer ones of the walked memories take back."""
    if not take_back(contents.values()):
        return {}
    times = read_times(reader, contents)
    return taken_back(Said(id, contents[id], at) for id, at in times.items())


def _rules(
    reader: Reader, state: WalkState, outdated: Mapping[str, tuple[OutdatedClaim, ...]]
) -> frozenset[str]:
    """The walked memories that say constraints and nothing else, to which only those led."""
    return says_only_constraints(reader, (
        id for id, reached in state.budget.taken.items()
        if reached[0].via == "constraint" and id not in outdated
        and all(each.via == "constraint" for each in reached)))


def _result(
    focal: Focal, state: WalkState, contents: Mapping[str, str],
    outdated: Mapping[str, tuple[OutdatedClaim, ...]], disputed: Mapping[str, Dispute],
    owned: Mapping[str, Owner], rules: Collection[str],
) -> Walk:
    entities = state.entities
    ways = Ways(entities)
    memories = [
        _memory(id, contents[id], reached, entities, ways, outdated.get(id, ()), disputed.get(id),
                owned.get(id, NOBODY), id in rules)
        for id, reached in state.budget.taken.items() if id in contents]
    memories.sort(key=lambda memory: -memory.score)
    aspects = dict.fromkeys(id for memory in memories for id in memory.path.aspect_ids)
    return Walk(
        focal=Focal(), memories=tuple(memories),
        constraints=tuple(_constraints(state.constraints, entities, disputed, focal)),
        entity_ids=tuple(entities),
        dependency_ids=tuple(entity.link.id for entity in (*state.parts, *state.neighbors)
                             if entity.link),
        active_aspect_ids=tuple(aspects), entity_count=len(entities),
        timed_out=not state.in_time, budget=state.budget.limit)


def _memory(
    id: str, content: str, reached: Sequence[ReachedMemory], entities: Mapping[str, WalkedEntity],
    ways: Ways, outdated: tuple[OutdatedClaim, ...], disputed: Dispute | None, owner: Owner,
    rule: bool,
) -> WalkedMemory:
    longest, path = ways.longest(reached)
    entity, score = entities[longest.entity_id], longest.score
    asked = entity.asked
    if len(reached) > 1:
        score = max([each.score for each in reached])
        asked = any(entities[each.entity_id].asked for each in reached)
    return WalkedMemory(id, content, score, path, longest.via, longest.attribute_id,
                        outdated=outdated, disputed=disputed, asked=asked,
                        belongs=belonging(entity, entities) if entity.link else "",
                        entity=owner.entity,
                        before=owner.before, constraint=rule)


def _constraints(
    rows: Sequence[ConstraintRow], entities: Mapping[str, WalkedEntity],
    disputed: Mapping[str, Dispute], focal: Focal,
) -> list[WalkedConstraint]:
    """The constraints, those that are asked for first, then the most important; one text of one
    entity comes once.

    A disputed one comes behind those that nothing newer seems to take back.
    """
    order = {id: number for number, id in enumerate(entities)}
    asked = {rule.id: number for number, rule in enumerate(focal.rules)}
    ordered = sorted(rows, key=lambda row: (
        asked.get(row.id, len(asked)), row.id in disputed, -row.importance, order[row.entity_id],
        -row.order))
    first: dict[tuple[str, str], ConstraintRow] = {}
    for row in ordered:
        first.setdefault((row.entity_id, row.content), row)
    return [WalkedConstraint(row.id, row.entity_id, entities[row.entity_id].name, row.content,
                             row.importance, path_to(entities[row.entity_id], row.aspect_id),
                             disputed=disputed.get(row.id))
            for row in first.values()]
