"""Finds the folders of a vault of Obsidian that hold templates, which are no notes."""

import json
from pathlib import Path

_SETTINGS = ((".obsidian/templates.json", "folder"),
             (".obsidian/plugins/templater-obsidian/data.json", "templates_folder"))
"""Where Obsidian and its plugin Templater keep the folder, and under which key."""
_MOST = 1_000_000


def template_folders(top: Path) -> frozenset[str]:
    """The folders within `top` that its settings name, as `meta/templates`; none where they say
    nothing that can be read.
    """
    told = (_folder(top / place, key) for place, key in _SETTINGS)
    return frozenset(folder for folder in told if folder)


def is_template(place: str, folders: frozenset[str]) -> bool:
    """True of a place within `top` that is such a folder or lies in one."""
    return any(place == folder or place.startswith(f"{folder}/") for folder in folders)


def _folder(path: Path, key: str) -> str:
    try:
        if path.stat().st_size > _MOST:
            return ""
        told = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return ""
    folder = told.get(key) if isinstance(told, dict) else None
    return folder.strip().strip("/") if isinstance(folder, str) else ""
