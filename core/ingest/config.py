"""The settings of remembering, each with its meaning."""

from pydantic import Field

from core.model.validation import SettingsSection


class IngestSettings(SettingsSection):
    """What is stored in the graph, with default confidences and limits."""

    max_aspects_per_entity: int = Field(
        default=10, ge=1, le=1000, description="Maximum number of aspects of an entity.")
    max_attributes_per_aspect: int = Field(
        default=25, ge=1, le=10_000, description="Maximum number of values of an aspect.")
    max_characters: int = Field(
        default=1_000_000, ge=1000, le=100_000_000,
        description="Maximum length of a memory in characters.")
    shortest_name: int = Field(
        default=4, ge=1, le=20,
        description="Minimum length of a name without a concrete type.")
    refused_types: tuple[str, ...] = Field(
        default=("concept", "task", "skill", "agent", "policy", "action", "workflow",
                 "object_type", "interface", "observation", "claim_slot", "claim_value",
                 "chunk_group"),
        description="Abstract types, not created when a memory is stored.")
    decisions: bool = Field(
        default=True, description="Values of a memory worded as a decision become constraints.")
    decision_importance: float = Field(
        default=0.85, ge=0, le=1, description="Importance of the values of a decision.")
    importance: float = Field(
        default=0.5, ge=0, le=1, description="Importance of a value given without one.")
    confidence: float = Field(
        default=0.7, ge=0, le=1, description="Confidence of a value or triple given without one.")
    triple_strength: float = Field(
        default=1.0, ge=0, le=1, description="Strength of an explicit link.")
    co_occurrence: bool = Field(
        default=True, description="Add weak links between entities of the same memory.")
    co_occurrence_strength: float = Field(
        default=0.3, ge=0, le=1, description="Strength of such a weak link.")
    co_occurrence_confidence: float = Field(
        default=0.5, ge=0, le=1,
        description="Confidence of such a weak link; too low, with its strength, to be walked "
                    "until it is strengthened.")
    co_occurrence_entities: int = Field(
        default=20, ge=2, le=200, description="Maximum number of entities of a memory that are "
                                              "linked in pairs.")
    link_mentions: bool = Field(
        default=True, description="Link a memory to known entities named in its text.")
    mention_confidence: float = Field(
        default=0.8, ge=0, le=1, description="Confidence of a link by name.")
    aspect_mention_confidence: float = Field(
        default=0.7, ge=0, le=1, description="Confidence of the link to an aspect's entity.")
    mention_words: int = Field(
        default=5, ge=1, le=10, description="Maximum number of words of a name in a memory.")
    mention_candidates: int = Field(
        default=5000, ge=10, le=100_000, description="Maximum number of names looked up per "
                                                     "memory.")
    supersede_slots: bool = Field(
        default=True,
        description="A new value of a claim replaces the old one if it reads like an update.")
