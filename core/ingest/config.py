"""The settings of remembering, each with its meaning."""

from core.model.pydantic_helpers import SettingsSection, limited, setting, share


class IngestSettings(SettingsSection):
    """What is stored in the graph, with default confidences and limits."""

    max_aspects_per_entity: int = limited(10, 1, 1000, "Maximum number of aspects of an entity.",
        title="Aspects per entity")
    max_attributes_per_aspect: int = limited(
        25, 1, 10_000, "Maximum number of values of an aspect.", title="Values per aspect")
    max_characters: int = limited(
        1_000_000, 1000, 100_000_000, "Maximum length of a memory in characters.",
        title="Longest memory (characters)")
    shortest_name: int = limited(4, 1, 20, "Minimum length of a name without a concrete type.",
        title="Shortest name")
    refused_types: tuple[str, ...] = setting(
        ("concept", "task", "skill", "agent", "policy", "action", "workflow", "object_type",
         "interface", "observation", "claim_slot", "claim_value", "chunk_group"),
        "Abstract types, not created when a memory is stored.", title="Types that are not created")
    decisions: bool = setting(True, "Values of a memory worded as a decision become constraints.",
        title="Decisions become constraints")
    decision_importance: float = share(0.85, "Importance of the values of a decision.",
        title="Importance of a decision")
    importance: float = share(0.5, "Importance of a value given without one.",
        title="Importance if none is given")
    confidence: float = share(0.7, "Confidence of a value or triple given without one.",
        title="Confidence if none is given")
    triple_strength: float = share(1.0, "Strength of an explicit link.",
        title="Strength of an explicit link")
    co_occurrence: bool = setting(True, "Add weak links between entities of the same memory.",
        title="Link what is named together")
    co_occurrence_strength: float = share(0.3, "Strength of such a weak link.",
        title="Strength of such a link")
    co_occurrence_confidence: float = share(
        0.5, "Confidence of such a weak link; too low, with its strength, to be walked until it "
             "is strengthened.", title="Confidence of such a link")
    co_occurrence_entities: int = limited(
        20, 2, 200, "Maximum number of entities of a memory that are linked in pairs.",
        title="Entities linked in pairs")
    link_mentions: bool = setting(True, "Link a memory to known entities named in its text.",
        title="Link names of known entities")
    mention_confidence: float = share(0.8, "Confidence of a link by name.",
        title="Confidence of a link by name")
    aspect_mention_confidence: float = share(0.7, "Confidence of the link to an aspect's entity.",
        title="Confidence by an aspect")
    mention_words: int = limited(5, 1, 10, "Maximum number of words of a name in a memory.",
        title="Words of a name")
    mention_candidates: int = limited(
        5000, 10, 100_000, "Maximum number of names looked up per memory.",
        title="Names looked up per memory")
    supersede_slots: bool = setting(True, "A new value of a claim replaces the old one.",
        title="A new value replaces the old one")
