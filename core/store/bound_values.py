"""Gives values the form in which SQLite takes them."""

import json
from contextlib import suppress

from msgspec.json import Encoder

from core.model.names import storable

PLAIN = frozenset((str, int, float, bytes, type(None)))
"""What SQLite takes as it is."""
_TEXT = frozenset((str,))

_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_texts_as_json = Encoder().encode
"""The same of texts, of ids in nearly every statement, in a quarter of the time."""


def bindable(value: object) -> object:
    """The value as it is bound: collections as JSON, texts without half characters."""
    if isinstance(value, list | tuple | set | frozenset | dict):
        texts = (*value, *value.values()) if isinstance(value, dict) else value
        if _TEXT.issuperset(map(type, texts)):
            with suppress(UnicodeEncodeError):
                return _texts_as_json(value).decode()
        value = _as_json(list(value) if isinstance(value, set | frozenset) else value)
    if isinstance(value, str):
        return storable(value)
    return int(value) if isinstance(value, bool) else value
