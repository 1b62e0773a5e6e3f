"""Reads one JSON value of a text that may be damaged or nested without end."""

import json
import math
import re
from collections.abc import Mapping

import msgspec

_NOTHING: dict[str, object] = {}
_FEW = 1000
"""Items of a list that are looked through for keys that stand twice."""


class Repeated(dict[str, object]):
    """An object in which keys stand more than once, here or deeper: `twice` are those keys."""

    twice: tuple[str, ...] = ()


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) == len(pairs):
        for value in made.values():
            if type(value) in _HOLDS_MORE and _twice(value):
                break
        else:
            return made or _NOTHING  # One empty object for all: a long line may hold millions.
    repeated = Repeated(made)
    keys = [key for key, _ in pairs]
    repeated.twice = tuple(dict.fromkeys(
        [key for key in made if keys.count(key) > 1]
        + [key for value in made.values() for key in _twice(value)]))
    return repeated


def _twice(value: object) -> tuple[str, ...]:
    """The keys that stand more than once in a value."""
    if isinstance(value, list):
        some = value[:_FEW]
        return () if Repeated not in map(type, some) else tuple(
            key for item in some if type(item) is Repeated for key in item.twice)
    return value.twice if isinstance(value, Repeated) else ()


_HOLDS_MORE = (list, Repeated)


def _number(text: str) -> object:
    """A number that is too large to be one stays as it is written, as `NaN` does."""
    number = float(text)
    return number if math.isfinite(number) else text


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_number, parse_constant=str)
_LENIENT = json.JSONDecoder(object_pairs_hook=_object, parse_float=_number, parse_constant=str,
                            strict=False)
"""Takes tabs and line ends inside of a text as they are."""
LONG = 4_000_000
"""Characters from which on a value is not read a second time to know what it is."""
_PLAIN = msgspec.json.Decoder(dict[str, str | list[str] | int | bool | None])
_KEY = re.compile(r'"\s*:')
"""What stands behind each key; it may stand in a text, too."""
_BLANK = re.compile(r"[\s,\ufeff\0]*")
_TEXT = r'"(?:[^"\\]|\\.)*"'
_COMMENT = r"//[^\n]*|/\*.*?\*/|#[^\n]*"
_COMMA = re.compile(rf"{_TEXT}|,(?=\s*[\]}}])", re.DOTALL)
"""A text, or a comma behind which nothing more comes."""
_REMARK = re.compile(rf"{_TEXT}|{_COMMENT}", re.DOTALL)
"""A text, or a comment."""
_TOKEN = re.compile(rf"{_TEXT}|{_COMMENT}|[\[\]{{}}]", re.DOTALL)
"""What has to be seen to find the end of a list or an object."""
_STRAY = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\')
"""A sign that JSON knows, or a backslash that stands for itself."""
_COMMENTS = ("//", "/*", "#")
_LEVELS = 6
"""Levels read item by item where the whole is too deep: document, list, record, list, item."""


class TooDeep:
    """Stands for a value that is nested too deep to be read."""


class Partial(dict[str, object]):
    """An object of which some part is nested too deep to be read."""


def plain_object(text: str) -> Mapping[str, object] | None:
    """The object that a text is, if it is in order and holds nothing but texts, lists of texts and
    whole numbers; None for another text, which takes longer to read."""
    if len(text) > LONG:
        return None
    try:
        made = _PLAIN.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None
    return made if len(_KEY.findall(text)) == len(made) else None  # No key stands twice.


def skip(text: str, place: int) -> int:
    """Where the next thing begins that is no white space, comma or mark."""
    match = _BLANK.match(text, place)
    return match.end() if match else place


def comment_at(text: str, place: int) -> int:
    """Where the comment that begins at `place` ends, as far as it is held; `place` for none."""
    if not text.startswith(_COMMENTS, place):
        return place
    sign = "*/" if text.startswith("/*", place) else "\n"
    end = text.find(sign, place + 2)
    return len(text) if end < 0 else end + len(sign)


def value_at(text: str, place: int, levels: int = _LEVELS) -> tuple[object, int] | None:
    """The JSON value that begins at `place` and where it ends, None if there is none."""
    try:
        return _DECODER.raw_decode(text, place)
    except json.JSONDecodeError as error:
        return _leniently(text, place) if _is_meant(text, error) else None
    except ValueError:
        return None
    except RecursionError:
        return _shallow(text, place, levels)


def _is_meant(text: str, error: json.JSONDecodeError) -> bool:
    """True where reading ended at what people write: a comma before the end, a comment, a
    backslash, a tab.
    """
    return (error.msg.startswith("Invalid")
            or text.startswith(_COMMENTS, skip(text, error.pos))
            or _is_comma_at_end(text, error.pos))


def _is_comma_at_end(text: str, place: int) -> bool:
    """True where reading ended at a comma before the end of a list or an object."""
    behind = text[place:place + 200].lstrip(" \t\r\n,")[:1]
    before = text[max(place - 200, 0):place + 1].rstrip(" \t\r\n]}")[-1:]
    return behind in ("]", "}") and before == ","


def _leniently(text: str, place: int) -> tuple[object, int] | None:
    """The value at `place`, as people write it: with comments, with a comma behind the last item,
    with backslashes and tabs.
    """
    end = _closing(text, place) if text[place] in "{[" else None
    if end is None:
        return None
    bare = _REMARK.sub(lambda found: found[0] if found[0][0] == '"' else " ", text[place:end])
    strict = _COMMA.sub(lambda found: "" if found[0] == "," else _sane(found[0]), bare)
    try:
        return _LENIENT.decode(strict), end
    except (ValueError, RecursionError):
        return None


def _sane(words: str) -> str:
    """A text of JSON in which a backslash before another sign stands for itself."""
    return _STRAY.sub(lambda found: found[0] if len(found[0]) > 1 else "\\\\", words)


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
