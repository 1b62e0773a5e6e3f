"""The settings of what the graph learns by itself, each with its meaning."""

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

_SETTINGS = ConfigDict(
    frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True)
"""Every name is also taken as upstream spells it: `minConfidence`."""


class SupersessionSettings(BaseModel):
    """When a newer value replaces an older one that it contradicts."""

    model_config = _SETTINGS

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
