"""Ways through the window: back, forward, the sky, the next part."""

from ui.action import Action
from ui.context import Context


def focus_sky(context: Context) -> None:
    sky = context.shell.sky()
    if sky is not None:
        sky.setFocus()


ACTIONS = (
    Action[Context]("go.back", "Back", lambda context: context.selection.go_back(),
                    ("Alt+Left",), "back", "Go", "history",
                    enabled=lambda context: context.selection.can_go_back),
    Action[Context]("go.forward", "Forward", lambda context: context.selection.go_forward(),
                    ("Alt+Right",), "forward", "Go", "history",
                    enabled=lambda context: context.selection.can_go_forward),
    Action("go.sky", "The sky", focus_sky, ("Ctrl+0",), "sky", "Go", "panels"),
    Action[Context]("go.agent", "Another agent…", lambda context: context.shell.open_agents(),
                    ("Ctrl+Shift+A",), "agent", "Go", "agent"),
    Action[Context]("go.next_part", "Next part of the window",
                    lambda context: context.shell.focus_next_part(1), ("F6",), "", "Go", "parts"),
    Action[Context]("go.part_before", "Part before",
                    lambda context: context.shell.focus_next_part(-1), ("Shift+F6",), "", "Go",
                    "parts"),
)
