"""How a claim came to be, and the way back."""

from ui.panels.claim_history.panel import ClaimHistory

__all__ = ["ClaimHistory"]
