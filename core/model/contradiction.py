"""Two values that contradict each other, and what was done about them."""

from msgspec import Struct


class Verdict(Struct, frozen=True):
    """Why two texts contradict each other.

    `method` is `heuristic`; `signal` is `negation`, `antonym`, `value` or `temporal`.
    """

    signal: str
    confidence: float
    reasoning: str
    method: str = "heuristic"


class Contradiction(Struct, frozen=True):
    """An older value that a newer one replaces."""

    old_id: str
    new_id: str
    aspect_id: str
    old: str
    new: str
    verdict: Verdict


class Superseding(Struct, frozen=True):
    """The result of a contradiction pass.

    Attributes:
        found: every contradiction that counted.
        superseded: ids of the superseded values; empty in shadow mode.
        proposed: how many were only recorded (shadow mode).
        held: what would replace a person's word: not applied, the person is asked.
        skipped: values that were not compared: deleted, not active, a constraint, no aspect, or
            beyond the limit per slot.
    """

    found: tuple[Contradiction, ...] = ()
    superseded: tuple[str, ...] = ()
    proposed: int = 0
    held: tuple[Contradiction, ...] = ()
    skipped: int = 0
