"""Says in words what an observation is that is written as an object."""

import json

from core.transfer.damaged_json import Partial, TooDeep
from core.transfer.record_field_reader import TIMES, Fields
from core.transfer.record_kinds import TEXT

WHOLE = ""
"""Stands for the name of a text that is made of all fields of its object."""


def text_of(fields: Fields, item: object) -> tuple[str, object]:
    """What an observation's text is called in its object, and the text.

    Of an object without a field for it, its only text counts; else all that it says, which is
    `WHOLE`. The name of a text that stands alone is `WHOLE`, too.
    """
    if not isinstance(item, dict):
        return WHOLE, item
    name, given = fields.named(tuple(key for key in TEXT if _is_word(item.get(key))))
    if name:
        return name, given
    texts = [key for key, value in item.items()
             if key not in TIMES and isinstance(value, str) and value.strip()]
    others = [key for key, value in item.items() if key not in (*TIMES, *texts) and value]
    if len(texts) == 1 and not others:
        return fields.named((texts[0],))
    if isinstance(item, Partial) or any(isinstance(value, TooDeep) for value in item.values()):
        return WHOLE, None
    # In the order of the keys, as what is kept of it is: an export says the same again.
    return WHOLE, "; ".join(f"{key}: {_said(value)}" for key, value in sorted(item.items())
                            if key not in TIMES and value not in (None, "", [], {}))


def _is_word(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool) and value != ""


def _said(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(
        value, ensure_ascii=False, sort_keys=True)
