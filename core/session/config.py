"""The settings of sessions, each with its meaning."""

from typing import Protocol

from pydantic import Field

from core.learning.config import FeedbackSettings, ScorerSettings, SupersessionSettings
from core.model.pydantic_helpers import SettingsSection, limited, setting, share
from core.recall.config import RecallSettings
from core.traversal.config import TraversalSettings


class SessionSettings(SettingsSection):
    """What a session begins with: where memories are taken from, and how much text they may be."""

    memory_budget_chars: int = limited(
        2000, 0, 1_000_000, "Budget of memories in characters. A memory that does not fit is "
                            "skipped.", title="Memories (characters)")
    constraint_budget_chars: int = limited(
        1000, 0, 1_000_000, "Characters that constraints always have. Where they need more they "
                            "take what the whole text has free; 0 for no limit.",
        title="Constraints (characters)")
    max_inject_chars: int = limited(
        24_000, 500, 10_000_000, "Maximum length of the injected text in characters. Only where "
                                 "it is used up are constraints shortened, the farthest first.",
        title="The whole text (characters)")
    recall_limit: int = limited(50, 0, 1000, "Candidates by importance and age.",
        title="Candidates by importance")
    newest: int = limited(
        150, 1, 100_000, "Number of newest memories searched for these; pinned ones are always "
                         "included.", title="Newest memories searched")
    daily_decay: float = Field(
        default=0.95, gt=0, le=1, description="Daily decay factor of a memory's importance.",
        title="Daily decay of importance")
    min_effective: float = share(0.2, "Minimum score for a candidate by importance.",
        title="Least score")
    embedding_limit: int = limited(50, 0, 1000, "Candidates by meaning.",
        title="Candidates by meaning")
    embedding_weight: float = share(0.5, "Weight of the same meaning.", title="Same meaning")
    question_weight: float = share(0.5, "Weight of relevance to the question, if there is one.",
        title="Fits the question")
    candidate_pool_limit: int = limited(100, 1, 2000, "Maximum number of candidates.",
        title="Candidates in total")
    expected_limit: int = limited(
        10, 0, 200, "Add memories about topics of the last sessions' summaries.",
        title="Expected memories")
    expected_chars: int = limited(600, 0, 100_000, "Budget of those in characters.",
        title="Expected memories (characters)")
    background_chars: int = limited(
        600, 0, 100_000, "Maximum length of what describes the pinned entities and the project's "
                         "in characters; it takes only what nothing else needs.",
        title="Background (characters)")
    asked_kept: int = limited(
        1000, 0, 100_000, "Questions of agents that are recorded beside the graph, so that they "
                          "can be watched and replayed; 0 to record none.",
        title="Questions that are recorded")
    exploration_rate: float = share(
        0.1, "Share of the sessions with a key that try a link of low confidence, so that use can "
             "confirm it; 0 for none.", title="Sessions that try a link")
    exploration_chars: int = limited(
        400, 0, 100_000, "Maximum length of what a tried link brings in characters; it takes only "
                         "what nothing else needs.", title="A tried link (characters)")
    carry_checkpoint: bool = setting(
        True, "Continue from the last session of the project, if there is no question.",
        title="Continue the last session")
    recovery_hours: float = limited(
        4, 0, 24 * 365, "Hours after a session's end in which the next one continues from it.",
        title="Continue within (hours)")
    recovery_chars: int = limited(
        2000, 0, 100_000, "Maximum length of the recovery section in characters.",
        title="Recovery section (characters)")


class EngineSettings(Protocol):
    """What the start and the end of a session need of the settings tree."""

    @property
    def session(self) -> SessionSettings: ...
    @property
    def traversal(self) -> TraversalSettings: ...
    @property
    def recall(self) -> RecallSettings: ...
    @property
    def scorer(self) -> ScorerSettings: ...
    @property
    def feedback(self) -> FeedbackSettings: ...
    @property
    def supersession(self) -> SupersessionSettings: ...
