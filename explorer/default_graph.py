"""Finds the graph to use when none is given."""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from core.errors import OpenError
from core.model.did_you_mean import did_you_mean
from core.store.sidecar_file import data_folder

_LISTED = 1000
"""Files of a folder that a mistyped one is compared with."""


def chosen_store(named: Path | None) -> Path:
    """The graph to use: the one named, else the usual one.

    Raises:
        OpenError: none was named and none is known.
    """
    store = named or usual_store()
    if store is None:
        raise OpenError(
            "missing", "No graph was given and none was opened before",
            do="Choose one with --store FILE, create one with “constellation new PATH”, or try "
               "“constellation --demo”",
        )
    return store.expanduser()


def usual_store() -> Path | None:
    """$CONSTELLATION_STORE, else the graph that was opened last, else Signet's own."""
    named = os.environ.get("CONSTELLATION_STORE")
    if named:
        return Path(named)
    return last_opened() or signet_store()


def missing(path: Path) -> OpenError:
    """That there is no such file, with those beside it that are called nearly so."""
    return OpenError("missing", "File not found", where=str(path),
                     do=did_you_mean(path.name, beside(path))
                     or "Check the path, or create a graph with “constellation new PATH”")


def require_folder(path: Path) -> None:
    """Refuse to make a file where no folder is: a mistyped path is no wish for a new one."""
    folder = path.expanduser().parent
    if not folder.is_dir():
        raise OpenError("unwritable", "Folder not found", where=str(folder),
                        do="Create it first, or choose another")


def beside(path: Path) -> Iterable[str]:
    """The names in the folder of a path, but for hidden ones."""
    try:
        names = [entry.name for entry in path.expanduser().parent.iterdir()]
    except OSError:
        return ()
    return sorted(name for name in names if not name.startswith("."))[:_LISTED]


def last_opened() -> Path | None:
    """The graph that a window showed last, while it is still there."""
    try:
        path = Path(_last_file().read_text("utf-8", "surrogateescape").strip())
    except (OSError, ValueError):
        return None
    return path if path.is_file() else None


def remember_opened(path: Path) -> None:
    """Take note that a window shows `path`; failing to is no reason to stop."""
    try:
        _last_file().parent.mkdir(parents=True, exist_ok=True)
        _last_file().write_text(f"{path.absolute()}\n", "utf-8", "surrogateescape")
    except OSError:
        return


def signet_store() -> Path | None:
    """The database of a Signet installed for this person, if there is one."""
    path = _signet_workspace() / "memory" / "memories.db"
    return path if path.is_file() else None


def demo_store() -> Path:
    """The path of this person's copy of the demo graph."""
    return data_folder() / "demo.db"


def preferences_file() -> Path:
    """The file of the window's layout and preferences."""
    import platformdirs  # noqa: PLC0415  only the window has preferences

    return Path(platformdirs.user_config_dir("constellation")) / "window.ini"


def _last_file() -> Path:
    return data_folder() / "last-opened"


def _signet_workspace() -> Path:
    """$SIGNET_PATH, else the `workspace` of Signet's own settings, else ~/.agents."""
    named = os.environ.get("SIGNET_PATH")
    if named:
        return Path(named).expanduser()
    config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    try:
        settings = json.loads((config / "signet" / "workspace.json").read_text(encoding="utf-8"))
        return Path(settings["workspace"]).expanduser()
    except (OSError, ValueError, KeyError, TypeError):
        return Path.home() / ".agents"
