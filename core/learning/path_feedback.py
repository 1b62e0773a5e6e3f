"""Learns from ratings which paths through the graph are useful.

A rating of a memory changes the aspects and links on its path, the path's value, and the counts of
entities used together.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import asdict

from core.learning import cooccurrence
from core.learning.aspect_weights import Bounds, move_weights
from core.learning.config import FeedbackSettings
from core.learning.link_ratings import LinkRating, move_links
from core.model.session_start_and_end import PathFeedback
from core.model.walk import Path, path_hash, path_json, read_path
from core.queries.rows_to_model import number, whole
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer, new_id

BY = "path-feedback"
INFERRED = 5
"""Values of a memory from which its path is taken where none was kept."""

_ROWS = """
SELECT s.id, s.memory_id, s.path_json, s.agent_relevance_score AS score,
  s.agent_feedback_count AS ratings
FROM session_memories s WHERE s.session_key = :session AND s.agent_id = :agent
  AND s.memory_id IN (SELECT value FROM json_each(:ids))"""
_VALUES = """
SELECT v.memory_id, v.aspect_id, a.entity_id FROM entity_attributes v
CROSS JOIN entity_aspects a ON a.id = v.aspect_id
WHERE v.memory_id IN (SELECT value FROM json_each(:ids)) AND +v.agent_id = :agent
  AND +v.status = 'active' AND a.agent_id = :agent
ORDER BY v.importance DESC, v.id"""
_STATS = """
SELECT t.q_value, t.sample_count, t.positive_count, t.negative_count, t.neutral_count
FROM path_feedback_stats t WHERE t.agent_id = :agent AND t.path_hash = :hash"""
_USED_BEFORE = """
SELECT t.path_json FROM path_feedback_events t
WHERE t.agent_id = :agent AND t.session_key = :session AND t.rating > 0"""


class Rewards(Struct, frozen=True):
    """The outcomes of a memory, each 0 to 1: cited, updated, built upon, or a dead end."""

    forward: float = 0.0
    update: float = 0.0
    downstream: float = 0.0
    dead_end: float = 0.0

    @property
    def total(self) -> float:
        """All together, as the path's value follows it."""
        return self.forward + 0.5 * self.update + 0.6 * self.downstream - 0.15 * self.dead_end

    @classmethod
    def read(cls, value: object) -> "Rewards":
        """Rewards in the spellings of upstream; non-numbers count as 0."""
        if isinstance(value, Rewards):
            return value
        given = value if isinstance(value, Mapping) else {}
        rewards = {name: max((_unit(given[key]) for key in keys if key in given), default=0.0)
                 for name, keys in _SPELLINGS.items()}
        return cls(**rewards)


_SPELLINGS = {
    "forward": ("forward", "forward_citation", "forwardCitation"),
    "update": ("update", "update_after_retrieval", "updateAfterRetrieval"),
    "downstream": ("downstream", "downstream_creation", "downstreamCreation"),
    "dead_end": ("dead_end", "deadEnd"),
}


class _Rated(NamedTuple):
    """A memory of the session, its rating, how it came and what came of it."""

    row: Row
    rating: float
    way: Path
    """Empty where nothing tells how it came."""
    rewards: Rewards


def rate(
    writer: Writer, session_key: str, ratings: Mapping[str, object], settings: FeedbackSettings, *,
    paths: Mapping[str, object] | None = None, rewards: Mapping[str, object] | None = None,
    implied: bool = False,
) -> PathFeedback:
    """Learn from ratings (-1 to 1) of memories of a session; others are ignored.

    Args:
        paths: paths of memories, instead of those in the session's record.
        rewards: outcomes of memories.
        implied: nobody rated them, their hits did: the memories' own ratings and the weights of
            aspects, which hits move by themselves, stay.
    """
    rated = _rated(writer, session_key, ratings, paths or {}, rewards or {})
    if not rated or not settings.enabled:
        return PathFeedback()
    before = _used_before(writer, session_key)
    led = [one for one in rated if len(one.way)]
    if not implied:
        for one in rated:
            _note_rating(writer, one)
        _move_aspects(writer, led, session_key, settings)
    links = move_links(writer, session_key, [
        LinkRating(one.way.dependency_ids, one.rating, one.row["memory_id"])
        for one in led], settings)
    for one in led:
        _note_event(writer, session_key, one, settings)
    pairs = _count_session(writer, session_key, led, before, settings)
    links += cooccurrence.promote(writer, pairs, session_key, settings)
    return PathFeedback(len(rated), len(led), len(pairs), links)


def _rated(
    reader: Reader, session_key: str, ratings: Mapping[str, object], paths: Mapping[str, object],
    rewards: Mapping[str, object],
) -> list[_Rated]:
    """The ratings that are about memories of this session of this agent."""
    known = {row["memory_id"]: row for row in reader.rows(
        _ROWS, session=session_key, ids=list(ratings))}
    ways = {id: read_path(paths.get(id)) or read_path(row["path_json"])
            for id, row in known.items()}
    inferred = _inferred(reader, [id for id, way in ways.items() if way is None])
    return [_Rated(known[id], rating_of(rating), ways[id] or inferred.get(id) or Path(),
                   Rewards.read(rewards.get(id)))
            for id, rating in ratings.items() if id in known]


def rating_of(value: object) -> float:
    """A rating within its bounds; 0 if it is not a number."""
    rating = number(value)
    return min(max(rating, -1.0), 1.0) if math.isfinite(rating) else 0.0


def _inferred(reader: Reader, memories: Sequence[str]) -> dict[str, Path]:
    """The entities and aspects of memories by their values, where no path was kept."""
    by_memory: dict[str, list[Row]] = {}
    for row in reader.rows(_VALUES, ids=memories) if memories else ():
        by_memory.setdefault(row["memory_id"], []).append(row)
    return {id: Path(tuple(dict.fromkeys(row["entity_id"] for row in rows[:INFERRED])),
                     tuple(dict.fromkeys(row["aspect_id"] for row in rows[:INFERRED])))
            for id, rows in by_memory.items()}


def _unit(value: object) -> float:
    return max(rating_of(value), 0.0)


def _note_rating(writer: Writer, one: _Rated) -> None:
    """The running mean of what the agent said of the memory."""
    count = max(whole(one.row["ratings"]), 0) if one.row["score"] is not None else 0
    mean = (number(one.row["score"]) * count + one.rating) / (count + 1)
    writer.update("session_memories", one.row["id"], agent_relevance_score=mean,
                  agent_feedback_count=count + 1)


def _move_aspects(
    writer: Writer, rated: Iterable[_Rated], session_key: str, settings: FeedbackSettings
) -> None:
    steps: defaultdict[str, float] = defaultdict(float)
    for one in rated:
        for id in one.way.aspect_ids:
            steps[id] += settings.path_weight_delta * one.rating
    move_weights(writer, steps, Bounds(
        settings.min_aspect_weight, settings.max_aspect_weight), by=BY,
        why="rated by the agent", session_key=session_key)


# -- the record of paths ---------------------------------------------------------------------


def _note_event(
    writer: Writer, session_key: str, one: _Rated, settings: FeedbackSettings
) -> None:
    path_text, hashed = path_json(one.way), path_hash(one.way)
    rewards = asdict(one.rewards)
    writer.insert(
        "path_feedback_events", id=new_id(), agent_id=writer.agent, session_key=session_key,
        memory_id=one.row["memory_id"], path_hash=hashed, path_json=path_text, rating=one.rating,
        reward=one.rewards.total, created_at=writer.now(),
        **{f"reward_{name}": rewards[name] for name in Rewards.__struct_fields__})
    _move_value(writer, hashed, path_text, one, settings.learning_rate)


def _move_value(writer: Writer, hashed: str, path_text: str, one: _Rated, rate: float) -> None:
    """The path's value follows the reward; the first one it takes over as it is."""
    sign = "positive" if one.rating > 0 else "negative" if one.rating < 0 else "neutral"
    old, now = writer.row(_STATS, hash=hashed), writer.now()
    if old is None:
        writer.insert(
            "path_feedback_stats", agent_id=writer.agent, path_hash=hashed, path_json=path_text,
            q_value=one.rewards.total, sample_count=1, positive_count=int(sign == "positive"),
            negative_count=int(sign == "negative"), neutral_count=int(sign == "neutral"),
            updated_at=now, created_at=now)
        return
    value = number(old["q_value"])
    writer.update_where(
        "path_feedback_stats", "agent_id = :agent AND path_hash = :hash", {
            "q_value": value + (one.rewards.total - value) * rate,
            "sample_count": whole(old["sample_count"]) + 1,
            f"{sign}_count": whole(old[f"{sign}_count"]) + 1, "updated_at": now}, hash=hashed)


def _used_before(reader: Reader, session_key: str) -> list[str]:
    """Entities of paths that this session has already rated well."""
    paths = (read_path(row["path_json"])
             for row in reader.rows(_USED_BEFORE, session=session_key))
    return cooccurrence.active(reader, (id for path in paths if path for id in path.entity_ids))


def _count_session(
    writer: Writer, session_key: str, led: Iterable[_Rated], before: list[str],
    settings: FeedbackSettings,
) -> list[cooccurrence.Pair]:
    """Count the session, its entities and their pairs, each once."""
    if not writer.value(
        "SELECT 1 FROM path_feedback_sessions WHERE agent_id = :agent AND session_key = :session",
        session=session_key,
    ):
        writer.insert("path_feedback_sessions", agent_id=writer.agent, session_key=session_key,
                      created_at=writer.now())
    if not writer.has_table("entity_cooccurrence"):
        return []
    best = sorted((one for one in led if one.rating > 0), key=lambda one: -one.rating)
    used = cooccurrence.active(
        writer, (id for one in best for id in one.way.entity_ids))
    most = settings.max_session_entities
    return cooccurrence.count(writer, session_key, used[:most], before[:most])
