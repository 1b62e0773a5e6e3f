"""Actions on graph files: new, open, import, restore, demo, close, permission."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QFileDialog

from ui.action import Action
from ui.actions import backup, export, export_picture
from ui.context import Context, Desk

GRAPHS = "Graphs (*.db *.sqlite *.sqlite3);;All files (*)"
IMPORTS = ("Memories and graphs (*.jsonl *.json *.md *.csv *.tsv *.graphml *.gexf *.xml *.cyjs "
           "*.canvas *.db *.sqlite *.sqlite3);;All files (*)")


def choose_new(desk: Desk) -> None:
    _save_dialog(desk, "New graph", partial(_make_new, desk))


def choose_open(desk: Desk) -> None:
    _open_dialog(desk, "Open a graph", f"{GRAPHS};;{IMPORTS}", desk.shell.open_path)


def choose_import(desk: Desk) -> None:
    _open_dialog(desk, "Import what another program keeps", IMPORTS, desk.shell.import_file)


def choose_import_folder(desk: Desk) -> None:
    dialog = QFileDialog(desk.shell.window(), "Import a folder of notes or tables",
                         str(desk.preferences.folder))
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    _ask(dialog, desk.shell.import_file)


def _make_new(desk: Desk, path: Path) -> None:
    desk.shell.open_path(path if path.suffix else path.with_suffix(".db"), create=True)


def _open_dialog(desk: Desk, title: str, kinds: str, chosen: Callable[[Path], None]) -> None:
    dialog = QFileDialog(desk.shell.window(), title, str(desk.preferences.folder), kinds)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    _ask(dialog, chosen)


def _save_dialog(desk: Desk, title: str, chosen: Callable[[Path], None]) -> None:
    dialog = QFileDialog(desk.shell.window(), title, str(desk.preferences.folder), GRAPHS)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix("db")
    # An existing graph is opened, never overwritten, so there is nothing to confirm.
    dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
    _ask(dialog, chosen)


def _ask(dialog: QFileDialog, chosen: Callable[[Path], None]) -> None:
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


ACTIONS = (
    Action("file.new", "New graph…", choose_new, (QKeySequence.StandardKey.New,), "new",
           "File", "open", needs_graph=False),
    Action("file.open", "Open…", choose_open, (QKeySequence.StandardKey.Open,), "open", "File",
           "open", needs_graph=False),
    Action[Desk]("file.demo", "Open the demo graph", lambda desk: desk.shell.open_demo(), (),
                 "demo", "File", "open", needs_graph=False),
    Action("file.import", "Import…", choose_import, ("Ctrl+I",), "import", "File", "import",
           needs_graph=False),
    Action("file.import_folder", "Import a folder…", choose_import_folder, (), "import", "File",
           "import", needs_graph=False),
    Action[Context]("file.watch", "Watch a folder…",
                    lambda context: context.shell.show_watched_folders(), (), "import", "File",
                    "import"),
    *backup.ACTIONS,
    Action[Desk]("file.restore", "Restore a backup…", lambda desk: desk.shell.restore_backup(), (),
                 "history", "File", "import", needs_graph=False),
    *export.ACTIONS,
    *export_picture.ACTIONS,
    Action[Context]("file.let_in", "Let agents in…",
                    lambda context: context.shell.let_agents_in(), ("Ctrl+Shift+M",), "agent",
                    "File", "agents"),
    Action[Context]("file.allow", "Allow writing…", lambda context: context.shell.allow_writing(),
                    (), "unlock", "File", "allow",
                    enabled=lambda context: not context.runner.may_write),
    Action[Context]("file.close", "Close the graph", lambda context: context.shell.close_graph(),
                    (QKeySequence.StandardKey.Close,), "close", "File", "close"),
)
