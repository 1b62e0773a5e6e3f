"""Dependencies between entities, read from one end."""

import re

from msgspec import Struct

from core.model.names import slot_key, spoken
from core.model.vocabulary import DEPENDENCY_TYPES, IMPORTED

A_VERB = 5
"""Words that what a link is called has at most: more are a sentence."""


def type_called(words: str) -> str:
    """The dependency type that words name, however they are spelled; empty for other words."""
    word = (slot_key(words) or "").replace("-", "_")
    return word if word in DEPENDENCY_TYPES else ""


def own_words(dependency_type: str, reason: str | None, source_kind: str | None) -> str:
    """What an imported file calls a link that no dependency type fits: `works at`; else empty."""
    words = _of_a_file(dependency_type, reason, source_kind)
    return words if len(words.split()) <= A_VERB else ""


def own_sentence(dependency_type: str, reason: str | None, source_kind: str | None) -> str:
    """What an imported file says of such a link in more words than stand between two names."""
    words = _of_a_file(dependency_type, reason, source_kind)
    return words if len(words.split()) > A_VERB else ""


def _of_a_file(dependency_type: str, reason: str | None, source_kind: str | None) -> str:
    own = dependency_type == "related_to" and source_kind == IMPORTED and reason
    return spoken(own.strip()) if own else ""


def link_in_words(source: str, words: str, target: str, why: str, sentence: str = "") -> str:
    """A link as one line: `Ann works at Mill: since May`.

    Args:
        why: the reason for it, if there is one to be told.
        sentence: what a file says of it; where that names both ends, it stands alone.
    """
    if sentence and all(_names(sentence, end) for end in (source, target)):
        return sentence
    why = sentence or why
    return f"{source} {words} {target}" + (f": {why}" if why else "")


def _names(sentence: str, name: str) -> bool:
    """True if a sentence holds a name as whole words, however it is written."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence, re.IGNORECASE) is not None


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

    @property
    def sentence(self) -> str:
        """What the imported file says of it in more words; empty if it does not."""
        return own_sentence(self.dependency_type, self.reason, self.source_kind)
