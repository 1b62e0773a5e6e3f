"""Reads JSON records out of a text file that may be damaged, each with its line."""

import json
import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from core.model.text_formatting import one_line
from core.progress import Report, ignore
from core.transfer import damaged_json
from core.transfer.damaged_json import TooDeep, comment_at, plain_object, skip, value_at
from core.transfer.text_encodings import TextParts
from core.transfer.text_window import Window

LISTS = ("entities", "relations")
"""Keys of one whole document whose lists hold the records."""

SAME = {"relationships": "relations", "edges": "relations", "links": "relations"}
"""What else the list of relations of a document is called."""

UNDER = {"entities": "name", "nodes": "id", "relations": "id", **dict.fromkeys(SAME, "id")}
"""What the keys of an object are that stands for such a list."""

NESTS = ("graph", "memory", "data", "knowledge_graph", "knowledgeGraph", "result",
         "structuredContent", "elements")
"""Keys of a document that may hold such an object again."""

_OF_THE_FORM = ("version", "$schema", "schemaVersion", "schema_version", "directed", "multigraph")
"""Keys of a document that say nothing but how it is written."""

_FIRST_KEY = re.compile(r'\{\s*"(\w+)"\s*:')
_KEY_ROOM = 1000
"""Characters within which a first key stands."""
_STEP = 2000
"""Records between two reports of progress."""

Complain = Callable[[int, str], None]
"""Hears the line of something that can't be read, and what it is."""


class Record(Struct, frozen=True):
    """One JSON value, its line (from 1) and the list of the document that it stands in, if any."""

    line: int
    value: object
    part: str = ""


def records(
    parts: TextParts, complain: Complain, report: Report = ignore, lists: tuple[str, ...] = LISTS
) -> Iterator[Record]:
    """Each record: one or more a line, or the items of one array or object.

    Args:
        lists: the keys of a whole document whose lists hold the records.

    What is cut or broken is complained of and costs nothing but itself: the next line is read
    again, and of a document what stands before the damage and each line behind it that is whole.
    Only a part of a long text is held at a time.
    """
    window = Window(parts)
    start = _begin(window)
    if start == len(window.text):
        return
    walk = _document(window, complain, lists) if _is_document(window, start, lists) else _lines(
        window, complain)
    for count, record in enumerate(walk):
        if count % _STEP == 0:
            report(parts.share)
        yield record
    report(1.0)


def shown(text: str) -> str:
    """The beginning of a piece of text, on one line, for a sentence about it."""
    return one_line(text, 60)


def quoted(value: object) -> str:
    """The beginning of a value as JSON."""
    try:
        return shown(json.dumps(value, ensure_ascii=False))
    except (TypeError, RecursionError):
        return "it is nested too deep"


def of_all(key: str, value: object) -> str:
    """What is said of a key that a document has beside its lists; empty if it says nothing."""
    return "" if value in (None, "", [], {}) or key in _OF_THE_FORM else (
        f"“{shown(key)}” is of the whole file and is left out: {quoted(value)}")


def _begin(window: Window) -> int:
    """Where the first thing stands that is no comment."""
    return _beyond(window, 0)


def _beyond(window: Window, place: int) -> int:
    """Where the next thing begins that is neither blank nor a comment."""
    while True:
        place = skip(window.text, place)
        end = comment_at(window.text, place)
        if end == len(window.text) and not window.ended:
            window.more()
        elif end == place:
            return place
        else:
            place = end


def _is_document(window: Window, start: int, lists: tuple[str, ...]) -> bool:
    """True for an array of objects or arrays, and for an object that goes on after its first line.

    A line that is cut in the middle also goes on, but then the whole is no JSON either. A line
    of a log may begin with a bracket, too. A very long line is a document if it seems to hold the
    lists of one: so it is read record by record.
    """
    window.reach(start + _KEY_ROOM)
    if window.text[start] == "[":
        return _next_sign(window, start + 1) in ("{", "[", "]", "")
    end = window.text.find("\n", start)
    while end < 0 and len(window.text) < damaged_json.LONG and window.more():
        end = window.text.find("\n", start)
    if end < 0 and not window.ended:
        return any(f'"{name}"' in window.text for name in lists)
    if value_at(window.text[start:end if end >= 0 else len(window.text)].strip(), 0) is not None:
        return False
    key = _FIRST_KEY.match(window.text, start)
    if lists != LISTS or key and key.group(1) in (*LISTS, *NESTS):
        return True
    while (parsed := value_at(window.text, start)) is None and window.more():
        pass
    return parsed is not None


def _next_sign(window: Window, place: int) -> str:
    place = _beyond(window, place)
    return window.text[place:place + 1]


def _lines(window: Window, complain: Complain) -> Iterator[Record]:
    """The values of JSON Lines; what is wrong on one line never touches another."""
    number = 0
    for line in window.lines():
        number += 1  # noqa: SIM113 (enumerate would hold a very long line)
        if (plain := plain_object(line)) is not None:
            yield Record(number, plain)
            continue
        place = skip(line, 0)
        while place < len(line):
            parsed = value_at(line, place)
            if parsed is None:
                complain(number, f"is not JSON: {shown(line[place:])}")
                break
            if isinstance(parsed[0], TooDeep):
                complain(number, f"is nested too deep: {shown(line[place:])}")
                break
            value, place = parsed
            if len(line) > damaged_json.LONG:
                line, place = line[place:], 0  # noqa: PLW2901 (a very long line is let go)
            yield Record(number, value)
            place = skip(line, place)


def _document(window: Window, complain: Complain, lists: tuple[str, ...]) -> Iterator[Record]:
    """The records of a document, one by one, so that a cut one keeps its beginning."""
    scanner = _Scanner(window, lists, complain)
    while not scanner.ended:
        yield from scanner.records()
        if scanner.broken:
            complain(scanner.line(), f"is not JSON from here on: {shown(scanner.rest())}")
            yield from _behind(window, scanner)


def _behind(window: Window, scanner: "_Scanner") -> Iterator[Record]:
    """The records that stand whole on a line behind the damage of a document."""
    number = scanner.line() - 1
    window.forget(scanner.place)
    for count, line in enumerate(window.lines()):
        number += 1
        parsed = value_at(line, skip(line, 0)) if count and line.lstrip()[:1] == "{" else None
        if parsed and isinstance(parsed[0], dict) and "type" in parsed[0]:
            yield Record(number, parsed[0])


class _Scanner:
    """Walks a JSON document value by value and knows the line it is at."""

    def __init__(self, window: Window, lists: tuple[str, ...], complain: Complain) -> None:
        self.window, self.place, self.lists, self._complain = window, 0, lists, complain
        self.broken = False
        self._line, self._counted = 1, 0

    @property
    def ended(self) -> bool:
        return self.broken or not self._next()

    def line(self) -> int:
        """The line of the next thing that is not blank."""
        self._next()
        self._line += self.window.text.count("\n", self._counted, self.place)
        self._counted = self.place
        return self._line

    def rest(self) -> str:
        """What comes next."""
        self.window.reach(self.place + 200)
        return self.window.text[self.place:self.place + 200]

    def records(self) -> Iterator[Record]:
        """The records of the next value: an array's items, those of an object's lists, itself."""
        opened = self._next()
        if opened == "[":
            yield from self._items("")
            return
        holds = opened == "{" and self._holds_lists()
        if holds is None:
            yield from self._long_object()
        elif holds:
            yield from self._lists()
        else:
            line, value = self.line(), self._take()
            if not self.broken:
                yield Record(line, value)

    def _next(self) -> str:
        """The first sign of the next thing; empty at the end of the text. Comments are told."""
        while True:
            text = self.window.text
            self.place = skip(text, self.place)
            end = comment_at(text, self.place)
            if end == len(text) and not self.window.ended:
                self._more()
            elif end > self.place:
                words, begun = text[self.place:end], self.place
                self._line += text.count("\n", self._counted, begun)
                self._complain(self._line, f"is a comment: {shown(words)}")
                self.place, self._counted = end, begun
            else:
                return text[end:end + 1]

    def _more(self) -> bool:
        """Read on, and forget what is done; False at the end of the text."""
        if self.window.ended:
            return False
        self._line += self.window.text.count("\n", self._counted, self.place)
        self.window.forget(self.place)
        self.place = self._counted = 0
        return self.window.more()

    def _take(self) -> object:
        self._next()
        while True:
            parsed = value_at(self.window.text, self.place)
            # A number may go on behind what is held.
            if parsed is not None and (parsed[1] < len(self.window.text) or self.window.ended):
                value, self.place = parsed
                return value
            if not self._more():
                self.broken = parsed is None
                value, self.place = parsed or (None, self.place)
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

    def _named(self, part: str) -> Iterator[Record]:
        """The records of an object that has each entity under its name, each relation by its id."""
        self.place += 1
        while (sign := self._next()) != "}":
            line, name = self.line(), self._take() if sign == '"' else None
            if name is None or self._next() != ":":
                self.broken = True
                return
            self.place += 1
            value = self._take()
            if self.broken:
                return
            named = {UNDER[part]: name, **value} if isinstance(value, dict) else value
            yield Record(line, named, part)
        self.place += 1

    def _holds_lists(self) -> bool | None:
        """True if this object is a whole document, not a record of its own; None for one that is
        too long to be known before it is read.
        """
        self.window.reach(self.place + _KEY_ROOM)
        key = _FIRST_KEY.match(self.window.text, self.place)
        if key and key.group(1) in (*self.lists, *NESTS):
            return True
        while (parsed := value_at(self.window.text, self.place)) is None:
            if len(self.window.text) - self.place > damaged_json.LONG and not self.window.ended:
                return None
            if not self._more():
                return self.lists != LISTS and bool(key)
        value = parsed[0]
        return isinstance(value, dict) and any(
            isinstance(value.get(name), list) for name in self.lists) and (
            # An entity may have its own relations.
            self.lists != LISTS or LISTS[0] in value or "name" not in value)

    def _long_object(self) -> Iterator[Record]:
        """The records of the lists of a long object; itself where it has none."""
        line, others = self.line(), dict[str, object]()
        count = 0
        for record in self._lists(others):
            count += 1
            yield record
        if not count and not self.broken:
            yield Record(line, others)
        for left in filter(None, map(of_all, others, others.values())) if count else ():
            self._complain(line, left)

    def _lists(self, others: dict[str, object] | None = None) -> Iterator[Record]:
        """The records of the lists of an object.

        Args:
            others: takes what else the object says.
        """
        self.place += 1
        while (sign := self._next()) != "}":
            key = self._take() if sign == '"' else None
            if key is None or self._next() != ":":
                self.broken = True
                return
            self.place += 1
            opened, part = self._next(), self._part(str(key))
            if part and opened == "[":
                yield from self._items(part)
            elif part in UNDER and opened == "{":
                yield from self._named(part)
            elif key in NESTS and opened == "{":
                yield from self._lists()
            else:
                line, value = self.line(), self._take()
                if others is not None:
                    others[str(key)] = value
                elif (left := of_all(str(key), value)):
                    self._complain(line, left)
            if self.broken:
                return
        self.place += 1

    def _part(self, key: str) -> str:
        """The list that a key of a document stands for; empty if it is none.

        A list of texts says what relations are called, and is none of them.
        """
        if key in self.lists:
            return key
        other = SAME.get(key, "") if self.lists == LISTS else ""
        return other if other and _next_sign(self.window, self.place + 1) != '"' else ""
