"""The settings of focal resolution, the walk and the neighbourhood, each with its meaning."""

from pydantic import Field

from core.model.validation import SettingsSection


class TraversalSettings(SettingsSection):
    """How far the graph is walked from the focal entities, and limits of the result."""

    enabled: bool = Field(default=True, description="Walk the graph.")
    max_aspects_per_entity: int = Field(
        default=10, ge=1, le=200, description="Aspects of each entity, the highest weight first.")
    max_attributes_per_aspect: int = Field(
        default=20, ge=1, le=500,
        description="Values of each aspect with a memory, most important first.")
    max_branching: int = Field(
        default=4, ge=0, le=100,
        description="Links followed from each focal entity, highest confidence first.")
    max_dependency_hops: int | None = Field(
        default=30, ge=0, le=1000,
        description="Links followed in total, the surest first.")
    max_traversal_paths: int = Field(
        default=50, ge=1, le=2000, description="Maximum number of memories of a walk.")
    min_confidence: float = Field(
        default=0.5, ge=0, le=1, description="Minimum confidence of a link that is followed.")
    min_dependency_strength: float = Field(
        default=0.3, ge=0, le=1,
        description="Minimum confidence times strength of a link that is followed.")
    weigh_confidence: bool = Field(
        default=True,
        description="Rank links by confidence times strength; off: by strength alone, as in older "
                    "versions.")
    timeout_ms: int = Field(
        default=500, ge=1, le=60_000,
        description="Time limit of a walk in milliseconds, including finding focal entities; then "
                    "the results so far are returned. Constraints are always included.")
    asked_share: float = Field(
        default=0.5, ge=0, le=1,
        description="Share of the memory budget, of a walk and of a session's start, that what was "
                    "asked may fill before pinned entities and other memories get more.")
    include_pinned: bool = Field(default=True, description="Also start from pinned entities.")
    max_project_entities: int = Field(
        default=5, ge=1, le=100, description="Maximum number of projects matched by a folder's "
                                             "path.")
    max_query_entities: int = Field(
        default=20, ge=1, le=500, description="Maximum number of entities matched by a question.")
    max_misses: int = Field(
        default=200, ge=0, le=5000, description="Near misses listed by an explained walk.")


class NeighborhoodSettings(SettingsSection):
    """How much of an entity's surroundings is shown."""

    depth: int = Field(
        default=1, ge=1, le=3, description="Default distance from the entity in links.")
    max_nodes: int = Field(
        default=300, ge=1, le=20_000,
        description="Maximum number of entities of a neighborhood; the rest is counted.")
    max_edges: int = Field(
        default=1000, ge=1, le=100_000,
        description="Maximum number of links of a neighborhood; the rest is counted.")
    promotion_threshold: int = Field(
        default=3, ge=1, le=1000,
        description="Mentions from which an entity counts as well known.")
