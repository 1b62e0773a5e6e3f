"""Judge proposals: one key for each verdict, other keys to browse."""

from collections.abc import Callable
from functools import partial
from typing import cast

from ui.actions.registry import Action
from ui.context import Context
from ui.panels.proposals import Proposals

PANEL = "proposals"


def review(context: Context) -> Proposals:
    """The panel in which all of this happens."""
    return cast(Proposals, context.shell.panel(PANEL))


def show(context: Context) -> None:
    context.shell.show_panel(PANEL)


def _do(act: Callable[[Proposals], None], context: Context) -> None:
    act(review(context))


def _act(
    verb: str, title: str, act: Callable[[Proposals], None], *keys: str, icon: str = ""
) -> Action:
    return Action(f"proposals.{verb}", title, partial(_do, act), keys, icon, panel=PANEL)


ACTIONS = (
    _act("apply", "Apply the proposal", Proposals.apply, "A", icon="apply"),
    _act("anyway", "Apply the proposal anyway", Proposals.apply_anyway, "Shift+A"),
    _act("reject", "Reject the proposal…", Proposals.ask_reason, "R", icon="reject"),
    _act("skip", "Skip the proposal", Proposals.skip, "Space", icon="skip"),
    _act("edit", "Edit the proposal, then apply it", Proposals.edit, "E", icon="edit"),
    _act("flag", "Flag the proposal for later", Proposals.flag, "F", icon="flag"),
    _act("take_back", "Take the last verdict back", Proposals.take_back, "Backspace",
         icon="undo"),
    _act("next", "Next proposal", lambda panel: panel.step(1), "J"),
    _act("previous", "Proposal before", lambda panel: panel.step(-1), "K"),
    _act("group", "Select the whole group", Proposals.choose_group, "G"),
)
