"""Actions of the program itself: keys, palette, about, quit."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication, QKeySequence

from ui.action import Action
from ui.context import Context, Desk
from ui.dialogs.key_sheet import KeySheet

if TYPE_CHECKING:
    from core.doctor_report import Doctor
    from ui.runner import Job


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

    def examine_it(_job: "Job") -> "Doctor":
        from core.doctor_report import examine  # noqa: PLC0415  few ask for a report

        return examine(path, in_window=True)

    context.runner.job(examine_it, partial(_copy, context), label="Making a report")


def open_settings(desk: Desk) -> None:
    # It loads pydantic, which the window stands without.
    from ui.dialogs.settings import SettingsDialog  # noqa: PLC0415

    SettingsDialog(desk).open()


def open_about(desk: Desk) -> None:
    from ui.dialogs.about import AboutDialog  # noqa: PLC0415  few look at it

    AboutDialog(desk).open()


def _copy(context: Context, report: "Doctor") -> None:
    QGuiApplication.clipboard().setText("\n".join(report.lines()) + "\n")
    context.say("Report copied: versions and the health of the file, nothing that it holds")


ACTIONS = (
    Action[Desk]("app.palette", "Command palette…", lambda desk: desk.shell.open_palette(),
                 ("Ctrl+K", "Ctrl+Shift+P"), "palette", "Help", "keys", needs_graph=False,
                 palette=False),
    Action("app.keys", "Keyboard shortcuts", show_keys, ("?", "F1"), "keys", "Help", "keys",
           needs_graph=False),
    Action[Desk]("app.settings", "Settings…", open_settings,
                 (QKeySequence.StandardKey.Preferences, "Ctrl+,"), "settings", "Edit",
                 "settings", needs_graph=False),
    Action("app.report", "Copy a report", copy_report, (), "copy", "Help", "about"),
    Action[Desk]("app.about", "About and diagnostics…", open_about, (), "about",
                 "Help", "about", needs_graph=False),
    Action[Desk]("app.quit", "Quit", lambda desk: desk.shell.close_window(),
                 (QKeySequence.StandardKey.Quit, "Ctrl+Q"), "quit", "File", "quit",
                 needs_graph=False),
)
