"""What a session's candidate looks like to the learned scorer: structure, age, earlier use.

Whether something is pinned is no feature: pins are what the scorer learns from, so that it makes
such bets by itself (seed 002).
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from core.model.session_start_and_end import SessionCandidate
from core.model.times import parse_time
from core.model.walk import Path
from core.queries.rows_to_model import whole
from core.store.reader_and_writer import Reader

NAMES = ("heuristic", "importance", "freshness", "walked", "hop", "density", "constraint",
         "memory use", "entity use", "aspect use")
Table = NDArray[np.float64]
SLOTS = 256
_OFFSET, _PRIME = 2_166_136_261, 16_777_619
_USUAL_USE, _TRUST = 0.1, 3
"""How often a memory is used of which little is known, and how much is little."""

_DENSITY = """
SELECT f.value AS id,
  (SELECT COUNT(*) FROM entity_aspects a
   WHERE a.entity_id = f.value AND a.agent_id = :agent AND a.status = 'active')
  + (SELECT COUNT(*) FROM entity_aspects a CROSS JOIN entity_attributes v ON v.aspect_id = a.id
     WHERE a.entity_id = f.value AND +a.agent_id = :agent AND v.status = 'active') AS density
FROM json_each(:ids) f"""
_CONSTRAINTS = """
SELECT DISTINCT v.memory_id AS id FROM entity_attributes v
WHERE +v.kind = 'constraint' AND v.memory_id IN (SELECT value FROM json_each(:ids))
  AND +v.agent_id = :agent AND +v.status = 'active'"""
_USES = """
SELECT s.memory_id AS id, COUNT(*) AS shown, SUM(s.fts_hit_count > 0
  OR COALESCE(s.agent_relevance_score, 0) > 0) AS used
FROM json_each(:ids) f CROSS JOIN session_memories s ON s.memory_id = f.value
WHERE +s.agent_id = :agent AND s.was_injected = 1 GROUP BY s.memory_id"""


class CandidateFeatures(Struct, frozen=True):
    """A candidate, freed of where it was read."""

    memory_id: str
    heuristic: float
    importance: float
    days: float
    path: Path | None
    density: int
    constraint: bool


class UseCounts(Struct):
    """How often things were injected, and how often that was of use."""

    shown: Counter[str | int] = field(default_factory=Counter)
    used: Counter[str | int] = field(default_factory=Counter)

    def rate(self, key: str | int | None) -> float:
        """The share of use, drawn to the usual one where little is known."""
        return (self.used[key] + _USUAL_USE * _TRUST) / (self.shown[key] + _TRUST) \
            if key is not None else _USUAL_USE

    def rates(self) -> dict[str, float]:
        """The rate of each thing that was ever injected."""
        return {str(key): round(self.rate(key), 4) for key in self.shown}

    def add(self, keys: Iterable[str | int | None], used: bool) -> None:
        """Count one time that something was injected."""
        for key in keys:
            if key is not None:
                self.shown[key] += 1
                self.used[key] += used


def slot(id: str | None) -> int | None:
    """A hash of an id, 0 to 255 (FNV-1a, as upstream stores it)."""
    if id is None:
        return None
    number = _OFFSET
    for byte in id.encode("utf-8", "surrogatepass"):
        number = (number ^ byte) * _PRIME & 0xFFFF_FFFF
    return number % SLOTS


def owner(path: Path | None) -> str | None:
    """The entity that a path ends at."""
    return path.entity_ids[-1] if path and path.entity_ids else None


def aspect(path: Path | None) -> str | None:
    """The aspect that a path ends at."""
    return path.aspect_ids[-1] if path and path.aspect_ids else None


def densities(reader: Reader, entity_ids: Iterable[str]) -> dict[str, int]:
    """For each entity how many aspects and values it has."""
    ids = sorted(set(entity_ids))
    rows = reader.rows(_DENSITY, ids=ids) if ids else []
    return {row["id"]: whole(row["density"]) for row in rows}


def constraint_memories(reader: Reader, memory_ids: Iterable[str]) -> frozenset[str]:
    """Those of the memories that a constraint rests on."""
    # A damaged row may name no memory.
    ids = sorted(set(filter(None, memory_ids)))
    return frozenset(row["id"] for row in reader.rows(_CONSTRAINTS, ids=ids))


def uses_of(reader: Reader, memory_ids: Iterable[str]) -> UseCounts:
    """How often these memories were injected so far, and were of use."""
    uses = UseCounts()
    for row in reader.rows(_USES, ids=sorted(set(memory_ids))):
        uses.shown[row["id"]], uses.used[row["id"]] = whole(row["shown"]), whole(row["used"])
    return uses


def features_of(
    reader: Reader, candidates: Sequence[SessionCandidate], now: datetime
) -> list[CandidateFeatures]:
    """The candidates of a session that begins now."""
    owners = {each.id: owner(each.path) for each in candidates}
    dense = densities(reader, (id for id in owners.values() if id is not None))
    rules = constraint_memories(reader, owners)
    return [CandidateFeatures(
        each.id, each.heuristic, each.importance, age(each.created_at, now), each.path,
        dense.get(owners[each.id] or "", 0), each.id in rules) for each in candidates]


def age(created_at: object, now: datetime) -> float:
    """Days from one moment to another, 0 where one is unknown."""
    made = parse_time(created_at)
    return 0.0 if made is None else max((now - made).total_seconds() / 86_400, 0.0)


def table(
    candidates: Sequence[CandidateFeatures], memories: UseCounts, entities: Mapping[str, float],
    aspects: Mapping[str, float],
) -> Table:
    """One row of numbers for each candidate, in the order of `NAMES`."""
    rows = [(
        each.heuristic, each.importance, 0.95 ** each.days, float(each.path is not None),
        float(each.path is not None and len(each.path.entity_ids) > 1),
        math.log1p(each.density), float(each.constraint), memories.rate(each.memory_id),
        entities.get(str(slot(owner(each.path))), _USUAL_USE),
        aspects.get(str(slot(aspect(each.path))), _USUAL_USE),
    ) for each in candidates]
    return np.array(rows, np.float64).reshape(len(rows), len(NAMES))
