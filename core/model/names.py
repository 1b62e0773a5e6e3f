"""Canonical names and slot keys, the identities that every read and write share."""


def canonical(text: str) -> str:
    """Trimmed, lower case, each run of white space one space (seed 000, canonical names)."""
    return " ".join(text.split()).lower()


def storable(text: str) -> str:
    """`text` with a replacement mark for each half of a character, which no file can hold.

    JSON can say such halves (`"\\ud800"`), and so can the names of files and arguments.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def slot_key(text: str | None, default: str | None = None) -> str | None:
    """The canonical form of a group or claim key: `Start time` -> `start_time`.

    One normaliser for every operation, so a slot that was added under any spelling is found
    again under any other. Returns `default` for an empty key.
    """
    if text is None:
        return default
    key = canonical(text).replace(" ", "_")
    return key or default


def spoken(key: str | None) -> str:
    """A key as a person reads it: `start_time` -> `start time`."""
    return (key or "general").replace("_", " ")
