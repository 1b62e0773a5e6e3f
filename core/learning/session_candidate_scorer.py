"""A small learned scorer: ranks a session's candidates by what turned out to be of use.

It is pairwise logistic regression over a few numbers of each candidate. It learns from hits and
ratings, and from pins as well. It is judged by the latest sessions, which it was not trained on,
against the heuristic, and used only where it ranked better (NDCG@10).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict

from core.learning import scorer_features
from core.learning.automatic_change_log import record
from core.learning.config import ScorerSettings
from core.learning.scorer_comparison import ndcg, win_rate
from core.learning.scorer_features import NAMES, CandidateFeatures, Table, UseCounts
from core.model.session_start_and_end import UNRANKED, SessionCandidate
from core.model.times import parse_time
from core.model.walk import Focal, read_path
from core.queries.rows_to_model import number, text, whole
from core.queries.sessions import TRAINED, events, subject
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer

BY = "learning:scorer"
VERSION = 1
"""Of the numbers; a model of another version is not used."""
_SAME = 0.05
"""Labels that differ by no more say nothing."""
_PAIRS = 300
"""Pairs of one session that are trained on."""
_STEP = 0.5

_ROWS = """
SELECT s.session_key, s.memory_id, s.effective_score, s.path_json, s.structural_density,
  s.is_constraint, s.was_injected, s.fts_hit_count, s.agent_relevance_score, s.rank,
  s.created_at, m.importance, m.pinned, m.created_at AS made
FROM session_memories s LEFT JOIN memories m ON m.id = s.memory_id
WHERE s.agent_id = :agent AND s.source NOT IN (SELECT value FROM json_each(:unranked))
  AND s.session_key IN (
  SELECT k.session_key FROM session_memories k WHERE k.agent_id = :agent
  GROUP BY k.session_key
  HAVING SUM(k.fts_hit_count > 0 OR k.agent_relevance_score IS NOT NULL)
  ORDER BY MIN(k.created_at) DESC LIMIT :most)"""
_PINNED = "SELECT id FROM entities WHERE agent_id = :agent AND pinned = 1"


class Model(Struct, frozen=True):
    """The learned model: weights over standardised features, rates of use, ranking quality."""

    weights: tuple[float, ...]
    mean: tuple[float, ...]
    scale: tuple[float, ...]
    entities: Mapping[str, float]
    aspects: Mapping[str, float]
    ndcg: float
    heuristic: float
    sessions: int
    version: int = VERSION

    @property
    def wins(self) -> bool:
        """True if it ranked the held-out sessions better than the heuristic."""
        return self.ndcg > self.heuristic

    def scores(self, table: Table) -> Table:
        """What each row of numbers is worth, 0 to 1."""
        logits = (table - np.array(self.mean)) / np.array(self.scale) @ np.array(self.weights)
        scores: Table = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
        return scores

    def table(self, candidates: Sequence[CandidateFeatures], memories: UseCounts) -> Table:
        """The features of candidates by their current use."""
        return scorer_features.table(candidates, memories, self.entities, self.aspects)

    def report(self) -> dict[str, object]:
        """How well it ranks, for people."""
        return {"ndcg": round(self.ndcg, 4), "heuristic": round(self.heuristic, 4),
                "sessions": self.sessions, "wins": self.wins,
                "weights": dict(zip(NAMES, (round(w, 3) for w in self.weights), strict=True))}


class _Session(Struct, frozen=True):
    """One session to learn from: its candidates, what came of them, what the pins say."""

    seen: tuple[CandidateFeatures, ...]
    outcome: Table
    label: Table
    injected: tuple[bool, ...]


def train(reader: Reader, settings: ScorerSettings) -> Model | None:
    """Learn from the latest sessions; None if there are too few of them.

    The report is on the held-out sessions; the weights are then learned from all.
    """
    known = _sessions(reader, settings)
    if len(known) < settings.min_sessions:
        return None
    back = max(1, round(len(known) * settings.held_back))
    tables, entities, aspects = _over_time(known)
    first = _fit(tables[:-back], known[:-back], settings)
    judged = [(first.scores(table), session)
              for table, session in zip(tables[-back:], known[-back:], strict=True)]
    learned = [ndcg(scores, session.outcome) for scores, session in judged]
    usual = [ndcg([each.heuristic for each in session.seen], session.outcome)
             for _, session in judged]
    whole_model = _fit(tables, known, settings)
    return Model(
        whole_model.weights, whole_model.mean, whole_model.scale, entities.rates(),
        aspects.rates(), float(np.mean(learned)), float(np.mean(usual)), len(known))


def save(writer: Writer, model: Model) -> None:
    """Store the learned model."""
    record(writer, TRAINED, subject(writer.agent), by=BY, reason="learned from sessions",
           metadata=asdict(model), lasting=False)


def load(reader: Reader) -> Model | None:
    """The stored model; None if there is none, or it is of another version."""
    model = next((model for _, model in events(reader, TRAINED, limit=1)), {})
    weights, mean, scale = (_numbers(model.get(name)) for name in ("weights", "mean", "scale"))
    sizes = {len(weights), len(mean), len(scale)}
    if model.get("version") != VERSION or sizes != {len(NAMES)}:
        return None
    return Model(weights, mean, scale, _rates(model.get("entities")), _rates(model.get("aspects")),
                 number(model.get("ndcg")), number(model.get("heuristic")),
                 whole(model.get("sessions")))


def _numbers(value: object) -> tuple[float, ...]:
    return tuple(map(number, value)) if isinstance(value, list) else ()


def _rates(value: object) -> dict[str, float]:
    return {key: number(rate) for key, rate in value.items()} if isinstance(value, dict) else {}


def predict(
    reader: Reader, model: Model, candidates: Sequence[SessionCandidate], now: datetime
) -> list[float]:
    """What the model gives each candidate of a session that begins now, 0 to 1."""
    features_now = scorer_features.features_of(reader, candidates, now)
    uses = scorer_features.uses_of(reader, (each.id for each in candidates))
    table = model.table(features_now, uses)
    return [float(score) for score in model.scores(table)]


def is_trusted(
    reader: Reader, model: Model, entity_id: str | None, settings: ScorerSettings
) -> bool:
    """True where the model wins: over all, and about this entity as far as that is known."""
    if not model.wins:
        return False
    rate = win_rate(reader, entity_id, settings.min_comparisons) if entity_id else None
    return rate is None or rate >= settings.min_win_rate


def focus(focal: Focal) -> str | None:
    """The entity that a session is most about: the first that is not just pinned."""
    ids = [each.id for each in focal.entities if each.reason != "pinned"]
    return next(iter((*ids, *focal.ids)), None)


# -- sessions to learn from ------------------------------------------------------------------


def outcome(hits: object, rating: object) -> float:
    """How much use a memory was of: its rating, else more with each hit."""
    if rating is not None:
        return min(max(number(rating), 0.0), 1.0)
    return 1 - 0.5 ** max(whole(hits), 0)


def _sessions(reader: Reader, settings: ScorerSettings) -> list[_Session]:
    """The latest sessions of which anything came, oldest first."""
    pinned = frozenset(row["id"] for row in reader.rows(_PINNED))
    grouped: defaultdict[str, list[Row]] = defaultdict(list)
    for row in reader.rows(_ROWS, unranked=UNRANKED, most=settings.max_sessions):
        grouped[text(row["session_key"])].append(row)
    ordered = sorted(grouped.values(), key=lambda rows: min(
        parse_time(row["created_at"]) or datetime.min.replace(tzinfo=UTC) for row in rows))
    sessions = (_session(rows, pinned, settings) for rows in ordered)
    return [session for session in sessions if session.outcome.any()]


def _session(rows: list[Row], pinned: frozenset[str], settings: ScorerSettings) -> _Session:
    rows = sorted(rows, key=lambda row: whole(row["rank"]))
    seen = tuple(map(_seen, rows))
    came = np.array([outcome(row["fts_hit_count"], row["agent_relevance_score"]) for row in rows])
    bets = np.array([settings.pin_label * bool(row["pinned"] or (
        each.path and pinned.intersection(each.path.entity_ids)))
        for row, each in zip(rows, seen, strict=True)])
    return _Session(seen, came, np.maximum(came, bets),
                    tuple(bool(row["was_injected"]) for row in rows))


def _seen(row: Row) -> CandidateFeatures:
    began = parse_time(row["created_at"]) or datetime.now(UTC)
    return CandidateFeatures(text(row["memory_id"]), number(row["effective_score"]),
                number(row["importance"], 0.5), scorer_features.age(row["made"], began),
                read_path(row["path_json"]), whole(row["structural_density"]),
                bool(row["is_constraint"]))


def _over_time(known: Sequence[_Session]) -> tuple[list[Table], UseCounts, UseCounts]:
    """Each session's numbers by what was known of use before it, and what is known at the end."""
    memories, entities, aspects = UseCounts(), UseCounts(), UseCounts()
    tables = []
    for session in known:
        tables.append(scorer_features.table(
            session.seen, memories, entities.rates(), aspects.rates()))
        for each, came, injected in zip(
                session.seen, session.outcome, session.injected, strict=True):
            if injected:
                memories.add([each.memory_id], came > 0)
                entities.add([scorer_features.slot(scorer_features.owner(each.path))], came > 0)
                aspects.add([scorer_features.slot(scorer_features.aspect(each.path))], came > 0)
    return tables, entities, aspects


# -- learning --------------------------------------------------------------------------------


def _fit(
    tables: Sequence[Table], sessions: Sequence[_Session], settings: ScorerSettings
) -> Model:
    """Weights under which what was of more use than another candidate scores higher."""
    every = np.vstack(tables)
    mean, scale = every.mean(axis=0), every.std(axis=0)
    scale[scale < 1e-9] = 1.0
    pairs = [pair for table, session in zip(tables, sessions, strict=True)
             for pair in _pairs((table - mean) / scale, session.label)]
    weights = np.zeros(len(NAMES))
    if pairs:
        apart = np.array([difference for difference, _ in pairs])
        much = np.array([gap for _, gap in pairs])
        for _ in range(settings.rounds):
            wrong = 1 / (1 + np.exp(np.clip(apart @ weights, -30, 30)))
            slope = (apart * (wrong * much)[:, None]).sum(axis=0) / much.sum()
            weights += _STEP * (slope - settings.penalty * weights)
    return Model(tuple(weights.tolist()), tuple(mean.tolist()), tuple(scale.tolist()), {}, {},
                 0.0, 0.0, len(sessions))


def _pairs(table: Table, label: Table) -> Iterator[tuple[Table, float]]:
    """Differences between a candidate and one that was of less use, spread over the session."""
    gaps = label[:, None] - label[None, :]
    better, worse = np.nonzero(gaps > _SAME)
    every = max(1, len(better) // _PAIRS)
    for high, low in zip(better[::every], worse[::every], strict=True):
        yield table[high] - table[low], float(gaps[high, low])
