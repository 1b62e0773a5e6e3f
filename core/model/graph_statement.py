"""What the graph itself says in answer to a question: a link, an assertion, what an entity is."""

from collections.abc import Mapping

from msgspec import Struct, field

LINK, ASSERTION, ENTITY, MEMORY = "link", "assertion", "entity", "memory"
"""What a line of an answer is, as its `kind` says."""
SURE = 0.5
"""The confidence below which a statement says how sure it is."""


class Statement(Struct, frozen=True):
    """One line that no memory says.

    Attributes:
        kind: `link`, `assertion` or `entity`.
        id: of the link, the assertion or the entity.
        ids: where one line tells several links, those of all; else that one.
        text: in words: `settlement job consumes bank export: Needs yesterday's file`.
        when: when it was made, or asserted.
        who: who asserted it.
        entity_ids: the entities that it is about: of a link the source, then the target.
        confidence: how sure it is, 0 to 1.
        place: how many lines of the whole answer come before it.
        score: 0 to 1, beside those of the memories.
        channels: what each channel gave it.
        why: the same in words.
        steps: what changed the score afterwards, as factors.
    """

    kind: str
    id: str
    text: str
    when: str
    entity_ids: tuple[str, ...]
    ids: tuple[str, ...] = ()
    who: str = ""
    confidence: float = 1.0
    place: int = 0
    score: float = 0.0
    channels: Mapping[str, float] = field(default_factory=dict)
    why: str = ""
    steps: Mapping[str, float] = field(default_factory=dict)

    @property
    def entity(self) -> str:
        """Empty: its text names what it is about."""
        return ""

    @property
    def own_text(self) -> str:
        """As it is told."""
        return self.marked_text

    @property
    def marked_text(self) -> str:
        """The text with what it is, and how sure it is where it is not."""
        unsure = f" (confidence {self.confidence:.2f})" if self.confidence < SURE else ""
        return f"{self.kind.capitalize()}{unsure}: {self.text}"
