"""Edit what the inspector shows."""

from typing import cast

from ui.actions.registry import Action
from ui.context import Context
from ui.panels.inspector import Inspector

PANEL = "inspector"


def inspector(context: Context) -> Inspector:
    """The panel in which all of this happens."""
    return cast(Inspector, context.shell.panel(PANEL))


def edit(context: Context) -> None:
    """Edit the value that the keyboard is on."""
    inspector(context).edit_current()


def toggle_archived(context: Context) -> None:
    panel = inspector(context)
    panel.show_archived(not panel.shows_archived)


def shows_archived(context: Context) -> bool:
    return context.preferences.text("inspector.archived", "no") == "yes"


ACTIONS = (
    Action("inspector.edit", "Edit the value in place", edit, ("E",), "edit", panel=PANEL),
    Action("inspector.archived", "List what is archived under an entity", toggle_archived, (),
           "archive", "View", "shown", checked=shows_archived),
)
