"""Knows a file that is imported, asks where it goes, and waits for the graph that it goes to."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from core.transfer.readers.reader_interface import Look
from ui.context import Context, Desk

_OF_GRAPHS = ("", ".db", ".sqlite", ".sqlite3", ".db3")
"""What the names of graphs end with."""


def can_import(path: Path) -> bool:
    """True for a file or folder that is imported, not opened.

    A file that is called otherwise than a graph is, too: that tells what it is instead.
    """
    try:
        look = Look.at(path)
        if look.is_graph:
            return False
        # All formats are loaded where it is none, and not to open a graph.
        from core.transfer.import_file import format_of  # noqa: PLC0415

        return (
            look.text[:1] in ("{", "[") or format_of(look) is not None
            or not look.is_folder and not look.is_database
            and path.suffix.lower() not in _OF_GRAPHS)
    except OSError:
        return False


class Importer(QObject):
    """The way of one file into a graph. The wish for a new graph waits until that is open."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: Path | None = None

    def start(self, desk: Desk, path: Path) -> None:
        """Ask where the file goes; without an open graph there is only a new one."""
        new = partial(self._choose_new, desk, path)
        if isinstance(desk, Context):
            from ui.run_import import ask_where  # noqa: PLC0415  as above

            ask_where(desk, path, partial(self.carry_out, desk, path), new)
        else:
            new()

    def graph_shown(self, context: Context) -> None:
        """The graph that was waited for is open."""
        if self._waiting is not None:
            path, self._waiting = self._waiting, None
            self.carry_out(context, path)

    def give_up(self) -> Path | None:
        """The graph that was waited for did not open; returns the file that is not imported."""
        path, self._waiting = self._waiting, None
        return path

    def carry_out(
        self, context: Context, path: Path, agent: str = "", archive_gone: bool = False
    ) -> None:
        """Import into the open graph, as one undoable step.

        Args:
            agent: for whom the things come in, who is shown then; who is shown now unless given.
            archive_gone: archive what an earlier import from there brought and it no longer has.
        """
        agent = agent or context.workspace.agent
        if not context.runner.may_write:
            context.runner.permission_wanted.emit(partial(
                self.carry_out, context, path, agent, archive_gone))
            return
        from ui.run_import import run_import  # noqa: PLC0415  as above

        context.shell.switch_agent(agent)
        run_import(context, path, agent, archive_gone=archive_gone)

    def _choose_new(self, desk: Desk, path: Path, agent: str = "") -> None:
        dialog = QFileDialog(desk.shell.window(), "Import into a new graph",
                             str(path.with_suffix(".db")), "Graphs (*.db)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
        dialog.setDefaultSuffix("db")
        dialog.fileSelected.connect(lambda name: self.into_new(desk, path, Path(name), agent))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def into_new(self, desk: Desk, path: Path, graph: Path, agent: str = "") -> None:
        """Make the graph, show it, then import into it."""
        desk.shell.open_path(graph, agent=agent, create=True)
        self._waiting = path
