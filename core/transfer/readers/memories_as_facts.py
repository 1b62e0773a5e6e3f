"""Makes records of memories as facts of their owner, under an aspect."""

import json
from collections.abc import Iterable, Iterator, Mapping

from core.transfer.readers.reader_interface import Placed

UNOWNED = "Memories"
"""The entity of memories that name nobody and have no tag."""


def memory_records(
    line: int, text: str, owners: Iterable[tuple[str, str]], fact: Mapping[str, object],
) -> Iterator[Placed]:
    """The memory as a fact of each of its owners, who are given as name and type.

    Args:
        fact: what else it says: `aspect`, `created_at` and more.
    """
    for name, kind in dict.fromkeys(owners) or ((UNOWNED, "collection"),):
        yield line, {"type": "entity", "name": name, "entityType": kind,
                     "observations": [{"text": text, **fact}]}


def parsed(value: object) -> object:
    """The value of a field that may be JSON as a text; as it is where it is none."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def words_of(value: object) -> list[str]:
    """Tags or categories as a list, which may stand as JSON or with commas between."""
    value = parsed(value)
    items = value if isinstance(value, list) else str(value or "").split(",")
    return [str(item).strip() for item in items if str(item).strip()]
