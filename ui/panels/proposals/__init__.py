"""The review of what the agent would like to change."""

from ui.panels.proposals.panel import Proposals

__all__ = ["Proposals"]
