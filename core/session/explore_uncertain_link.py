"""Now and then a session start tries a link that is not certain, so that use can decide on it.

Knowledge Architecture: "low-confidence edges become exploration targets: speculative paths that
might pay off but need validation". A rating or a hit of what the link brought moves the link, as
that of any other path does.
"""

import hashlib
import math
import time
from collections.abc import Collection, Sequence

from core.errors import DeadlinePassed
from core.learning.link_ratings import OTHER
from core.model.names import spoken
from core.model.session_start_and_end import EXPLORATION, SessionCandidate, TriedLink
from core.model.walk import Walk
from core.recall.values_without_memory import find_untold
from core.session.add_values_and_mark_outdated import as_it_stands
from core.session.candidate_pool import RankingContext, tellable
from core.session.config import EngineSettings
from core.store.reader_and_writer import Reader
from core.traversal.walk_queries import read_entities, read_uncertain
from core.traversal.walk_rows import MemoryFilter, WalkedEntity
from core.traversal.walk_state import MemoryBudget, WalkState, Ways

CERTAIN = OTHER
"""From this confidence on a link has nothing to prove; what keeps it out then is its strength."""
ATTEMPTS, MOST = 3, 3
"""Links that are looked into until one brings something new, and memories that it brings."""


def explore(
    reader: Reader, session_key: str, walk: Walk, known: Collection[str],
    ranking: RankingContext, settings: EngineSettings,
) -> TriedLink | None:
    """The link that this session tries, with what it brings; None if it tries none.

    Whether and which is decided by the agent and the session's key: the same session on the same
    graph tries the same link. A surer link is the likelier choice. Only reads.

    Args:
        known: memories that are candidates already; a link that brings nothing else is not tried.
    """
    rate = settings.session.exploration_rate
    if not is_due(reader.agent, session_key, rate) or not settings.traversal.weigh_confidence:
        return None
    if not (walk.entity_ids and settings.session.exploration_chars):
        return None
    deadline = time.monotonic() + settings.traversal.timeout_ms / 1000
    try:
        with reader.interrupting(deadline):
            return _first_that_brings(reader, session_key, walk, known, ranking, settings)
    except DeadlinePassed:
        return None


def is_due(agent: str, session_key: str, rate: float) -> bool:
    """True for about `rate` of all sessions, always the same ones; never without a key."""
    return bool(session_key.strip()) and _lot(agent, session_key) < rate


def _lot(*parts: str) -> float:
    """A number from 0 to below 1 that depends on nothing but `parts`."""
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:6], "big") / 2 ** 48


def _first_that_brings(
    reader: Reader, session_key: str, walk: Walk, known: Collection[str],
    ranking: RankingContext, settings: EngineSettings,
) -> TriedLink | None:
    focal = read_entities(reader, walk.focal)
    uncertain = read_uncertain(reader, focal, settings.traversal, CERTAIN, set(walk.entity_ids))
    names = {entity.id: entity.name for entity in focal}
    for entity in _drawn(uncertain, reader.agent, session_key)[:ATTEMPTS]:
        memories = _memories_of(reader, entity, known, ranking, settings)
        link = entity.link
        if memories and link is not None:
            return TriedLink(
                link.id, link.source_id, names.get(link.source_id, ""),
                spoken(link.words), entity.id, entity.name, link.confidence,
                tuple(memories))
    return None


def _drawn(entities: Sequence[WalkedEntity], *seed: str) -> list[WalkedEntity]:
    """The entities in the order of a lottery in which the confidence of their links weighs."""

    def drawn(entity: WalkedEntity) -> float:
        link = entity.link
        assert link is not None
        # Weighted sampling after Efraimidis and Spirakis: the largest lot ** (1 / weight) first.
        return math.log(max(_lot(*seed, link.id), 1e-12)) / max(link.confidence, 1e-6)

    return sorted(entities, key=drawn, reverse=True)


def _memories_of(
    reader: Reader, entity: WalkedEntity, known: Collection[str], ranking: RankingContext,
    settings: EngineSettings,
) -> list[SessionCandidate]:
    """The best memories of the entity that are not known, as candidates with their path."""
    limits = settings.traversal
    room = limits.max_attributes_per_aspect + len(known)
    state = WalkState(limits, MemoryFilter(), [], [entity], [], MemoryBudget(room, room))
    state.visit(reader, [entity])
    fresh = {id: reached for id, reached in state.budget.taken.items() if id not in known}
    untold = find_untold(reader, (), ids=fresh)
    memories = tellable(reader, fresh, {value.memory.id: value for value in untold})[:MOST]
    tried = [ranking.candidate(memory, settings.session, EXPLORATION,
                               Ways(state.entities).longest(fresh[memory.id])[1])
             for memory in memories]
    return as_it_stands(reader, tried, (), ())[0]
