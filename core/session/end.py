"""Ends a session: the graph learns from what it used, and a checkpoint is written."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from msgspec.structs import asdict, replace

from core.errors import ConstellationError, OperationError
from core.learning import constraint_importance, decay, path_feedback, session_candidate_scorer
from core.learning.automatic_change_log import record as note_down
from core.learning.confirmed_by_recall import Overlap, apply_overlap
from core.learning.path_feedback import Rewards
from core.learning.retire_orphaned_values import propagate
from core.learning.scorer_comparison import keep, ndcg
from core.model.session_start_and_end import (
    UNRANKED,
    Comparison,
    PathFeedback,
    SessionEnd,
    SessionMemory,
)
from core.queries.rows_to_model import text, whole
from core.queries.sessions import (
    ENDED,
    STARTED,
    events,
    require_own_rows,
    session_memories,
    subject,
)
from core.session import checkpoint
from core.session.config import EngineSettings
from core.store.reader_and_writer import Reader, Writer

T = TypeVar("T")
BY = "session:end"
OVER = "It has already ended, and has not changed since"


def close(
    writer: Writer, session_key: str, settings: EngineSettings, *,
    ratings: Mapping[str, object] | None = None, paths: Mapping[str, object] | None = None,
    rewards: Mapping[str, object] | None = None,
) -> SessionEnd:
    """End a session, once or again: nothing counts twice.

    If it has not changed since it ended, nothing is done. A part that fails is reported in the
    notes and does not stop the others.

    Args:
        ratings: the agent's ratings of memories, -1 to 1, by id.
        paths: their paths, instead of those in the session's record.
        rewards: their rewards.
    """
    if not session_key.strip():
        raise OperationError(400, "A session needs a key to be ended", field="session")
    require_own_rows(writer)
    began, started = next(iter(events(writer, STARTED, session_key, limit=1)), ("", {}))
    if not started and not session_memories(writer, session_key):
        return SessionEnd(session_key, notes=("This session is not recorded",),
                          changed=False)
    ending = _Ending(writer, session_key, settings, started)
    if ending.is_over(began, ratings or {}, rewards or {}):
        return SessionEnd(session_key, notes=(OVER,), changed=False)
    if settings.feedback.enabled:
        ending.learn(ratings or {}, paths or {}, rewards or {})
    return ending.finish()


class _Ending:
    """One session's end: its parts, one after another, and what each came to."""

    def __init__(self, writer: Writer, session_key: str, settings: EngineSettings,
                 started: Mapping[str, object]) -> None:
        self.writer, self.key, self.settings, self.started = writer, session_key, settings, started
        self.notes: list[str] = []
        self.overlap = Overlap()
        self.feedback = PathFeedback()
        self.decayed = self.propagated = self.eased = 0
        self.rated = _rated(writer, session_key)
        self.comparison: Comparison | None = None
        self.report: Mapping[str, object] = {}

    def is_over(self, began: str, ratings: Mapping[str, object],
                rewards: Mapping[str, object]) -> bool:
        """True if it has ended and was not begun, looked up in or rated since."""
        ended = next(iter(events(self.writer, ENDED, self.key, limit=1)), None)
        if ended is None or began > ended[0] or ended[1].get("hits") != self._hits:
            return False
        return not self._unlike(self._ratings_of_session(ratings, rewards))

    def _part(self, name: str, do: Callable[[], T], otherwise: T) -> T:
        """Do one part wholly or not at all."""
        try:
            with self.writer.savepoint():
                return do()
        except ConstellationError as error:
            self.notes.append(f"{name}: {error}")
            return otherwise

    def learn(self, ratings: Mapping[str, object], paths: Mapping[str, object],
              rewards: Mapping[str, object]) -> None:
        """Everything that a session teaches."""
        writer, feedback = self.writer, self.settings.feedback
        fresh = self._fresh(ratings, rewards)
        rated = self._part("Ratings", lambda: path_feedback.rate(
            writer, self.key, fresh, feedback, paths=paths, rewards=rewards), PathFeedback())
        self.overlap = self._part(
            "Feedback", lambda: apply_overlap(writer, self.key, feedback), Overlap())
        self._part("Use of memories", self._note_use, None)
        implied = self._part("Path feedback", lambda: self._imply(rewards), PathFeedback())
        self.feedback = _sum(rated, implied)
        if self._part("Decay", lambda: decay.is_due(writer, self.key, feedback), False):
            self.decayed = self._part(
                "Decay", lambda: decay.decay_aspects(writer, feedback), 0)
        self.propagated = self._part("Deleted memories", lambda: propagate(writer), 0)
        self.eased = self._part("Constraints", self._ease, 0)
        self.comparison = self._part("Comparison", self._compare, None)
        self.report = self._part("Scorer", self._train, {})

    def finish(self) -> SessionEnd:
        """The checkpoint and the record."""
        id = self._part("Checkpoint", self._write_checkpoint, None)
        ended = SessionEnd(
            self.key, self.overlap.aspects_updated, self.overlap.confirmations, self.decayed,
            self.propagated, self.eased, self.feedback, self.comparison, self.report, id,
            tuple(self.notes))
        note_down(
            self.writer, ENDED, subject(self.writer.agent), by=BY, reason="a session ended",
            lasting=False, metadata={
                "session_key": self.key, "aspects_updated": ended.aspects_updated,
                "confirmations": ended.confirmations, "decayed": ended.decayed,
                "propagated": ended.propagated, "constraints_eased": ended.constraints_eased,
                "rated": self.rated, "hits": self._hits})
        return ended

    # -- parts -------------------------------------------------------------------------------

    @property
    def _memories(self) -> tuple[SessionMemory, ...]:
        return session_memories(self.writer, self.key)

    def _fresh(
        self, ratings: Mapping[str, object], rewards: Mapping[str, object]
    ) -> Mapping[str, object]:
        """The ratings of the session's memories that an earlier end has not counted as they are."""
        ratings_now = self._ratings_of_session(ratings, rewards)
        unknown = [id for id in ratings if id not in ratings_now]
        if unknown:
            more = f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
            self.notes.append("Ratings of memories that are not part of this session are ignored:"
                              f" {unknown[0]}{more}")
        fresh = {id: ratings[id] for id in self._unlike(ratings_now)}
        self.rated |= ratings_now
        return fresh

    def _ratings_of_session(
        self, ratings: Mapping[str, object], rewards: Mapping[str, object]
    ) -> dict[str, object]:
        """The ratings of the session's own memories, as its end keeps them."""
        known = {each.memory_id for each in self._memories}
        return {id: [path_feedback.rating_of(rating), asdict(Rewards.read(rewards.get(id)))]
                for id, rating in ratings.items() if id in known}

    def _unlike(self, ratings_now: Mapping[str, object]) -> list[str]:
        """The memories that an earlier end has not counted with this rating."""
        return [id for id, item in ratings_now.items() if self.rated.get(id) != item]

    @property
    def _hits(self) -> int | None:
        """What it looked up, as far as its end learns from that."""
        enabled = self.settings.feedback.enabled
        return sum(each.hits for each in self._memories) if enabled else None

    def _note_use(self) -> None:
        """A memory that was found again has been used: recall knows it as rehearsed."""
        for id, hits in self.overlap.memories.items():
            row = self.writer.row(
                "SELECT m.access_count FROM memories m WHERE m.id = :id", id=id)
            if row is not None:
                self.writer.update("memories", id, last_accessed=self.writer.now(),
                                   access_count=whole(row["access_count"]) + hits)

    def _imply(self, rewards: Mapping[str, object]) -> PathFeedback:
        """What hits say of the paths of memories that nobody rated: at least, it was cited."""
        size = self.settings.feedback.implied_rating
        rated = {each.memory_id for each in self._memories if each.rating is not None}
        hit_ids = [id for id in self.overlap.memories if id not in rated]
        if not size or not hit_ids:
            return PathFeedback()
        return path_feedback.rate(
            self.writer, self.key, dict.fromkeys(hit_ids, size), self.settings.feedback,
            rewards={id: replace(Rewards.read(rewards.get(id)), forward=1.0) for id in hit_ids},
            implied=True)

    def _ease(self) -> int:
        focal = checkpoint.json_array_of(self.started.get("focal_entity_ids"))
        walked = (id for each in self._memories if each.path for id in each.path.entity_ids)
        return constraint_importance.ease(self.writer, {*map(text, focal), *walked},
                                self.settings.feedback, self.settings.supersession)

    def _compare(self) -> Comparison | None:
        """The scorer's order against the heuristic's, by what came of the candidates."""
        pool = [each for each in self._memories if each.source not in UNRANKED]
        relevance = [session_candidate_scorer.outcome(each.hits, each.rating) for each in pool]
        predicted = [each.predictor_score for each in pool]
        if not any(relevance) or None in predicted:
            return None
        usual = [each.effective_score for each in pool]
        learned = [score or 0.0 for score in predicted]
        focus = text(self.started.get("focus")) or None
        comparison = Comparison(
            ndcg(learned, relevance), ndcg(usual, relevance), focus,
            text(self.writer.value("SELECT name FROM entities WHERE id = :id"
                                   " AND agent_id = :agent", id=focus)))
        ids = [each.memory_id for each in pool]
        keep(
            self.writer, self.key, comparison, project=text(self.started.get("project")),
            counts=(len(pool), sum(each.path is not None for each in pool),
                    whole(self.started.get("surfaced_constraint_count"))),
            alpha=float(self.started.get("ranked_by") == "scorer"),
            top=(_ordered(ids, learned), _ordered(ids, usual)),
            relevance={id: worth for id, worth in zip(ids, relevance, strict=True) if worth})
        return comparison

    def _train(self) -> Mapping[str, object]:
        """Learn to rank from what is known now."""
        settings = self.settings.scorer
        model = session_candidate_scorer.train(self.writer, settings) if settings.enabled else None
        if model is None:
            return {}
        session_candidate_scorer.save(self.writer, model)
        return model.report()

    def _write_checkpoint(self) -> str | None:
        if not self.writer.has_table("session_checkpoints"):
            return None
        used = sorted((each for each in self._memories if each.hits and each.content),
                      key=lambda each: -each.hits)
        return checkpoint.write(
            self.writer, self.key, self.started, used, text(self.started.get("project")))


def _rated(reader: Reader, session_key: str) -> dict[str, object]:
    """The ratings that the session's earlier ends have counted, by memory."""
    ended = next((ended for _, ended in events(reader, ENDED, session_key, limit=1)), {})
    rated = ended.get("rated")
    return dict(rated) if isinstance(rated, dict) else {}


def _ordered(ids: list[str], scores: list[float]) -> list[str]:
    pairs = sorted(zip(scores, ids, strict=True), key=lambda pair: -pair[0])
    return [id for _, id in pairs]


def _sum(one: PathFeedback, other: PathFeedback) -> PathFeedback:
    return PathFeedback(
        one.accepted + other.accepted, one.propagated + other.propagated,
        one.cooccurrence_updated + other.cooccurrence_updated,
        one.dependencies_updated + other.dependencies_updated)
