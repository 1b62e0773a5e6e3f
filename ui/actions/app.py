"""Actions of the program itself: keys, palette, about, quit."""

from PySide6.QtGui import QKeySequence

from ui.action import Action
from ui.context import Desk
from ui.dialogs.about import AboutDialog
from ui.dialogs.keys import KeySheet
from ui.dialogs.settings import SettingsDialog


def open_palette(desk: Desk) -> None:
    desk.shell.open_palette()


def show_keys(desk: Desk) -> None:
    """Open the sheet; the same key closes it again."""
    shown = [sheet for sheet in desk.shell.window().findChildren(KeySheet) if sheet.isVisible()]
    if shown:
        shown[0].reject()
    else:
        KeySheet(desk.actions, desk.shell.window()).show()


def show_settings(desk: Desk) -> None:
    SettingsDialog(desk).open()


def show_about(desk: Desk) -> None:
    AboutDialog(desk).open()


def quit_program(desk: Desk) -> None:
    desk.shell.close_window()


ACTIONS = (
    Action("app.palette", "Command palette…", open_palette, ("Ctrl+K", "Ctrl+Shift+P"),
           "palette", "Help", "keys", needs_graph=False, palette=False),
    Action("app.keys", "Keys", show_keys, ("?", "F1"), "keys", "Help", "keys",
           needs_graph=False),
    Action("app.settings", "Settings of the engine…", show_settings,
           (QKeySequence.StandardKey.Preferences, "Ctrl+,"), "settings", "Edit", "settings",
           needs_graph=False),
    Action("app.about", "About and diagnostics…", show_about, (), "about", "Help", "about",
           needs_graph=False),
    Action("app.quit", "Quit", quit_program, (QKeySequence.StandardKey.Quit, "Ctrl+Q"), "quit",
           "File", "quit", needs_graph=False),
)
