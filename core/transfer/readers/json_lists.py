"""Reads the lists of a JSON document or of JSON Lines, each record with the list it stands in."""

from collections.abc import Iterator

from core.progress import Report
from core.transfer.damaged_json import TooDeep
from core.transfer.json_records import NESTS, UNDER, of_all, records, shown
from core.transfer.readers.reader_interface import Look, Notes
from core.transfer.record_kinds import by_name, is_triple

NAMES_ALONE = ("entities", "nodes")
"""Lists whose records may be names alone."""

Listed = tuple[int, str, dict[str, object]]
"""The line of a record, the list that it is of, and its fields."""


def listed(
    look: Look, notes: Notes, report: Report, lists: tuple[str, ...]
) -> Iterator[Listed]:
    """Each record of these lists; what stands alone has an empty list.

    Files without end marks, cut ones and such with several documents are read as far as they go.
    """
    with look.path.open("rb") as stream:
        for record in records(notes.parts(stream), notes.complain, report, lists):
            yield from _each(record.line, record.part, record.value, lists, notes)


def _each(
    line: int, part: str, value: object, lists: tuple[str, ...], notes: Notes
) -> Iterator[Listed]:
    waiting = [(part, value)]
    while waiting:
        part, value = waiting.pop()
        if isinstance(value, list) and part not in ("", "entities") and is_triple(value):
            yield line, part, dict(zip(("source", "label", "target"), value, strict=True))
        elif isinstance(value, list):
            waiting += [(part, item) for item in reversed(value)]
        elif isinstance(value, str) and part in NAMES_ALONE and value.strip():
            yield line, part, {"name": value}
        elif not isinstance(value, dict):
            what = "nested too deep" if isinstance(value, TooDeep) else shown(str(value))
            notes.complain(line, f"is not a record: {what}")
        elif not part and (inner := _lists_of(value, lists)):
            for left in filter(None, (of_all(key, each) for key, each in value.items()
                                      if key not in (*inner, *NESTS))):
                notes.complain(line, left)
            waiting += reversed(inner.items())
        elif not part and (nested := [each for key, each in value.items() if key in NESTS
                                      and isinstance(each, dict) and _lists_of(each, lists)]):
            waiting += [("", each) for each in reversed(nested)]
        else:
            yield line, part, value


def _lists_of(value: dict[str, object], lists: tuple[str, ...]) -> dict[str, object]:
    """The lists of a whole document by their names, also where each record stands under its id."""
    return {name: each for name in lists if (each := (
        value.get(name) if isinstance(value.get(name), list)
        else by_name(value.get(name), name) if name in UNDER else None)) is not None}
