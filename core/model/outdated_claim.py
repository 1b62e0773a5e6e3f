"""What of a memory no longer holds: which claim, from when to when, and what replaced it."""

import re
from collections.abc import Sequence

from msgspec import Struct

from core.model.text_formatting import one_line
from core.model.vocabulary import OBSERVATIONS

OF_A_TASK = 0
"""The version of what is outdated because its task is finished: it is none of a claim's."""
_LONGEST = 80
"""Characters of a value that are quoted beside a memory."""
_OBSERVED = re.compile(rf", {OBSERVATIONS}(?=, |$)")
"""What is not said where a value stands (`core.model.memory_text_of_value.worded`)."""


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
        """`release rhythm was “every Friday” from 2026-01-05 to 2026-03-14, now “every Monday”`; a
        mere observation has no such name."""
        name = self.claim.rpartition(", ")[2]
        was = "" if name == OBSERVATIONS else f"{name} was "
        return f"{was}{_quoted(self.was)}{self._end}"

    @property
    def _end(self) -> str:
        """` from 2026-01-05 to 2026-03-14, then “every Tuesday”, now “every Monday”`."""
        then = f", then {_quoted(self.then)}" if self.then else ""
        now = f"now {_quoted(self.now)}" if self.now else "nothing in its place now"
        why = f": {one_line(self.why, _LONGEST)}" if self.why else ""
        return f"{self._span}{then}, {now}{why}"

    def beside(self, content: str) -> str:
        """The same beside a memory, which need not repeat what it says in the same words."""
        places = self.claim, _OBSERVED.sub("", self.claim)
        said = any(content == f"{place}: {self.was}" for place in places)
        return self._end.lstrip(", ") if said else self.words

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
