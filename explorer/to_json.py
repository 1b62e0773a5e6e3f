"""The model's dataclasses as JSON, in the shapes that Signet's own tools give."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from pathlib import Path

# Signs that JSON may hold as they are but that a terminal would obey.
_OBEYED = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def camel(name: str) -> str:
    """`created_at` -> `createdAt`, the spelling of every key on the wire."""
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


def plain(thing: object) -> object:
    """`thing` in JSON's own types; a dataclass becomes an object with camel case keys.

    Mappings keep their keys: they are payloads and results, whose spelling is their author's.
    """
    if is_dataclass(thing) and not isinstance(thing, type):
        return {camel(f.name): plain(getattr(thing, f.name)) for f in fields(thing)}
    if isinstance(thing, Mapping):
        return {str(key): plain(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple | set | frozenset):
        return [plain(item) for item in thing]
    if isinstance(thing, bytes):
        return thing.hex()
    if isinstance(thing, float) and not math.isfinite(thing):
        return None
    if isinstance(thing, datetime):
        return thing.isoformat()
    return str(thing) if isinstance(thing, Path) else thing


def text(thing: object) -> str:
    """`thing` as indented JSON that is safe to print."""
    json_text = json.dumps(plain(thing), ensure_ascii=False, indent=2, allow_nan=False)
    return _OBEYED.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json_text)
