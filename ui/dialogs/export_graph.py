"""Writes the open graph, or one entity, for other programs: asks how and where, then does it."""

from collections.abc import Collection
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from core.model.entity import EntityRow
from core.model.text_formatting import counted, one_line
from core.transfer.export_file import (
    EXPORT_FORMATS,
    Choice,
    ExportFormat,
    ExportReport,
    export_graph,
)
from core.transfer.page_names import page_name
from core.workspace import Workspace
from ui.context import Context
from ui.dialogs.export_formats import ExportFormatDialog
from ui.runner import Job
from ui.widgets.dialogs import TextDialog
from ui.widgets.labels import label

Ids = Collection[str] | None
_LISTED = 5000
"""Places of keys and passwords that are told."""


def ask_for_entity(context: Context, row: EntityRow) -> None:
    """Ask how and where one entity alone is written."""
    ask(context, page_name(row.name), [row.id])


def ask(context: Context, name: str, ids: Ids = None) -> None:
    """Ask for the format, then for the file or folder."""
    formats = [each for each in EXPORT_FORMATS.values() if ids is None or each.of_a_choice]
    ExportFormatDialog(context.theme, formats, f"Export {one_line(name, 60)} as",
                       lambda format: ask_where(context, format, name, ids),
                       context.shell.window()).open()


def ask_where(
    context: Context, format: ExportFormat, name: str, ids: Ids = None
) -> QFileDialog:
    """Ask where the file or the folder is written."""
    dialog = QFileDialog(context.shell.window(), f"Export: {format.title}",
                         str(context.preferences.folder), _kind(format))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    # What is there is never overwritten: the export says so.
    dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
    dialog.selectFile(name)
    dialog.fileSelected.connect(lambda chosen: export(context, format, Path(chosen), ids))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return dialog


def export(context: Context, format: ExportFormat, path: Path, ids: Ids = None) -> None:
    """Write in the background; a file without the format's ending gets it."""
    if not path.name.endswith(format.ending):
        path = path.with_name(path.name + format.ending)
    context.runner.job(partial(_write, context.workspace, format, path, ids),
                       partial(_tell, context), label=f"Exporting {path.name}")


def _tell(context: Context, report: ExportReport) -> None:
    context.say(_words(report))
    if report.secrets:
        many = counted(len(report.secrets), "text in it may be a key or a password",
                       "texts in it may be keys or passwords")
        TextDialog(f"Exported {report.path.name}", context.shell.window(),
                   "\n".join(each.words for each in report.secrets[:_LISTED]), "May be secret",
                   label(f"{many}; the file has them as they are", "head", wrap=True)).open()


def _write(
    workspace: Workspace, format: ExportFormat, path: Path, ids: Ids, _job: Job
) -> ExportReport:
    with workspace.read() as reader:
        return export_graph(reader, format, path, Choice(ids))


def _words(report: ExportReport) -> str:
    """`Exported to notes · not in this format: 3 pins`."""
    name = one_line(report.path.name, 60)
    left = ", ".join(report.left_out)
    return f"Exported to {name}" + (f" · not in this format: {left}" if left else "")


def _kind(format: ExportFormat) -> str:
    """The format as the dialog lists it."""
    return f"{format.title}{'' if format.ending else ', a folder'} (*{format.ending})"
