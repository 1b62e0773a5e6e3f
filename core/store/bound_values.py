"""Gives values the form in which SQLite takes them."""

import json
from contextlib import suppress

from msgspec.json import Encoder

from core.model.names import storable

PLAIN = frozenset((str, int, float, bytes, type(None)))
"""What SQLite takes as it is."""
_AS_IT_IS = PLAIN - {str}
_TEXTS_AND_NUMBERS = frozenset((str, int))

_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_as_json_sooner = Encoder().encode
"""The same of texts and whole numbers, of ids in nearly every statement, in a quarter of the time.
"""


def bindable(value: object) -> object:
    """The value as it is bound: collections as JSON, texts without half characters."""
    if type(value) in _AS_IT_IS:
        return value
    if isinstance(value, list | tuple | set | frozenset | dict):
        parts = (*value, *value.values()) if isinstance(value, dict) else value
        if _TEXTS_AND_NUMBERS.issuperset(map(type, parts)):
            with suppress(UnicodeEncodeError):
                return _as_json_sooner(value).decode()
        value = _as_json(list(value) if isinstance(value, set | frozenset) else value)
    if isinstance(value, str):
        return storable(value)
    return int(value) if isinstance(value, bool) else value
