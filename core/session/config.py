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
        description="Characters of memories in the injected text. One that does not fit is "
                    "passed over.")
    constraint_budget_chars: int = Field(
        default=1000, ge=0, le=1_000_000,
        description="Characters of the constraints' own section. Beyond it they are shortened "
                    "evenly, never dropped; 0 never shortens.")
    lend_to_constraints: bool = Field(
        default=True,
        description="Room that the memories leave unused is lent to the constraints before any "
                    "of them is shortened.")
    lent_share: float = Field(
        default=0.5, ge=0, le=1,
        description="Share of the memories' room that is lent so even where memories would fill "
                    "it: a rule cut short may say something else.")
    max_inject_chars: int = Field(
        default=24_000, ge=500, le=10_000_000,
        description="Characters of the whole injected text; constraints and recovery come first.")
    recall_limit: int = Field(
        default=50, ge=0, le=1000,
        description="Memories that importance and age bring into the pool.")
    newest: int = Field(
        default=150, ge=1, le=100_000,
        description="Newest memories among which those are looked for; pinned ones are always.")
    daily_decay: float = Field(
        default=0.95, gt=0, le=1, description="What is left of a memory's importance each day.")
    min_effective: float = Field(
        default=0.2, ge=0, le=1,
        description="A memory that counts no more than this is not brought by importance alone.")
    embedding_limit: int = Field(
        default=50, ge=0, le=1000, description="Memories that their meaning brings into the pool.")
    embedding_weight: float = Field(
        default=0.5, ge=0, le=1, description="What the same meaning is worth.")
    question_weight: float = Field(
        default=0.5, ge=0, le=1,
        description="Where something is asked: what being about it counts beside all else.")
    candidate_pool_limit: int = Field(
        default=100, ge=1, le=2000, description="Memories of the pool in all.")
    expected_limit: int = Field(
        default=10, ge=0, le=200,
        description="Further memories about what the last sessions' summaries speak of.")
    expected_chars: int = Field(
        default=600, ge=0, le=100_000, description="Characters of those.")
    carry_checkpoint: bool = Field(
        default=True,
        description="Begin where the last session of the project stood, if nothing was asked.")
    recovery_hours: float = Field(
        default=4, ge=0, le=24 * 365,
        description="Hours for which a session's end is taken up by the next one.")
    recovery_chars: int = Field(
        default=2000, ge=0, le=100_000, description="Characters of the recovery section.")


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
