"""Turns what a person types into full-text and LIKE patterns, and shows where it matched."""

import re

_WIDTH = 140
# Scripts that put no space between words: full text sees a whole run of them as one word.
_RUNS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf"
                   "\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def words_of(text: str) -> tuple[str, ...]:
    """The words of a search: split at white space, in any script, as typed."""
    return tuple(text.replace("\0", " ").split())


def full_text(words: tuple[str, ...]) -> str:
    """An FTS5 query for rows that hold every word, each as a beginning; empty if none can match.

    Each word is quoted, so that what is typed is never read as query syntax. Words without a
    letter or digit are left out, because full text keeps none of their signs.
    """
    quoted = (word.replace('"', '""') for word in words if any(map(str.isalnum, word)))
    return " ".join(f'"{word}"*' for word in quoted)


def needs_substring(words: tuple[str, ...]) -> bool:
    """True if full text can't find the words: signs and emoji, or a script without spaces."""
    return any(_RUNS.search(word) or not any(map(str.isalnum, word)) for word in words)


def like(text: str) -> str:
    """A LIKE pattern (ESCAPE '\\') for `text` anywhere, its wildcards taken literally."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def starts_with(text: str) -> str:
    """A LIKE pattern (ESCAPE '\\') for `text` at the start."""
    return like(text)[1:]


def snippet(content: str, words: tuple[str, ...], width: int = _WIDTH) -> str:
    """The part of `content` around the first match, on one line, cut with `…` where it is."""
    start = max(_first(content, words) - width // 3, 0)
    if start:  # Begin at a word, unless there is no space near.
        space = content.find(" ", start, start + 20)
        start = space + 1 if space >= 0 else start
    cut = " ".join(content[start:start + width * 2].split())
    tail = "…" if len(cut) > width or start + width * 2 < len(content) else ""
    return ("…" if start else "") + cut[:width].rstrip() + tail


def _first(content: str, words: tuple[str, ...]) -> int:
    lower = content[:200_000].lower()
    places = [place for word in words if (place := lower.find(word.lower())) >= 0]
    return min(places, default=0)
