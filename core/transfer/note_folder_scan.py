"""Finds the notes of a folder and which have changed, and waits for those that are being written.
"""

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from core.model.watched_folder import Stamp
from core.transfer.readers.markdown_notes import NOTE_ENDINGS
from core.transfer.readers.note_templates import is_template, template_folders

QUIET_NS = 2_000_000_000
"""A file that was changed longer ago is not being written any more."""


class NoteFiles(Struct, frozen=True):
    """The notes of a folder by their places, in order.

    Attributes:
        whole: False where some folder in it could not be read.
        unnamed: the places of those that are left out since their names are no text.
    """

    stamps: Mapping[str, Stamp]
    whole: bool = True
    unnamed: Sequence[str] = ()


def find_notes(top: Path) -> NoteFiles | None:
    """The notes of a folder, without hidden ones, links and templates; None if the folder is not
    there.
    """
    stamps: dict[str, Stamp] = {}
    templates = template_folders(top)
    waiting, whole, unnamed = [""], True, list[str]()
    while waiting:
        inner = waiting.pop()
        try:
            with os.scandir(top / inner) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
            folders, files = _of(listed, inner)
        except OSError:
            if not inner:
                return None
            whole = False
            continue
        for place, stamp in files.items():
            if _is_text(place):
                stamps[place] = stamp
            else:
                unnamed.append(place.encode("utf-8", "replace").decode())
        waiting += (each for each in reversed(folders) if not is_template(each, templates))
    return NoteFiles(stamps, whole, unnamed)


def _is_text(place: str) -> bool:
    """False for bytes that are not UTF-8, which no text of a graph can hold."""
    try:
        place.encode()
    except UnicodeEncodeError:
        return False
    return True


def _of(entries: Iterable[os.DirEntry[str]], inner: str) -> tuple[list[str], dict[str, Stamp]]:
    """The folders and the notes among the entries of a folder."""
    folders: list[str] = []
    files: dict[str, Stamp] = {}
    for entry in entries:
        place = f"{inner}/{entry.name}" if inner else entry.name
        if entry.name.startswith(".") or entry.is_symlink():
            continue
        if entry.is_dir(follow_symlinks=False):
            folders.append(place)
        elif entry.name.lower().endswith(NOTE_ENDINGS) and entry.is_file(follow_symlinks=False):
            known = entry.stat(follow_symlinks=False)
            files[place] = (known.st_mtime_ns, known.st_size)
    return folders, files


class Settling(Struct):
    """Tells which notes have changed and are written to their end, from one look to the next.

    A changed file is taken once it is as it was in the look before, or was changed a while ago;
    a missing one once it was missing in the look before, too: editors replace files.
    """

    _seen: Mapping[str, Stamp] | None = field(default=None)

    def settled(
        self, files: NoteFiles, known: Mapping[str, Stamp], now_ns: int | None = None
    ) -> tuple[list[str], list[str], bool]:
        """The notes to read, those that are gone, and whether more are still being written."""
        now = time.time_ns() if now_ns is None else now_ns
        before, self._seen = self._seen, files.stamps
        seen = before or {}
        changed = [place for place, stamp in files.stamps.items() if known.get(place) != stamp]
        ready = [place for place in changed if seen.get(place) == files.stamps[place]
                 or now - files.stamps[place][0] > QUIET_NS]
        missing = [place for place in known if place not in files.stamps] if files.whole else []
        gone = [place for place in missing if before is not None and place not in before]
        if len(gone) < len(missing) and not known.keys() >= files.stamps.keys():
            ready = []  # A note that is new may be one that was moved, and others link to it.
        return ready, gone, len(ready) + len(gone) < len(changed) + len(missing)
