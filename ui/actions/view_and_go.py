"""The menus View and Go: how the window looks, and ways through it."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from PySide6.QtGui import QContextMenuEvent, QKeySequence
from PySide6.QtWidgets import QApplication

from ui.action import Action
from ui.context import Context, Desk
from ui.preferences import MOTION_WORDS, THEME_WORDS


def _choices(setting: str, words: Mapping[str, str]) -> Iterator[Action[Desk]]:
    """An entry of the menu for each value that a preference can have."""
    for name, text in words.items():
        yield Action(
            f"view.{setting}_{name}", text, partial(_choose, setting, name), (), "",
            f"View/{setting.capitalize()}", setting, checked=partial(_is_chosen, setting, name),
            needs_graph=False)


def _choose(setting: str, name: str, desk: Desk) -> None:
    setattr(desk.preferences, setting, name)


def _is_chosen(setting: str, name: str, desk: Desk) -> bool:
    return bool(getattr(desk.preferences, setting) == name)


def switch_theme(desk: Desk) -> None:
    desk.preferences.theme = "paper" if desk.theme.dark else "dusk"


def toggle_frame_time(desk: Desk) -> None:
    desk.preferences.frame_time = not desk.preferences.frame_time


def toggle_asked_lights(desk: Desk) -> None:
    desk.preferences.asked_lights = not desk.preferences.asked_lights


def open_menu(_context: Context) -> None:
    """What a right click would open; Qt itself knows the menu key alone, which few keyboards have.
    """
    widget = QApplication.focusWidget()
    if widget is not None:
        at = widget.rect().center()
        QApplication.postEvent(widget, QContextMenuEvent(
            QContextMenuEvent.Reason.Keyboard, at, widget.mapToGlobal(at)))


def toggle_full_screen(desk: Desk) -> None:
    window = desk.shell.window()
    if window.isFullScreen():
        window.showNormal()
    else:
        window.showFullScreen()


def review_words(desk: Desk) -> str:
    return "Back to the sky" if desk.shell.reviewing() else "Review in full height"


def leave_words(context: Context) -> str:
    if context.shell.time_travels():
        return "Return to now"
    return ("Leave the full-height review" if context.shell.reviewing()
            else "Clear search and types")


def leave(context: Context) -> None:
    """Leave what is in the way of seeing everything: the past, the full-height review, else the
    filter.
    """
    if context.shell.time_travels():
        context.shell.travel()
    elif context.shell.reviewing():
        context.shell.review()
    else:
        context.selection.clear_filter()


def focus_sky(context: Context) -> None:
    sky = context.shell.sky()
    if sky is not None:
        sky.setFocus()


ACTIONS: tuple[Action[Any], ...] = (
    *_choices("theme", THEME_WORDS),
    Action("view.switch_theme", "Switch between dark and light", switch_theme,
           ("Ctrl+Shift+L",), "theme", "View/Theme", "switch", needs_graph=False),
    *_choices("motion", MOTION_WORDS),
    Action[Context]("view.review", review_words, lambda context: context.shell.review(), ("Z",),
                    "proposals", "View", "places", bare="Review in full height"),
    Action[Context]("view.leave", leave_words, leave, ("Esc",), "close", "View", "places",
                    enabled=lambda context: (context.shell.time_travels()
                                             or context.shell.reviewing()
                                             or context.selection.narrows),
                    bare="Clear search and types"),
    Action[Context]("view.past", "The graph at another time",
                    lambda context: context.shell.travel(), ("Ctrl+Shift+H",), "past", "View",
                    "places", checked=lambda context: context.shell.time_travels(),
                    finds=("history", "time travel", "past", "as of")),
    Action[Context]("view.since", "Changes since your last visit",
                    lambda context: context.shell.show_panel("changes"), (), "changes", "View",
                    "places", finds=("diff", "difference", "compare", "what is new")),
    Action[Context]("view.reset_places", "Reset layout",
                    lambda context: context.shell.reset_places(), (), "refresh", "View",
                    "places"),
    Action("view.full_screen", "Full screen", toggle_full_screen,
           (QKeySequence.StandardKey.FullScreen, "F11"), "fit", "View", "screen",
           checked=lambda desk: desk.shell.window().isFullScreen(), needs_graph=False),
    Action("view.asked_lights", "Light up what agents ask", toggle_asked_lights, (), "", "View",
           "agents", checked=lambda desk: desk.preferences.asked_lights, needs_graph=False),
    Action("view.frame_time", "Show the frame time", toggle_frame_time, (), "", "View", "debug",
           checked=lambda desk: desk.preferences.frame_time, needs_graph=False),
    Action[Context]("go.back", "Back", lambda context: context.selection.go_back(),
                    ("Alt+Left",), "back", "Go", "history",
                    enabled=lambda context: context.selection.can_go_back,
                    why="nothing was selected before"),
    Action[Context]("go.forward", "Forward", lambda context: context.selection.go_forward(),
                    ("Alt+Right",), "forward", "Go", "history",
                    enabled=lambda context: context.selection.can_go_forward,
                    why="nothing was selected after"),
    Action("go.sky", "The sky", focus_sky, ("Ctrl+0",), "sky", "Go", "panels"),
    Action[Context]("go.agent", "Another agent…", lambda context: context.shell.open_agents(),
                    ("Ctrl+Shift+A",), "agent", "Go", "agent"),
    Action[Context]("go.next_part", "Next part of the window",
                    lambda context: context.shell.focus_next_part(1), ("F6",), "", "Go", "parts"),
    Action[Context]("go.part_before", "Previous part of the window",
                    lambda context: context.shell.focus_next_part(-1), ("Shift+F6",), "", "Go",
                    "parts"),
    Action[Context]("go.menu", "Menu of what has the keyboard", open_menu, ("Shift+F10",), "", "Go",
                    "parts"),
)
