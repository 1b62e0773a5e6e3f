"""The settings of the health report, each with its meaning."""

from core.health.name_match_strictness import Strictness
from core.model.pydantic_helpers import SettingsSection, limited, setting, share


class HealthSettings(SettingsSection):
    """What counts as a finding of the health report."""

    duplicates: Strictness = setting(
        "spelling", "How much two names may differ and count as one entity: exact, punctuation, "
                    "aliases, words (their order), spelling, neighbours.",
        title="When two names are one")
    low_confidence: float = share(0.5, "Below this a value counts as unsure.", title="Unsure below")
    stale_days: float = limited(
        180, 1, 36_500, "Days without a change after which an unsure value is stale.",
        title="Days until a value is stale")
    review_days: float = limited(
        180, 1, 36_500, "Days after which a fact that was confirmed asks to be confirmed again.",
        title="Days until the next review")
    weak_link: float = share(0.3, "Up to this strength a link “related to” counts as weak.",
        title="Weak up to")
    memories: int = limited(
        1000, 0, 1_000_000, "Newest memories that are searched for names of entities.",
        title="Memories searched for names")
