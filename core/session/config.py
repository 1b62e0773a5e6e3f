"""The settings of sessions, each with its meaning."""

from typing import Protocol

from pydantic import Field

from core.learning.config import FeedbackSettings, ScorerSettings, SupersessionSettings
from core.model.validation import SettingsSection
from core.recall.config import RecallSettings
from core.traversal.config import TraversalSettings


class SessionSettings(SettingsSection):
    """What a session begins with: where memories are taken from, and how much text they may be."""

    memory_budget_chars: int = Field(
        default=2000, ge=0, le=1_000_000,
        description="Budget of memories in characters. A memory that does not fit is skipped.")
    constraint_budget_chars: int = Field(
        default=1000, ge=0, le=1_000_000,
        description="Characters that constraints always have. Where they need more they take what "
                    "the whole text has free; 0 for no limit.")
    max_inject_chars: int = Field(
        default=24_000, ge=500, le=10_000_000,
        description="Maximum length of the injected text in characters. Only where it is used up "
                    "are constraints shortened, the farthest first.")
    recall_limit: int = Field(
        default=50, ge=0, le=1000,
        description="Candidates by importance and age.")
    newest: int = Field(
        default=150, ge=1, le=100_000,
        description="Number of newest memories searched for these; pinned ones are always "
                    "included.")
    daily_decay: float = Field(
        default=0.95, gt=0, le=1, description="Daily decay factor of a memory's importance.")
    min_effective: float = Field(
        default=0.2, ge=0, le=1,
        description="Minimum score for a candidate by importance.")
    embedding_limit: int = Field(
        default=50, ge=0, le=1000, description="Candidates by meaning.")
    embedding_weight: float = Field(
        default=0.5, ge=0, le=1, description="Weight of the same meaning.")
    question_weight: float = Field(
        default=0.5, ge=0, le=1,
        description="Weight of relevance to the question, if there is one.")
    candidate_pool_limit: int = Field(
        default=100, ge=1, le=2000, description="Maximum number of candidates.")
    expected_limit: int = Field(
        default=10, ge=0, le=200,
        description="Add memories about topics of the last sessions' summaries.")
    expected_chars: int = Field(
        default=600, ge=0, le=100_000, description="Budget of those in characters.")
    carry_checkpoint: bool = Field(
        default=True,
        description="Continue from the last session of the project, if there is no question.")
    recovery_hours: float = Field(
        default=4, ge=0, le=24 * 365,
        description="Hours after a session's end in which the next one continues from it.")
    recovery_chars: int = Field(
        default=2000, ge=0, le=100_000, description="Maximum length of the recovery section in "
                                                    "characters.")


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
