"""Writes the sky, as it is shown, as a picture."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from core.errors import ConstellationError
from core.model.text_formatting import one_line
from ui.action import Action
from ui.constellation.the_sky import as_sky
from ui.context import Context

_KINDS = {"PNG picture, 2 times as large (*.png)": (".png", 2.0),
          "PNG picture, as shown (*.png)": (".png", 1.0),
          "PNG picture, 4 times as large (*.png)": (".png", 4.0),
          "SVG drawing, sharp at any size (*.svg)": (".svg", 1.0),
          "PDF page, sharp at any size (*.pdf)": (".pdf", 1.0)}
"""The kinds of file, each with its ending and scale."""


def ask(context: Context) -> QFileDialog:
    """Ask where to and as what."""
    dialog = QFileDialog(context.shell.window(), "Export a picture of the sky",
                         str(context.preferences.folder), ";;".join(_KINDS))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    dialog.selectFile(context.workspace.path.stem)
    dialog.fileSelected.connect(lambda chosen: save(
        context, Path(chosen), *_KINDS[dialog.selectedNameFilter()]))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return dialog


def save(context: Context, path: Path, ending: str, scale: float) -> None:
    """Write what the sky shows now; a name without the ending gets it."""
    sky = as_sky(context.shell.sky())
    if path.suffix.lower() != ending:
        path = path.with_name(path.name + ending)
    if sky is None:
        context.say("There is no sky to draw")
        return
    try:
        sky.save_picture(path, scale, context.workspace.path.stem)
    except ConstellationError as error:
        context.shell.show_error(error)
    else:
        context.say(f"Picture written to {one_line(path.name, 60)}")


ACTIONS = (
    Action("file.export_picture", "Export a picture…", ask, (), "export", "File", "import"),
)
