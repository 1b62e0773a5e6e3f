"""The menu bar, made from the action catalogue."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar

from core.model.text_formatting import one_line
from ui.action import Actions
from ui.preferences import Preferences
from ui.widgets.buttons import on_click

MENUS = ("File", "Edit", "View", "Go", "Graph", "Help")
_LETTERS = {"Graph": "G&raph"}
"""Titles with the letter that opens them with Alt, where it is not the first."""
RECENT = "File/Open recent"
PANELS = "View/Panels"


class Menus:
    """Builds the menus once; the list of recent files is read when it is opened.

    Args:
        bar: where the menus go.
        actions: the catalogue.
        toggles: the docks' show-or-hide entries.
        preferences: has the recent files.
        open_path: opens one of them.
    """

    def __init__(
        self,
        bar: QMenuBar,
        actions: Actions,
        toggles: list[QAction],
        preferences: Preferences,
        open_path: Callable[[Path], None],
    ) -> None:
        self._bar = bar
        self._preferences = preferences
        self._open_path = open_path
        self._menus: dict[str, QMenu] = {}
        self._groups: dict[str, str] = {}
        for title in MENUS:
            self._menu(title)
        for action in actions:
            if action.menu:
                self._add(action.menu, action.group, actions.action(action.id))
        recent = self._menu(RECENT)
        recent.aboutToShow.connect(self._list_recent)
        self._list_recent()
        for toggle in toggles:
            self._menu(PANELS).addAction(toggle)

    def menu(self, path: str) -> QMenu:
        """A menu by its titles, such as `View/Theme`."""
        return self._menus[path]

    def _menu(self, path: str) -> QMenu:
        if path in self._menus:
            return self._menus[path]
        parent, _, title = path.rpartition("/")
        made = (self._menu(parent).addMenu(title) if parent else
                self._bar.addMenu(_LETTERS.get(title, f"&{title}")))
        made.setToolTipsVisible(False)
        self._menus[path] = made
        return made

    def _add(self, path: str, group: str, action: QAction) -> None:
        menu = self._menu(path)
        before = self._groups.get(path)
        if before is not None and before != group:
            menu.addSeparator()
        self._groups[path] = group
        menu.addAction(action)
        if action.objectName() == "file.open":
            self._menu(RECENT)

    def _list_recent(self) -> None:
        menu = self._menus[RECENT]
        menu.clear()
        for path in self._preferences.recent:
            words = one_line(f"{path.name}  —  {path.parent}", 90).replace("&", "&&")
            on_click(menu.addAction(words), self._open_path, path)
        menu.addSeparator()
        forget = menu.addAction("Clear recent files")
        forget.setEnabled(bool(self._preferences.recent))
        forget.triggered.connect(self._preferences.clear_recent)
