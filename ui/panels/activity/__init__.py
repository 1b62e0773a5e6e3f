"""What was done to the graph, by whom, and the way back."""

from ui.panels.activity.panel import ActivityPanel

__all__ = ["ActivityPanel"]
