"""Reads one JSON value of a text that may be damaged or nested without end."""

import json
import re

_DECODER = json.JSONDecoder()
_NOTHING: dict[str, object] = {}
_FRUGAL = json.JSONDecoder(object_hook=lambda found: found or _NOTHING)
"""Keeps one empty object for all of them: a long line may hold millions."""
LONG = 4_000_000
"""Characters from which on a value is not read a second time to know what it is."""
_MILLIONS = 2_000_000
"""Characters of a text from which on it is read with `_FRUGAL`."""
_BLANK = re.compile(r"[\s,\ufeff\0]*")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')
"""What has to be seen to find the end of a list or an object."""
_LEVELS = 6
"""Levels read item by item where the whole is too deep: document, list, record, list, item."""


class TooDeep:
    """Stands for a value that is nested too deep to be read."""


class Partial(dict[str, object]):
    """An object of which some part is nested too deep to be read."""


def skip(text: str, place: int) -> int:
    """Where the next thing begins that is no white space, comma or mark."""
    match = _BLANK.match(text, place)
    return match.end() if match else place


def value_at(text: str, place: int, levels: int = _LEVELS) -> tuple[object, int] | None:
    """The JSON value that begins at `place` and where it ends, None if there is none."""
    try:
        return (_FRUGAL if len(text) > _MILLIONS else _DECODER).raw_decode(text, place)
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
    place = skip(text, place + 1)
    while text[place:place + 1] not in ("]", "}", ""):
        key, place = _key(text, place) if opened == "{" else ("", place)
        parsed = None if key is None else value_at(text, place, levels - 1)
        if key is None or parsed is None:
            return None
        items.append(parsed[0])
        fields[key] = parsed[0]
        place = skip(text, parsed[1])
    if not text[place:place + 1]:
        return None
    return (fields if opened == "{" else items), place + 1


def _key(text: str, place: int) -> tuple[str | None, int]:
    """The key that stands at `place` and where its value begins; None if there is no key."""
    key, place = value_at(text, place) or (None, place)
    place = skip(text, place)
    if not isinstance(key, str) or text[place:place + 1] != ":":
        return None, place
    return key, skip(text, place + 1)


def _closing(text: str, place: int) -> int | None:
    """Where the list or object that begins at `place` ends; None if it does not."""
    depth = 0
    for token in _TOKEN.finditer(text, place):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token.group(), 0)
        if not depth:
            return token.end()
    return None
