"""The settings of what the graph learns by itself, each with its meaning."""

from pydantic import Field

from core.model.pydantic_helpers import SettingsSection, limited, setting, share


class SupersessionSettings(SettingsSection):
    """When a newer value replaces an older one that it contradicts."""

    enabled: bool = setting(True, "Detect contradictions.", title="Detect contradictions")
    inline: bool = setting(True, "Check new values when they are stored.",
        title="When values are stored")
    sweep: bool = setting(True, "Check existing values during maintenance.",
        title="During maintenance")
    shadow: bool = setting(False, "Only record what would be replaced; change nothing.",
        title="Only record, change nothing")
    min_confidence: float = share(0.7, "Minimum confidence of a contradiction.",
        title="Least confidence")
    cautious: bool = setting(
        True, "Outside a claim slot, require the same subject and property, so that two facts "
              "about one thing are not read as a contradiction.",
        title="Same subject and property only")
    gap_hours: float = limited(
        24, 0, 24 * 365, "Minimum hours between two values for a word of change (now, moved, "
                         "switched) to count.", title="Hours between two values")
    most_compared: int = limited(
        200, 2, 5000, "Maximum number of values of a slot that are compared, newest first.",
        title="Values compared")


class FeedbackSettings(SettingsSection):
    """How the graph learns from what a session used."""

    enabled: bool = setting(True, "Learn from sessions.", title="Learn from sessions")
    only_injected: bool = setting(
        True, "A hit confirms a memory only if the session started with it; off: any hit.",
        title="Only what was told counts")
    fts_weight_delta: float = share(0.02, "Weight that each hit adds to its aspect.",
        title="Weight of a hit")
    min_aspect_weight: float = share(0.1, "Minimum weight that learning gives an aspect.",
        title="Least weight of an aspect")
    max_aspect_weight: float = share(1.0, "Maximum weight that learning gives an aspect.",
        title="Most weight of an aspect")
    decay_enabled: bool = setting(
        True, "Lower the weight of aspects that have not been confirmed for long.",
        title="Unconfirmed aspects lose weight")
    decay_rate: float = share(0.005, "Weight that such an aspect loses at each decay.",
        title="Weight lost at each decay")
    stale_days: float = limited(14, 0, 3650, "Days without a change before decay starts.",
        title="Days before decay starts")
    decay_interval_sessions: int = limited(10, 1, 10_000, "Sessions between two decays.",
        title="Sessions between decays")
    implied_rating: float = share(
        0.5, "Reward of a hit for the path to an unrated memory; 0 for none.",
        title="Reward of a hit")
    path_weight_delta: float = share(0.02, "Change of an aspect's weight by a full rating.",
        title="Aspects: change by a rating")
    strength_delta: float = share(0.04, "Change of a link's strength by a full rating.",
        title="Strength: change by a rating")
    confidence_delta: float = share(0.05, "Change of a link's confidence by a full rating.",
        title="Confidence: change by a rating")
    learning_rate: float = Field(
        default=0.1, gt=0, le=1, description="Learning rate of a path's value.",
        title="Learning rate")
    min_cooccurrence: int = limited(
        3, 1, 1000, "Sessions that must use two entities before they are linked.",
        title="Sessions before a link is made")
    min_npmi: float = limited(
        0.15, -1, 1, "How much more often than by chance they must be used together.",
        title="More often together than by chance")
    max_promoted: int = limited(20, 0, 1000, "Maximum number of such links per entity.",
        title="Such links per entity")
    max_session_entities: int = limited(
        50, 2, 500, "Maximum number of entities of a session that are paired.",
        title="Entities paired per session")
    constraint_doubts: int = limited(
        3, 1, 1000, "New contradicting facts before a constraint loses importance.",
        title="Facts that cast doubt")
    constraint_rate: float = share(0.05, "Importance that it loses.",
        title="Importance lost by doubt")
    constraint_floor: float = share(0.2, "Minimum importance that learning gives a constraint.",
        title="Least importance")


class ScorerSettings(SettingsSection):
    """The small learned scorer that ranks a session's candidates where it does so better."""

    enabled: bool = setting(True, "Train a learned ranking, and use it where it performs better.",
        title="Learn a ranking")
    min_sessions: int = limited(6, 2, 1000, "Sessions with an outcome needed for training.",
        title="Sessions before training")
    max_sessions: int = limited(
        200, 2, 10_000, "Maximum number of latest sessions used for training.",
        title="Sessions used for training")
    held_back: float = Field(
        default=0.34, gt=0, lt=1,
        description="Share of the latest sessions reserved for evaluation.",
        title="Share kept for the test")
    pin_label: float = share(
        0.5, "Training weight of being pinned, or of a pinned entity; 1 counts like a use.",
        title="Weight of a pin")
    rounds: int = limited(200, 1, 10_000, "Training steps.", title="Training steps")
    penalty: float = limited(0.01, 0, 10, "Regularisation: penalty on large weights.",
        title="Penalty on large weights")
    min_comparisons: int = limited(
        3, 1, 1000, "Comparisons about an entity before its own win rate is used.",
        title="Comparisons per entity")
    min_win_rate: float = share(0.5, "Win rate below which the learned ranking is not used.",
        title="Least win rate")
