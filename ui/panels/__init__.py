"""The panels of the window, in the order of their docks. A new panel is one file and one line."""

from ui.panel import Panel
from ui.panels.activity.panel import ActivityPanel
from ui.panels.agent_view.panel import AgentView
from ui.panels.changes_since_visit import WhatChanged
from ui.panels.claim_history.panel import ClaimHistory
from ui.panels.entities import Entities
from ui.panels.expectations import Expectations
from ui.panels.health.panel import HealthPanel
from ui.panels.inbox import InboxPanel
from ui.panels.inspector.panel import Inspector
from ui.panels.pins import Pins
from ui.panels.proposals.panel import Proposals
from ui.panels.recall.panel import RecallPanel

PANELS: tuple[type[Panel], ...] = (
    Entities, Pins, Inspector, Proposals, ClaimHistory, AgentView, RecallPanel, ActivityPanel,
    HealthPanel, Expectations, InboxPanel, WhatChanged,
)
