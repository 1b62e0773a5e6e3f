"""Reads memories to store: JSON (one, a list, or one per line) or plain text."""

from collections.abc import Sequence
from json import JSONDecodeError
from pathlib import Path
from typing import Any

from msgspec import Struct

from core.errors import ConstellationError
from core.ingest.payload import Remembered, read_many
from core.ingest.payload_errors import parse

_TYPED = (".json", ".jsonl")
_AS_TEXT = "Use --text to read it as plain text"


class PayloadFile(Struct, frozen=True):
    """The payloads of a file, and whether it is about one memory."""

    payloads: list[Any]
    single: bool = False

    def checked(self, given: dict[str, object], longest: int) -> tuple[Remembered, ...]:
        """The memories; options are the defaults for missing fields.

        Raises Invalid with every fault of all of them.
        """
        asked = [_with(payload, given) for payload in self.payloads]
        if self.single:
            return (Remembered.read(asked[0], longest=longest),)
        return read_many(asked, longest=longest)


def _with(payload: Any, given: dict[str, object]) -> Any:
    if not isinstance(payload, dict):
        return payload
    # Assigned one by one: what the payload says twice stays a fault.
    for name, value in given.items():
        if value is not None:
            payload.setdefault(name, value)
    return payload


def read_payload_file(file: Path, text: str, as_text: bool) -> PayloadFile:
    """The content of the file. Raises ConstellationError if it should be JSON and is not."""
    if not text.strip():
        raise ConstellationError("There is nothing to remember", where=str(file))
    start, typed = text.lstrip()[:1], file.suffix.lower() in _TYPED
    if as_text or (not typed and start not in ("{", "[")):
        return PayloadFile([{"content": text}], single=True)
    try:
        value = parse(text)
    except (ValueError, RecursionError) as error:
        return _by_lines(file, text, error)
    if isinstance(value, list):
        if not value:
            raise ConstellationError("There is nothing to remember", where=str(file))
        return PayloadFile(value)
    return PayloadFile([value], single=True)


def _by_lines(file: Path, text: str, error: Exception) -> PayloadFile:
    """What is no JSON as a whole: JSON Lines, or a text that begins with a bracket."""
    rows = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if file.suffix.lower() == ".jsonl" or (len(rows) > 1 and _is_json(rows[0][1])):
        return PayloadFile(_lines(file, rows))
    if text.lstrip()[0] == "[" and file.suffix.lower() not in _TYPED:
        return PayloadFile([{"content": text}], single=True)
    raise ConstellationError(
        "This is not valid JSON", where=str(file), detail=_said(error), do=_AS_TEXT) from None


def _said(error: Exception) -> str:
    return "It is nested too deeply" if isinstance(error, RecursionError) else str(error)


def _is_json(line: str) -> bool:
    try:
        parse(line)
    except (ValueError, RecursionError):
        return False
    return True


def _lines(file: Path, rows: Sequence[tuple[int, str]]) -> list[Any]:
    """JSON Lines; every line that is no JSON is told."""
    payloads, faults = [], []
    for number, line in rows:
        try:
            payloads.append(parse(line))
        except (ValueError, RecursionError) as error:
            column = f", column {error.colno}" if isinstance(error, JSONDecodeError) else ""
            faults.append(f"line {number}{column}: {getattr(error, 'msg', '') or _said(error)}")
    if faults:
        raise ConstellationError(
            f"{len(faults)} of {len(rows)} lines are not valid JSON; nothing was written"
            if len(faults) > 1 else "A line is not valid JSON; nothing was written",
            where=str(file), detail="\n".join(faults), do=_AS_TEXT)
    return payloads
