"""What the agent sees: the walk, the injected text, and what would be otherwise."""

from ui.panels.agent_view.panel import AgentView

__all__ = ["AgentView"]
