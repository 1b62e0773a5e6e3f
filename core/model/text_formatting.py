"""Fits text into a line, and formats counts."""

import re

_TURNING = re.compile("[\u202a-\u202e\u2066\u2067]")


def unturned(text: str) -> str:
    """The text without signs that show the letters behind them in another order than an agent
    reads them in. Text that is written from right to left needs none."""
    return text if text.isascii() else _TURNING.sub("", text)


def clip(text: str, limit: int, mark: str = "…") -> str:
    """The beginning of a text of more than `limit` characters, `mark` at its end included."""
    return text if len(text) <= limit else text[:limit - len(mark)].rstrip() + mark


def one_line(text: str, limit: int = 300, mark: str = "…") -> str:
    """The beginning of a text with each run of white space one space, `unturned`."""
    return clip(" ".join(unturned(text[:limit * 4]).split()), limit, mark)


def counted(number: int, words: str, many: str = "") -> str:
    """`1 memory`, `3 values confirmed`: the first word is the noun, unless `many` says it all."""
    if number != 1 and many:
        return f"{number:,} {many}"
    noun, _, rest = words.partition(" ")
    if number != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun} {rest}".rstrip()
