"""The words for the risk of a proposal."""

from core.model.proposal import Proposal

RISKS = ("critical", "high", "medium", "low")
HIGH = RISKS[:2]


def risk_of(proposal: Proposal) -> str:
    """Its risk in plain letters; empty where none is named."""
    return (proposal.risk or "").strip().lower()


def is_high(proposal: Proposal) -> bool:
    return risk_of(proposal) in HIGH
