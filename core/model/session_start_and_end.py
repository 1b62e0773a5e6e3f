"""A session: its start, its result, and the checkpoint for the next one."""

from collections.abc import Mapping

from msgspec import Struct, field

from core.model.dispute import Dispute, with_dispute
from core.model.graph_statement import Statement
from core.model.memory_text_of_value import with_owner
from core.model.outdated_claim import OutdatedClaim, marked
from core.model.walk import Focal, Path, Shares, Walk, WalkedConstraint

EFFECTIVE, WALKED, WALKED_PINNED = "effective", "ka_traversal", "ka_traversal_pinned"
EMBEDDING, WORDS, EXPLORATION = "embedding", "fts_only", "exploration"
SOURCES = (EFFECTIVE, WALKED, WALKED_PINNED, EMBEDDING, WORDS, EXPLORATION)
"""What brought a memory into a session: importance and age, the walk, the walk from a pinned
entity, its meaning, or only words: those of the last sessions' summaries, or a recall while the
session went on; or a link of low confidence that was tried."""
UNRANKED = (WORDS, EXPLORATION)
"""The sources of memories that were not ranked with the others."""


class SessionCandidate(Struct, frozen=True):
    """A candidate memory for a session start.

    Attributes:
        score: its rank score, 0 to 1.
        heuristic: the same before anything was learned: the best of the next three.
        effective: its importance after its age.
        walked: its score by the walk, None if the walk did not reach it.
        likeness: similarity in meaning to the session's topic, None if not compared.
        predicted: its score by the learned scorer, None if there is none.
        source: what found it first, one of `SOURCES`.
        path: how the walk came to it.
        asked: True if it is about what was asked: the walk came to it from there, or it means it.
        at_home: True if it belongs to the current project.
        outdated: what it says that no longer holds.
        past: nothing of it is known to hold any more; told only where the past is asked for.
        disputed: the newer value that seems to say the opposite, until a person decides.
        entity: the names of the entities that it is of; empty if that is not known.
        before: what is told before its text; empty where the text itself names one of them.
    """

    id: str
    content: str
    score: float
    heuristic: float
    effective: float
    source: str
    walked: float | None = None
    likeness: float | None = None
    predicted: float | None = None
    path: Path | None = None
    asked: bool = False
    pinned: bool = False
    importance: float = 0.5
    at_home: bool = False
    created_at: str = ""
    outdated: tuple[OutdatedClaim, ...] = ()
    past: bool = False
    disputed: Dispute | None = None
    entity: str = ""
    before: str = ""

    @property
    def part(self) -> str:
        """The part of the memory budget that it is told from: `asked`, `pinned` or `others`."""
        if self.asked:
            return "asked"
        # A walk that was not asked for began at a pinned entity.
        return "pinned" if self.pinned or self.path else "others"

    @property
    def marked_text(self) -> str:
        """Its text with whose it is, and with what of it no longer holds or is disputed."""
        return self._marked(with_owner(self.before, self.content))

    @property
    def own_text(self) -> str:
        """The same without whose it is: for a reader who is given the entity beside it."""
        return self._marked(self.content)

    def _marked(self, content: str) -> str:
        return with_dispute(marked(content, self.outdated, past=self.past), self.disputed)


class TriedLink(Struct, frozen=True):
    """A link of low confidence that a session start tries, with the memories that it brings."""

    id: str
    source_id: str
    source_name: str
    words: str
    """`depends on`"""
    target_id: str
    target_name: str
    confidence: float
    memories: tuple[SessionCandidate, ...] = ()

    @property
    def sentence(self) -> str:
        """`Vega uses Kotlin`."""
        return f"{self.source_name} {self.words} {self.target_name}"


class Budget(Struct, frozen=True):
    """Characters that a part of the injected text uses, and its limit.

    Attributes:
        lent: characters beyond the limit, from what the whole text has free.
        lack: characters that would be needed besides to tell everything whole.
    """

    used: int
    limit: int
    lent: int = 0
    lack: int = 0

    @property
    def exceeded(self) -> bool:
        """True if even the free room was too small."""
        return self.lack > 0

    @property
    def words(self) -> str:
        """`1,150 of 1,000 characters, 150 of them from free room`; 0 is no limit."""
        limit = f"{self.limit:,}" if self.limit else "any number of"
        lent = f", {self.lent:,} of them from free room" if self.lent else ""
        lack = f"; {self.lack:,} too few" if self.lack else ""
        return f"{self.used:,} of {limit} characters{lent}{lack}"


class Checkpoint(Struct, frozen=True):
    """The state of an earlier session at its end."""

    id: str
    session_key: str
    project: str
    created_at: str
    digest: str
    focal_ids: tuple[str, ...] = ()
    active_aspects: int = 0


class SessionStart(Struct, frozen=True):
    """The start of a session.

    Attributes:
        text: the exact injected text; empty if there is nothing to inject.
        candidates: the whole pool, in the order of its ranking.
        told_ids: those of them that are in the text.
        constraints: every constraint in scope, whole.
        constraint_lines: the same as in the text, possibly shortened.
        told_constraint_ids: those of them that are in the text.
        expected: further memories predicted from the last sessions, outside the pool.
        tried: a link of low confidence that is tried, with the memories that are told of it.
        recovery: the last session's checkpoint, None if there was none recently.
        ranked_by: `heuristic` or `scorer`.
        shares: how the characters of the injected memories are divided.
        notes: problems, one sentence each.
        stated: the links, assertions and names that are told because they answer the question.
    """

    session_key: str
    project: str
    text: str
    candidates: tuple[SessionCandidate, ...]
    told_ids: frozenset[str]
    constraints: tuple[WalkedConstraint, ...]
    constraint_lines: tuple[str, ...]
    expected: tuple[SessionCandidate, ...]
    memory_budget: Budget
    constraint_budget: Budget
    focal: Focal
    walk: Walk
    tried: TriedLink | None = None
    recovery: Checkpoint | None = None
    ranked_by: str = "heuristic"
    shares: Shares = Shares()
    notes: tuple[str, ...] = ()
    milliseconds: float = 0.0
    told_constraint_ids: frozenset[str] = frozenset()
    stated: tuple[Statement, ...] = ()

    @property
    def memories(self) -> tuple[SessionCandidate, ...]:
        """The memories that are injected, in the order of their ranking."""
        return tuple(each for each in self.candidates if each.id in self.told_ids)

    @property
    def trial(self) -> tuple[SessionCandidate, ...]:
        """The memories that the tried link brings into the text."""
        return self.tried.memories if self.tried else ()

    @property
    def telemetry(self) -> "StartTelemetry":
        """The numbers of the seeds."""
        return StartTelemetry(
            len(self.focal.entities), len(self.walk.memories), len(self.constraints),
            self.walk.timed_out, len(self.told_ids) + len(self.expected) + len(self.trial),
            len(self.text),
            self.milliseconds, self.memory_budget, self.constraint_budget)


class StartTelemetry(Struct, frozen=True):
    """Numbers of a session start, as the seeds log them, and the use of its budgets.

    Attributes:
        traversal_entities: focal entities.
        traversal_memories: memories found by the walk.
        traversal_constraints: constraints in scope, all injected.
        memory_count: memories in the injected text.
        inject_chars: characters of the injected text.
    """

    traversal_entities: int = 0
    traversal_memories: int = 0
    traversal_constraints: int = 0
    traversal_timed_out: bool = False
    memory_count: int = 0
    inject_chars: int = 0
    duration_ms: float = 0.0
    memory_budget: Budget = Budget(0, 0)
    constraint_budget: Budget = Budget(0, 0)


class PathFeedback(Struct, frozen=True):
    """The results of rating memories: accepted ratings, those with a path, pairs, links."""

    accepted: int = 0
    propagated: int = 0
    cooccurrence_updated: int = 0
    dependencies_updated: int = 0


class Comparison(Struct, frozen=True):
    """How well the learned scorer and the heuristic ranked one session's candidates (NDCG@10)."""

    predictor_ndcg: float
    baseline_ndcg: float
    focal_entity_id: str | None = None
    focal_entity_name: str = ""

    @property
    def margin(self) -> float:
        """What the scorer was better by."""
        return self.predictor_ndcg - self.baseline_ndcg

    @property
    def won(self) -> bool:
        """True if the scorer was better."""
        return self.margin > 0


class EntityHealth(Struct, frozen=True):
    """How often the scorer ranked better than the heuristic where an entity was the focus."""

    entity_id: str
    entity_name: str
    comparison_count: int
    win_rate: float
    avg_margin: float
    trend: str
    """`improving`, `declining` or `stable`: the later half against the earlier one."""


class SessionEnd(Struct, frozen=True):
    """What a session's end taught the graph."""

    session_key: str
    aspects_updated: int = 0
    confirmations: int = 0
    decayed: int = 0
    propagated: int = 0
    constraints_eased: int = 0
    feedback: PathFeedback = PathFeedback()
    comparison: Comparison | None = None
    scorer: Mapping[str, object] = field(default_factory=dict)
    """The scorer's report: `ndcg`, `heuristic`, `sessions`, `wins`; empty where none was made."""
    checkpoint_id: str | None = None
    notes: tuple[str, ...] = ()
    changed: bool = True  # False where there was nothing to end: the notes say why


class SessionRow(Struct, frozen=True):
    """One session of the record."""

    session_key: str
    started_at: str
    memories: int = 0
    injected: int = 0
    confirmed: int = 0


class StartRecord(Struct, frozen=True):
    """The record of a session's start: time, topic and numbers; `focal` are the names of its focal
    entities, without those that were only pinned."""

    at: str
    telemetry: StartTelemetry
    project: str = ""
    ranked_by: str = ""
    focal: tuple[str, ...] = ()


class EndRecord(Struct, frozen=True):
    """The record of a session's ends; their numbers in total."""

    at: str
    aspects_updated: int = 0
    confirmations: int = 0
    decayed: int = 0
    propagated: int = 0
    constraints_eased: int = 0


class SessionRecord(SessionRow, frozen=True):
    """A session with the numbers of its start and end; None where this program took no note."""

    start: StartRecord | None = None
    end: EndRecord | None = None


class SessionMemory(Struct, frozen=True):
    """One memory of a recorded session."""

    memory_id: str
    content: str
    source: str
    rank: int
    effective_score: float
    predictor_score: float | None
    final_score: float
    injected: bool
    hits: int
    rating: float | None
    path: Path | None
    entity: str = ""
    before: str = ""

    @property
    def told_text(self) -> str:
        """Its text with whose it is."""
        return with_owner(self.before, self.content)


class WeightChange(Struct, frozen=True):
    """One step of an aspect's learned weight."""

    at: str
    before: float
    after: float
    why: str


class Telemetry(Struct, frozen=True):
    """Numbers of session starts and ends: the last start, and all ends in total."""

    last_start: StartTelemetry | None = None
    last_start_at: str = ""
    last_run_at: str = ""
    starts: int = 0
    ends: int = 0
    feedback_aspects_updated: int = 0
    feedback_fts_confirmations: int = 0
    feedback_decayed_aspects: int = 0
    feedback_propagated_attributes: int = 0
