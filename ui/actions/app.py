"""Actions of the program itself: keys, palette, about, quit."""

from PySide6.QtGui import QKeySequence

from ui.action import Action
from ui.context import Desk
from ui.dialogs.about import AboutDialog
from ui.dialogs.key_sheet import KeySheet
from ui.dialogs.settings import SettingsDialog


def show_keys(desk: Desk) -> None:
    """Open the sheet; the same key closes it again."""
    shown = [sheet for sheet in desk.shell.window().findChildren(KeySheet) if sheet.isVisible()]
    if shown:
        shown[0].reject()
    else:
        KeySheet(desk.actions, desk.shell.window()).show()


ACTIONS = (
    Action[Desk]("app.palette", "Command palette…", lambda desk: desk.shell.open_palette(),
                 ("Ctrl+K", "Ctrl+Shift+P"), "palette", "Help", "keys", needs_graph=False,
                 palette=False),
    Action("app.keys", "Keyboard shortcuts", show_keys, ("?", "F1"), "keys", "Help", "keys",
           needs_graph=False),
    Action[Desk]("app.settings", "Settings…",
                 lambda desk: SettingsDialog(desk).open(),
                 (QKeySequence.StandardKey.Preferences, "Ctrl+,"), "settings", "Edit",
                 "settings", needs_graph=False),
    Action[Desk]("app.about", "About and diagnostics…", lambda desk: AboutDialog(desk).open(),
                 (), "about", "Help", "about", needs_graph=False),
    Action[Desk]("app.quit", "Quit", lambda desk: desk.shell.close_window(),
                 (QKeySequence.StandardKey.Quit, "Ctrl+Q"), "quit", "File", "quit",
                 needs_graph=False),
)
