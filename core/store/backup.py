"""Copies of a graph made before anything risky, checked, and thinned as they grow old."""

import re
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

from core import error_advice
from core.errors import ConstellationError, Damaged, OpenError
from core.store.database import connect, in_words
from core.store.read_bytes_keeping_locks import raw_bytes
from core.store.sidecar_file import copy_knowledge
from core.store.stale_wal import has_frames

KEEP_NEWEST = 5
"""These many are always kept."""
_PERIODS = ((timedelta(days=1), "%Y%m%dT%H"), (timedelta(days=7), "%Y%m%d"),
            (timedelta(days=60), "%G-%V"))
"""Of the others the newest of each hour, day and week that are not older than this; then of each
month."""
_MONTHLY = "%Y%m"
HISTORY, BESIDE = ".undo", ".side"
"""What the copies of the history, and of what is kept beside a graph, have for their ending."""
HALF, HALF_HISTORY = ".part", ".undo-part"
"""The endings of a copy until it is whole."""
ABANDONED = timedelta(hours=1)
"""No copy takes so long."""

PAGES_AT_A_TIME = 2000
"""A copy in one step would block other writers of a large file (peers §7)."""

BYTES_AT_A_TIME = 1 << 16
"""Stays in the processor's cache."""
WHEN = ("when you back it up, before a restore, and before a file of another program or of an "
        "older version is first changed")
"""When a backup is made, for those who have none yet."""
_STAMP = re.compile(r"-(\d{8}T\d{6})(?:-(\d+))?\.db$")


def back_up(
    path: Path, folder: Path, history: Path | None = None, sidecar: Path | None = None, *,
    keep: Path | None = None,
) -> Path:
    """Copy the graph, its log included, into `folder`; returns the copy.

    Args:
        history: the undo log, which is copied beside it.
        sidecar: what is kept beside the graph, of which the part that belongs to it is copied.
        keep: a backup that is not thinned away now, because it is about to be put back.

    Raises ConstellationError if there is no disk space, or the copy fails or is not whole; no
    partial copy is left.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _require_room(path, folder)
    first = target = folder / name_now(path)
    number = 1
    while target.exists():
        number += 1
        target = first.with_stem(f"{first.stem}-{number}")
    half_history = target.with_suffix(HALF_HISTORY)
    try:
        with _whole_copy(path, target), in_words(path):
            if history is not None and history.exists():
                copy_file(history, half_history)
                half_history.replace(target.with_suffix(HISTORY))
            if sidecar is not None and sidecar.exists():
                copy_knowledge(sidecar, target.with_suffix(BESIDE))
    finally:
        half_history.unlink(missing_ok=True)
    thin(folder, path.stem, keep)
    return target


def save_copy(path: Path, target: Path) -> Path:
    """Copy the graph, its log included, to a new file, or into a folder; returns the copy.

    Raises OpenError where the file is there already or can't be written, and as `back_up`.
    """
    if target.is_dir():
        target /= name_now(path)
    if target.exists():
        raise OpenError("unwritable", "This file exists already", where=str(target),
                        do="Choose another name; nothing was overwritten")
    if not target.parent.is_dir():
        raise OpenError("unwritable", "The folder does not exist", where=str(target.parent),
                        do="Make it first, or choose another one")
    if not target.suffix:
        raise OpenError("unwritable", "There is no such folder", where=str(target),
                        do=f"Make it first, or name a file: {target.name}.db")
    _require_room(path, target.parent)
    with _whole_copy(path, target):
        return target


def name_now(path: Path) -> str:
    """What a backup of a graph that is made now is called."""
    return f"{path.stem}-{datetime.now(UTC):%Y%m%dT%H%M%S}.db"


def _require_room(path: Path, folder: Path) -> None:
    size = path.stat().st_size
    if shutil.disk_usage(folder).free < size * 1.1 + 10_000_000:
        raise ConstellationError("There is not enough disk space for a backup", where=str(folder),
                                 do=f"Free {size // 1_000_000 + 10} MB, then try again")


@contextmanager
def _whole_copy(path: Path, target: Path) -> Iterator[None]:
    """A checked copy, which gets its name when what is done meanwhile has gone well."""
    # A name of its own: a folder of the person's may hold a file of that name already.
    half = target.with_name(f"{target.stem}-{uuid4().hex}{HALF}")
    try:
        with in_words(path):
            copy_file(path, half)
            check(half)
        yield
        half.replace(target)
    finally:
        half.unlink(missing_ok=True)


def check(path: Path) -> None:
    """Raise Damaged unless every page of a file is whole."""
    connection = connect_copy(path)
    try:
        answer = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    finally:
        connection.close()
    if answer != "ok":
        raise Damaged("A part of the file is damaged", where=str(path), detail=answer,
                      do=error_advice.DAMAGED)


def connect_copy(path: Path) -> sqlite3.Connection:
    """A connection to a file that nobody writes; one without a log of its own gets none beside."""
    return connect(path, immutable=not has_frames(path))


def copy_file(
    path: Path, target: Path, *, immutable: bool = False, passing: bool = False
) -> None:
    """A consistent copy of a live database, as one plain file.

    Args:
        passing: nobody needs it after this run of the program: a power cut may spoil it.
    """
    with closing(connect(path, immutable=immutable)) as source:
        plain = passing and not immutable and _copied_bytes(source, path, target)
        with closing(sqlite3.connect(target)) as copy:
            if passing:
                copy.execute("PRAGMA synchronous = OFF")
            if not plain:
                _copy_pages(source, copy, path.stat().st_size if passing else 0)
            copy.execute("PRAGMA journal_mode = DELETE")


def _copy_pages(source: sqlite3.Connection, copy: sqlite3.Connection, mapped: int) -> None:
    """Copy page by page; `mapped` bytes of the source are read where they lie."""
    if mapped:
        source.execute(f"PRAGMA mmap_size = {mapped}")
        copy.execute("PRAGMA journal_mode = OFF")
    source.backup(copy, pages=PAGES_AT_A_TIME, sleep=0.001)


def _copied_bytes(source: sqlite3.Connection, path: Path, target: Path) -> bool:
    """Copy the bytes of a file and of its log; takes a third of copying page by page.

    While `source` reads, nobody writes into the file what the log of that moment does not hold,
    and a log that begins meanwhile is of later. What stands in a log that has not begun anew is
    all that was changed since it began: it is copied last, and brought over into the copy. False
    where it has begun anew.
    """
    source.execute("BEGIN")
    try:
        source.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
        log, copied_log = Path(f"{path.resolve()}-wal"), Path(f"{target}-wal")
        begins = _log_header(log)
        if begins and source.execute("PRAGMA main.journal_mode").fetchone()[0] != "wal":
            return False
        with raw_bytes(path) as file, target.open("wb") as copy:
            shutil.copyfileobj(file, copy, BYTES_AT_A_TIME)
        if begins:
            shutil.copyfile(log, copied_log)
            if _log_header(copied_log) != begins:
                copied_log.unlink()
                target.unlink()
                return False
        return True
    finally:
        source.execute("ROLLBACK")


LOG_HEADER = 32
"""Bytes at the begin of a log that differ each time that it begins anew."""


def _log_header(log: Path) -> bytes:
    """What tells one run of a log from the next; empty without a log."""
    try:
        with log.open("rb") as file:
            return file.read(LOG_HEADER)
    except FileNotFoundError:
        return b""


def backups_of(folder: Path, stem: str) -> list[Path]:
    """The backups of one graph, newest first."""
    backups = [p for p in folder.glob("*.db")
               if p.name.startswith(stem + "-") and _STAMP.search(p.name)]
    return sorted(backups, key=order_made, reverse=True)


def made_at(backup: Path) -> datetime:
    """When a backup was made, by its name."""
    return order_made(backup)[0]


def order_made(backup: Path) -> tuple[datetime, int]:
    """By which backups are put in order: when it was made, and which of that second it is."""
    found = _STAMP.search(backup.name)
    if found is None:
        return datetime.fromtimestamp(backup.stat().st_mtime, UTC), 0
    return (datetime.strptime(found[1], "%Y%m%dT%H%M%S").replace(tzinfo=UTC), int(found[2] or 1))


def thin(folder: Path, stem: str, keep: Path | None = None) -> None:
    """Keep the newest few, one for each hour, day, week and month before, and room on the disk.

    What a killed backup has left half-done goes, too.
    """
    now, seen, kept = datetime.now(UTC), set(), []
    for half in folder.glob("*part"):
        if half.name.startswith(stem + "-") and half.suffix in (HALF, HALF_HISTORY) \
                and now - datetime.fromtimestamp(half.stat().st_mtime, UTC) > ABANDONED:
            half.unlink(missing_ok=True)
    for old in backups_of(folder, stem)[KEEP_NEWEST:]:
        period = _period(made_at(old), now)
        if period in seen and old != keep:
            _delete(old)
        else:
            kept.append(old)
        seen.add(period)
    for old in reversed(kept):
        if shutil.disk_usage(folder).free > _size(backups_of(folder, stem)):
            break
        if old != keep:
            _delete(old)


def _period(moment: datetime, now: datetime) -> str:
    fine = next((form for age, form in _PERIODS if now - moment < age), _MONTHLY)
    return moment.strftime(fine)


def _size(backups: Sequence[Path]) -> int:
    return sum(backup.stat().st_size for backup in backups)


def _delete(backup: Path) -> None:
    backup.unlink()
    for ending in (HISTORY, BESIDE):
        backup.with_suffix(ending).unlink(missing_ok=True)
