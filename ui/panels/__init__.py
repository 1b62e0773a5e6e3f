"""The panels of the window, in the order of their docks. A new panel is one file and one line."""

from ui.panel import Panel
from ui.panels.activity import ActivityPanel
from ui.panels.agent_view import AgentView
from ui.panels.claim_history import ClaimHistory
from ui.panels.entities import Entities
from ui.panels.inspector import Inspector
from ui.panels.pins import Pins
from ui.panels.proposals import Proposals
from ui.panels.recall import RecallPanel

PANELS: tuple[type[Panel], ...] = (
    Entities, Pins, Inspector, Proposals, ClaimHistory, AgentView, RecallPanel, ActivityPanel,
)
