"""Gives each entity a file name of its own that every system can hold."""

import re
from collections.abc import Iterable

from core.transfer.exported_graph import ExportedEntity

_NOT_IN_NAMES = re.compile(r'[\x00-\x1f\x7f\\/:*?"<>|#^\[\]]+')
_TAKEN = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
_BYTES = 120
"""File systems take 255 bytes; the rest is for a number, the ending and a sync tool's own."""


def page_names(entities: Iterable[ExportedEntity], taken: Iterable[str] = ()) -> dict[str, str]:
    """A file name without ending for each entity's id; equal ones are numbered.

    Names that differ only in capitals are equal, as they are to some file systems.
    """
    used = {name.casefold() for name in taken}
    names: dict[str, str] = {}
    for entity in entities:
        plain = name = page_name(entity.name)
        number = 2
        while name.casefold() in used:
            name, number = f"{plain} ({number})", number + 1
        used.add(name.casefold())
        names[entity.id] = name
    return names


def page_name(words: str) -> str:
    """The words without what a file name can't hold, cut to a length that all systems take."""
    plain = " ".join(_NOT_IN_NAMES.sub("-", words).split())
    plain = plain.encode()[:_BYTES].decode("utf-8", "ignore").strip(". ")
    return f"_{plain}" if not plain or _TAKEN.fullmatch(plain) else plain
