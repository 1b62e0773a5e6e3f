"""The settings of what the graph learns by itself, each with its meaning."""

from pydantic import Field

from core.model.validation import SettingsSection


class SupersessionSettings(SettingsSection):
    """When a newer value replaces an older one that it contradicts."""

    enabled: bool = Field(default=True, description="Look for contradictions at all.")
    inline: bool = Field(default=True, description="Compare new values as they are remembered.")
    sweep: bool = Field(
        default=True, description="Compare old values with each other in maintenance.")
    shadow: bool = Field(
        default=False, description="Only note down what would be replaced, and change nothing.")
    semantic: bool = Field(
        default=False,
        description="Ask a model about pairs that the word signals say nothing of.")
    min_confidence: float = Field(
        default=0.7, ge=0, le=1, description="A contradiction less sure than this does not count.")
    cautious: bool = Field(
        default=True,
        description="Outside a claim slot, ask for more than two shared words, so that two "
                    "facts about one thing are not taken for a contradiction.")
    gap_hours: float = Field(
        default=24, ge=0, le=24 * 365,
        description="Hours between two values before a word of change (now, moved, switched) "
                    "counts.")
    semantic_overlap: int = Field(
        default=3, ge=1, le=50, description="Shared words from which a model is asked.")
    most_compared: int = Field(
        default=200, ge=2, le=5000,
        description="Values of one place that are compared with each other, the newest first.")


class FeedbackSettings(SettingsSection):
    """How the graph learns from what a session used."""

    enabled: bool = Field(default=True, description="Learn from sessions at all.")
    only_injected: bool = Field(
        default=True,
        description="A hit confirms a memory only if the session began with it; off: any hit.")
    fts_weight_delta: float = Field(
        default=0.02, ge=0, le=1, description="What each hit adds to the weight of its aspect.")
    min_aspect_weight: float = Field(
        default=0.1, ge=0, le=1, description="No aspect falls below this by itself.")
    max_aspect_weight: float = Field(
        default=1.0, ge=0, le=1, description="No aspect rises above this by itself.")
    decay_enabled: bool = Field(
        default=True, description="Let aspects lose weight that nothing has confirmed for long.")
    decay_rate: float = Field(
        default=0.005, ge=0, le=1, description="Weight that such an aspect loses each time.")
    stale_days: float = Field(
        default=14, ge=0, le=3650, description="Days without a change after which that begins.")
    decay_interval_sessions: int = Field(
        default=10, ge=1, le=10_000, description="Sessions from one decay to the next.")
    implied_rating: float = Field(
        default=0.5, ge=0, le=1,
        description="What a hit says about the path that brought a memory which nobody rated; "
                    "0 for nothing.")
    path_weight_delta: float = Field(
        default=0.02, ge=0, le=1, description="Weight that a full rating moves an aspect by.")
    strength_delta: float = Field(
        default=0.04, ge=0, le=1, description="Strength that a full rating moves a link by.")
    confidence_delta: float = Field(
        default=0.05, ge=0, le=1, description="Confidence that a full rating moves a link by.")
    learning_rate: float = Field(
        default=0.1, gt=0, le=1, description="How fast a path's value follows its rewards.")
    min_cooccurrence: int = Field(
        default=3, ge=1, le=1000,
        description="Sessions that used two entities before a link is made of it.")
    min_npmi: float = Field(
        default=0.15, ge=-1, le=1,
        description="How much more often than by chance they must have been used together.")
    max_promoted: int = Field(
        default=20, ge=0, le=1000, description="Links made this way from any one entity.")
    max_session_entities: int = Field(
        default=50, ge=2, le=500, description="Entities of one session that are paired.")
    constraint_doubts: int = Field(
        default=3, ge=1, le=1000,
        description="New things that speak against a constraint before it loses urgency.")
    constraint_rate: float = Field(
        default=0.05, ge=0, le=1, description="Importance that it loses then.")
    constraint_floor: float = Field(
        default=0.2, ge=0, le=1, description="No constraint falls below this by itself.")


class ScorerSettings(SettingsSection):
    """The small learned scorer that ranks a session's candidates where it does so better."""

    enabled: bool = Field(default=True, description="Learn to rank, and use it where it wins.")
    min_sessions: int = Field(
        default=6, ge=2, le=1000, description="Sessions with an outcome before it is trained.")
    max_sessions: int = Field(
        default=200, ge=2, le=10_000, description="Latest sessions that it is trained on.")
    held_back: float = Field(
        default=0.34, gt=0, lt=1,
        description="Share of the latest sessions that it is judged by and not trained on.")
    pin_label: float = Field(
        default=0.5, ge=0, le=1,
        description="What being pinned, or of a pinned entity, teaches; 1 is as much as a use.")
    rounds: int = Field(default=200, ge=1, le=10_000, description="Steps of its training.")
    penalty: float = Field(
        default=0.01, ge=0, le=10, description="How strongly large weights are held down.")
    min_comparisons: int = Field(
        default=3, ge=1, le=1000,
        description="Comparisons about an entity before its own win rate decides there.")
    min_win_rate: float = Field(
        default=0.5, ge=0, le=1, description="Win rate below which it is not used there.")
