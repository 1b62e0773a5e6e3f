"""Canonical names and slot keys, the identities that every read and write share."""

import re

_SPACES = re.compile(r"\s+")


def canonical(text: str) -> str:
    """Trimmed, lower case, each run of white space one space (seed 000, canonical names)."""
    return _SPACES.sub(" ", text.strip()).lower()


def slot_key(text: str | None, default: str | None = None) -> str | None:
    """The canonical form of a group or claim key: `Start time` -> `start_time`.

    One normaliser for every operation, so a slot that was added under any spelling is found
    again under any other. Returns `default` for an empty key.
    """
    if text is None:
        return default
    key = _SPACES.sub("_", canonical(text))
    return key or default


def spoken(key: str | None) -> str:
    """A key as a person reads it: `start_time` -> `start time`."""
    return (key or "general").replace("_", " ")
