"""What of a memory no longer holds: which claim, from when to when, and what replaced it."""

from collections.abc import Sequence

from msgspec import Struct

from core.model.text_formatting import one_line

OF_A_TASK = 0
"""The version of what is outdated because its task is finished: it is none of a claim's."""
_LONGEST = 80
"""Characters of a value that are quoted beside a memory."""


class OutdatedClaim(Struct, frozen=True):
    """A value that a memory says and that no longer holds.

    Attributes:
        claim: where it stands: `Harbor Ledger, delivery, release rhythm`.
        was: the value.
        now: the value in force in its place, empty if there is none.
        then: the value that replaced it, where that no longer holds either; else empty.
        version: its number among the versions of its claim.
        since, until: from when to when it held, as the file writes times; empty if unknown.
        why: the reason that a person gave who archived it.
    """

    claim: str
    was: str
    now: str = ""
    then: str = ""
    version: int = 1
    since: str = ""
    until: str = ""
    why: str = ""

    @property
    def words(self) -> str:
        """`release rhythm was “every Friday” from 2026-01-05 to 2026-03-14, now “every Monday”`."""
        name = self.claim.rpartition(", ")[2]
        return f"{name} was {_quoted(self.was)}{self._end}"

    @property
    def _end(self) -> str:
        """` from 2026-01-05 to 2026-03-14, then “every Tuesday”, now “every Monday”`."""
        then = f", then {_quoted(self.then)}" if self.then else ""
        now = f"now {_quoted(self.now)}" if self.now else "nothing in its place now"
        why = f": {one_line(self.why, _LONGEST)}" if self.why else ""
        return f"{self._span}{then}, {now}{why}"

    def beside(self, content: str) -> str:
        """The same beside a memory, which need not repeat what it says in the same words."""
        return self._end.lstrip(", ") if content == f"{self.claim}: {self.was}" else self.words

    @property
    def _span(self) -> str:
        since, until = self.since[:10], self.until[:10]
        if since and until:
            return f" on {since}" if since == until else f" from {since} to {until}"
        return f" until {until}" if until else ""


def marked(
    content: str, outdated: Sequence[OutdatedClaim] = (), *, past: bool = False,
    constraint: bool = False,
) -> str:
    """A memory's text as it is told, with what of it no longer holds.

    Args:
        past: nothing that it says is known to hold any more.
        constraint: it says a constraint in force; one that says something outdated beside it is
            told as any memory.
    """
    head = "Past: " if past else "Constraint: " if constraint and not outdated else ""
    claims = "; ".join(claim.beside(content) for claim in outdated)
    if not claims:
        return head + content
    return f"{head}{content} ({claims})" if past else f"{head}{content} (outdated: {claims})"


def _quoted(value: str) -> str:
    return f"“{one_line(value, _LONGEST)}”"
