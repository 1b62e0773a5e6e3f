"""The settings of remembering, each with its meaning."""

from pydantic import Field

from core.model.validation import SettingsSection


class IngestSettings(SettingsSection):
    """What is taken into the graph, how surely, and how much of it."""

    max_aspects_per_entity: int = Field(
        default=10, ge=1, le=1000, description="No further aspect is made beyond these.")
    max_attributes_per_aspect: int = Field(
        default=25, ge=1, le=10_000, description="No further value is added beyond these.")
    max_characters: int = Field(
        default=1_000_000, ge=1000, le=100_000_000,
        description="A memory longer than this is refused.")
    shortest_name: int = Field(
        default=4, ge=1, le=20,
        description="Letters of a name that comes without a concrete type.")
    refused_types: tuple[str, ...] = Field(
        default=("concept", "task", "skill", "agent", "policy", "action", "workflow",
                 "object_type", "interface", "observation", "claim_slot", "claim_value",
                 "chunk_group"),
        description="Types that are no concrete thing: not made by remembering.")
    decisions: bool = Field(
        default=True, description="The wording of a decision makes its values constraints.")
    decision_importance: float = Field(
        default=0.85, ge=0, le=1, description="How much the values of a decision matter.")
    importance: float = Field(
        default=0.5, ge=0, le=1, description="How much a value matters that gives no number.")
    confidence: float = Field(
        default=0.7, ge=0, le=1, description="How sure a value or triple is that gives no number.")
    triple_strength: float = Field(
        default=1.0, ge=0, le=1, description="Strength of a link that was stated.")
    co_occurrence: bool = Field(
        default=True, description="Link entities that come in one memory, weakly.")
    co_occurrence_strength: float = Field(
        default=0.3, ge=0, le=1, description="Strength of such a weak link.")
    co_occurrence_confidence: float = Field(
        default=0.5, ge=0, le=1,
        description="Confidence of such a weak link; times its strength it is not walked until "
                    "it has been strengthened.")
    co_occurrence_entities: int = Field(
        default=20, ge=2, le=200, description="Entities of one memory that are linked in pairs.")
    link_mentions: bool = Field(
        default=True, description="Link a memory with the known entities that its words name.")
    mention_confidence: float = Field(
        default=0.8, ge=0, le=1, description="How sure a link by name is.")
    aspect_mention_confidence: float = Field(
        default=0.7, ge=0, le=1, description="How sure the link with an aspect's entity is.")
    mention_words: int = Field(
        default=5, ge=1, le=10, description="Words that a name in a memory may have.")
    mention_candidates: int = Field(
        default=5000, ge=10, le=100_000, description="Names that are looked up for one memory.")
    supersede_slots: bool = Field(
        default=True,
        description="A new value of a claim replaces the old one where it reads like an update.")
