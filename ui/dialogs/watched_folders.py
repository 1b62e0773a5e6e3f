"""The folders that the graph is kept in step with: what they are, and to add or stop one."""

from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QSizePolicy, QWidget

from core.model.text_formatting import one_line
from core.model.watched_folder import WatchedFolder
from ui.folder_watches import FolderWatches
from ui.models.folder_watch_wording import folder_state, short_path
from ui.widgets.buttons import push_button
from ui.widgets.dialogs import Dialog
from ui.widgets.labels import ElidedLabel, label, set_tip
from ui.widgets.layouts import column_layout, put, row_layout

WIDTH = 520
WHAT = ("The graph is kept in step with the notes of a watched folder (Obsidian, basic-memory, "
        "Markdown), which is only read. What is new is imported; what only the notes said is "
        "archived when they no longer say it. Each is a step that undo takes back, and what you "
        "correct here stays so.")


class WatchedFolders(Dialog):
    """Beside it the window can be used."""

    def __init__(self, watches: FolderWatches, graph: Path, parent: QWidget | None = None) -> None:
        super().__init__("Watched folders", parent)
        self._watches = watches
        self.add = push_button("Watch a folder…", self._choose, "primary", default=True)
        self.list = QWidget()
        self._rows = column_layout(self.list, (0, 0, 0, 0), 10)
        self.stops: dict[str, QWidget] = {}
        put(column_layout(self, (22, 18, 22, 16), 10),
            label(f"Watched folders of {one_line(graph.name, 60)}", "head", wrap=True),
            label(WHAT, "soft", wrap=True), self.list,
            put(row_layout(), push_button("Close", self.accept), None, self.add))
        self.setFixedWidth(WIDTH)
        watches.changed.connect(self._show)
        self._show()
        self.add.setFocus()

    def _show(self) -> None:
        while (item := self._rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        self.stops.clear()
        for folder in self._watches.folders:
            self._rows.addWidget(self._row(folder))
        if not self._watches.folders:
            self._rows.addWidget(label("No folder is watched."))
        self.adjustSize()

    def _row(self, folder: WatchedFolder) -> QWidget:
        path = ElidedLabel(short_path(folder.path))
        path.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        set_tip(path, folder.path)
        stop = push_button("Stop", partial(self._watches.remove, Path(folder.path)))
        stop.setAccessibleName(f"Stop watching {folder.path}")
        self.stops[folder.path] = stop
        words, row = QWidget(), QWidget()
        put(column_layout(words, (0, 0, 0, 0), 2), path,
            label(folder_state(folder), "soft", wrap=True))
        put(row_layout(row, (0, 0, 0, 0), 12), (words, 1), stop)
        return row

    def _choose(self) -> None:
        dialog = QFileDialog(self, "Watch a folder of notes", str(Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(lambda name: self._watches.add(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
