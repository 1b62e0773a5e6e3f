"""Put an old version of a claim back in force."""

from typing import cast

from ui.actions.registry import Action
from ui.context import Context
from ui.panels.claim_history import ClaimHistory


def restore(context: Context) -> None:
    """Restore the version that the panel's button names."""
    cast(ClaimHistory, context.shell.panel("claim_history")).restore()


ACTIONS = (
    Action("claim_history.restore", "Restore the shown version", restore, ("R",), "restore",
           panel="claim_history"),
)
