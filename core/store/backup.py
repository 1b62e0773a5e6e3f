"""Copies of a graph made before anything risky, thinned so that they never fill the disk."""

import re
import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from core.errors import ConstellationError
from core.store.database import connect, in_words

KEEP_NEWEST = 5
"""These many are always kept; of the older ones, the newest of each month."""

PAGES_AT_A_TIME = 2000
"""A copy in one step would block other writers of a large file (peers §7)."""

_STAMP = re.compile(r"-(\d{8}T\d{6})(?:-\d+)?\.db$")


def back_up(path: Path, folder: Path) -> Path:
    """Copy the graph, side files included, into `folder`; returns the copy.

    Raises ConstellationError if there is no disk space or the copy fails; no partial copy is left.
    """
    folder.mkdir(parents=True, exist_ok=True)
    size = path.stat().st_size
    if shutil.disk_usage(folder).free < size * 1.1 + 10_000_000:
        raise ConstellationError("There is not enough disk space for a backup", where=str(folder),
                                 do=f"Free {size // 1_000_000 + 10} MB, then try again")
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    target = folder / f"{path.stem}-{moment}.db"
    number = 1
    while target.exists():
        number += 1
        target = folder / f"{path.stem}-{moment}-{number}.db"
    half = target.with_suffix(".part")
    try:
        with in_words(path):
            copy_file(path, half)
        half.replace(target)
    finally:
        half.unlink(missing_ok=True)
    thin(folder, path.stem)
    return target


def copy_file(path: Path, target: Path, *, immutable: bool = False) -> None:
    """A consistent copy of a live database, as one plain file."""
    source, copy = connect(path, immutable=immutable), sqlite3.connect(target)
    try:
        source.backup(copy, pages=PAGES_AT_A_TIME, sleep=0.001)
        copy.execute("PRAGMA journal_mode = DELETE")
    finally:
        source.close()
        copy.close()


def backups_of(folder: Path, stem: str) -> list[Path]:
    """The backups of one graph, newest first."""
    backups = [p for p in folder.glob("*.db")
               if p.name.startswith(stem + "-") and _STAMP.search(p.name)]
    return sorted(backups, key=lambda p: p.name, reverse=True)


def thin(folder: Path, stem: str) -> None:
    """Keep the newest few and one for each month before."""
    months: set[str] = set()
    for old in backups_of(folder, stem)[KEEP_NEWEST:]:
        month = old.name[len(stem) + 1:][:6]
        if month in months:
            old.unlink()
        months.add(month)
