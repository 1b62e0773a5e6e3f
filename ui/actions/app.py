"""Actions of the program itself: keys, palette, about, quit."""

from functools import partial

from PySide6.QtGui import QGuiApplication, QKeySequence

from core.doctor_report import Doctor, examine
from ui.action import Action
from ui.context import Context, Desk
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


def copy_report(context: Context) -> None:
    """Put versions and the health of the open file on the clipboard, without its contents."""
    path = context.workspace.path
    context.runner.job(lambda job: examine(path, in_window=True), partial(_copy, context),
                       label="Making a report")


def _copy(context: Context, report: Doctor) -> None:
    QGuiApplication.clipboard().setText("\n".join(report.lines()) + "\n")
    context.say("Report copied: versions and the health of the file, nothing that it holds")


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
    Action("app.report", "Copy a report", copy_report, (), "copy", "Help", "about"),
    Action[Desk]("app.about", "About and diagnostics…", lambda desk: AboutDialog(desk).open(),
                 (), "about", "Help", "about", needs_graph=False),
    Action[Desk]("app.quit", "Quit", lambda desk: desk.shell.close_window(),
                 (QKeySequence.StandardKey.Quit, "Ctrl+Q"), "quit", "File", "quit",
                 needs_graph=False),
)
