"""Reads the files that a command is given; `-` is standard input."""

import json
from errno import ENAMETOOLONG
from pathlib import Path
from typing import Any

from core.errors import ConstellationError
from core.model.text_formatting import one_line
from explorer.streams import standard_input

_ENDINGS = (".txt", ".md", ".json", ".jsonl")


def read_json(path: Path) -> Any:
    """The JSON in a file (`-` is standard input), or why not in words."""
    try:
        return json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise ConstellationError(
            "This is not valid JSON", where=str(path), detail=str(error)) from None


def read_text(path: Path) -> str:
    """The text of a file; `-` is standard input."""
    try:
        if str(path) == "-":
            return standard_input().read().decode("utf-8-sig")
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise _not_found(path) from None
    except (OSError, UnicodeDecodeError) as error:
        if getattr(error, "errno", 0) == ENAMETOOLONG:
            raise _not_found(path) from None
        raise ConstellationError("The file can't be read as text", where=str(path),
                                 detail=str(error)) from None


def is_text_itself(given: str) -> bool:
    """True for words where a file was asked for: several, and neither a file nor called like one.
    """
    if not any(map(str.isspace, given)) or Path(given).suffix in _ENDINGS:
        return False
    try:
        return not Path(given).exists()
    except OSError:  # No file has so long a name.
        return True


def _not_found(path: Path) -> ConstellationError:
    is_text = any(map(str.isspace, str(path)))
    return ConstellationError(
        "File not found", where=one_line(str(path)),
        do="To remember a text itself: constellation remember --text “…”" if is_text else
        "Check the path")
