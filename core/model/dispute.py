"""Two values in force that seem to say the opposite, until a person decides which one holds."""

from msgspec import Struct

from core.model.names import canonical
from core.model.text_formatting import one_line

LONGEST_MARK = 160
"""Characters of the newer value that the mark of the older one quotes."""
DECISIONS = {"apply": "the newer one replaces the older",
           "reject": "the older one stays, the newer is retired",
           "both": "both stay, and neither is marked"}
"""What each decision about a dispute does."""


class Dispute(Struct, frozen=True):
    """An older value that a newer one seems to reverse.

    Attributes:
        older_id, older: the value that is marked as disputed, and its text.
        newer_id, newer: the one that is told as it is.
        since: when the newer one was said.
        proposal_id: the pending proposal that asks for the decision; empty in a file that keeps
            no proposals.
    """

    older_id: str
    older: str
    newer_id: str
    newer: str
    since: str = ""
    proposal_id: str = ""

    @property
    def mark(self) -> str:
        """What the older one is told with: `disputed; newer: “Deploys on Fridays are allowed”`."""
        return f"disputed; newer: “{one_line(self.newer, LONGEST_MARK)}”"


def with_dispute(content: str, dispute: Dispute | None) -> str:
    """A text as it is told: with the mark of its dispute before it, where it is the older one.

    Of a longer text the mark says which part it is about.
    """
    if dispute is None:
        return content
    whole = canonical(content).endswith(canonical(dispute.older))
    part = "" if whole else f"“{one_line(dispute.older, LONGEST_MARK)}” is "
    return f"[{part}{dispute.mark}] {content}"
