"""The settings of recall, each with its meaning."""

from pydantic import Field

from core.model.validation import SettingsSection


class RecallSettings(SettingsSection):
    """Settings of the channels and their weights.

    A weight is the score of a channel's full evidence alone. Channels combine like independent
    evidence: each reduces the remaining doubt, and none outweighs all others.
    """

    limit: int = Field(default=10, ge=1, le=1000, description="Maximum number of results.")
    min_score: float = Field(
        default=0.05, ge=0, le=1, description="Minimum score of a result.")
    deadline_ms: int = Field(
        default=500, ge=1, le=60_000, description="Time limit in milliseconds; then the results "
                                                  "so far are returned.")

    keyword_weight: float = Field(
        default=0.8, ge=0, le=1, description="Weight of sharing all words of the question.")
    keyword_candidates: int = Field(
        default=200, ge=10, le=10_000, description="Candidates by words.")
    stemming: bool = Field(
        default=True, description="“painted” also finds “painting” (English endings).")

    semantic_weight: float = Field(
        default=0.5, ge=0, le=1, description="Weight of the same meaning.")
    semantic_candidates: int = Field(
        default=100, ge=10, le=10_000, description="Candidates by meaning.")
    vectors_made: int = Field(
        default=20_000, ge=0, le=1_000_000,
        description="Newest memories without a vector that get one during recall (offline "
                    "embedder only).")
    vector_memory_mb: int = Field(
        default=256, ge=8, le=65_536, description="Maximum memory for vectors; the newest are "
                                                  "loaded.")

    answer_weight: float = Field(
        default=0.6, ge=0, le=1,
        description="Share of a question's score given to the memory right after it.")
    before_weight: float = Field(
        default=0.15, ge=0, le=1, description="Share of a memory's score given to the next one.")
    after_weight: float = Field(
        default=0.15, ge=0, le=1,
        description="Share of a memory's score given to the one before it.")
    neighbors: int = Field(
        default=100, ge=0, le=5000, description="Best memories whose neighbours are scored.")

    boost_weight: float = Field(
        default=0.2, ge=0, le=1, description="Weight of being reached by the walk.")
    max_entities: int = Field(
        default=8, ge=1, le=500, description="Entities of a question that the walk starts from.")
    include_pinned: bool = Field(
        default=False, description="Also start the walk from pinned entities.")
    mention_weight: float = Field(
        default=0.2, ge=0, le=1,
        description="Weight of mentioning an entity of the question; lower for entities mentioned "
                    "often.")
    mention_candidates: int = Field(
        default=50, ge=0, le=5000, description="Candidates by mentions.")
    hint_weight: float = Field(
        default=0.4, ge=0, le=1,
        description="Weight of matching a question stored with the memory.")
    hint_candidates: int = Field(
        default=30, ge=0, le=1000, description="Candidates by stored questions.")
    date_weight: float = Field(
        default=0.3, ge=0, le=1, description="Weight of being from the time in the question.")
    date_candidates: int = Field(
        default=50, ge=0, le=5000, description="Candidates by time.")

    rehearsal_weight: float = Field(
        default=0.1, ge=0, le=1, description="Weight of frequent and recent use.")
    rehearsal_half_life_days: float = Field(
        default=30, gt=0, le=3650, description="Half-life of a use in days.")
    gravity: float = Field(
        default=0.1, ge=0, le=1,
        description="Penalty for sharing no word with the question.")
    rerank_top: int = Field(
        default=20, ge=1, le=500, description="Number of results passed to the reranker.")
