"""The settings of focal resolution, the walk and the neighbourhood, each with its meaning."""


from core.model.pydantic_helpers import SettingsSection, limited, setting, share

WALKS_SHARE = 0.1
"""Share of the time limit that finding the focal entities leaves to the walk from them."""


class TraversalSettings(SettingsSection):
    """How far the graph is walked from the focal entities, and limits of the result."""

    enabled: bool = setting(True, "Walk the graph.", title="Walk the graph")
    max_aspects_per_entity: int = limited(
        10, 1, 200, "Aspects of each entity, the highest weight first.", title="Aspects per entity")
    max_attributes_per_aspect: int = limited(
        20, 1, 500, "Values of each aspect with a memory, most important first.",
        title="Values per aspect")
    max_branching: int = limited(
        4, 0, 100, "Links followed from each focal entity, highest confidence first.",
        title="Links per starting entity")
    max_parts: int = limited(
        8, 0, 100, "Entities that come along with each entity asked for because they are part of "
                   "it, owned by it or maintain it, the surest first; 0 for none.",
        title="Parts that come along")
    max_dependency_hops: int | None = limited(
        30, 0, 1000, "Links followed in total, the surest first.", title="Links in total")
    max_traversal_paths: int = limited(50, 1, 2000, "Maximum number of memories of a walk.",
        title="Memories of a walk")
    min_confidence: float = share(0.5, "Minimum confidence of a link that is followed.",
        title="Least confidence of a link")
    min_dependency_strength: float = share(
        0.3, "Minimum confidence times strength of a link that is followed.",
        title="Least confidence × strength")
    weigh_confidence: bool = setting(
        True, "Rank links by confidence times strength; off: by strength alone, as in older "
              "versions.", title="Rank links by confidence too")
    timeout_ms: int = limited(
        500, 1, 60_000, "Time limit of a walk in milliseconds, including finding focal entities; "
                        "then the results so far are returned. Constraints are always included.",
        title="Time limit (milliseconds)")
    asked_share: float = share(
        0.5, "Share of the memory budget, of a walk and of a session's start, that what was asked "
             "may fill before pinned entities and other memories get more. Half of the rest of a "
             "session is kept for pins.", title="Share for what was asked")
    include_pinned: bool = setting(True, "Also start from pinned entities.",
        title="Start from pinned entities")
    max_project_entities: int = limited(
        5, 1, 100, "Maximum number of projects matched by a folder's path.",
        title="Projects of a folder")
    max_query_entities: int = limited(
        20, 1, 500, "Maximum number of entities matched by a question.",
        title="Entities of a question")
    max_misses: int = limited(200, 0, 5000, "Near misses listed by an explained walk.",
        title="Near misses listed")

    @property
    def walk_ms(self) -> float:
        """What of the time limit is kept for the walk, however long it takes to find its start.

        On a busy machine that may be all of it, and the walk needs little.
        """
        return self.timeout_ms * WALKS_SHARE


class NeighborhoodSettings(SettingsSection):
    """How much of an entity's surroundings is shown."""

    depth: int = limited(1, 1, 3, "Default distance from the entity in links.",
        title="Distance in links")
    max_nodes: int = limited(
        300, 1, 20_000, "Maximum number of entities of a neighborhood; the rest is counted.",
        title="Most entities")
    max_edges: int = limited(
        1000, 1, 100_000, "Maximum number of links of a neighborhood; the rest is counted.",
        title="Most links")
    promotion_threshold: int = limited(
        3, 1, 1000, "Mentions from which an entity counts as well known.",
        title="Mentions to be well known")
