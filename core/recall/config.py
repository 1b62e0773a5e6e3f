"""The settings of recall, each with its meaning."""

from pydantic import Field

from core.model.validation import SettingsSection


class RecallSettings(SettingsSection):
    """What brings a memory, and how much each thing counts.

    A weight is what a channel's full score alone is worth. Channels add up like independent
    evidence: each leaves less room for doubt, and none can make up for all others.
    """

    limit: int = Field(default=10, ge=1, le=1000, description="Memories in an answer.")
    min_score: float = Field(
        default=0.05, ge=0, le=1, description="A memory below this is no answer.")
    deadline_ms: int = Field(
        default=500, ge=1, le=60_000, description="Milliseconds after which it gives what it has.")

    keyword_weight: float = Field(
        default=0.8, ge=0, le=1, description="What sharing all words of the question is worth.")
    keyword_candidates: int = Field(
        default=200, ge=10, le=10_000, description="Memories taken from the words.")
    stemming: bool = Field(
        default=True, description="“painted” also finds “painting” (English endings).")

    semantic_weight: float = Field(
        default=0.5, ge=0, le=1, description="What the same meaning is worth.")
    semantic_candidates: int = Field(
        default=100, ge=10, le=10_000, description="Memories taken from the meaning.")
    vectors_made: int = Field(
        default=20_000, ge=0, le=1_000_000,
        description="Newest memories without a stored vector that get one while asking "
                    "(offline embedder only).")
    vector_memory_mb: int = Field(
        default=256, ge=8, le=65_536, description="Memory for vectors; the newest are kept.")

    answer_weight: float = Field(
        default=0.6, ge=0, le=1,
        description="How much of a question's score goes to what was said right after it.")
    before_weight: float = Field(
        default=0.15, ge=0, le=1, description="How much of a memory's score goes to the next one.")
    after_weight: float = Field(
        default=0.15, ge=0, le=1,
        description="How much of a memory's score goes to the one before it.")
    neighbors: int = Field(
        default=100, ge=0, le=5000, description="Best memories whose neighbours are looked at.")

    boost_weight: float = Field(
        default=0.2, ge=0, le=1, description="What being reached by the walk is worth.")
    max_entities: int = Field(
        default=8, ge=1, le=500, description="Entities of a question that the walk starts from.")
    include_pinned: bool = Field(
        default=False, description="Walk from the pinned entities, too, whatever was asked.")
    mention_weight: float = Field(
        default=0.2, ge=0, le=1,
        description="What mentioning an entity of the question is worth; less for one that is "
                    "mentioned everywhere.")
    mention_candidates: int = Field(
        default=50, ge=0, le=5000, description="Memories taken from such mentions.")
    hint_weight: float = Field(
        default=0.4, ge=0, le=1,
        description="What matching a question that the memory was stored for is worth.")
    hint_candidates: int = Field(
        default=30, ge=0, le=1000, description="Memories taken from such questions.")
    date_weight: float = Field(
        default=0.3, ge=0, le=1, description="What being of the time that was asked is worth.")
    date_candidates: int = Field(
        default=50, ge=0, le=5000, description="Memories taken from that time.")

    rehearsal_weight: float = Field(
        default=0.1, ge=0, le=1, description="How much having been used often and lately adds.")
    rehearsal_half_life_days: float = Field(
        default=30, gt=0, le=3650, description="Days after which a use counts half.")
    gravity: float = Field(
        default=0.1, ge=0, le=1,
        description="Taken off a memory that shares no word with the question.")
    currentness: float = Field(
        default=0.2, ge=0, le=1,
        description="Taken off a memory all of whose claims have been superseded.")
    rerank_top: int = Field(
        default=20, ge=1, le=500, description="Hits that a reranker judges.")
