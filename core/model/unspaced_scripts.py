"""The scripts that put no space between words, as ranges of a regular expression."""

import re
from functools import cache

HAN_AND_KANA = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HANGUL = "\uac00-\ud7af"
"""Korean has spaces, but a word and its particle are one: 서울에서 is "in 서울"."""
SOUTH_EAST_ASIAN = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"


def has_unspaced(word: str) -> bool:
    """True if a sign of the word is of a script in which full text sees a whole run as one word."""
    return not word.isascii() and _pattern().search(word) is not None


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(f"[{SOUTH_EAST_ASIAN}{HAN_AND_KANA}]")
