"""Takes the fields of one record: what is meant by them, and what is left over."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from core.model.names import storable
from core.model.times import parse_time
from core.store.reader_and_writer import stamp
from core.transfer.record_kinds import PLAIN, first_of

_SECOND, _UNITS = 100_000_000, (1, 1000, 1_000_000, 1_000_000_000)
"""The least number that is a time in seconds (1973), and its fractions: milliseconds and so on."""


TIME = "createdAt"
"""What an export calls the time of a record."""
_TAGS = ("tags",)
TIMES = ("timestamp", TIME, "created_at", "created", "time", "date", "datetime", "dateCreated",
         "date_created", "createdOn", "created_on", "addedAt", "added_at", "ts")
"""What files call it."""
_CHANGED = ("updatedAt", "updated_at", "lastUpdated", "last_updated", "updated", "modifiedAt",
            "modified_at", "lastModified", "last_modified", "modified")
"""Later times, that tell more than nothing where there is no other."""
_ALL_TIMES = frozenset((*TIMES, *_CHANGED))


class Fields:
    """A record whose fields are taken one by one; the rest is kept as source data."""

    def __init__(self, record: Mapping[str, object]) -> None:
        self._record = record
        self._taken = {"type"}
        self.raw_time: dict[str, object] = {}
        """A time under another name or in another form than an export gives it."""

    def first(self, keys: tuple[str, ...]) -> object:
        """The value of the first of these keys that is given."""
        return self.named(keys)[1]

    def named(self, keys: tuple[str, ...]) -> tuple[str, object]:
        """The first of these keys that is given, and its value; an empty key if there is none."""
        for key in keys:
            value = self._record.get(key)
            if value is not None:
                self._taken.add(key)
                return key, value
        return "", None

    def peek(self, keys: tuple[str, ...]) -> object:
        """The value of the first of these keys that is given; it is not taken."""
        return first_of(self._record, keys)

    def word(self, keys: tuple[str, ...]) -> object:
        """The first text or number under these keys; lists and objects are left over."""
        for key in keys:
            value = self._record.get(key)
            if isinstance(value, PLAIN) and not isinstance(value, bool):
                self._taken.add(key)
                return value
        return None

    def time(self, keys: tuple[str, ...]) -> tuple[str | None, str]:
        """The time under the first of these keys that names one, and the key of one that is none.

        What is no time is left over.
        """
        wrong = ""
        if _ALL_TIMES.isdisjoint(self._record):
            return None, wrong
        for key in keys:
            if self._record.get(key) is None:
                continue
            when = moment(self._record[key])
            if when is not None:
                self._taken.add(key)
                if key != TIME or self._record[key] != written(when):
                    self.raw_time = {key: self._record[key]}
                return when, ""
            wrong = wrong or key
        for key in filter(self._record.get, _CHANGED):
            if (when := moment(self._record[key])) is not None:
                self._taken.add(key)
                self.raw_time = {key: self._record[key]}
                return when, wrong
        return None, wrong

    def left(self) -> Iterator[tuple[str, object]]:
        """The fields that nothing has taken, with their values."""
        for key, value in self._record.items():
            if key not in self._taken and value is not None:
                yield key, value


def moment(value: object) -> str | None:
    """A time as text, given as ISO 8601 or as an epoch in seconds or a fraction; None if none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and not value.strip().replace(".", "", 1).isdigit():
        return storable(value.strip()) if parse_time(value) else None
    try:
        number = float(value)  # type: ignore[arg-type]
        unit = next(unit for unit in reversed(_UNITS) if number >= _SECOND * unit)
        return datetime.fromtimestamp(number / unit, UTC).isoformat()
    except (TypeError, ValueError, OverflowError, OSError, StopIteration):
        return None


def written(when: str) -> str | None:
    """A time as the graph writes it."""
    parsed = parse_time(when)
    return stamp(parsed) if parsed else None


def yes_or_no(value: object) -> bool | None:
    """True or False as files write it, None for another value."""
    return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}.get(
        str(value).strip().lower())


def as_json(fields: Mapping[str, object]) -> str | None:
    """The fields as one text that can be stored; None where they are nested too deep."""
    try:
        return storable(json.dumps(fields, ensure_ascii=False, sort_keys=True))
    except (TypeError, ValueError, RecursionError):
        return None


def tags_of(fields: Fields) -> str:
    """The tags that a fact has, parted by commas; what is no list of words is left."""
    given = fields.peek(_TAGS)
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        return ""
    fields.first(_TAGS)
    return ",".join(dict.fromkeys(tag for each in given for part in each.split(",")
                                  if (tag := storable(part).strip())))
