"""The pool that a session's memories are chosen from: the walk, importance and age, meaning."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from core.model.memory import Memory
from core.model.session_start_and_end import (
    EFFECTIVE,
    EMBEDDING,
    WALKED,
    WALKED_PINNED,
    SessionCandidate,
)
from core.model.times import parse_time
from core.model.walk import Path, Walk, WalkedMemory
from core.queries.muted_memories import quiet_memories
from core.queries.outdated_memories import CURRENT, read_outdated
from core.queries.rows_to_model import MEMORY_COLUMNS, memory_of, visible
from core.recall.filters import TELLABLE
from core.recall.values_without_memory import ValueWithoutMemory
from core.session.config import SessionSettings
from core.store.reader_and_writer import Reader

TOLD_HERE = ("NOT EXISTS (SELECT 1 FROM entity_attributes c"
             " WHERE c.id = m.id AND c.kind = 'constraint')")
"""True of a memory `m` unless it was made from a constraint: those are told in their section."""

# The newest of each owner by its index, so that no file is read as a whole for a few rows.
_NEWEST = f"""
WITH RECURSIVE owner(name) AS (
  SELECT MIN(o.agent_id) FROM memories o
  UNION ALL
  SELECT (SELECT MIN(o.agent_id) FROM memories o WHERE o.agent_id > owner.name)
  FROM owner WHERE owner.name IS NOT NULL)
SELECT {MEMORY_COLUMNS} FROM owner CROSS JOIN memories m ON m.rowid IN (
  SELECT n.rowid FROM memories n
  WHERE n.agent_id = owner.name AND n.is_deleted = 0
    AND COALESCE(n.visibility, '') <> 'archived' AND {visible('n')}
  ORDER BY n.created_at DESC LIMIT :newest)
WHERE owner.name IS NOT NULL AND {CURRENT} AND {TOLD_HERE}"""
_PINNED = f"""
SELECT {MEMORY_COLUMNS} FROM memories m WHERE m.pinned = 1 AND {TELLABLE} AND {TOLD_HERE}
ORDER BY m.created_at DESC LIMIT :limit"""
_BY_ID = f"""
SELECT {MEMORY_COLUMNS} FROM json_each(:ids) f CROSS JOIN memories m ON m.id = f.value
WHERE {TELLABLE} AND {TOLD_HERE} ORDER BY f.key"""


def effective_score(memory: Memory, now: datetime, daily: float) -> float:
    """1 for pinned memory, else its importance after its age; 0 where no time can be read."""
    if memory.pinned:
        return 1.0
    made = parse_time(memory.created_at) or parse_time(memory.updated_at)
    if made is None:
        return 0.0
    days = max((now - made).total_seconds() / 86_400, 0.0)
    return share(memory.importance) * float(daily ** days)


def share(value: float) -> float:
    """`value` clamped to 0..1; 0 if it is not a number."""
    return min(max(value, 0.0), 1.0) if math.isfinite(value) else 0.0


SAME_TOPIC = 0.5
"""From this likeness on a memory is plainly about what is asked."""


class RankingContext(Struct, frozen=True):
    """What affects a memory's rank besides its text: the project and the time."""

    project: str
    now: datetime

    def candidate(
        self, memory: Memory, settings: SessionSettings, source: str, path: Path | None = None
    ) -> SessionCandidate:
        """The memory as a candidate by its importance and age alone."""
        score = effective_score(memory, self.now, settings.daily_decay)
        home = bool(self.project) and (memory.project or "").rstrip("/\\") == self.project
        return SessionCandidate(
            memory.id, memory.content, score, score, score, source, path=path,
            pinned=memory.pinned, at_home=home, importance=share(memory.importance),
            created_at=memory.created_at)


def by_effect(
    reader: Reader, context: RankingContext, settings: SessionSettings,
    asked_ids: Collection[str] = (),
) -> list[SessionCandidate]:
    """The memories that count most by importance and age, those of the project first.

    Those about muted entities only are left out, unless these are asked for.
    """
    if not settings.recall_limit:
        return []
    memories = _newest_and_pinned(reader, settings.newest, settings.recall_limit)
    quiet = quiet_memories(reader, memories, asked_ids)
    candidates = [context.candidate(memory, settings, EFFECTIVE)
                  for memory in memories.values() if memory.id not in quiet]
    strong = [each for each in candidates if each.pinned or each.score > settings.min_effective]
    return ranked(strong)[:settings.recall_limit]


def _newest_and_pinned(reader: Reader, newest: int, pinned: int) -> Mapping[str, Memory]:
    """The newest memories and the pinned ones, read once after each change of the file."""
    def read() -> dict[str, Memory]:
        rows = (*reader.rows(_NEWEST, newest=newest), *reader.rows(_PINNED, limit=pinned))
        return {row["id"]: memory_of(row) for row in rows}

    return reader.once(f"{newest} newest and {pinned} pinned memories for {reader.agent}", read)


def pool(
    reader: Reader, walk: Walk, alike: Mapping[str, float],
    untold: Mapping[str, ValueWithoutMemory], context: RankingContext,
    settings: SessionSettings, asked: float = 0.0, kept: float = 0.0,
) -> list[SessionCandidate]:
    """The union of the three sources, best first, cut to the pool's limit.

    Args:
        alike: memories close in meaning to the session's topic, with their similarity.
        untold: values that no memory says, by their ids; they say themselves.
        asked: the weight of relevance to the question, 0 without one.
        kept: the share of the pool that is kept for what was asked.
    """
    by_id = {each.id: each for each in by_effect(reader, context, settings, walk.focal.ids)}
    walked = {memory.id: memory for memory in walk.memories}
    quiet = quiet_memories(reader, (*walked, *alike, *untold), walk.focal.ids)
    missing = [id for id in (*walked, *alike, *untold) if id not in by_id and id not in quiet]
    for memory in tellable(reader, dict.fromkeys(missing), untold):
        source = EMBEDDING
        if memory.id in walked:
            source = _walked_from(walked[memory.id], walk.focal.pinned_ids)
        by_id[memory.id] = context.candidate(memory, settings, source)
    merged = (_merged(each, walked.get(each.id), alike.get(each.id), settings, asked)
              for each in by_id.values())
    return _cut(ranked(merged), settings.candidate_pool_limit, kept)


def _cut(best_first: list[SessionCandidate], limit: int, kept: float) -> list[SessionCandidate]:
    """The first of them, and among these as many of what was asked as its share allows."""
    places = [place for place, each in enumerate(best_first) if each.asked][:round(limit * kept)]
    rest = [place for place in range(len(best_first)) if place not in set(places)]
    return [best_first[place] for place in sorted((*places, *rest[:limit - len(places)]))]


def ranked(candidates: Iterable[SessionCandidate]) -> list[SessionCandidate]:
    """Those of the project first, then by score, by meaning, the nearest of a walk, the newest.

    Memories of a walk often have equal scores: then the session's topic decides, and what is said
    of a pinned entity itself comes before what is said of those around it.
    """
    newest = sorted(candidates, key=lambda each: each.created_at.replace("T", " "), reverse=True)
    return sorted(newest, key=lambda each: (
        not each.at_home, -each.score, -(each.likeness or 0), _links_away(each)))


def _links_away(each: SessionCandidate) -> int:
    """How many links it is from where the walk began; what no walk brought is there itself."""
    return max(len(each.path.entity_ids) - 1, 0) if each.path else 0


def _walked_from(memory: WalkedMemory, pinned_ids: Sequence[str]) -> str:
    return WALKED_PINNED if set(memory.path.entity_ids[:1]) & set(pinned_ids) else WALKED


def _merged(
    each: SessionCandidate, walked: WalkedMemory | None, likeness: float | None,
    settings: SessionSettings, asked: float,
) -> SessionCandidate:
    """The candidate with everything that brought it; the best of it is its score.

    What a walk brings from the pinned entities weighs much whatever is asked. So where something
    is asked, being about it is a part of the score; pinned memory keeps its context.
    """
    score = max(each.effective, share(walked.score) if walked else 0.0,
                settings.embedding_weight * (likeness or 0.0))
    if not each.pinned:
        score = (1 - asked) * score + asked * min((likeness or 0.0) / SAME_TOPIC, 1.0)
    about_it = bool(asked) and (likeness or 0.0) >= SAME_TOPIC
    return replace(
        each, score=score, heuristic=score, walked=share(walked.score) if walked else None,
        likeness=likeness, path=walked.path if walked else None,
        asked=about_it or (walked is not None and walked.asked))


def tellable(
    reader: Reader, ids: Iterable[str], untold: Mapping[str, ValueWithoutMemory]
) -> list[Memory]:
    """The memories of these ids that may be told; a value without a memory says itself."""
    def read(several: list[str]) -> dict[str, Memory]:
        read_outdated(reader, constraints=False)
        return {row["id"]: memory_of(row) for row in reader.rows(_BY_ID, ids=several)}

    wanted = list(ids)
    memories = reader.each_once(f"memories told to {reader.agent}", wanted, read)
    return [*memories.values(), *(untold[id].memory for id in wanted if id in untold)]
