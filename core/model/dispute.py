"""Two values in force that seem to say the opposite, until a person decides which one holds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dispute:
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
        return f"disputed; newer: “{self.newer}”"
