"""Writes Markdown's links to other notes as links in double brackets, which the reader follows."""

import re
from urllib.parse import unquote

_LINK = re.compile(
    r"(?P<code>`+).+?(?P=code)"
    r"|\[(?P<words>(?:[^\[\]\\\n]|\\.)*)\]"
    r"\((?:<(?P<spaced>[^<>\n]+)>|(?P<place>[^()\s<>]+))(?:\s+\"[^\"\n]*\")?\)", re.DOTALL)
_NOTE = re.compile(r"(?![a-z][a-z0-9+.-]*:|/).+\.(?:md|markdown)(?:#.*)?", re.IGNORECASE)
"""A place in the folder; no address and no file of the machine."""
_IN_LINKS = re.compile(r"\\?([|\[\]\n])")
_TWINS = {"[": "(", "]": ")", "|": " ", "\n": " "}


def in_double_brackets(text: str) -> str:
    """The text with `[words](place.md)` as `[[place.md|words]]`; code is left as it is."""
    return _LINK.sub(_one, text) if "](" in text else text


def _one(link: re.Match[str]) -> str:
    place = link["spaced"] or link["place"] or ""
    if link["code"] or not _NOTE.fullmatch(place):
        return link[0]
    words = _plain(link["words"]).strip()
    return f"[[{_plain(unquote(place))}{'|' if words else ''}{words}]]"


def _plain(words: str) -> str:
    """The words without what would end a link in double brackets."""
    return _IN_LINKS.sub(lambda sign: _TWINS[sign[1]], words)
