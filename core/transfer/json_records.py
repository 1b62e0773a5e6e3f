"""Reads JSON records out of a text file that may be damaged, each with its line."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.jobs import Report, ignore
from core.model.text_format import one_line

LISTS = ("entities", "relations")
"""Keys of one whole document whose lists hold the records."""

_NESTS = ("graph", "memory", "data")
"""Keys of a document that may hold such an object again."""

_DECODER = json.JSONDecoder()
_NOTHING: dict[str, object] = {}
_FRUGAL = json.JSONDecoder(object_hook=lambda found: found or _NOTHING)
"""Keeps one empty object for all of them: a long line may hold millions."""
_LONG = 1_000_000
"""Characters of a text from which on it is read with `_FRUGAL`."""
_BLANK = re.compile(r"[\s,\ufeff\0]*")
_FIRST_KEY = re.compile(r'\{\s*"(\w+)"\s*:')
_STEP = 2000
"""Records between two reports of progress."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')
"""What has to be seen to find the end of a list or an object."""
_LEVELS = 6
"""Levels read item by item where the whole is too deep: document, list, record, list, item."""

Complain = Callable[[int, str], None]
"""Hears the line of something that can't be read, and what it is."""


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON value, its line (from 1) and the list of the document that it stands in, if any."""

    line: int
    value: object
    part: str = ""


class TooDeep:
    """Stands for a value that is nested too deep to be read."""


class Partial(dict[str, object]):
    """An object of which some part is nested too deep to be read."""


def records(
    text: str, complain: Complain, report: Report = ignore, lists: tuple[str, ...] = LISTS
) -> Iterator[Record]:
    """Each record: one or more a line, or the items of one array or object.

    Args:
        lists: the keys of a whole document whose lists hold the records.

    What is cut or broken is complained of and costs nothing but itself: the next line is read
    again, and of a document what stands before the damage and each line behind it that is whole.
    """
    start = _skip(text, 0)
    if start == len(text):
        return
    walk = _document(text, complain, lists) if _is_document(text, start, lists) else _lines(
        text, complain)
    for count, (record, place) in enumerate(walk):
        if count % _STEP == 0:
            report(place / len(text))
        yield record
    report(1.0)


def shown(text: str) -> str:
    """The beginning of a piece of text, on one line, for a sentence about it."""
    return one_line(text, 60)


def _skip(text: str, place: int) -> int:
    match = _BLANK.match(text, place)
    return match.end() if match else place


def _value(text: str, place: int, levels: int = _LEVELS) -> tuple[object, int] | None:
    """The JSON value that begins at `place` and where it ends, None if there is none."""
    try:
        return (_FRUGAL if len(text) > _LONG else _DECODER).raw_decode(text, place)
    except ValueError:
        return None
    except RecursionError:
        return _shallow(text, place, levels)


def _shallow(text: str, place: int, levels: int) -> tuple[object, int] | None:
    """A value read item by item, as far as that many levels; what is too deep is `TooDeep`."""
    opened = text[place]
    if not levels:
        end = _closing(text, place)
        return None if end is None else (TooDeep(), end)
    fields = Partial()
    items: list[object] = []
    place = _skip(text, place + 1)
    while text[place:place + 1] not in ("]", "}", ""):
        key, place = _key(text, place) if opened == "{" else ("", place)
        parsed = None if key is None else _value(text, place, levels - 1)
        if key is None or parsed is None:
            return None
        items.append(parsed[0])
        fields[key] = parsed[0]
        place = _skip(text, parsed[1])
    if not text[place:place + 1]:
        return None
    return (fields if opened == "{" else items), place + 1


def _key(text: str, place: int) -> tuple[str | None, int]:
    """The key that stands at `place` and where its value begins; None if there is no key."""
    key, place = _value(text, place) or (None, place)
    place = _skip(text, place)
    if not isinstance(key, str) or text[place:place + 1] != ":":
        return None, place
    return key, _skip(text, place + 1)


def _closing(text: str, place: int) -> int | None:
    """Where the list or object that begins at `place` ends; None if it does not."""
    depth = 0
    for token in _TOKEN.finditer(text, place):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token.group(), 0)
        if not depth:
            return token.end()
    return None


def _is_document(text: str, start: int, lists: tuple[str, ...]) -> bool:
    """True for an array of objects, and for an object that goes on after its first line.

    A line that is cut in the middle also goes on, but then the whole is no JSON either. A line
    of a log may begin with a bracket, too.
    """
    if text[start] == "[":
        place = _skip(text, start + 1)
        return text[place:place + 1] in ("{", "]", "")
    end = text.find("\n", start)
    first = text[start:end if end >= 0 else len(text)].strip()
    if _value(first, 0) is not None:
        return False
    key = _FIRST_KEY.match(text, start)
    if lists != LISTS or key and key.group(1) in (*LISTS, *_NESTS):
        return True
    return _value(text, start) is not None


def _lines(text: str, complain: Complain) -> Iterator[tuple[Record, int]]:
    """The values of JSON Lines; what is wrong on one line never touches another."""
    done = number = 0
    while done < len(text):
        # Only line feeds part records: U+2028 and its kin may stand inside a JSON text.
        end = text.find("\n", done) + 1 or len(text)
        line, done, number = text[done:end], end, number + 1
        place = _skip(line, 0)
        while place < len(line):
            parsed = _value(line, place)
            if parsed is None:
                complain(number, f"is not JSON: {shown(line[place:])}")
                break
            if isinstance(parsed[0], TooDeep):
                complain(number, f"is nested too deep: {shown(line[place:])}")
                break
            yield Record(number, parsed[0]), done
            place = _skip(line, parsed[1])


def _document(
    text: str, complain: Complain, lists: tuple[str, ...]
) -> Iterator[tuple[Record, int]]:
    """The records of a document, one by one, so that a cut one keeps its beginning."""
    scanner = _Scanner(text, lists)
    while not scanner.ended:
        for record in scanner.records():
            yield record, scanner.place
        if scanner.broken:
            rest = text[scanner.place:scanner.place + 200]
            complain(scanner.line(), f"is not JSON from here on: {shown(rest)}")
            yield from _behind(text, scanner)


def _behind(text: str, scanner: "_Scanner") -> Iterator[tuple[Record, int]]:
    """The records that stand whole on a line behind the damage of a document."""
    number, place = scanner.line(), text.find("\n", scanner.place) + 1
    while 0 < place < len(text):
        number, end = number + 1, text.find("\n", place)
        line = text[place:end if end >= 0 else len(text)]
        parsed = _value(line, _skip(line, 0)) if line.lstrip()[:1] == "{" else None
        if parsed and isinstance(parsed[0], dict) and "type" in parsed[0]:
            yield Record(number, parsed[0]), place
        place = end + 1


class _Scanner:
    """Walks a JSON document value by value and knows the line it is at."""

    def __init__(self, text: str, lists: tuple[str, ...]) -> None:
        self.text, self.place, self.lists = text, 0, lists
        self.broken = False
        self._line, self._counted = 1, 0

    @property
    def ended(self) -> bool:
        return self.broken or _skip(self.text, self.place) >= len(self.text)

    def line(self) -> int:
        """The line of the next thing that is not blank."""
        place = _skip(self.text, self.place)
        self._line += self.text.count("\n", self._counted, place)
        self._counted = place
        return self._line

    def records(self) -> Iterator[Record]:
        """The records of the next value: an array's items, those of an object's lists, itself."""
        opened = self._next()
        if opened == "[":
            yield from self._items("")
        elif opened == "{" and self._holds_lists():
            yield from self._lists()
        else:
            line, value = self.line(), self._take()
            if not self.broken:
                yield Record(line, value)

    def _next(self) -> str:
        self.place = _skip(self.text, self.place)
        return self.text[self.place:self.place + 1]

    def _take(self) -> object:
        self.place = _skip(self.text, self.place)
        parsed = _value(self.text, self.place)
        if parsed is None:
            self.broken = True
            return None
        value, self.place = parsed
        return value

    def _items(self, part: str) -> Iterator[Record]:
        self.place += 1
        while (sign := self._next()) != "]":
            line, value = self.line(), self._take() if sign else None
            if self.broken or not sign:
                self.broken = True
                return
            yield Record(line, value, part)
        self.place += 1

    def _holds_lists(self) -> bool:
        """True if this object is a whole document, not a record of its own."""
        key = _FIRST_KEY.match(self.text, self.place)
        if key and key.group(1) in (*self.lists, *_NESTS):
            return True
        parsed = _value(self.text, self.place)
        if parsed is None:
            return self.lists != LISTS and bool(key)
        return isinstance(parsed[0], dict) and any(
            isinstance(parsed[0].get(name), list) for name in self.lists)

    def _lists(self) -> Iterator[Record]:
        self.place += 1
        while (sign := self._next()) != "}":
            key = self._take() if sign == '"' else None
            if key is None or self._next() != ":":
                self.broken = True
                return
            self.place += 1
            opened = self._next()
            if key in self.lists and opened == "[":
                yield from self._items(str(key))
            elif key in _NESTS and opened == "{":
                yield from self._lists()
            else:
                self._take()
            if self.broken:
                return
        self.place += 1
