"""Copies the open graph, beside its other backups or where a person wants it."""

from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from core.model.text_formatting import one_line
from core.store.backup import name_now
from ui.action import Action
from ui.context import Context

TITLE = "Back up the graph"


def ask(context: Context) -> QFileDialog:
    """Ask where to: the folder of its backups is offered, with a name."""
    folder = context.workspace.backup_folder
    folder.mkdir(parents=True, exist_ok=True)
    dialog = QFileDialog(context.shell.window(), TITLE, str(folder), "Graphs (*.db)")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix("db")
    # What is there is never overwritten: the copy says so.
    dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
    name = name_now(context.workspace.path)
    dialog.selectFile(name)
    dialog.fileSelected.connect(lambda chosen: back_up(
        context, None if Path(chosen) == folder / name else Path(chosen)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return dialog


def back_up(context: Context, target: Path | None) -> None:
    """Copy in the background; without a target beside the other backups, with the history."""
    context.runner.job(lambda _job: context.workspace.back_up(target), partial(_tell, context),
                       label="Backing up")


def _tell(context: Context, copy: Path) -> None:
    listed = copy.parent == context.workspace.backup_folder
    context.say(f"Backed up to {one_line(copy.name, 60)}"
                + (" · “Restore a backup…” lists it" if listed else ""))


ACTIONS = (
    Action("file.backup", "Back up…", ask, (), "copy", "File", "import"),
)
