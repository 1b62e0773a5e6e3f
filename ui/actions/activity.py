"""Take a step of the past back, or do it again."""

from typing import cast

from ui.actions.registry import Action
from ui.context import Context
from ui.panels.activity import ActivityPanel


def move(context: Context) -> None:
    """Undo or redo the entry that is looked at."""
    cast(ActivityPanel, context.shell.panel("activity")).move_current()


ACTIONS = (
    Action("activity.move", "Undo or redo this entry", move, ("Backspace",), "undo",
           panel="activity"),
)
