"""Gives values the form in which SQLite takes them."""

import json

from core.model.names import storable

PLAIN = frozenset((str, int, float, bytes, type(None)))
"""What SQLite takes as it is."""

_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def bindable(value: object) -> object:
    """The value as it is bound: collections as JSON, texts without half characters."""
    if isinstance(value, list | tuple | set | frozenset | dict):
        value = _as_json(list(value) if isinstance(value, set | frozenset) else value)
    if isinstance(value, str):
        return storable(value)
    return int(value) if isinstance(value, bool) else value
