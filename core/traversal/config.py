"""The settings of focal resolution, the walk and the neighbourhood, each with its meaning."""

from pydantic import Field

from core.model.validation import SettingsSection


class TraversalSettings(SettingsSection):
    """How far the graph is walked from the focal entities, and how much comes back."""

    enabled: bool = Field(default=True, description="Walk the graph at all.")
    max_aspects_per_entity: int = Field(
        default=10, ge=1, le=200, description="Aspects of each entity, the heaviest first.")
    max_attributes_per_aspect: int = Field(
        default=20, ge=1, le=500,
        description="Values of each aspect that bring a memory, the most important first.")
    max_branching: int = Field(
        default=4, ge=0, le=100,
        description="Links followed from each focal entity, the surest first.")
    max_dependency_hops: int | None = Field(
        default=None, ge=0, le=1000,
        description="Links followed in all (an older setting); without it only branching counts.")
    max_traversal_paths: int = Field(
        default=50, ge=1, le=2000, description="Memories that one walk brings in all.")
    min_confidence: float = Field(
        default=0.5, ge=0, le=1, description="A link less sure than this is not followed.")
    min_dependency_strength: float = Field(
        default=0.3, ge=0, le=1,
        description="A link whose confidence times strength is less is not followed.")
    weigh_confidence: bool = Field(
        default=True,
        description="Judge links by confidence times strength; off: by strength alone, as the "
                    "first generation did.")
    timeout_ms: int = Field(
        default=500, ge=1, le=60_000,
        description="Milliseconds after which a walk gives what it has, finding where it begins "
                    "included. Constraints always come.")
    include_pinned: bool = Field(default=True, description="Begin at the pinned entities, too.")
    max_project_entities: int = Field(
        default=5, ge=1, le=100, description="Projects that a folder's path may mean.")
    max_query_entities: int = Field(
        default=20, ge=1, le=500, description="Entities that a question may mean.")
    max_misses: int = Field(
        default=200, ge=0, le=5000, description="Near misses that an explained walk tells of.")


class NeighborhoodSettings(SettingsSection):
    """How much of an entity's surroundings is shown."""

    depth: int = Field(
        default=1, ge=1, le=3, description="Links away from the entity, if not said.")
    max_nodes: int = Field(
        default=300, ge=1, le=20_000,
        description="Entities of a neighbourhood; the rest is counted.")
    max_edges: int = Field(
        default=1000, ge=1, le=100_000,
        description="Links of a neighbourhood; the rest is counted.")
    promotion_threshold: int = Field(
        default=3, ge=1, le=1000,
        description="Mentions from which an entity counts as well established.")
