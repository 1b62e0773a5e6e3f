"""Dependencies between entities, read from one end."""

from msgspec import Struct

from core.model.names import spoken
from core.model.vocabulary import IMPORTED


def own_words(dependency_type: str, reason: str | None, source_kind: str | None) -> str:
    """What an imported file calls a link that no dependency type fits: `works at`; else empty."""
    if dependency_type == "related_to" and source_kind == IMPORTED:
        return spoken(reason.strip()) if reason and reason.strip() else ""
    return ""


class Link(Struct, frozen=True):
    """A dependency as read from one entity: `direction` is `out` or `in`, `other_*` the far end.

    `other_name` is empty for a dangling end (the entity is not in the file).
    """

    id: str
    direction: str
    dependency_type: str
    source_entity_id: str
    target_entity_id: str
    other_id: str
    other_name: str
    other_type: str
    aspect_id: str | None
    strength: float
    confidence: float
    reason: str | None
    status: str
    source_kind: str | None
    source_path: str | None
    proposal_id: str | None
    created_at: str
    updated_at: str

    @property
    def words(self) -> str:
        """`depends on`; the words of the imported file if no type matches: `works on`."""
        return (own_words(self.dependency_type, self.reason, self.source_kind)
                or spoken(self.dependency_type))
