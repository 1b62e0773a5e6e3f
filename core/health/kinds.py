"""The list of everything that the health report looks for."""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from core.health.finding import Finding, Findings, Rules
    from core.store.reader_and_writer import Reader


class Kind(Struct, frozen=True):
    """One kind of finding.

    Attributes:
        title: its heading.
        place: the module of this package that finds it, and the function; loaded when it is used,
            since the command line lists the names.
    """

    name: str
    title: str
    place: str

    @property
    def find(self) -> "Callable[[Reader, Rules], Iterable[Finding] | Findings]":
        """Reads all findings of the kind."""
        module, _, function = self.place.partition(":")
        finder: Callable[[Reader, Rules], Iterable[Finding] | Findings] = getattr(
            import_module(f"core.health.{module}"), function)
        return finder

    @property
    def summary(self) -> str:
        """What it finds, in one sentence."""
        return " ".join((self.find.__doc__ or "").split("\n\n")[0].split())


KINDS: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in (
    Kind("contradiction", "Contradictions", "doubtful_values:contradictions"),
    Kind("dangling_id", "Rows of nothing", "weak_and_dangling_links:dangling_ids"),
    Kind("two_values", "Two values in force", "doubtful_values:two_values"),
    Kind("other_number", "Same words, another number", "near_values:other_numbers"),
    Kind("other_spelling", "Same words, spelled otherwise", "near_values:other_spellings"),
    Kind("duplicate_values", "Duplicate values", "doubtful_values:duplicate_values"),
    Kind("duplicate_entities", "Duplicate entities", "duplicates:duplicate_entities"),
    Kind("suspicious_name", "Suspicious names", "suspicious_names:suspicious_names"),
    Kind("no_facts", "Entities without facts", "empty_generic_or_overfull:no_facts"),
    Kind("review_due", "Facts to confirm", "facts_to_confirm:reviews_due"),
    Kind("expired_task", "Expired tasks", "overdue_tasks:expired_tasks"),
    Kind("attribute_over_cap", "Too many values", "empty_generic_or_overfull:over_cap_values"),
    Kind("aspect_over_cap", "Too many aspects", "empty_generic_or_overfull:over_cap_aspects"),
    Kind("stale_value", "Stale, unsure values", "doubtful_values:stale_values"),
    Kind("weak_related_to", "Weak links", "weak_and_dangling_links:weak_links"),
    Kind("unexplained_related_to", "Unexplained links",
         "weak_and_dangling_links:unexplained_links"),
    Kind("unadopted_relations", "Relations that are no links",
         "weak_and_dangling_links:unadopted_relations"),
    Kind("mention_candidate", "Unlinked mentions", "unlinked_mentions:mention_candidates"),
    Kind("generic_aspect", "Catch-all aspects", "empty_generic_or_overfull:generic_aspects"),
    Kind("missing_claim", "Values without a claim key", "doubtful_values:missing_claim"),
    Kind("missing_group", "Values without a group", "doubtful_values:missing_group"),
    Kind("missing_source", "Values without a source", "doubtful_values:missing_source"),
)})
"""Every kind by its name, what matters most first."""
