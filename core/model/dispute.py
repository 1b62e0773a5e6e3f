"""Two values in force that seem to say the opposite, until a person decides which one holds.

The older one is told with a mark, unless a person said it and an agent the newer one.
"""

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
        newer_id, newer: the one that is told as it is, unless `stands`.
        since: when the newer one was said.
        proposal_id: the pending proposal that asks for the decision; empty in a file that keeps
            no proposals.
        stands: a person said the older one and an agent the newer, which is marked instead.
    """

    older_id: str
    older: str
    newer_id: str
    newer: str
    since: str = ""
    proposal_id: str = ""
    stands: bool = False

    @property
    def marked(self) -> str:
        """The text of the value that is marked."""
        return self.newer if self.stands else self.older

    @property
    def mark(self) -> str:
        """What it is told with: `disputed; newer: “Deploys on Fridays are allowed”`."""
        other = ("a person said", self.older) if self.stands else ("newer", self.newer)
        return f"disputed; {other[0]}: “{one_line(other[1], LONGEST_MARK)}”"


def with_dispute(content: str, dispute: Dispute | None) -> str:
    """A text as it is told: with the mark of its dispute before it.

    Of a longer text the mark says which part it is about.
    """
    if dispute is None:
        return content
    whole = canonical(content).endswith(canonical(dispute.marked))
    part = "" if whole else f"“{one_line(dispute.marked, LONGEST_MARK)}” is "
    return f"[{part}{dispute.mark}] {content}"
