"""Says which folders are watched and how far the graph is in step with them."""

from collections.abc import Sequence
from pathlib import Path

from core.model.text_formatting import counted, one_line
from core.model.watched_folder import WatchedFolder
from core.watching.watched_list import changes_today


def short_path(path: str) -> str:
    """A path with `~` for the person's own folder."""
    try:
        return str(Path("~") / Path(path).relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return path


def watched_words(folders: Sequence[WatchedFolder]) -> str:
    """`Watching notes, 3 changes today`; empty where nothing is watched."""
    if not folders:
        return ""
    away = [one for one in folders if one.fault]
    if away:
        return f"{_name(away[0])} {'is away' if away[0].is_away else 'can’t be read wholly'}"
    which = _name(folders[0]) if len(folders) == 1 else counted(len(folders), "folder")
    return f"Watching {which}, {_today(sum(map(changes_today, folders)))}"


def folder_line(folder: WatchedFolder) -> str:
    """`~/notes: 3 changes today`, or why it is left alone."""
    return f"{short_path(folder.path)}: {folder_state(folder)}"


def folder_state(folder: WatchedFolder) -> str:
    """`watched since 2026-11-29, 3 changes today`, or why it is left alone."""
    since = f"watched since {folder.since[:10]}, {_today(changes_today(folder))}"
    return folder.fault or since


def _today(changes: int) -> str:
    return f"{counted(changes, 'change')} today" if changes else "no change today"


def _name(folder: WatchedFolder) -> str:
    return one_line(Path(folder.path).name or folder.path, 24)
