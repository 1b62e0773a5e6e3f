"""The settings of recall, each with its meaning."""

from pydantic import Field

from core.model.pydantic_helpers import SettingsSection, limited, setting, share


class RecallSettings(SettingsSection):
    """Settings of the channels and their weights.

    A weight is the score of a channel's full evidence alone. Channels combine like independent
    evidence: each reduces the remaining doubt, and none outweighs all others.
    """

    limit: int = limited(10, 1, 1000, "Maximum number of results.", title="Results")
    min_score: float = share(0.05, "Minimum score of a result.", title="Least score")
    fits_from: float = share(
        0.4, "Score from which a memory fits; below, the results are only the nearest. 0 turns "
              "it off.", title="Score that fits")
    support_from: float = share(
        0.32, "Share of what a question asks for, its names left out, that a memory must speak of "
             "to fit. 0 turns it off.", title="Share of the question answered")
    deadline_ms: int = limited(
        500, 1, 60_000, "Time limit in milliseconds; then the results so far are returned.",
        title="Time limit (milliseconds)")

    keyword_weight: float = share(0.8, "Weight of sharing all words of the question.",
        title="Same words")
    place_weight: float = share(
        0.8, "Weight of a word in the name of the entity, aspect or claim that a memory states.",
        title="Names of entity, aspect and claim")
    keyword_candidates: int = limited(200, 10, 10_000, "Candidates by words.",
        title="Candidates by words")
    stemming: bool = setting(True, "“painted” also finds “painting” (English endings).",
        title="English endings")

    context: int = limited(
        4, 0, 20, "Memories before and after, in the same conversation, whose words count too.",
        title="Memories around that count")
    context_before: float = share(
        0.5, "Share of a word's weight if it is said right before; less with each step.",
        title="Weight of words before")
    context_after: float = share(
        0.4, "Share of a word's weight if it is said right after; less with each step.",
        title="Weight of words after")

    semantic_weight: float = share(0.5, "Weight of the same meaning.", title="Same meaning")
    semantic_candidates: int = limited(100, 10, 10_000, "Candidates by meaning.",
        title="Candidates by meaning")
    vectors_made: int = limited(
        20_000, 0, 1_000_000, "Newest memories without a vector that get one during recall "
                              "(offline embedder only).", title="Vectors made during recall")
    vector_memory_mb: int = limited(
        256, 8, 65_536, "Maximum memory for vectors; the newest are loaded.",
        title="Memory for vectors (MB)")

    answer_weight: float = share(
        0.6, "Share of a question's score given to the memory right after it.",
        title="Share for the answer")
    before_weight: float = share(0.15, "Share of a memory's score given to the next one.",
        title="Share for the next memory")
    after_weight: float = share(0.15, "Share of a memory's score given to the one before it.",
        title="Share for the memory before")
    neighbors: int = limited(30, 0, 5000, "Best memories whose neighbours are scored.",
        title="Memories with scored neighbours")
    speaker_weight: float = share(
        0.2, "Bonus for being said by the one person that the question names.",
        title="Said by the person named")

    boost_weight: float = share(0.2, "Weight of being reached by the walk.",
        title="Reached by the walk")
    max_entities: int = limited(8, 1, 500, "Entities of a question that the walk starts from.",
        title="Entities the walk starts from")
    include_pinned: bool = setting(False, "Also start the walk from pinned entities.",
        title="Start from pinned entities")
    mention_weight: float = share(
        0.2, "Weight of mentioning an entity of the question; lower for entities mentioned often.",
        title="Mentions an entity asked for")
    mention_candidates: int = limited(50, 0, 5000, "Candidates by mentions.",
        title="Candidates by mentions")
    former_candidates: int = limited(
        50, 0, 5000, "Candidates of what was so before, where the past is asked for.",
        title="Candidates from the past")
    hint_weight: float = share(0.4, "Weight of matching a question stored with the memory.",
        title="Matches a stored question")
    hint_candidates: int = limited(30, 0, 1000, "Candidates by stored questions.",
        title="Candidates by stored questions")
    rule_weight: float = share(
        0.6, "Weight of being a rule about what the question wants to do.",
        title="Rules for what is to be done")
    date_weight: float = share(0.3, "Weight of being from the time in the question.",
        title="From the time asked for")
    date_candidates: int = limited(50, 0, 5000, "Candidates by time.", title="Candidates by time")

    rehearsal_weight: float = share(0.1, "Weight of frequent and recent use.",
        title="Used often and lately")
    rehearsal_half_life_days: float = Field(
        default=30, gt=0, le=3650, description="Half-life of a use in days.",
        title="Half-life of a use (days)")
    gravity: float = share(0.1, "Penalty for sharing no word with the question.",
        title="Penalty without a shared word")
