"""The panels of the window, in the order of their docks. A new panel is one file and one entry.

None is loaded by this: a panel is when it is made.
"""

from ui.action import Action
from ui.panel import PanelKind

PANELS = (
    PanelKind("entities", "Entities", "entities", "left", "ui.panels.entities:Entities"),
    PanelKind("pins", "Pins", "pins", "left", "ui.panels.pins:Pins"),
    PanelKind(
        "inspector", "Inspector", "inspector", "right", "ui.panels.inspector.panel:Inspector",
        head=False, in_menus=(
            Action("inspector.archived", "Show archived details of the entity",
                   lambda panel: panel.show_archived(not panel.shows_archived), (), "archive",
                   "View", "shown", checked=lambda context: context.preferences.archived_details),
        )),
    PanelKind("proposals", "Proposals", "proposals", "bottom",
              "ui.panels.proposals.panel:Proposals", counts=True),
    PanelKind("claim_history", "Claim history", "history", "bottom",
              "ui.panels.claim_history.panel:ClaimHistory"),
    PanelKind("agent_view", "What the agent sees", "unmute", "bottom",
              "ui.panels.agent_view.panel:AgentView"),
    PanelKind("recall", "Recall", "search", "bottom", "ui.panels.recall.panel:RecallPanel"),
    PanelKind("activity", "Activity", "activity", "bottom",
              "ui.panels.activity.panel:ActivityPanel"),
    PanelKind("health", "Health", "health", "bottom", "ui.panels.health.panel:HealthPanel"),
    PanelKind("expectations", "Expectations", "expect", "bottom",
              "ui.panels.expectations:Expectations"),
    PanelKind("inbox", "Inbox", "inbox", "bottom", "ui.panels.inbox:InboxPanel",
              counts=True),
    PanelKind("changes", "Changes", "changes", "bottom",
              "ui.panels.changes_since_visit:WhatChanged", on_demand=True),
)
