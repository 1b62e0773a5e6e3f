"""What the memory says that tells of a claim's value, and when another memory tells it already."""

from core.model.names import canonical, spoken
from core.model.vocabulary import OBSERVATIONS

DERIVED_HASH = "semantic-attribute:"
"""What the content hash of a memory begins with that was made from a value (Signet's mark)."""
STATED = 0.6
"""Share of a value's words that a memory must hold to count as stating it."""


def worded(entity: str, aspect: str, claim_key: str | None, content: str) -> str:
    """`Harbor Ledger, delivery, release rhythm: Releases every Monday`; of a mere observation
    `Mia: Lives in Leipzig`."""
    named = "" if canonical(aspect) == OBSERVATIONS else aspect
    return with_owner(place(entity, named, claim_key), content)


def with_owner(before: str, content: str) -> str:
    """A text with what it is of before it, unless it says that itself: `Mia: Lives in Leipzig`."""
    return f"{before}: {content}" if before else content


def place(entity: str, aspect: str, claim_key: str | None) -> str:
    """Where a value stands: `Harbor Ledger, delivery, release rhythm`."""
    parts = (entity, aspect, spoken(claim_key) if claim_key else "")
    return ", ".join(part for part in parts if part)


def states(memory: str, value: str) -> bool:
    """True where a memory says what a value says, in its words or in most of them."""
    told, wanted = canonical(memory), canonical(value)
    if wanted in told:
        return True
    from core.model.split_words import written_words  # noqa: PLC0415  its patterns take long

    needed = set(written_words(wanted))
    return bool(needed) and len(needed & set(written_words(told))) >= STATED * len(needed)
