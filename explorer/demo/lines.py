"""Reads one line of the demo's texts: `2026-03-24 ines .9 #bank | ! No deploys // why`."""

import re
from dataclasses import dataclass

from core.model.vocabulary import MEMORY_TYPES

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?")
_SHARE = re.compile(r"[01]?\.\d+|1")


@dataclass(frozen=True, slots=True)
class Line:
    """What a line says, and what its head says about it.

    `who` is empty where the head names nobody; `why` is the reason after `//`.
    """

    text: str
    on: str = ""
    who: str = ""
    share: float | None = None
    memory_type: str = "fact"
    tags: tuple[str, ...] = ()
    constraint: bool = False
    deleted: bool = False
    why: str = ""


def read_line(line: str) -> Line:
    """Take a line apart; a line without a head is only text."""
    head, bar, rest = line.partition(" | ")
    body, _, why = (rest if bar else head).partition(" // ")
    words = head.split() if bar else []
    named = [word for word in words if not _is_mark(word)]
    return Line(
        text=body.removeprefix("! ").strip(), why=why.strip(),
        on=next((word for word in words if _DATE.fullmatch(word)), ""),
        share=next((float(word) for word in words if _SHARE.fullmatch(word)), None),
        memory_type=next((word for word in words if word in MEMORY_TYPES), "fact"),
        tags=tuple(word[1:] for word in words if word.startswith("#")),
        who=named[0] if named else "",
        constraint=body.startswith("! "), deleted="deleted" in words,
    )


def _is_mark(word: str) -> bool:
    return bool(word.startswith("#") or word == "deleted" or word in MEMORY_TYPES
                or _DATE.fullmatch(word) or _SHARE.fullmatch(word))
