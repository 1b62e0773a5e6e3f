"""Reads the files that a command is given; `-` is standard input."""

import json
from pathlib import Path
from typing import Any

from core.errors import ConstellationError
from explorer.streams import standard_input


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
        words = "A text itself goes to standard input: echo “…” | constellation remember - --text"
        raise ConstellationError("File not found", where=str(path),
                                 do=words if " " in str(path) else "Check the path") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConstellationError("The file can't be read as text", where=str(path),
                                 detail=str(error)) from None
