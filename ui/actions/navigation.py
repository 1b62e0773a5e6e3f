"""Ways through the window: back, forward, the sky, the next part."""

from ui.action import Action
from ui.context import Context


def go_back(context: Context) -> None:
    context.selection.go_back()


def go_forward(context: Context) -> None:
    context.selection.go_forward()


def can_go_back(context: Context) -> bool:
    return context.selection.can_go_back


def can_go_forward(context: Context) -> bool:
    return context.selection.can_go_forward


def next_part(context: Context) -> None:
    context.shell.focus_next_part(1)


def part_before(context: Context) -> None:
    context.shell.focus_next_part(-1)


def open_agents(context: Context) -> None:
    context.shell.open_agents()


def focus_sky(context: Context) -> None:
    sky = context.shell.sky()
    if sky is not None:
        sky.setFocus()


ACTIONS = (
    Action("go.back", "Back", go_back, ("Alt+Left",), "back", "Go", "history",
           enabled=can_go_back),
    Action("go.forward", "Forward", go_forward, ("Alt+Right",), "forward", "Go", "history",
           enabled=can_go_forward),
    Action("go.sky", "The sky", focus_sky, ("Ctrl+0",), "sky", "Go", "panels"),
    Action("go.agent", "Another agent…", open_agents, ("Ctrl+Shift+A",), "agent", "Go", "agent"),
    Action("go.next_part", "Next part of the window", next_part, ("F6",), "", "Go", "parts"),
    Action("go.part_before", "Part before", part_before, ("Shift+F6",), "", "Go", "parts"),
)
