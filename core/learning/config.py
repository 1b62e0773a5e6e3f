"""The settings of what the graph learns by itself, each with its meaning."""

from pydantic import Field

from core.model.validation import SettingsSection


class SupersessionSettings(SettingsSection):
    """When a newer value replaces an older one that it contradicts."""

    enabled: bool = Field(default=True, description="Detect contradictions.")
    inline: bool = Field(default=True, description="Check new values when they are stored.")
    sweep: bool = Field(
        default=True, description="Check existing values during maintenance.")
    shadow: bool = Field(
        default=False, description="Only record what would be replaced; change nothing.")
    semantic: bool = Field(
        default=False,
        description="Ask a model about pairs without a word signal.")
    min_confidence: float = Field(
        default=0.7, ge=0, le=1, description="Minimum confidence of a contradiction.")
    cautious: bool = Field(
        default=True,
        description="Outside a claim slot, require the same subject and property, so that two "
                    "facts about one thing are not read as a contradiction.")
    gap_hours: float = Field(
        default=24, ge=0, le=24 * 365,
        description="Minimum hours between two values for a word of change (now, moved, switched) "
                    "to count.")
    semantic_overlap: int = Field(
        default=3, ge=1, le=50, description="Minimum shared words before a model is asked.")
    most_compared: int = Field(
        default=200, ge=2, le=5000,
        description="Maximum number of values of a slot that are compared, newest first.")


class FeedbackSettings(SettingsSection):
    """How the graph learns from what a session used."""

    enabled: bool = Field(default=True, description="Learn from sessions.")
    only_injected: bool = Field(
        default=True,
        description="A hit confirms a memory only if the session started with it; off: any hit.")
    fts_weight_delta: float = Field(
        default=0.02, ge=0, le=1, description="Weight that each hit adds to its aspect.")
    min_aspect_weight: float = Field(
        default=0.1, ge=0, le=1, description="Minimum weight that learning gives an aspect.")
    max_aspect_weight: float = Field(
        default=1.0, ge=0, le=1, description="Maximum weight that learning gives an aspect.")
    decay_enabled: bool = Field(
        default=True, description="Lower the weight of aspects that have not been confirmed for "
                                  "long.")
    decay_rate: float = Field(
        default=0.005, ge=0, le=1, description="Weight that such an aspect loses at each decay.")
    stale_days: float = Field(
        default=14, ge=0, le=3650, description="Days without a change before decay starts.")
    decay_interval_sessions: int = Field(
        default=10, ge=1, le=10_000, description="Sessions between two decays.")
    implied_rating: float = Field(
        default=0.5, ge=0, le=1,
        description="Reward of a hit for the path to an unrated memory; 0 for none.")
    path_weight_delta: float = Field(
        default=0.02, ge=0, le=1, description="Change of an aspect's weight by a full rating.")
    strength_delta: float = Field(
        default=0.04, ge=0, le=1, description="Change of a link's strength by a full rating.")
    confidence_delta: float = Field(
        default=0.05, ge=0, le=1, description="Change of a link's confidence by a full rating.")
    learning_rate: float = Field(
        default=0.1, gt=0, le=1, description="Learning rate of a path's value.")
    min_cooccurrence: int = Field(
        default=3, ge=1, le=1000,
        description="Sessions that must use two entities before they are linked.")
    min_npmi: float = Field(
        default=0.15, ge=-1, le=1,
        description="How much more often than by chance they must be used together.")
    max_promoted: int = Field(
        default=20, ge=0, le=1000, description="Maximum number of such links per entity.")
    max_session_entities: int = Field(
        default=50, ge=2, le=500, description="Maximum number of entities of a session that are "
                                              "paired.")
    constraint_doubts: int = Field(
        default=3, ge=1, le=1000,
        description="New contradicting facts before a constraint loses importance.")
    constraint_rate: float = Field(
        default=0.05, ge=0, le=1, description="Importance that it loses.")
    constraint_floor: float = Field(
        default=0.2, ge=0, le=1, description="Minimum importance that learning gives a constraint.")


class ScorerSettings(SettingsSection):
    """The small learned scorer that ranks a session's candidates where it does so better."""

    enabled: bool = Field(default=True, description="Train a learned ranking, and use it where it "
                                                    "performs better.")
    min_sessions: int = Field(
        default=6, ge=2, le=1000, description="Sessions with an outcome needed for training.")
    max_sessions: int = Field(
        default=200, ge=2, le=10_000, description="Maximum number of latest sessions used for "
                                                  "training.")
    held_back: float = Field(
        default=0.34, gt=0, lt=1,
        description="Share of the latest sessions reserved for evaluation.")
    pin_label: float = Field(
        default=0.5, ge=0, le=1,
        description="Training weight of being pinned, or of a pinned entity; 1 counts like a use.")
    rounds: int = Field(default=200, ge=1, le=10_000, description="Training steps.")
    penalty: float = Field(
        default=0.01, ge=0, le=10, description="Regularisation: penalty on large weights.")
    min_comparisons: int = Field(
        default=3, ge=1, le=1000,
        description="Comparisons about an entity before its own win rate is used.")
    min_win_rate: float = Field(
        default=0.5, ge=0, le=1, description="Win rate below which the learned ranking is not "
                                             "used.")
