"""What the window remembers for the person: recent files, theme, places of docks."""

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal
from PySide6.QtWidgets import QApplication, QStyle

from core.store.sidecar_file import data_folder

KEPT_FILES = 10

THEME_WORDS = {"system": "Follow the system", "dusk": "Dusk (dark)", "paper": "Paper (light)"}
MOTION_WORDS = {"system": "Follow the system", "full": "Full", "reduced": "Reduced"}
"""The values that a preference can have, in words."""


class Preferences(QObject):
    """A small typed face over one INI file.

    Args:
        path: the file. Tests give their own, so that no run touches the person's.
    """

    changed = Signal(str)

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = QSettings(str(path), QSettings.Format.IniFormat, self)

    @property
    def theme(self) -> str:
        """`system`, `dusk` or `paper`."""
        return self._text("look/theme", "system")

    @theme.setter
    def theme(self, name: str) -> None:
        self._put("look/theme", name)

    @property
    def motion(self) -> str:
        """`system`, `full` or `reduced`."""
        return self._text("look/motion", "system")

    @motion.setter
    def motion(self, name: str) -> None:
        self._put("look/motion", name)

    @property
    def less_motion(self) -> bool:
        """Whether the person, or else the system, asks for less motion."""
        if self.motion != "system":
            return self.motion == "reduced"
        hint = QStyle.StyleHint.SH_Widget_Animation_Duration
        return QApplication.style().styleHint(hint) <= 0

    @property
    def frame_time(self) -> bool:
        """Whether the status bar shows how long a frame of the sky took."""
        return self._text("look/frame_time", "no") == "yes"

    @frame_time.setter
    def frame_time(self, shown: bool) -> None:
        self._put("look/frame_time", "yes" if shown else "no")

    @property
    def asked_lights(self) -> bool:
        """Whether what agents ask lights up in the sky."""
        return self._text("agents_asked/lights", "yes") == "yes"

    @asked_lights.setter
    def asked_lights(self, shown: bool) -> None:
        self._put("agents_asked/lights", "yes" if shown else "no")

    @property
    def waiting_notices(self) -> bool:
        """Whether the desktop tells that something waits for the person."""
        return self._text("agents_asked/notices", "no") == "yes"

    @waiting_notices.setter
    def waiting_notices(self, shown: bool) -> None:
        self._put("agents_asked/notices", "yes" if shown else "no")

    @property
    def archived_details(self) -> bool:
        """Whether what was archived of an entity is shown with it."""
        return self.text("inspector.archived", "no") == "yes"

    @archived_details.setter
    def archived_details(self, shown: bool) -> None:
        self.put_text("inspector.archived", "yes" if shown else "no")

    @property
    def recent(self) -> list[Path]:
        """Files opened before, newest first."""
        try:
            names = json.loads(self._text("files/recent", "[]"))
        except ValueError:
            return []
        return [Path(name) for name in names if isinstance(name, str)][:KEPT_FILES]

    @property
    def folder(self) -> Path:
        """Where dialogs for files begin: the last file's folder, or the home folder; never this
        program's own, where the demo is."""
        own = data_folder()
        return next((path.parent for path in self.recent
                     if own not in path.parents and path.parent.is_dir()), Path.home())

    def add_recent(self, path: Path) -> None:
        rest = [old for old in self.recent if old != path]
        self._put_recent([path, *rest])

    def forget_recent(self, path: Path) -> bool:
        """Take one file out of the list; False if it was not in it."""
        rest = [old for old in self.recent if old != path]
        differs = len(rest) != len(self.recent)
        self._put_recent(rest)
        return differs

    def clear_recent(self) -> None:
        self._put_recent([])

    def agent_for(self, path: Path) -> str:
        """The agent that was last looked at in that file."""
        return self._text(f"agents/{_key(path)}", "")

    def set_agent_for(self, path: Path, agent: str) -> None:
        self._put(f"agents/{_key(path)}", agent)

    def last_look(self, path: Path, agent: str) -> dict[str, Any]:
        """What was looked at last in that agent's memory; empty if nothing is kept."""
        look = self._looks(path).get(agent)
        return look if isinstance(look, dict) else {}

    def set_last_look(self, path: Path, agent: str, look: dict[str, Any]) -> None:
        self._put(f"looks/{_key(path)}", json.dumps({**self._looks(path), agent: look}))

    def _looks(self, path: Path) -> dict[str, Any]:
        try:
            saved = json.loads(self._text(f"looks/{_key(path)}", "{}"))
        except ValueError:
            return {}
        # One that an earlier version kept, of one agent alone, is not read.
        return saved if isinstance(saved, dict) and all(
            isinstance(look, dict) for look in saved.values()) else {}

    def bytes(self, name: str) -> QByteArray:
        """A saved geometry or state; empty when there is none."""
        value = self._store.value(f"places/{name}")
        return value if isinstance(value, QByteArray) else QByteArray()

    def put_bytes(self, name: str, value: QByteArray) -> None:
        self._store.setValue(f"places/{name}", value)

    def text(self, name: str, default: str = "") -> str:
        """A panel's own small setting, such as the order of a list."""
        return self._text(f"panels/{name}", default)

    def put_text(self, name: str, value: str) -> None:
        self._put(f"panels/{name}", value)

    def sync(self) -> None:
        self._store.sync()

    def _put_recent(self, paths: list[Path]) -> None:
        self._put("files/recent", json.dumps([str(path) for path in paths[:KEPT_FILES]]))

    def _text(self, name: str, default: str) -> str:
        value: Any = self._store.value(name)
        return value if isinstance(value, str) else default

    def _put(self, name: str, value: str) -> None:
        if self._text(name, "") != value:
            self._store.setValue(name, value)
            self.changed.emit(name)


def _key(path: Path) -> str:
    return str(path).replace("/", "|").replace("\\", "|")
